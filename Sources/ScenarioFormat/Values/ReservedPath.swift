/// A path that the server keeps for itself, with everything below it.
package enum ReservedPath: String, CaseIterable, Sendable {
    /// The admin API.
    case admin = "/__backlot"
    /// The path before the name of a session, which is not reserved without a name.
    case session = "/__session"

    /// The rest of a path after the reserved path and a slash; `nil` for a path that is not reserved.
    package func rest(of path: String) -> Substring? {
        guard path.utf8.starts(with: rawValue.utf8) else { return nil }
        let rest = path.utf8.dropFirst(rawValue.utf8.count)
        return switch rest.first {
        case UInt8(ascii: "/"): Substring(rest.dropFirst())
        case nil: self == .admin ? "" : nil
        default: nil
        }
    }
}
