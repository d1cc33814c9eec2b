import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// Plays a capture through: who held which token when, and what happened to it.
struct SessionBuilder {
    typealias Offer = CapturedTokens.Offer

    let capture: Capture
    let routes: CapturedRoutes
    let tokens: CapturedTokens
    let hosts: Set<String>
    let isComplete: Bool
    var assumptions: [String] = []
    var exchanges: [Exchange] = []
    var life: [Token] = []
    /// The newest token of a kind with each value.
    private var places: [Key: Int] = [:]
    private var lifeByID: [String: Int] = [:]
    /// For each route, whether a refresh has succeeded with a refresh token alone.
    private let bare: [Bool]
    private var serials: [String: Int] = [:]
    private var families: [String: Int] = [:]
    private var accounts: [String: String] = [:]
    private var rotating: Set<String> = []
    var knownLifetimes: [String: Duration] = [:]
    private var promised: [Int: Duration] = [:]
    private var launches: [String: Int] = [:]
    private var connections: [String: UInt64] = [:]

    private struct Key: Hashable {
        var kind: String
        var value: ExactText
    }

    /// Far enough from both ends of the clock.
    private static let epoch = MonotonicTime(nanoseconds: 1 << 62)
    private static let client = "client"

    init(
        _ capture: Capture,
        _ routes: CapturedRoutes,
        _ tokens: CapturedTokens,
        _ hosts: Set<String>,
        isComplete: Bool
    ) {
        (self.capture, self.routes, self.tokens, self.hosts) = (capture, routes, tokens, hosts)
        self.isComplete = isComplete || capture.isComplete
        bare = routes.routes.map { route in
            route.entries.contains { tokens.offers[$0].count == 1 && capture.entries[$0].isSuccess }
        }
    }

    private var start: VirtualTime { capture.entries[0].start }

    private func real(_ time: VirtualTime) -> MonotonicTime { Self.epoch.advanced(by: time - start) }

    /// The owner of the tokens from before the capture.
    private func device(of entry: Capture.Entry) -> String { entry.client ?? Self.client }

    /// A device for a sign-in: a server does not know one without a name from another.
    private mutating func newDevice(for entry: Capture.Entry) -> String {
        families[device(of: entry), default: 0] += 1
        let number = families[device(of: entry)] ?? 1
        return number == 1 ? device(of: entry) : "\(device(of: entry)) \(number)"
    }

    /// Returns whether a token was accepted by a resource after a moment.
    private func isAcceptedLater(_ offer: Offer, than index: Int) -> Bool {
        capture.entries.indices[(index + 1)...].prefix(2_000).contains { later in
            tokens.purposes[routes.numbers[later]] == .resource && capture.entries[later].isSuccess
                && tokens.offers[later].contains { $0.value.exact == offer.value.exact }
        }
    }

    // MARK: Exchanges

    mutating func build() {
        findInitialTokens()
        for index in capture.entries.indices { exchanges.append(exchange(index)) }
        findLifetimes()
        refreshStandings()
        assume()
    }

    /// Tokens that the capture shows in requests before any response granted them.
    private mutating func findInitialTokens() {
        var granted: Set<Key> = []
        for index in capture.entries.indices {
            let entry = capture.entries[index]
            for offer in tokens.offers[index] {
                let key = Key(kind: offer.kind, value: offer.value.exact)
                guard !granted.contains(key), places[key] == nil else { continue }
                families[device(of: entry)] = 1
                enter(offer.kind, offer.value, of: device(of: entry), at: start, parent: nil)
            }
            for grant in tokens.grants[index] { granted.insert(Key(kind: grant.kind, value: grant.value.exact)) }
        }
    }

    @discardableResult
    private mutating func enter(
        _ kind: String,
        _ value: String,
        of device: String,
        at time: VirtualTime,
        parent: String?
    ) -> Int {
        serials[kind, default: 0] += 1
        let claims = TokenClaims(value)
        let account = claims?.owner.map { "user-" + $0 } ?? accounts[device] ?? "user"
        accounts[device] = account
        life.append(
            Token(
                id: "\(kind)-\(serials[kind] ?? 1)",
                kind: kind,
                value: value,
                device: device,
                account: account,
                family: 1,
                issued: time,
                // A token that is not known to end does not.
                expires: time + SessionBuilder.unknown,
                parent: parent
            )
        )
        places[Key(kind: kind, value: value.exact)] = life.count - 1
        lifeByID[life[life.count - 1].id] = life.count - 1
        return life.count - 1
    }

    static let unknown = Duration.seconds(10 * 365 * 86_400)

