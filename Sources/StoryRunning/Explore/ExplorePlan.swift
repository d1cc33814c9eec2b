import JSON
import Rules
import ScenarioFormat

/// The perturbations that are tried on a client, in order: those that find most come first.
///
/// Everything follows from the ordinary run and the first batch, so the same client has the same plan.
struct ExplorePlan {
    private let base: ExploreBase
    private let steps: [ExploredStep]
    private let waves: ExploredWaves
    private let abilities: Set<Exploration.Ability>
    private let access: TokenRoles.Kind?
    private let refresh: TokenRoles.Kind?
    private let purposes: [String: TokenRoles.Purpose]

    /// - Parameter steps: those of the ordinary run that every run has.
    init(
        _ base: ExploreBase,
        _ steps: [ExploredStep],
        _ waves: ExploredWaves,
        _ abilities: Set<Exploration.Ability>
    ) {
        self.base = base
        self.steps = steps
        self.waves = waves
        self.abilities = abilities
        let roles = TokenRoles(base.scenario)
        access = roles.kinds.first { $0.role == .access }
        refresh = roles.kinds.first { $0.role == .refresh }
        purposes = roles.purposes
    }

    /// The places of the exchanges that want an access token.
    private var secured: [Int] { steps.indices.filter { steps[$0].isSecured } }

    // MARK: Batches

    /// The token dies before each exchange; where several are sent at once, before all of them and between two.
    var first: [Perturbation] {
        guard let access else { return [] }
        return Self.named(
            secured.map { index in
                let leader = leader(of: index)
                guard leader != index else {
                    return Perturbation(.expired, at: steps[index].address, [dies(access, before: index)])
                }
                let death = Perturbation.Part.events(death(of: access), after: anchor(index) + [steps[leader].address])
                return Perturbation(
                    .expired,
                    "in flight",
                    at: steps[index].address,
                    [death] + waits(index, for: leader)
                )
            }
        )
    }

    /// Tells perturbations apart whose names would be the same, such as those of `/a-b` and `/a/b`.
    ///
    /// - Parameter others: those that have their names already.
    private static func named(_ all: [Perturbation], besides others: [Perturbation] = []) -> [Perturbation] {
        // Some file systems do not distinguish case.
        var taken = Set(others.map { $0.slug.lowercased() })
        return all.map { perturbation in
            var perturbation = perturbation
            while !taken.insert(perturbation.slug.lowercased()).inserted { perturbation.namesake += 1 }
            return perturbation
        }
    }

    /// The first exchange with an access token among those that are sent together.
    private func leader(of index: Int) -> Int { waves.wave(of: index).first { steps[$0].isSecured } ?? index }

    /// Makes an exchange wait for another one that is sent at the same time, if the two can be distinguished.
    private func waits(_ index: Int, for leader: Int) -> [Perturbation.Part] {
        let (one, other) = (steps[leader].address, steps[index].address)
        guard abilities.contains(.lateDecision), base.scenario.gates.isEmpty, one.route != other.route,
            one.count == 1, other.count == 1
        else { return [] }
        return [
            .setting([
                .hold: [
                    .gate([
                        .requests: .string(other.route), .until: .gate([.answered: .string(one.route)]),
                        .decide: "release", .optional: true,
                    ])
                ]
            ])
        ]
    }

    /// The refusal of the first of several requests arrives when another one has caused a refresh already.
    private func lateRefusal(_ access: TokenRoles.Kind, by route: String, at index: Int) -> Perturbation? {
        let isAlone = waves.wave(of: index).count { steps[$0].isSecured } < 2
        guard !isAlone, base.scenario.gates.isEmpty, steps[index].address.count == 1 else { return nil }
        let gate: JSONValue = .gate([
            .requests: .string(steps[index].address.route), .until: .gate([.answered: .string(route)]),
            .optional: true,
        ])
        return Perturbation(
            .lateRefusal,
            at: steps[index].address,
            [dies(access, before: index), .setting([.hold: [gate]])]
        )
    }

