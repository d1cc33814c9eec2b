import Foundation

/// A request of the twin.
struct RunwithUTwinCall: Sendable {
    var method: String
    var target: String
    var contentType: String?
    var body: [UInt8] = []
    var isSigned = true
    var isRefresh = false
    var isPicture = false

    init(_ method: String, _ target: String, isSigned: Bool = true) {
        self.method = method
        self.target = "/v1" + target
        self.isSigned = isSigned
    }

    func json(_ members: some Encodable) throws(RunwithUTwinProblem) -> RunwithUTwinCall {
        var call = self
        call.contentType = "application/json"
        do {
            let encoder = JSONEncoder()
            // The order of a dictionary is another one in each run.
            encoder.outputFormatting = .sortedKeys
            call.body = Array(try encoder.encode(members))
        } catch {
            throw .unreadable
        }
        return call
    }

    /// A form of one picture.
    func picture(bytes: Int) -> RunwithUTwinCall {
        var call = self
        let boundary = "runwithu-twin"
        call.contentType = "multipart/form-data; boundary=\(boundary)"
        call.body = Array(
            """
            --\(boundary)\r\nContent-Disposition: form-data; name="files"; filename="postImage"\r\n\
            Content-Type: image/png\r\n\r\n
            """.utf8
        )
        call.body += Array(repeating: 0xAA, count: bytes)
        call.body += Array("\r\n--\(boundary)--\r\n".utf8)
        return call
    }
}

/// Why a call of the twin came to nothing.
enum RunwithUTwinProblem: Error, Sendable {
    case connection
    /// The provider's page was closed.
    case unpaid
    case status(Int)
    case unreadable
    case undecodable(DecodingError)
    case nicknameInUse
    case whitespaceInNickname
    case signedOut
    case sessionOver
}