    private mutating func exchange(_ index: Int) -> Exchange {
        let entry = capture.entries[index]
        let duration = entry.duration ?? .zero
        let isCoarse = capture.resolution > .milliseconds(10)
        let lag: Duration = isCoarse ? capture.resolution : .zero
        let arrival = real(entry.start).advanced(by: lag)
        var exchange = Exchange(
            captured: UInt64(index + 1),
            time: entry.start,
            arrival: arrival,
            end: max(arrival, real(entry.start).advanced(by: duration)),
            request: entry.request,
            response: entry.response ?? HTTPResponse(status: 504)
        )
        exchange.lag = lag
        exchange.wait = duration
        exchange.connection = connection(of: entry)
        exchange.launch = launch(of: entry)
        note(entry.error, in: &exchange)
        guard hosts.contains(entry.host) else {
            exchange.origin = entry.host
            exchange.offered = tokens.offers[index].compactMap { offer in
                let token = token(offer)
                return OfferedToken(captured: token, wanted: offer.kind, as: .valid, isAccepted: nil, at: entry.start)
            }
            return exchange
        }
        exchange.route = routes.routes[routes.numbers[index]].label
        let purpose = tokens.purposes[routes.numbers[index]]
        // A response that took longer than requests of one screen are apart is as good as one that was held.
        if duration >= TimeLimit.siblings.value, !isCoarse { exchange.refusalHold = duration }
        exchange.offered = offered(index, purpose)
        exchange.granted = grant(index, purpose)
        let own = exchange.granted.compactMap(\.id).last ?? exchange.offered.compactMap(\.id).first
        if let token = own.flatMap({ lifeByID[$0] }).map({ life[$0] }) {
            (exchange.device, exchange.account) = (token.device, token.account)
        } else if entry.client != nil {
            exchange.device = entry.client
        }
        return exchange
    }

    /// A number for each connection's name, and another one for each request whose connection is not known.
    private mutating func connection(of entry: Capture.Entry) -> UInt64 {
        let name = entry.connection ?? "own \(exchanges.count)"
        let number = connections[name] ?? UInt64(connections.count + 1)
        connections[name] = number
        return number
    }

    private mutating func launch(of entry: Capture.Entry) -> Int {
        guard let page = entry.page else { return launches.values.max() ?? 1 }
        let number = launches[page] ?? launches.count + 1
        launches[page] = number
        return number
    }

    private func note(_ error: String?, in exchange: inout Exchange) {
        guard let error = error?.lowercased() else { return }
        let isCanceled = ["cancel", "abort"].contains { error.contains($0) }
        exchange.outcome = isCanceled ? .clientGone : .faulted
        exchange.isCommitted = capture.entries[Int(exchange.number) - 1].response != nil
        guard !isCanceled else { return }
        let faults: KeyValuePairs<String, Fault.Kind> = [
            "lost": .lost, "reset": .reset, "time": .never, "body": .truncated, "incomplete": .truncated,
            "chunk": .malformedChunk, "invalid": .garbage,
        ]
        exchange.fault = faults.first { error.contains($0.key) }?.value ?? .empty
    }

    private func token(_ offer: Offer) -> Token? {
        places[Key(kind: offer.kind, value: offer.value.exact)].map { life[$0] }
    }

    // MARK: Offers

    private mutating func offered(_ index: Int, _ purpose: RoutePurpose) -> [OfferedToken] {
        let entry = capture.entries[index]
        let status = entry.response?.status.code ?? 0
        let isRefusal =
            purpose == .refresh
            ? RefreshRefusal.isRefusal(entry.response) : tokens.refusals.contains(status) || saysInvalidToken(entry)
        var found: [OfferedToken] = []
        for offer in tokens.offers[index] {
            var isAccepted: Bool?
            switch purpose {
            case .refresh where offer.wanted == "refresh" || tokens.offers[index].count == 1:
                isAccepted = RefreshRefusal.isUndecided(entry.response) ? nil : !isRefusal
            case .refresh:
                // Whether a refresh requires the access token as well shows where one succeeded without it.
                if !isBare(routes.numbers[index]), capture.entries[index].isSuccess { isAccepted = true }
            case .resource, .signOut:
                isAccepted = !(isRefusal && !isAcceptedLater(offer, than: index))
            case .open, .signIn: break
            }
            let token = token(offer)
            found.append(
                OfferedToken(
                    captured: token,
                    wanted: offer.wanted,
                    as: isAccepted == false ? .revoked : .valid,
                    isAccepted: isAccepted,
                    at: entry.start
                )
            )
        }
        if found.isEmpty, purpose == .resource, isRefusal, let kind = usualKind(routes.numbers[index]) {
            found.append(OfferedToken(captured: nil, wanted: kind, as: .missing, isAccepted: false, at: entry.start))
        }
        return found
    }

    /// Returns whether a refresh of the route has succeeded with a refresh token alone.
    func isBare(_ route: Int) -> Bool { bare[route] }

