import HTTPCodec
package import ScenarioFormat
package import Simulation

/// The roles of kinds of token and routes in a backend, as rules have to know them.
///
/// A scenario chooses the names of its kinds, so their parts follow from what the routes require and grant. Foreign
/// kinds have none: what another issuer issues is nothing that the client gets, renews and loses here.
package struct TokenRoles: Sendable, Hashable {
    /// The purpose of a kind of token.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        /// Resources require it.
        case access
        /// Only the routes that grant new tokens require it.
        case refresh
        /// It has nothing to do with the session: a resource grants it, for somewhere else.
        case other
    }

    package typealias Purpose = RoutePurpose

    package struct Kind: Sendable, Hashable {
        package var name: String
        package var role: Role
        package var lifetime: Duration
        /// The statuses of a refresh with it that end the session permanently.
        package var terminal: [Int]
        /// A Boolean value that indicates whether it gives way to a new one when it is used for a refresh.
        package var rotates: Bool
        /// The time for which an exchanged token is still accepted.
        package var grace: Duration
        /// The statuses by which a resource says that it does not accept one.
        package var refusals: [Int] = [401]
    }

    package var kinds: [Kind]
    /// By the route's key, or as `case 2 of POST /token`; those of other servers are not among them.
    package var purposes: [String: Purpose]
    /// The kinds that each refresh requires, by its key.
    package var wantedByRefreshes: [String: [String]] = [:]
    /// A Boolean value that indicates whether any kind is accepted where another is required.
    package var interchangeable: Bool
    /// The kinds that the story's other servers may be sent, by their names.
    package var acceptedElsewhere: [String: [String]] = [:]
    /// Every place where tokens travel, foreign ones too, so that a report of a request can hide them.
    package var carriers: [TokenCarrier] = []

    package func kind(named name: String) -> Kind? {
        kinds.first { $0.name == name }
    }

    /// A Boolean value that indicates whether a session can be renewed.
    var canRefresh: Bool { purposes.values.contains(.refresh) || kinds.contains { $0.role == .refresh } }

    package func role(of kind: String) -> Role? {
        self.kind(named: kind)?.role
    }
}

extension TokenRoles {
    /// Derives the roles.
    package init(_ scenario: Scenario) {
        purposes = [:]
        let all = RoutePurposes(scenario)
        // The number of other routes that require a kind.
        var resources: [String: Int] = [:]
        // The kinds that are exchanged in a refresh, with those that it grants.
        var renewed: [String: Set<String>] = [:]
        let own = scenario.tokens.kinds.filter { !$0.isForeign }
        for route in scenario.routes {
            let table = all.purposes(of: route)
            purposes[route.key.text] = table.common
            for (number, purpose) in table.cases { purposes["case \(number + 1) of \(route.key.text)"] = purpose }
            if !table.refreshKinds.isEmpty { wantedByRefreshes[route.key.text] = table.refreshKinds }
            let granted = route.allResponses.flatMap(\.grants).filter { $0.source == .new }.map(\.kind)
            for kind in table.refreshKinds { renewed[kind, default: []].formUnion(granted) }
            for kind in Set(all.requiredKinds(of: route)) where !table.refreshKinds.contains(kind) {
                resources[kind, default: 0] += 1
            }
        }
        interchangeable = scenario.tokens.interchangeable != .none
        for origin in scenario.origins { acceptedElsewhere[origin.name] = origin.acceptedKinds }
        carriers = scenario.tokenCarriers
        kinds = own.map { kind in
            // A server that requests are sent on to may have granted a refresh token before any refresh was seen.
            let isNamed = scenario.upstream != nil && kind.name == "refresh"
            let count = resources[kind.name] ?? 0
            // A sign-out may require the refresh token as well.
            let renewsOther = renewed[kind.name]?.contains { other in
                let others = resources[other] ?? 0
                return other != kind.name && others > 0 && (renewed[other] == nil || others > count)
            }
            let isRenewed = renewed[kind.name] != nil && (count == 0 || renewsOther == true)
            let refreshes = isNamed || isRenewed
            return Kind(
                name: kind.name,
                role: refreshes
                    ? .refresh : kind.isSingleUse || all.unrelatedKinds.contains(kind.name) ? .other : .access,
                lifetime: kind.lifetime,
                terminal: kind.terminalStatuses,
                rotates: kind.rotation != nil,
                grace: kind.rotation?.usability ?? .zero,
                refusals: Set(kind.rejections.map(\.response.status) + [401]).sorted()
            )
        }
    }
}

extension Scenario {
    /// Where tokens travel by their kinds or on single routes, each place once.
    fileprivate var tokenCarriers: [TokenCarrier] {
        let routes = routes + origins.flatMap(\.routes)
        let requirements =
            routes.flatMap(\.allRequirements) + [unmatched, wrongMethod].flatMap { $0?.allRequirements ?? [] }
        var seen: Set<TokenCarrier> = []
        return (tokens.kinds.flatMap(\.carriers) + requirements.flatMap { $0.carriers ?? [] }).filter {
            seen.insert($0).inserted
        }
    }
}

extension TokenRoles {
    package func purpose(of exchange: Exchange) -> Purpose {
        guard exchange.origin == nil else { return .open }
        guard let route = exchange.route else {
            // The request has come before the first response to a refresh.
            let key = "\(exchange.request.method) \(exchange.request.path)"
            let mayBeRefresh = wantedByRefreshes.isEmpty || wantedByRefreshes[key] != nil
            let isRefresh = mayBeRefresh && exchange.offered.contains { role(of: $0.wanted) == .refresh }
            if isRefresh { return .refresh }
            // A server in front of another one refuses an expired token also on a path that it does not know.
            let isRefused = exchange.offered.contains { $0.isAccepted == false && role(of: $0.wanted) == .access }
            return isRefused ? .resource : .open
        }
        if let own = exchange.answeredBy.flatMap({ purposes["\($0) of \(route)"] }) { return own }
        let wanted = wantedByRefreshes[route] ?? []
        return exchange.offered.contains { wanted.contains($0.wanted) } ? .refresh : purposes[route] ?? .open
    }
}
