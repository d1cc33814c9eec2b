/// The purpose of a route with regard to tokens.
package enum RoutePurpose: String, Sendable, Hashable, CaseIterable {
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

/// The purposes of a route's requests: each case with its own tokens has a separate purpose.
package struct RoutePurposeTable: Sendable, Hashable {
    /// The default purpose of the route's cases.
    package var common: RoutePurpose
    /// By the index of the case; those that neither want nor grant tokens are not among them.
    package var cases: [Int: RoutePurpose] = [:]
    /// The kinds that its refreshes require: a request with one is a refresh, regardless of the response.
    package var refreshKinds: [String] = []

    package init(common: RoutePurpose, refreshKinds: [String] = []) {
        self.common = common
        self.refreshKinds = refreshKinds
    }
}

/// The purposes of a scenario's routes.
///
/// Kinds that are used up at once, such as authorization codes, do not count: what they are exchanged in is a sign-in.
package struct RoutePurposes: Sendable {
    private let ownKinds: Set<String>
    /// The kinds that a sign-in grants.
    private let signInKinds: Set<String>
    /// The kinds that routes require which grant none.
    private let resourceKinds: Set<String>
    /// Kinds independent of a session, such as a cookie for a web view: a resource grants them, and neither a
    /// sign-in nor a refresh does; or no route requires it.
    package let unrelatedKinds: Set<String>

    /// A route, or a case of one, with what it requires and grants.
    private struct Part {
        /// The index of the case; `nil` for the route's own responses and for a route as a whole.
        var number: Int?
        var required: [String]
        var granted: Set<String>
        var signsIn: Bool
        var signsOut: Bool

        init(_ number: Int?, _ requirements: [TokenRequirement], _ responses: [StubResponse], _ kinds: Set<String>) {
            self.number = number
            required = requirements.map(\.kind).filter(kinds.contains)
            let all = Set(responses.flatMap(\.grants).filter { $0.source == .new }.map(\.kind))
            granted = all.intersection(kinds)
            // What hands out nothing but a code has not signed in yet.
            signsIn = (all.isEmpty || !granted.isEmpty) && responses.contains { $0.signIn != nil }
            signsOut = responses.contains { $0.changes.contains(where: \.isSignOut) }
        }
    }

    package init(_ scenario: Scenario) {
        let own = Set(scenario.tokens.kinds.filter { !$0.isForeign && !$0.isSingleUse }.map(\.name))
        let parts = scenario.routes.flatMap { Self.parts(of: $0, own) }
        ownKinds = own
        let signedIn = parts.filter { $0.signsIn || $0.required.isEmpty }
            .reduce(into: Set<String>()) { $0.formUnion($1.granted) }
        // Where no route signs in, the story's past does.
        signInKinds = signedIn.isEmpty ? Set(scenario.tokens.signInGrants.map(\.kind)) : signedIn
        resourceKinds = parts.filter(\.granted.isEmpty).reduce(into: []) { $0.formUnion($1.required) }
        var (beside, others) = (Set<String>(), signInKinds)
        for part in parts {
            let isBeside = Self.grantsBeside(part, signInKinds, resourceKinds) && !part.signsIn
            if isBeside { beside.formUnion(part.granted) } else { others.formUnion(part.granted) }
        }
        // What no route requires while resources require others, such as an ID token, decides nothing here.
        let required = parts.reduce(into: Set<String>()) { $0.formUnion($1.required) }
        let idle = resourceKinds.isEmpty ? [] : own.subtracting(required)
        unrelatedKinds = beside.subtracting(others).union(idle)
    }

    /// The purpose of a route's requests; tokens of foreign kinds do not count.
    package func purposes(of route: Route) -> RoutePurposeTable {
        let parts = Self.parts(of: route, ownKinds)
        guard parts.count > 1 else {
            let purpose = parts.first.map(purpose) ?? .open
            return RoutePurposeTable(common: purpose, refreshKinds: purpose == .refresh ? parts[0].required : [])
        }
        var table = RoutePurposeTable(common: .open)
        for part in parts {
            let purpose = purpose(of: part)
            if let number = part.number, purpose != .open { table.cases[number] = purpose }
            for kind in part.required where purpose == .refresh && !table.refreshKinds.contains(kind) {
                table.refreshKinds.append(kind)
            }
        }
        let present = parts.map(purpose)
        table.common = [.signIn, .refresh, .resource, .signOut].first(where: present.contains) ?? .open
        return table
    }

    /// The backend's own kinds of token that a route requires, in any case.
    package func requiredKinds(of route: Route) -> [String] {
        route.allRequirements.map(\.kind).filter(ownKinds.contains)
    }

    /// A route as a whole, or apart by its cases if those require their own tokens.
    private static func parts(of route: Route, _ kinds: Set<String>) -> [Part] {
        guard route.cases.contains(where: { !$0.requirements.isEmpty }) else {
            return [Part(nil, route.requirements, route.allResponses, kinds)]
        }
        let cases = route.cases.enumerated().map { number, branch in
            Part(number, route.requirements + branch.requirements, branch.responses.all, kinds)
        }
        return cases + [Part(nil, route.requirements, route.responses.all, kinds)]
    }

    private func purpose(of part: Part) -> RoutePurpose {
        if part.signsIn || !part.granted.isEmpty && part.required.isEmpty { return .signIn }
        if part.signsOut { return .signOut }
        if part.required.isEmpty { return .open }
        return part.granted.isEmpty || Self.grantsBeside(part, signInKinds, resourceKinds) ? .resource : .refresh
    }

    /// Returns whether a route grants kinds next to the session, by a token that resources require as well.
    private static func grantsBeside(_ part: Part, _ signInKinds: Set<String>, _ resourceKinds: Set<String>) -> Bool {
        !part.granted.isEmpty && !part.required.isEmpty && resourceKinds.isSuperset(of: part.required)
            && part.granted.isDisjoint(with: part.required)
            && part.granted.isDisjoint(with: signInKinds)
    }
}

extension Event {
    fileprivate var isSignOut: Bool {
        if case .signOut = action { true } else { false }
    }
}
