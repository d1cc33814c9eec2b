/// What was wrong with a response, as its reader saw it.
package enum HTTPResponseError: Error, Sendable, Hashable {
    /// The first bytes were no status line: not HTTP at all.
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