    /// Everything else, at the first exchange where it can do something and then at all others.
    ///
    /// - Parameter outcomes: what came of ``first``.
    func second(after outcomes: [ExploreOutcome]) -> [Perturbation] {
        let ordinary = steps.count(where: \.isRefresh)
        let chosen = zip(secured, outcomes).first { $1.refreshes > ordinary }
        guard let access, let place = chosen?.0 ?? secured.first else { return aboutTheWhole }
        let route = chosen?.1.refreshRoute
        let failing = route.map { failures(of: $0, access) } ?? []
        var all: [Perturbation] = failing.map { make in make(place) }
        all += [over(at: place), timePasses(access, at: place)]
        all += response(at: place)
        if let route {
            all += aroundRefresh(of: route, access, at: place)
            let leaders = secured.filter { leader(of: $0) == $0 }
            all += leaders.lazy.compactMap { lateRefusal(access, by: route, at: $0) }.prefix(2)
        }
        if !hasLaunches {
            // What the last user has is what the next launch finds.
            for index in [place, secured.last { steps[$0].status < 300 } ?? place] {
                all.append(Perturbation(.relaunch, at: steps[index].address, [dies(access, before: index), launch]))
            }
            all.append(
                Perturbation(.relaunch, "session over", at: steps[place].address, [over(before: place), launch])
            )
        }
        all += aboutTheWhole
        if abilities.contains(.processes), !hasLaunches, base.scenario.processes.isEmpty {
            all.append(killed(after: place))
            if let route { all.append(killed(whileRefreshing: route, access, at: place)) }
        }
        if abilities.contains(.order) { all += (1...3).map { order(access, at: place, $0) } }
        all += everywhere(access, failing, except: place)
        var seen = Set<Perturbation>()
        return Self.named(all.filter { seen.insert($0).inserted }, besides: first)
    }

    /// At each exchange something of each kind, so that a budget that ends early has seen something of everywhere.
    private func everywhere(
        _ access: TokenRoles.Kind,
        _ failures: [(Int) -> Perturbation],
        except place: Int
    ) -> [Perturbation] {
        let rest = secured.filter { $0 != place }
        var all: [Perturbation] = []
        for pass in 0..<5 {
            for (number, index) in rest.enumerated() {
                switch (number + pass) % 5 {
                case 0: all.append(over(at: index))
                case 1: if !failures.isEmpty { all.append(failures[number % failures.count](index)) }
                case 2: all.append(timePasses(access, at: index))
                case 3: all += response(at: index).prefix(1)
                default: if abilities.contains(.order) { all.append(order(access, at: index, 1 + UInt64(number % 5))) }
                }
            }
        }
        return all
    }

    // MARK: Tokens

    /// The exchanges right before an exchange and all that are sent together with it.
    private func anchor(_ index: Int) -> [ExchangeAddress] { waves.before(index).map { steps[$0].address } }

    private func dies(_ kind: TokenRoles.Kind, before index: Int) -> Perturbation.Part {
        .events(death(of: kind), after: anchor(index))
    }

    /// The events by which a token dies.
    ///
    /// JSON Web Tokens of one second without an identifier are equal, so there a second passes first: no client could
    /// tell the new token from the dead one.
    private func death(of kind: TokenRoles.Kind, isOptional: Bool = false) -> [DraftEvent] {
        let optional: JSONValue? = isOptional ? true : nil
        let event: DraftEvent = [.expire: .string(kind.name), .optional: optional]
        let declared = base.scenario.tokens.kind(named: kind.name)
        guard let declared, declared.format == .jwt, !declared.hasIdentifier else { return [event] }
        return [[.advance: "2s", .optional: optional], event]
    }

    private func over(before index: Int) -> Perturbation.Part { .event([.revoke: "*"], after: anchor(index)) }

    private func over(at index: Int) -> Perturbation {
        Perturbation(.sessionOver, at: steps[index].address, [over(before: index)])
    }

    private func timePasses(_ access: TokenRoles.Kind, at index: Int) -> Perturbation {
        let time = DurationText.text(access.lifetime + .seconds(1))
        let event = Perturbation.Part.event([.advance: .string(time)], after: anchor(index))
        return Perturbation(.timePasses, at: steps[index].address, [event])
    }

