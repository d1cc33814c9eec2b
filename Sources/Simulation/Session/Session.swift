package import JSON
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
    /// What the client has told about itself, by name.
    package internal(set) var clientFacts = JSONObject()
    /// Everything that it has told, in its order.
    package internal(set) var clientStatements: [ClientStatement] = []
    /// Which launch of the client is under way; the first one is 1.
    package internal(set) var launch = 1
    /// What each gate of the story has held, in the order of the file.
    package var gateAccounts: [GateStatistics] { gates.posts.map(\.presentAccount) }
    /// The exchange that first played each ``StoryPart``, by the part's name; 0 where no exchange did.
    package internal(set) var plays: [String: UInt64] = [:]
    /// The base URLs of the story's other servers, by name; for whoever listens there to say.
    package var originURLs: [String: String] = [:]
    /// How much longer than they say gates wait for a request, because the machine lags.
    package var gateSlack = Duration.zero
    /// How long refusals of tokens and responses to refreshes are held before they are sent, in real time.
    ///
    /// What arrives during the hold was sent by a client that did not know the response.
    package var refusalHold = Duration.zero
    /// When the first request came; `nil` before.
    package internal(set) var firstArrival: RealTime?

    /// The latest real moment that was heard of: requests of several connections may come in the wrong order.
    var latest: RealTime
    var counters: [String: Int] = [:]
    var store = ItemStore([])
    var states: [StateKey: String] = [:]
    /// How many listed responses each route or case has given.
    var sequences: [SequenceKey: Int] = [:]
    /// How many documented answers each operation has given.
    var documentedAnswers: [String: Int] = [:]
    var armedFaults: [ArmedFault] = []
    var agenda = Agenda()
    /// How many exchanges there were by route and status, where the timeline waits for some.
    var exchangeCounts: [String: [Int: Int]] = [:]
    var open = OpenExchanges()
    var released: [UInt64] = []
    var gates: GateSet
    var openings: [GateOpening] = []
    var lastExchange: UInt64 = 0
    var heads = HeadCache()
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
        /// The case's number; `nil` for the route's own responses.
        var branch: Int?
    }

    struct ArmedFault: Sendable {
        var fault: Fault
        var route: String
        var remaining: Int
        /// The name of the ``StoryPart`` that it is.
        var part: String?
    }

    /// The session that a request belongs to when it names none.
    package static let defaultName = "default"

    /// Begins a session, and lets the story's past happen.
    ///
    /// - Parameters:
    ///   - stage: what is played.
    ///   - name: distinguishes the session's tokens from every other session's.
    ///   - seed: the start of every random choice; the scenario's own when `nil`.
    ///   - start: the moment at which it begins. A start that the scenario names is for the caller to prefer.
    ///   - now: the machine's monotonic clock at that moment.
    ///   - journal: how much the journal keeps.
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
        gates = GateSet(stage.scenario.gates, stage.script)
        latest = now
        clock = VirtualClock(start: start, settings: stage.scenario.clock, at: now)
        // Sessions of one scenario must not accept each other's tokens; the default one keeps the plain key, so that
        // its tokens are good after a restart.
        let key = stage.scenario.tokens.key
        signingKey =
            name == Session.defaultName
            ? key : SHA256.authenticationCode(of: Array("session \(name)".utf8), key: key)
        for counter in stage.scenario.counters { counters[counter.name] = counter.start }
        fillStore()
        enactPast(at: now)
        enterTimeline()
    }
}