    private func usualKind(_ route: Int) -> String? {
        routes.routes[route].entries.lazy.compactMap { tokens.offers[$0].first?.wanted }.first
    }

    private func saysInvalidToken(_ entry: Capture.Entry) -> Bool {
        guard entry.response?.status.code == 403 else { return false }
        return entry.response?.fields["WWW-Authenticate"]?.contains("invalid_token") ?? false
    }

    // MARK: Grants

    private mutating func grant(_ index: Int, _ purpose: RoutePurpose) -> [GrantedToken] {
        let entry = capture.entries[index]
        let isGranted = purpose == .signIn ? entry.hasSignedIn : capture.entries[index].isSuccess
        guard isGranted || entry.response == nil && !entry.granted.isEmpty else { return [] }
        let grants = tokens.grants[index]
        guard !grants.isEmpty else { return [] }
        let offered = tokens.offers[index].first { $0.wanted == "refresh" } ?? tokens.offers[index].first
        let parent = offered.flatMap { offer in places[Key(kind: offer.kind, value: offer.value.exact)] }
        let device =
            purpose == .signIn ? newDevice(for: entry) : parent.map { life[$0].device } ?? device(of: entry)
        var granted: [GrantedToken] = []
        for grant in grants {
            let key = Key(kind: grant.kind, value: grant.value.exact)
            if let known = places[key] {
                // The same value again is the same token, unless a sign-in begins another session with it.
                granted.append(GrantedToken(captured: grant.kind, id: life[known].id, source: .stored))
                continue
            }
            let new = enter(grant.kind, grant.value, of: device, at: entry.start, parent: parent.map { life[$0].id })
            granted.append(GrantedToken(captured: grant.kind, id: life[new].id, source: .new))
            if let promise = CapturedTokens.lifetime(of: grant, in: entry) { promised[new] = promise }
            if purpose == .refresh, let parent, life[parent].kind == grant.kind {
                rotating.insert(grant.kind)
                life[parent].undergo(.exchanged, at: entry.start)
            }
        }
        return granted
    }

    // MARK: Lifetimes

    /// Gives each token its end: by what was promised, else by the first refusal after which nothing accepted it.
    private mutating func findLifetimes() {
        var firstRefusal: [String: VirtualTime] = [:]
        var lastAcceptance: [String: VirtualTime] = [:]
        for exchange in exchanges where exchange.origin == nil {
            for offer in exchange.offered {
                guard let id = offer.id, let isAccepted = offer.isAccepted else { continue }
                if isAccepted {
                    lastAcceptance[id] = exchange.time
                } else if firstRefusal[id] == nil {
                    firstRefusal[id] = exchange.time
                }
            }
        }
        for index in life.indices {
            let token = life[index]
            if let promise = promised[index] {
                life[index].expires = token.issued + promise
                knownLifetimes[token.kind] = max(knownLifetimes[token.kind] ?? .zero, promise)
            } else if let claims = TokenClaims(token.value), let end = claims.end, isInitial(token) {
                life[index].expires = VirtualTime(seconds: Int64(end))
                if let begin = claims.begin, end > begin {
                    knownLifetimes[token.kind] = max(knownLifetimes[token.kind] ?? .zero, .seconds(end - begin))
                    life[index].issued = min(token.issued, VirtualTime(seconds: Int64(begin)))
                }
            }
            // A clock that is off must not make a token dead that was accepted, nor one good that was refused.
            if let last = lastAcceptance[token.id], life[index].expires <= last {
                life[index].expires = last + .milliseconds(1)
            }
            guard let refused = firstRefusal[token.id], life[index].expires > refused, life[index].changes.isEmpty,
                lastAcceptance[token.id].map({ $0 < refused }) ?? true
            else { continue }
            if token.kind == "refresh" {
                life[index].undergo(.revoked, at: refused)
            } else if life[index].expires < token.issued + Self.unknown {
                // It should live on: a server that fails may say the same of a good token.
                if wasRenewed(after: refused) { life[index].undergo(.revoked, at: refused) }
            } else {
                life[index].expires = max(refused, token.issued)
            }
        }
    }

    /// Returns whether the client tried to renew its session after a refusal, and learned the result.
    private func wasRenewed(after time: VirtualTime) -> Bool {
        capture.entries.indices.contains { index in
            guard capture.entries[index].start >= time, tokens.purposes[routes.numbers[index]] == .refresh else {
                return false
            }
            return capture.entries[index].isSuccess || RefreshRefusal.isRefusal(capture.entries[index].response)
        }
    }

    func isInitial(_ token: Token) -> Bool { token.issued <= start }