    private func order(_ access: TokenRoles.Kind, at index: Int, _ offset: UInt64) -> Perturbation {
        var perturbation = Perturbation(
            .order,
            "\(offset)",
            at: steps[index].address,
            [dies(access, before: index)]
        )
        perturbation.seedOffset = offset
        return perturbation
    }

    // MARK: Refreshes

    /// The ways in which a refresh fails, each for the place before which the token dies.
    private func failures(of route: String, _ access: TokenRoles.Kind) -> [(Int) -> Perturbation] {
        func fails(
            _ detail: String,
            _ more: [Perturbation.Part] = [],
            by part: @escaping (Int) -> Perturbation.Part
        ) -> (Int) -> Perturbation {
            { index in
                let parts = [dies(access, before: index), part(index)] + more
                return Perturbation(.refreshFails, detail, at: steps[index].address, parts)
            }
        }
        func status(_ detail: String, _ response: DraftRoute) -> (Int) -> Perturbation {
            fails(detail) { _ in responds(route, with: response) }
        }
        func fault(_ kind: String, _ detail: String, _ more: [Perturbation.Part] = []) -> (Int) -> Perturbation {
            fails(detail, more) { .event([.fault: .string(kind), .route: .string(route)], after: anchor($0)) }
        }
        // Responses of a list go to the first refreshes, which a client that refreshes anyway has behind it.
        let isFirst = !steps.contains { $0.address.route == route }
        var all: [(Int) -> Perturbation] = []
        if isFirst {
            all.append(status("503", [.status: 503, .empty: true]))
            all.append(status("429", [.status: 429, .headers: ["Retry-After": "1"], .empty: true]))
        }
        all.append(fault("lost", "lost"))
        if let refresh, refresh.rotates {
            all.append(fault("lost", "lost, with grace", [rules(of: refresh, Self.withGrace)]))
        }
        all.append(fault("reset", "reset"))
        if isFirst { all.append(status("500", [.status: 500, .empty: true])) }
        all.append(fault("never", "never"))
        return all
    }

    private static let withGrace: Draft<DraftKeys.Tokens> = [.rotate: .tokens([.grace: "1m"])]

    /// Changes the rules of a token kind.
    private func rules(of kind: TokenRoles.Kind, _ rules: Draft<DraftKeys.Tokens>) -> Perturbation.Part {
        .setting([.tokens: .tokens([.kinds: .object([kind.name: rules.json])])])
    }

    /// Gives a route's first request another response.
    private func responds(_ route: String, with response: DraftRoute) -> Perturbation.Part {
        .setting([.routes: .object([route: .route([.responses: [response.json]])])])
    }

    /// The perturbations of the tokens that a refresh brings.
    private func aroundRefresh(of route: String, _ access: TokenRoles.Kind, at place: Int) -> [Perturbation] {
        let address = steps[place].address
        let before = steps[..<place].count { $0.address.route == route }
        let again = (1...4).map { number -> Perturbation.Part in
            // A correct client gives up after the first.
            let event = death(of: access, isOptional: number > 1)
            return .events(event, after: [ExchangeAddress(route: route, count: before + number)])
        }
        var all = [Perturbation(.deadAgain, at: address, [dies(access, before: place)] + again)]
        let together = waves.wave(of: place)
        guard let second = secured.first(where: { $0 > place && !together.contains($0) }), steps[place].status < 300
        else { return all }
        let count = steps[...place].count { $0.address.route == address.route && $0.status == steps[place].status }
        let success = ExchangeAddress(route: address.route, count: count)
        let twice: [Perturbation.Part] = [
            dies(access, before: place),
            .events(death(of: access), after: [success], status: steps[place].status),
        ]
        all.append(Perturbation(.twice, at: steps[second].address, twice))
        guard let refresh else { return all }
        func rotation(_ detail: String, _ change: Draft<DraftKeys.Tokens>) -> Perturbation {
            Perturbation(.rotation, detail, at: address, twice + [rules(of: refresh, change)])
        }
        all.append(rotation("off", [.rotate: false]))
        all.append(rotation("a reused token ends the session", [.rotate: .tokens([.reuse: "revokeDevice"])]))
        all.append(rotation("with grace", Self.withGrace))
        return all
    }

