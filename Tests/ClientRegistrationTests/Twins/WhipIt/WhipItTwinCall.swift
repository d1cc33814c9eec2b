import Foundation

/// A request of the twin.
struct WhipItTwinCall: Sendable {
    var method: String
    var target: String
    var contentType: String?
    var body: [UInt8] = []
    var isSigned = true
    var isIntercepted = true
    var isRefresh = false
    var isToggle = false

    init(_ method: String, _ target: String, isSigned: Bool = true, isRefresh: Bool = false) {
        self.method = method
        self.target = target
        self.isSigned = isSigned
        self.isRefresh = isRefresh
    }

    func json(_ members: [String: String]) throws -> WhipItTwinCall {
        var call = self
        call.contentType = "application/json"
        let encoder = JSONEncoder()
        // The order of a dictionary is another one in each run.
        encoder.outputFormatting = .sortedKeys
        call.body = Array(try encoder.encode(members))
        return call
    }

    /// A form of texts, and of one file before them.
    func form(_ parts: [(name: String, text: String)], file: (name: String, bytes: Int)? = nil) -> WhipItTwinCall {
        let boundary = "whipit-twin"
        var call = self
        call.contentType = "multipart/form-data; boundary=\(boundary)"
        if let file {
            call.body += Array(
                """
                --\(boundary)\r\nContent-Disposition: form-data; name="\(file.name)"; \
                filename="\(file.bytes) bytes.jpeg"\r\nContent-Type: image/jpeg\r\n\r\n
                """.utf8
            )
            call.body += Array(repeating: 0xAA, count: file.bytes) + Array("\r\n".utf8)
        }
        for part in parts {
            call.body += Array(
                """
                --\(boundary)\r\nContent-Disposition: form-data; name="\(part.name)"\r\n\r\n\(part.text)\r\n
                """.utf8
            )
        }
        call.body += Array("--\(boundary)--\r\n".utf8)
        return call
    }
}

/// Why a call of the twin came to nothing.
enum WhipItTwinProblem: Error, Sendable {
    case connection
    case status(Int)
    case unreadable
    case undecodable(DecodingError)
    case signedOut
    case sessionOver
}

struct WhipItTwinToken: Codable, Sendable {
    var token: String
}
