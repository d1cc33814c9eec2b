import Basics

/// A fault of a response, from the reader's view.
package enum HTTPResponseError: Error, Sendable, Hashable {
    /// The first bytes were not a status line, so not HTTP.
    case notHTTP(found: [UInt8])
    case malformed(HTTPFault)
    /// The connection ended within the status line or the fields.
    case truncatedHead(receivedBytes: Int)
    /// The connection ended within the body. `announced` is `nil` for a chunked body.
    case truncatedBody(received: Int, announced: Int?)
    /// The connection ended before the first byte of a response that was expected.
    case closedWithoutResponse
    /// Bytes came although no response was expected.
    case unexpectedBytes([UInt8])
}

extension HTTPResponseError {
    /// The finding, without a full stop.
    package var sentence: String {
        switch self {
        case .notHTTP(let found): "the response is not HTTP: it starts with \"\(PrintableText.of(found))\""
        case .malformed(let fault): "the response is malformed: \(fault.sentence)"
        case .truncatedHead(let received): "the connection ended \(received) bytes into the response head"
        case .truncatedBody(let received, let announced?):
            "the connection ended after \(received) of \(announced) bytes of the body"
        case .truncatedBody(let received, nil):
            "the connection ended after \(received) bytes of a chunked body, before its last chunk"
        case .closedWithoutResponse: "the connection was closed without a response"
        case .unexpectedBytes(let found):
            "received bytes without a request: \"\(PrintableText.of(found))\""
        }
    }
}

extension HTTPResponseError: CustomStringConvertible {
    package var description: String { sentence }
}