    // MARK: Responses

    /// Failures of an exchange that are not the token's fault.
    private func response(at index: Int) -> [Perturbation] {
        let address = steps[index].address
        let loss = Perturbation.Part.event([.fault: "lost", .route: .string(address.route)], after: anchor(index))
        var all = [Perturbation(.responseFails, "lost", at: address, [loss])]
        // Responses of a list go to the route's first requests.
        guard address.count == 1 else { return all }
        let responses: [(String, DraftRoute)] = [
            ("503", [.status: 503, .headers: ["Retry-After": "1"], .empty: true]),
            ("403", [.status: 403, .empty: true]),
        ]
        let statuses = responses.map { detail, response in
            Perturbation(.responseFails, detail, at: address, [responds(address.route, with: response)])
        }
        all = index.isMultiple(of: 2) ? statuses + all : all + statuses
        return all
    }

    // MARK: The whole run

    private var hasLaunches: Bool {
        base.scenario.timeline.contains { if case .launch = $0.event.action { true } else { false } }
    }

    /// The client is launched again, later than anything else happens.
    private var launch: Perturbation.Part { launches([[.launch: 2]]) }

    private func launches(_ events: [DraftEvent]) -> Perturbation.Part {
        let last = base.scenario.timeline.reduce(Duration.zero) { latest, entry in
            if case .at(let time) = entry.trigger { max(latest, time) } else { latest }
        }
        return .eventsAt(events, DurationText.text(last + .seconds(600)))
    }

    /// The client's process is ended in the middle of an exchange, and started again later.
    private func killed(after index: Int) -> Perturbation {
        killed("", at: index, after: [steps[index].address], [])
    }

    /// The same once the server has renewed the tokens, and before the client has them.
    private func killed(whileRefreshing route: String, _ access: TokenRoles.Kind, at index: Int) -> Perturbation {
        let count = steps[..<index].count { $0.address.route == route }
        let refresh = ExchangeAddress(route: route, count: count + 1)
        return killed("while it refreshes", at: index, after: [refresh], [dies(access, before: index)])
    }

    private func killed(
        _ detail: String,
        at index: Int,
        after moment: [ExchangeAddress],
        _ more: [Perturbation.Part]
    ) -> Perturbation {
        let end = Perturbation.Part.event([.process: "client", .do: "kill"], after: moment)
        let process = Perturbation.Part.setting([.processes: ["client": "start"]])
        return Perturbation(.killed, detail, at: steps[index].address, more + [process, end, launch])
    }

    /// The lifetimes that access tokens have in practice, and a device's clock that is ahead or behind.
    private var aboutTheWhole: [Perturbation] {
        var all: [Perturbation] = []
        if let access {
            for lifetime in ["30s", "5m", "1h", "30d"] {
                all.append(Perturbation(.lifetime, lifetime, [rules(of: access, [.lifetime: .string(lifetime)])]))
            }
        }
        // A device is wrong by what the server is: moments that stay in the past and in the future.
        let start = base.scenario.clock.start
        let ahead = start.map { ($0 - .seconds(7_200)).description } ?? "2020-01-01T00:00:00Z"
        let behind = start.map { ($0 + .seconds(7_200)).description } ?? "2100-01-01T00:00:00Z"
        for (detail, start) in [("ahead", ahead), ("behind", behind)] {
            let clock = Perturbation.Part.setting([.clock: .scenario([.start: .string(start)])])
            all.append(Perturbation(.clock, "the device's clock is \(detail)", [clock]))
        }
        guard abilities.contains(.store), !hasLaunches else { return all }
        for fault in StoreFault.allCases {
            let part = launches([[.launch: 2, .store: .string(fault.rawValue)], [.launch: 3]])
            all.append(Perturbation(.store, fault.rawValue, [part]))
        }
        return all
    }
}
