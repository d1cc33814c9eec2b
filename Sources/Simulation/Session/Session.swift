package import ScenarioFormat

/// One client's world: clock, tokens, states, counters and journal over a compiled scenario.
///
/// A session is a value and the engine is pure: a request and a time go in, a decision comes out, and everything in
/// between depends on nothing else. It knows no sockets, no threads and no wall clock.
package struct Session: Sendable {
    package let name: String
    package let seed: UInt64
    /// The scenario, ready for playing; a reload puts another one here.
    package internal(set) var stage: CompiledScenario
    package internal(set) var clock: VirtualClock
    /// The moment at which the scenario began, on its own clock.
    package let start: VirtualTime
    package internal(set) var ledger = TokenLedger()
    package internal(set) var journal: Journal

    var counters: [String: Int] = [:]
    var states: [StateKey: String] = [:]
    /// How many listed replies each route or case has given.
    var sequences: [SequenceKey: Int] = [:]
    var armedFaults: [ArmedFault] = []
    var agenda = Agenda()
    /// How many exchanges of each route were decided; events of the timeline wait for them.
    var exchangeCounts: [String: Int] = [:]
    var open: [UInt64: OpenExchange] = [:]
    var released: [UInt64] = []
    var lastExchange: UInt64 = 0
    /// The key that this session's tokens are signed with.
    let signingKey: [UInt8]

    /// Whose state, and which.
    struct StateKey: Hashable, Sendable {
        var name: String
        /// The account or device; empty for the session's.
        var owner: String
    }

    struct SequenceKey: Hashable, Sendable {
        var route: String
        /// The case's number; `nil` for the route's own replies.
        var branch: Int?
    }

    struct ArmedFault: Sendable {
        var fault: Fault
        var route: String
        var remaining: Int
    }

    /// An exchange whose reply has not been sent yet.
    struct OpenExchange: Sendable {
        var route: String?
        var isParked: Bool
    }

    /// The session that a request belongs to when it names none.
    package static let defaultName = "default"

    /// Begins a session, and lets the story's past happen.
    ///
    /// - Parameters:
    ///   - stage: what is played.
    ///   - name: distinguishes the session's tokens from every other session's.
    ///   - seed: the start of every random choice; the scenario's own when `nil`.
    ///   - start: the moment at which it begins, unless the scenario says one.
    ///   - now: the machine's monotonic clock at that moment.
    package init(
        _ stage: CompiledScenario,
        name: String = Session.defaultName,
        seed: UInt64? = nil,
        start: VirtualTime,
        at now: RealTime,
        journal: Journal.Capacity = Journal.Capacity()
    ) {
        self.stage = stage
        self.name = name
        self.seed = seed ?? stage.scenario.seed
        self.start = start
        self.journal = Journal(capacity: journal)
        clock = VirtualClock(start: start, settings: stage.scenario.clock, at: now)
        // Sessions of one scenario must not accept each other's tokens; the default one keeps the plain key, so that
        // its tokens are good after a restart.
        let key = stage.scenario.tokens.key
        signingKey =
            name == Session.defaultName
            ? key : SHA256.authenticationCode(of: Array("session \(name)".utf8), key: key)
        for counter in stage.scenario.counters { counters[counter.name] = counter.start }
        enactPast(at: now)
        enterTimeline()
    }
}

// MARK: Time

extension Session {
    /// The virtual time, without letting anything happen.
    package func time(at now: RealTime) -> VirtualTime {
        clock.read(at: now)
    }

    /// Lets everything happen that has become due, and returns the virtual time.
    @discardableResult
    package mutating func catchUp(at now: RealTime) -> VirtualTime {
        let time = clock.read(at: now)
        enactDue(by: time, at: now)
        return time
    }

    /// Moves the clock forward; what is due on the way happens at its own moment and in order.
    package mutating func advance(by duration: Duration, at now: RealTime) {
        advance(to: catchUp(at: now) + duration, at: now)
    }

    func isDue(by time: VirtualTime) -> Bool {
        agenda.next.map { $0 <= time } ?? false
    }

    private mutating func advance(to time: VirtualTime, at now: RealTime) {
        while let (due, item) = agenda.take(dueBy: time) {
            clock.set(due, at: now)
            enact(item, at: due, now)
        }
        if clock.read(at: now) < time { clock.set(time, at: now) }
    }

    private mutating func enactDue(by time: VirtualTime, at now: RealTime) {
        while let (due, item) = agenda.take(dueBy: time) { enact(item, at: due, now) }
    }

    private mutating func enact(_ item: Agenda.Item, at time: VirtualTime, _ now: RealTime) {
        switch item {
        case .event(let event): apply(event, at: time, now)
        case .reply(let exchange):
            open[exchange]?.isParked = false
            released.append(exchange)
        }
    }

    /// The exchanges whose wait on the virtual clock is over since this was last asked.
    package mutating func takeReleased() -> [UInt64] {
        defer { released.removeAll() }
        return released
    }

    /// The real moment at which a parked reply becomes due by itself; `nil` when none does.
    package func nextRelease(at now: RealTime) -> RealTime? {
        guard open.contains(where: \.value.isParked) else { return nil }
        return agenda.next.flatMap { clock.arrival(of: $0, at: now) }
    }

    /// Whether an automatic clock has nothing left to wait for but time itself.
    package var isWaitingForTime: Bool {
        clock.mode == .automatic && !open.isEmpty && open.values.allSatisfy(\.isParked)
    }

    /// Lets an automatic clock jump to the next due moment, if every open exchange waits for it.
    package mutating func jumpIfWaiting(at now: RealTime) {
        guard isWaitingForTime, let next = agenda.next else { return }
        advance(to: next, at: now)
    }
}

// MARK: States

extension Session {
    /// The value of a state for whoever asks; `nil` when no such state is declared.
    func state(_ name: String, device: String?, account: String?) -> String? {
        guard let declaration = stage.stateScopes[name] else { return nil }
        let key = StateKey(name: name, owner: owner(of: declaration, device: device, account: account))
        return states[key] ?? declaration.values.first
    }

    func owner(of declaration: StateDeclaration, device: String?, account: String?) -> String {
        switch declaration.scope {
        case .session: ""
        case .account: account ?? ""
        case .device: device ?? ""
        }
    }

    /// Every state's value, sorted by name and owner; an owner without a value of its own is not listed.
    package var stateValues: [(name: String, owner: String?, value: String)] {
        stage.scenario.states.flatMap { declaration -> [(name: String, owner: String?, value: String)] in
            let own = states.filter { $0.key.name == declaration.name && !$0.key.owner.isEmpty }
                .sorted { $0.key.owner < $1.key.owner }
                .map { (name: declaration.name, owner: Optional($0.key.owner), value: $0.value) }
            let common = states[StateKey(name: declaration.name, owner: "")] ?? declaration.values.first ?? ""
            return [(name: declaration.name, owner: nil, value: common)] + own
        }
    }

    /// The counters and their numbers, in the order of the file.
    package var counterValues: [(name: String, value: Int)] {
        stage.scenario.counters.map { ($0.name, counters[$0.name] ?? $0.start) }
    }
}
