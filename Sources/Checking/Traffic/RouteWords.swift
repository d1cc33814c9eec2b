package import HTTPCodec

/// The words in paths that suggest the purpose of a route; they are in the form of ``TokenNames/plain(_:)``.
package enum RouteWords {
    /// The parts of words in the paths of routes on which people sign in.
    package static let signIn = ["login", "signin", "signup"]

    /// The parts of words in the paths of refreshes.
    package static let refresh = ["refresh", "renew", "reissue", "rotate"]

    /// Returns whether a path ends the session of its user, or the user's account.
    package static func isSignOut(_ words: [String], _ method: HTTPMethod) -> Bool {
        if words.contains(where: { word in ["logout", "signout", "withdraw"].contains { word.contains($0) } }) {
            return true
        }
        let last = words.last ?? ""
        return last == "revoke"
            || method == .delete && ["user", "me", "account", "session", "token", "withdrawal"].contains(last)
    }
}
