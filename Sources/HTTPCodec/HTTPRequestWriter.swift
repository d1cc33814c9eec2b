import Basics

/// Appends requests for the raw client, adding only what is missing: Host and the framing of the body.
package enum HTTPRequestWriter {
    /// - Parameter host: The value of Host when the request has none.
    package static func append(_ request: HTTPRequest, host: String = "localhost", to output: inout [UInt8]) {
        let fields = request.fields
        output.grow(by: 128 + request.target.utf8.count + fields.wireSize + request.body.count)
        output.append(contentsOf: request.method.rawValue.utf8)
        output.append(0x20)
        output.append(contentsOf: request.target.utf8)
        output.append(literal: request.version == .http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
        if !fields.known.contains(.host) {
            // Host goes first (RFC 9110, section 7.2).
            output.appendField("Host: ", request.targetAuthority ?? host)
        }
        for entry in fields.entries {
            output.append(contentsOf: fields.bytes[entry.name])
            output.append(literal: ": ")
            output.append(contentsOf: fields.bytes[entry.value])
            output.appendLineEnd()
        }
        let isFramed = !fields.known.isDisjoint(with: [.contentLength, .transferEncoding])
        if !isFramed, !request.body.isEmpty || announcesEmptyBody(request.method) {
            output.append(literal: "Content-Length: ")
            output.append(decimal: request.body.count)
            output.appendLineEnd()
        }
        output.appendLineEnd()
        output.append(contentsOf: request.body)
    }

    /// Methods that mean a body, so its absence is said (RFC 9110, section 8.6).
    private static func announcesEmptyBody(_ method: HTTPMethod) -> Bool {
        method == .post || method == .put || method == .patch
    }
}
