package import HTTPCodec
package import JSON
package import OpenAPI

/// Finds what looks like a freshly granted token.
package enum TokenFinder {
    /// The tokens in a route's answer; `nil` when there is no access token among them.
    static func tokens(in route: DraftedRoute) -> FoundTokens? {
        guard 200..<300 ~= route.answer.status, let body = route.answer.json else { return nil }
        let isSignIn = isSignIn(route.operation)
        guard isSignIn || route.operation.method == .post else { return nil }
        var found = FoundTokens()
        find(in: body, at: JSONPointer(), trusting: isSignIn, into: &found)
        return found.tokens.contains { $0.role == .access } ? found : nil
    }

    /// The tokens in an answer that surely grants some.
    package static func tokens(grantedBy body: JSONValue) -> [FoundToken] {
        var found = FoundTokens()
        find(in: body, at: JSONPointer(), trusting: true, into: &found)
        return found.tokens
    }

    /// Looks through objects, and not into lists: those tell about tokens that others have.
    private static func find(
        in value: JSONValue,
        at pointer: JSONPointer,
        trusting isSignIn: Bool,
        into found: inout FoundTokens
    ) {
        guard pointer.tokens.count < 5 else { return }
        for member in value.object?.members ?? [] {
            let place = pointer.appending(member.name)
            let name = plain(member.name)
            if member.value.object != nil {
                find(in: member.value, at: place, trusting: isSignIn, into: &found)
            } else if let role = role(of: name, trusting: isSignIn), member.value.string != nil || member.value.isNull {
                found.tokens.append(FoundToken(role: role, pointer: place))
            } else if name == "expiresin", let seconds = member.value.int, 1...315_360_000 ~= seconds {
                found.seconds = found.seconds ?? seconds
            }
        }
    }

    private static func role(of name: String, trusting isSignIn: Bool) -> TokenRole? {
        if name == "refreshtoken" { return .refresh }
        if name == "accesstoken" { return .access }
        let vague = ["token", "jwt", "jwttoken", "authtoken", "bearertoken", "sessiontoken"]
        return isSignIn && vague.contains(name) ? .access : nil
    }

    /// Whether path or operation id speak of sessions.
    private static func isSignIn(_ operation: Operation) -> Bool {
        let text = plain(operation.path) + " " + plain(operation.operationID ?? "")
        if text.contains("author") && !text.contains("authoriz") { return false }
        let words = [
            "login", "signin", "logon", "auth", "token", "session", "refresh", "reissue", "signup", "register",
        ]
        return words.contains { text.contains($0) }
    }

    static func isRefresh(_ name: String) -> Bool { plain(name).contains("refresh") }

    static func isAccess(_ name: String) -> Bool { plain(name).contains("access") }

    /// Letters only, in lower case: `access_token` and `accessToken` are the same.
    static func plain(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }, as: UTF8.self)
    }
}

/// The tokens that one answer holds.
struct FoundTokens: Sendable {
    var tokens: [FoundToken] = []
    /// How long the access token lives, when the answer says so.
    var seconds: Int?

    /// The lifetime as a scenario says it.
    var lifetime: String? {
        seconds.map { seconds in
            if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
            if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
            return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
        }
    }
}
