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
