import HTTPCodec

/// What a twin was answered.
struct TwinResponse: Sendable {
    var status: Int
    var body: [UInt8]

    init(_ response: HTTPResponse) {
        status = response.status.code
        body = response.body
    }
}

/// What WhipIt's and RunwithU's servers say to people.
struct TwinMessage: Codable, Sendable { var message: String }

/// What the same servers say of a like; the member bears their name for it.
struct TwinLike: Codable, Sendable { var like_status: Bool }
