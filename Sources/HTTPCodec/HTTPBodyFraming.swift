/// How the end of a body is found (RFC 9112, section 6.3).
package enum HTTPBodyFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// Only in responses: the body ends with the connection.
    case untilClose
}
