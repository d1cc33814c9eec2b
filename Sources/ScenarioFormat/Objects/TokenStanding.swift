import Basics
import JSON

/// The state of a sent token at that time.
package enum TokenStanding: String, Sendable, Hashable, CaseIterable {
    case valid
    case expired
    case revoked
    /// Exchanged for a newer one.
    case superseded
    /// Superseded, and offered again before.
    case reused
    /// The token is of a kind other than the route requires.
    case wrongKind
    /// Not this session's.
    case unknown
    /// There is something where the token should be, but not in its form, such as another scheme.
    case malformed
    case missing

    /// The standing whose response serves where a backend has none for this one.
    package var general: TokenStanding? {
        switch self {
        case .reused: .superseded
        case .superseded: .revoked
        case .malformed: .unknown
        default: nil
        }
    }
}
