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

/// What the routes of a scenario are for.
package struct RoutePurposes: Sendable {
    private let ownKinds: Set<String>
    /// The kinds that a sign-in grants.
    private let signInKinds: Set<String>
    /// The kinds that routes require which grant none.
    private let resourceKinds: Set<String>
    /// Kinds that stand beside a session, such as a cookie for a web view: a resource grants them, and neither a
    /// sign-in nor a refresh does.
    package let unrelatedKinds: Set<String>

    package init(_ scenario: Scenario) {
        let own = Set(scenario.tokens.kinds.filter { !$0.isForeign }.map(\.name))
        let routes = scenario.routes.map {
            (required: $0.requiredKinds(among: own), granted: $0.grantedKinds, route: $0)
        }
        ownKinds = own
        let signedIn = routes.filter { $0.route.signsIn || $0.required.isEmpty }
            .reduce(into: Set<String>()) { $0.formUnion($1.granted) }
        // Where no route signs in, the story's past does.
        signInKinds = signedIn.isEmpty ? Set(scenario.tokens.signInGrants.map(\.kind)) : signedIn
        resourceKinds = routes.filter(\.granted.isEmpty).reduce(into: []) { $0.formUnion($1.required) }
        var (beside, others) = (Set<String>(), signInKinds)
        for (required, granted, route) in routes {
            let isBeside = Self.grantsBeside(required, granted, signInKinds, resourceKinds) && !route.signsIn
            if isBeside { beside.formUnion(granted) } else { others.formUnion(granted) }
        }
        unrelatedKinds = beside.subtracting(others)
    }

    /// What a route is for; tokens of foreign kinds do not count.
    package func purpose(of route: Route) -> RoutePurpose {
        let (required, granted) = (requiredKinds(of: route), route.grantedKinds)
        if route.signsIn || !granted.isEmpty && required.isEmpty { return .signIn }
        if route.allResponses.contains(where: { $0.changes.contains(where: \.isSignOut) }) { return .signOut }
        if required.isEmpty { return .open }
        if granted.isEmpty || Self.grantsBeside(Set(required), granted, signInKinds, resourceKinds) { return .resource }
        return .refresh
    }

    /// The backend's own kinds of token that a route requires.
    package func requiredKinds(of route: Route) -> [String] {
        route.requirements.map(\.kind).filter(ownKinds.contains)
    }

    /// Whether a route grants kinds beside the session, by a token that resources require as well.
    private static func grantsBeside(
        _ required: Set<String>,
        _ granted: Set<String>,
        _ signInKinds: Set<String>,
        _ resourceKinds: Set<String>
    ) -> Bool {
        !granted.isEmpty && !required.isEmpty && required.isSubset(of: resourceKinds)
            && granted.isDisjoint(with: required)
            && granted.isDisjoint(with: signInKinds)
    }
}

extension Route {
    fileprivate func requiredKinds(among kinds: Set<String>) -> Set<String> {
        Set(requirements.map(\.kind)).intersection(kinds)
    }

    /// The kinds of which it grants new tokens.
    fileprivate var grantedKinds: Set<String> {
        Set(allResponses.flatMap(\.grants).filter { $0.source == .new }.map(\.kind))
    }

    fileprivate var signsIn: Bool { allResponses.contains { $0.signIn != nil } }
}

extension Event {
    fileprivate var isSignOut: Bool {
        if case .signOut = action { true } else { false }
    }
}
