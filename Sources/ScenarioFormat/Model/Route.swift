package import Basics
package import HTTPCodec
package import JSON

/// What is answered on one method and path.
package struct Route: Sendable {
    package var key: RouteKey
    package var requirements: [TokenRequirement]
    /// What is looked up before the cases are looked at, in this order.
    package var finds: [Find] = []
    package var cases: [Branch]
    package var responses: ResponseSequence
    package var position: JSONPosition

    /// Whether the listed responses go before the cases, because a story adds them to a route that has cases.
    package var listsFirst = false
    /// The fastest that a request's body is read, in bytes a second.
    package var uploadRate: Int?

    /// Every response that it may give, whatever the case.
    package var allResponses: [StubResponse] {
        ([responses] + cases.map(\.responses)).flatMap { $0.listed + [$0.own].compactMap(\.self) }
    }
}

/// A method and a path template, as the routes of a scenario are named: `GET /diaries/{id}`.
package struct RouteKey: Sendable, Hashable {
    /// `nil` for every method, written `*`.
    package var method: HTTPMethod?
    package var template: PathTemplate
    /// The key as the file has it.
    package var text: String

    package init(method: HTTPMethod?, template: PathTemplate, text: String) {
        self.method = method
        self.template = template
        self.text = text
    }
}

/// What is answered where no route is: as a route, without a key.
package struct Fallback: Sendable {
    package var requirements: [TokenRequirement]
    package var cases: [Branch]
    /// Whether the listed responses go before the cases.
    package var listsFirst = false
    /// Without any response, what no case takes is left to the tool.
    package var responses: ResponseSequence

    /// Every response that it may give, whatever the case; the token kinds' own refusals are not among them.
    package var allResponses: [StubResponse] {
        requirements.flatMap(\.rejections).map(\.response)
            + (cases.map(\.responses) + [responses]).flatMap { $0.listed + [$0.own].compactMap(\.self) }
    }
}

/// Answers for requests that meet a condition.
package struct Branch: Sendable {
    package var condition: Condition
    package var responses: ResponseSequence
}

/// A check that may answer instead of any route.
package struct Guard: Sendable {
    package var name: String
    package var condition: Condition
    package var response: StubResponse
}

/// The answers of a route or a case: a sequence, and its own response.
package struct ResponseSequence: Sendable {
    package var own: StubResponse?
    package var listed: [StubResponse]
    package var afterLast: AfterLast
}

/// What answers when every listed response was given.
package enum AfterLast: String, Sendable, CaseIterable {
    case repeatLast = "repeat"
    case loop
    /// 500 with a problem that says so.
    case fail
    /// The response that stands beside the list.
    case own
}

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
