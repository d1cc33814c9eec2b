/// The two minor versions whose rules differ; a later 1.x is answered as 1.1 (RFC 9110, section 2.5).
package enum HTTPVersion: Sendable, Hashable {
    case http10
    case http11
}

extension HTTPVersion: CustomStringConvertible {
    package var description: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }
}
