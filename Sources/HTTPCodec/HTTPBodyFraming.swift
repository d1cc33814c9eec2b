/// The framing of a body (RFC 9112, section 6.3).
package enum HTTPBodyFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// Only in responses: the body ends with the connection.
    case untilClose

    /// A Boolean value that indicates whether bytes follow the head of a request.
    package var announcesBody: Bool {
        switch self {
        case .length(let length): length > 0
        case .chunked: true
        case .none, .untilClose: false
        }
    }
}
