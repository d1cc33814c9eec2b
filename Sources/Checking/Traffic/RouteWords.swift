package import HTTPCodec

/// The words in paths that suggest the purpose of a route; they are in the form of ``TokenNames/plain(_:)``.
package enum RouteWords {
    /// The parts of words in the paths of routes on which people sign in.
    package static let signIn = ["login", "signin", "signup"]

    /// The parts of words in the paths of refreshes, which other routes have as well, such as `/cache/refresh`.
    package static let refresh = ["refresh", "renew", "reissue", "rotate"]

    /// The parts of words next to those of a refresh that say that tokens are refreshed.
    private static let refreshed = [
        "tokens", "token", "sessions", "session", "access", "jwt", "oauth", "auth", "login",
    ]

    /// Words of paths that end a session; each also begins or ends longer words, as in `logoutall`.
    private static let signOut = ["logout", "signout", "logoff", "signoff", "endsession"]

    /// The beginnings of words at the end of paths where tokens are revoked.
    private static let revocation = ["revoke", "revocation", "blacklist", "blocklist", "denylist", "invalidate"]

    /// Words for authorization servers and sessions (RFC 6749, OpenID Connect), and for the user who asks.
    private static let session: Set<String> = [
        "auth", "oauth", "oauth2", "oidc", "openidconnect", "o", "connect", "identity", "token", "tokens", "session",
        "sessions", "user", "users", "me", "my", "self", "current", "account", "accounts", "member", "members",
        "withdraw", "withdrawal", "api", "rest", "mobile",
    ]

    /// Returns whether a path is that of a refresh, without looking at requests: `/refresh`, `/auth/renew`,
    /// `/session/refresh-token`.
    package static func isRefresh(_ words: [String]) -> Bool {
        words.indices.contains { index in
            guard let part = refresh.first(where: { words[index].contains($0) }) else { return false }
            var rest = words[index].replacing(part, with: " ", maxReplacements: 1)
            let isWhole = rest == " "
            for word in refreshed { rest = rest.replacing(word, with: " ") }
            guard rest.allSatisfy({ $0 == " " }) else { return false }
            guard isWhole else { return true }
            let outer = words[..<index].last { !isVersion($0) }
            return outer.map { session.contains($0) || (signIn + refreshed).contains(where: $0.contains) } ?? true
        }
    }

    /// Returns whether a path ends the session of its user, or the user's account.
    package static func isSignOut(_ words: [String], _ method: HTTPMethod) -> Bool {
        // A browser asks with OPTIONS before it sends the request of a page.
        guard ![.head, .options, .trace].contains(method) else { return false }
        // People follow links to such pages.
        if words.contains(where: signOut.contains) { return true }
        guard method != .get else { return false }
        if words.contains(where: { word in signOut.contains { word.hasPrefix($0) || word.hasSuffix($0) } }) {
            return true
        }
        // The same words are used for wallets, invitations and the tokens of devices.
        let last = words.last ?? ""
        guard words.dropLast().last(where: { !isVersion($0) }).map(session.contains) ?? true else { return false }
        if ["withdraw", "withdrawal"].contains(last) || revocation.contains(where: last.hasPrefix) { return true }
        return method == .delete
            && ["user", "me", "account", "session", "sessions", "token", "current"].contains(last)
    }

    private static func isVersion(_ word: String) -> Bool {
        word.first == "v" && word.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
    }
}
