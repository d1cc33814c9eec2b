/// What was wrong with a reply, as its reader saw it.
package enum HTTPResponseError: Error, Sendable, Hashable {
    /// The first bytes were no status line: not HTTP at all.
    case notHTTP(found: [UInt8])
    case malformed(HTTPFault)
    /// The connection ended within the status line or the fields.
    case truncatedHead(receivedBytes: Int)
    /// The connection ended within the body. `announced` is `nil` for a chunked body.
    case truncatedBody(received: Int, announced: Int?)
    /// The connection ended before the first byte of a reply that was expected.
    case closedWithoutReply
    /// Bytes came although no reply was expected.
    case unexpectedBytes([UInt8])
}
