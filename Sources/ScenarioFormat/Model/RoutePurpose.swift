/// What a route is for, as far as tokens go.
package enum RoutePurpose: String, Sendable, Hashable {
    /// It requires tokens and grants none.
    case resource
    /// It requires tokens and grants new ones.
    case refresh
    /// It grants tokens to a caller that has none.
    case signIn
    /// It ends the caller's session.
    case signOut
    /// It requires no token.
    case open
}

extension Route {
    /// What the route is for; tokens of foreign kinds do not count.
    package func purpose(in rules: TokenRules) -> RoutePurpose {
        let replies = allReplies
        let grantsNew = replies.contains { $0.grants.contains { $0.source == .new } }
        let requiresToken = !requiredKinds(in: rules).isEmpty
        if replies.contains(where: { $0.signIn != nil }) || grantsNew && !requiresToken { return .signIn }
        if replies.contains(where: { $0.changes.contains(where: \.isSignOut) }) { return .signOut }
        if !requiresToken { return .open }
        return grantsNew ? .refresh : .resource
    }

    /// The backend's own kinds of token that the route requires.
    package func requiredKinds(in rules: TokenRules) -> [String] {
        requirements.map(\.kind).filter { rules.kind(named: $0)?.isForeign == false }
    }
}

extension Event {
    fileprivate var isSignOut: Bool {
        if case .signOut = action { true } else { false }
    }
}
