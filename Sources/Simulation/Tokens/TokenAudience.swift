package import HTTPCodec
import JSON
import ScenarioFormat

extension HTTPRequest {
    /// The audience, the resource and the scope for which a request wants tokens; empty if it names none.
    ///
    /// One refresh token may be good for access tokens of several audiences, which do not replace each other (RFC 6749,
    /// section 6; RFC 8693, section 2.1; RFC 8707, section 2.2).
    package var tokenAudience: String {
        var view = RequestView(self)
        return ["audience", "resource", "scope"].compactMap { name in
            let value = view.value(of: .parameter(name)) ?? view.value(of: .body(JSONPointer(tokens: [name])))
            return value?.string.map { "\(name)=\($0)" }
        }
        .joined(separator: " ")
    }
}