    /// Says of each offered token what it was, now that all is known.
    private mutating func refreshStandings() {
        var reused: Set<String> = []
        var byID: [String: Token] = [:]
        for token in life { byID[token.id] = token }
        for index in exchanges.indices {
            for number in exchanges[index].offered.indices {
                var offer = exchanges[index].offered[number]
                guard let token = offer.id.flatMap({ byID[$0] }) else { continue }
                let now = exchanges[index].time
                offer.age = now - token.issued
                offer.timeLeft = token.expires - now
                if offer.isAccepted != true {
                    var standing = token.standing(at: now)
                    // Decided in the moment of its own end.
                    if offer.isAccepted == false, standing == .valid, token.kind == "refresh" { standing = .revoked }
                    if offer.isAccepted == false, offer.wanted != token.kind { standing = .wrongKind }
                    if standing == .superseded, offer.isAccepted == false, !reused.insert(token.id).inserted {
                        standing = .reused
                    }
                    offer.standing = standing
                }
                exchanges[index].offered[number] = offer
            }
        }
    }

    // MARK: What came of it

    var evidence: Evidence {
        var devices: [(name: String, account: String, family: Int)] = []
        var names: Set<String> = []
        for token in life where names.insert(token.device).inserted {
            devices.append((token.device, accounts[token.device] ?? "user", 1))
        }
        // Values have stand-ins, so that what is written holds none of them.
        let recorded = life.map { token in
            var token = token
            token.value = Token.standIn(for: token.value)
            return token
        }
        let last = exchanges.compactMap(\.end).max() ?? Self.epoch
        let moment = max(last, capture.end.map(real) ?? last)
        var evidence = Evidence()
        (evidence.exchanges, evidence.lost, evidence.roles) = (exchanges, capture.lost, roles)
        (evidence.epoch, evidence.moment, evidence.start) = (Self.epoch, moment, start)
        evidence.end = max(
            capture.end ?? start,
            capture.entries.map { $0.start + ($0.duration ?? .zero) }.max() ?? start
        )
        evidence.ledger = TokenLedger(recorded: devices, recorded)
        evidence.isProvisional = !isComplete
        let offset = clockOffset
        if offset.magnitude >= 60 { evidence.dateOffset = DateOffset(largest: .seconds(offset), lastRight: 0) }
        return evidence
    }

    private var roles: TokenRoles {
        var purposes: [String: RoutePurpose] = [:]
        var wantedByRefreshes: [String: [String]] = [:]
        var byResources: Set<String> = []
        var byRefreshes: Set<String> = []
        var accepting: Set<CapturedPlace> = []
        for (number, route) in routes.routes.enumerated() where hosts.contains(route.host) {
            purposes[route.label] = tokens.purposes[number]
            let offers = route.entries.flatMap { tokens.offers[$0] }
            for offer in offers { accepting.insert(offer.place) }
            switch tokens.purposes[number] {
            case .refresh:
                let wanted = offers.map(\.wanted).filter {
                    $0 == "refresh" || !isBare(number) || offers.allSatisfy { $0.wanted != "refresh" }
                }
                wantedByRefreshes[route.label] = Array(Set(wanted)).sorted()
                byRefreshes.formUnion(wanted.filter { $0 == "refresh" || wanted.allSatisfy { $0 != "refresh" } })
            case .resource: byResources.formUnion(offers.map(\.wanted))
            case .signIn, .signOut, .open: break
            }
        }
        var granted: Set<String> = []
        for (number, route) in routes.routes.enumerated() where [.signIn, .refresh].contains(tokens.purposes[number]) {
            for entry in route.entries { granted.formUnion(tokens.grants[entry].map(\.kind)) }
        }
        let kinds = tokens.kinds.map { kind in
            let role: TokenRoles.Role =
                kind == "refresh" || byRefreshes.contains(kind) && !byResources.contains(kind)
                ? .refresh
                : byResources.contains(kind) || kind == "access" ? .access : .other
            var known = TokenRoles.Kind()
            (known.name, known.role, known.refusals) = (kind, role, tokens.refusals.sorted())
            (known.lifetime, known.rotates) = (knownLifetimes[kind] ?? Self.unknown, rotating.contains(kind))
            return known
        }
        var roles = TokenRoles(kinds: kinds, purposes: purposes, carriers: accepting.compactMap(\.carrier))
        roles.wantedByRefreshes = wantedByRefreshes
        return roles
    }

    /// The number of seconds by which the `Date` of responses is ahead of the capturing machine's clock: the median.
    private var clockOffset: Int64 {
        let offsets = capture.entries.prefix(1_000).compactMap { entry -> Int64? in
            guard let date = entry.response?.fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return nil }
            return date - (entry.start + (entry.duration ?? .zero)).seconds
        }.sorted()
        return offsets.isEmpty ? 0 : offsets[offsets.count / 2]
    }
}
