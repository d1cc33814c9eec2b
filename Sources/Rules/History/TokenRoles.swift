package import ScenarioFormat
import Simulation

/// The roles of kinds of token and routes in a backend, as rules have to know them.
///
/// A scenario chooses the names of its kinds, so their parts follow from what the routes require and grant. Foreign
/// kinds have none: what another issuer issues is nothing that the client gets, renews and loses here.
package struct TokenRoles: Sendable, Hashable {
    /// What a kind of token is for.
    package enum Role: String, Sendable, Hashable {
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
        /// Whether it gives way to a new one when it is used for a refresh.
        package var rotates: Bool
        /// How long an exchanged one is still accepted.
        package var grace: Duration
        /// The statuses by which a resource says that it does not accept one.
        package var refusals: [Int] = [401]
    }

    package var kinds: [Kind]
    /// By the route's key, or as `case 2 of POST /token`; those of other servers are not among them.
    package var purposes: [String: Purpose]
    /// The kinds that each refresh requires, by its key.
    package var wantedByRefreshes: [String: [String]] = [:]
    /// Whether any kind is accepted where another is required.
    package var interchangeable: Bool
    /// The kinds that the story's other servers may be sent, by their names.
    package var acceptedElsewhere: [String: [String]] = [:]
    /// Every place where tokens travel, foreign ones too, so that a report of a request can hide them.
    package var carriers: [TokenCarrier] = []

    package func kind(named name: String) -> Kind? {
        kinds.first { $0.name == name }
    }

    package func role(of kind: String) -> Role? {
        self.kind(named: kind)?.role
    }
}

extension TokenRoles {
    /// Derives the roles.
    package init(_ scenario: Scenario) {
        purposes = [:]
        let all = RoutePurposes(scenario)
        var wantedByResources: Set<String> = []
        var exchanged: Set<String> = []
        let own = scenario.tokens.kinds.filter { !$0.isForeign }
        for route in scenario.routes {
            let table = all.purposes(of: route)
            purposes[route.key.text] = table.common
            for (number, purpose) in table.cases { purposes["case \(number + 1) of \(route.key.text)"] = purpose }
            if !table.refreshKinds.isEmpty { wantedByRefreshes[route.key.text] = table.refreshKinds }
            exchanged.formUnion(table.refreshKinds)
            wantedByResources.formUnion(all.requiredKinds(of: route).filter { !table.refreshKinds.contains($0) })
        }
        interchangeable = scenario.tokens.interchangeable != .none
        for origin in scenario.origins { acceptedElsewhere[origin.name] = origin.acceptedKinds }
        carriers = scenario.tokenCarriers
        kinds = own.map { kind in
            let refreshes = exchanged.contains(kind.name) && !wantedByResources.contains(kind.name)
            return Kind(
                name: kind.name,
                role: refreshes
                    ? .refresh : kind.isSingleUse || all.unrelatedKinds.contains(kind.name) ? .other : .access,
                lifetime: kind.lifetime,
                terminal: kind.terminalStatuses,
                rotates: kind.rotation != nil,
                grace: kind.rotation?.grace ?? .zero,
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

/// Which exchange granted each token for the first time.
struct TokenGrants: Sendable {
    private var numbers: [String: UInt64] = [:]

    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            for id in exchange.granted.compactMap(\.id) where numbers[id] == nil { numbers[id] = exchange.number }
        }
    }

    /// The exchange that granted the token; `nil` for one from before the story's first request.
    subscript(id: String) -> UInt64? { numbers[id] }

    /// Where the token came from, as a sentence of its own.
    func words(_ id: String) -> String {
        numbers[id].map { "\(id) came with exchange \($0)" } ?? "\(id) is from before the first request"
    }
}

/// The tokens of one role that a device's client has come to hold, for the question which it held when.
struct HeldTokens {
    struct Entry {
        var token: Token
        /// The exchange that brought it; `nil` for one from before the story's first request.
        var source: Exchange?
    }

    /// What the client had before its first request.
    private let initial: Entry?
    private let later: ReceivedTokens

    /// - Parameter exchanges: those of the device, or of one of its processes.
    init(_ role: TokenRoles.Role, among exchanges: [Exchange], of device: DeviceHistory, in history: TokenHistory) {
        let ledger = history.evidence.ledger
        let all = ledger.device(named: device.name).map { ledger.tokens(of: $0) } ?? []
        initial = all.last { token in
            history.roles.role(of: token.kind) == role && token.issued <= history.evidence.start
                && history.grants[token.id] == nil
        }.map { Entry(token: $0) }
        later = ReceivedTokens(role, among: exchanges, of: history, isRepetitionCounted: true)
    }

    /// The newest one that had reached the client by a moment.
    func newest(by moment: RealTime) -> Entry? {
        later.newest(by: moment).map(Entry.init) ?? initial
    }

    /// Those that responses have brought, in the order in which they arrived.
    var received: [Entry] { later.newest.map(Entry.init) }
}

extension HeldTokens.Entry {
    init(_ received: ReceivedTokens.Entry) {
        self.init(token: received.token, source: received.exchange)
    }

    /// The number of the exchange that brought it; zero for one from before the story's first request.
    var number: UInt64 { source?.number ?? 0 }

    /// Whether so much of its life is left that no client renews it in advance.
    func isYoung(at time: VirtualTime, in roles: TokenRoles) -> Bool {
        let lifetime = roles.kind(named: token.kind)?.lifetime ?? (token.expires - token.issued)
        guard token.expires - time > lifetime / 2 else { return false }
        guard let source, let announced = LifetimePromise(in: source, of: token)?.announced else { return true }
        return token.issued + announced - time > min(announced, lifetime) / 2
    }
}
