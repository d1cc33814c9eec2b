import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// Which session a request is for, and the request as that session sees it.
struct SessionAddress: Sendable {
    /// `nil` for the default session.
    var name: String?
    var request: HTTPRequest
    /// A Boolean value that indicates whether the path named the session, which it does not any more.
    var isInPath = false

    static let header = "Backlot-Session"

    /// Reads the path prefix, then the header, then the listener that the request came in on.
    ///
    /// - Returns: `nil` when the request names a session in a way in which none can be called.
    init?(_ request: HTTPRequest, listener: String?) {
        self.request = request
        if let rest = ReservedPath.session.rest(of: request.path) {
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            name = String(rest[..<end])
            isInPath = true
            self.request = request.readdressed(to: end == rest.endIndex ? "/" : String(rest[end...]))
        } else {
            name = request.fields[Self.header] ?? listener
        }
        if let name, !Self.isName(name) { return nil }
    }

    /// Names are short and plain, because they are parts of paths, tokens and logs; two of only dots would be taken for
    /// steps in a path.
    static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "-_.".utf8.contains($0)
            }
    }

    /// The allowed names, for messages.
    static let nameRule = "1 to 64 letters, digits, \"-\", \"_\" and \".\""
}
