import Basics

/// Appends responses to one buffer and decides framing and persistence, so that authors of responses need not.
///
/// `Content-Length`, `Transfer-Encoding` and `Connection` among a response's own fields are left out and decided here;
/// `Connection: close` is obeyed, and `Content-Length` is kept where there is no body to count: in responses to HEAD and
/// in 304. An existing `Date` is kept, otherwise the given one is added (RFC 9110, section 6.6.1).
package struct HTTPResponseWriter: Sendable {
    /// The framing of a body that is sent after its head.
    package enum Framing: Sendable, Hashable {
        case length(Int)
        /// Becomes a body that ends with the connection for HTTP/1.0, which has no chunks.
        case chunked
        case untilClose
    }

    package let version: HTTPVersion
    package let method: HTTPMethod
    package let keepsAlive: Bool

    /// For a response to bytes that were not a request, or when the server decides all of it.
    package init(version: HTTPVersion = .http11, method: HTTPMethod = .get, keepsAlive: Bool = false) {
        self.version = version
        self.method = method
        self.keepsAlive = keepsAlive
    }

    package init(answering request: HTTPRequest) {
        self.init(version: request.version, method: request.method, keepsAlive: request.keepsAlive)
    }

    /// A Boolean value that indicates whether the response that it would append is a ``PreparedResponse`` as it is.
    package var appendsPrepared: Bool { keepsAlive && version == .http11 && method != .head }

    /// Appends a whole response, body included unless the method or the status forbids one.
    ///
    /// - Parameter date: The value of the Date field, as `HTTPDate.text` gives it.
    /// - Returns: Whether the connection stays open after it.
    @discardableResult
    package func append(_ response: HTTPResponse, date: String? = nil, to output: inout [UInt8]) -> Bool {
        // 205 has no content by definition, yet it has a length (RFC 9110, section 15.3.6).
        let length = response.status.code == 205 ? 0 : response.body.count
        let isSent = sendsBody(response.status) && length > 0
        output.grow(by: 256 + response.fields.wireSize + (isSent ? length : 0))
        let livesOn = appendHead(response, framing: .length(length), date: date, to: &output)
        if isSent { output.append(contentsOf: response.body) }
        return livesOn
    }

    /// Appends status line and fields only; the body of `response` is not looked at.
    ///
    /// - Returns: Whether the connection stays open after the response.
    @discardableResult
    package func appendHead(
        _ response: HTTPResponse,
        framing: Framing,
        date: String? = nil,
        to output: inout [UInt8]
    ) -> Bool {
        let fields = response.fields
        output.appendStatusLine(response.status)
        output.append(fields)
        var framing = framing
        if framing == .chunked, !usesChunks { framing = .untilClose }
        var livesOn = keepsAlive && !fields.asksToClose
        if framing == .untilClose, sendsBody(response.status) { livesOn = false }
        if let date, !fields.known.contains(.date) { output.appendField("Date: ", date) }
        if let length = lengthWithoutBody(response) {
            output.appendField("Content-Length: ", length)
        } else {
            appendFraming(framing, status: response.status, to: &output)
        }
        appendConnection(livesOn, to: &output)
        output.appendLineEnd()
        return livesOn
    }

    /// Returns whether a body follows the head of a response with that status at all.
    package func sendsBody(_ status: HTTPStatus) -> Bool {
        method != .head && !status.forbidsBody
    }

    /// A Boolean value that indicates whether `Framing.chunked` really is: HTTP/1.0 gets the bare bytes.
    package var usesChunks: Bool { version == .http11 }

    /// Appends one chunk; nothing for no bytes, since an empty chunk would be the last.
    package static func appendChunk(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.append(hexadecimal: bytes.count)
        output.appendLineEnd()
        output.append(contentsOf: bytes)
        output.appendLineEnd()
    }

    package static func appendLastChunk(trailers: HTTPFields = HTTPFields(), to output: inout [UInt8]) {
        output.append(literal: "0\r\n")
        output.append(trailers)
        output.appendLineEnd()
    }

    /// Appends the response that turns the connection over to another protocol, with its own fields but Connection.
    package static func appendUpgrade(_ response: HTTPResponse, date: String? = nil, to output: inout [UInt8]) {
        output.appendStatusLine(response.status)
        output.append(response.fields)
        if let date, !response.fields.known.contains(.date) { output.appendField("Date: ", date) }
        output.append(literal: "Connection: Upgrade\r\n")
        output.appendLineEnd()
    }

    /// Appends an interim response (RFC 9110, section 15.2).
    package static func append(interim response: HTTPResponse, to output: inout [UInt8]) {
        output.appendStatusLine(response.status)
        output.append(response.fields)
        output.appendLineEnd()
    }

    /// The interim response that lets the client send its body.
    package static func appendContinue(to output: inout [UInt8]) {
        output.append(literal: "HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// The length that the author states for a body that is not sent; a 204 must not have one.
    private func lengthWithoutBody(_ response: HTTPResponse) -> String? {
        guard response.fields.known.contains(.contentLength), response.body.isEmpty,
            method == .head && !response.status.forbidsBody || response.status.code == 304,
            let length = response.fields["Content-Length"], !length.isEmpty, length.utf8.allSatisfy(ByteClass.isDigit)
        else { return nil }
        return length
    }

    private func appendFraming(_ framing: Framing, status: HTTPStatus, to output: inout [UInt8]) {
        guard !status.forbidsBody else { return }
        switch framing {
        case .length(let length):
            output.append(literal: "Content-Length: ")
            output.append(decimal: length)
            output.appendLineEnd()
        case .chunked:
            output.append(literal: "Transfer-Encoding: chunked\r\n")
        case .untilClose:
            break
        }
    }

    /// RFC 9112, section 9.3: 1.1 announces that it closes, 1.0 that it stays open.
    private func appendConnection(_ livesOn: Bool, to output: inout [UInt8]) {
        if !livesOn {
            output.append(literal: "Connection: close\r\n")
        } else if version == .http10 {
            output.append(literal: "Connection: keep-alive\r\n")
        }
    }
}
