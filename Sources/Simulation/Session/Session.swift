package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat
import Signatures

/// One client's world: clock, tokens, states, counters and journal over a compiled scenario.
///
/// A session is a value and the engine is pure: a request and a time go in, a decision comes out, and everything in
/// between depends on nothing else. It knows no sockets, no threads and no wall clock.
package struct Session: Sendable {
    package var backend: MockBackend
    package internal(set) var clock: VirtualClock
    package internal(set) var journal: Journal
    /// The requests and tokens of an upstream server.
    package var upstream = UpstreamTraffic()
    /// The client, as far as no request shows it.
    package internal(set) var client = ClientRecord()
    /// The events that the admin API was asked for, each with the number of the exchange before it; zero for none.
    package internal(set) var commands: [(tree: JSONValue, afterExchange: UInt64)] = []
    /// The held requests of each gate of the story, in the order of the file.
    package var gateStatistics: [GateStatistics] { gates.states.map(\.currentStatistics) }
    var story = StoryProgress()
    var servedTLS = ServedTLS()
    /// The extension of the gates' waits for a request, because the machine lags.
    package var gateSlack = Duration.zero
    /// The time for which refusals of tokens, responses to refreshes and failures with `Retry-After` are held, in
    /// real time.
    ///
    /// What arrives during the hold was sent by a client that did not know the response.
    package var refusalHold = Duration.zero
    /// The time of the first request; `nil` before it.
    package internal(set) var firstArrival: MonotonicTime?

    /// The latest real moment that was heard of: requests of several connections may come in the wrong order.
    package internal(set) var latest: MonotonicTime
    var chooser = ResponseChooser()
    var renderer = ResponseRenderer()
    var agenda = Agenda()
    var exchangeCounts = ExchangeCounts()
    /// The effects that the caller of the session has not taken yet.
    var effects: [Effect] = []
    var streams = OpenStreams()
    /// The number of pushes that no request caused.
    var pushes: UInt64 = 0
    var gates: GateSet
    package internal(set) var lastExchange: UInt64 = 0
    /// The offsets of the `Date` header since the session began or its journal was cleared; `nil` if it was right.
    package internal(set) var dateOffset: DateOffset?

    /// The session that a request belongs to when it names none.
    package static let defaultName = "default"

    /// Begins a session, and lets the story's past happen.
    ///
    /// - Parameters:
    ///   - played: what is played.
    ///   - name: distinguishes the session's tokens from every other session's.
    ///   - seed: the start of every random choice; the scenario's own when `nil`.
    ///   - start: the moment at which it begins. A start that the scenario names is for the caller to prefer.
    ///   - now: the machine's monotonic clock at that moment.
    ///   - journal: how much the journal keeps.
    package init(
        _ played: CompiledScenario,
        name: String = Session.defaultName,
        seed: UInt64? = nil,
        start: VirtualTime,
        at now: MonotonicTime,
        journal: Journal.Capacity = Journal.Capacity()
    ) {
        backend = MockBackend(played, name: name, seed: seed ?? played.scenario.seed, start: start)
        self.journal = Journal(capacity: journal)
        gates = GateSet(played.scenario.gates, played.script)
        latest = now
        clock = VirtualClock(start: start, settings: played.scenario.clock, at: now)
        servedTLS.begin(played.scenario, at: start)
        enactPast(at: now)
        dateOffset = DateOffset(clock.skew, after: lastExchange, nil)
        agenda.add(played.scenario.timeline, from: start)
    }
}

extension Session {
    /// Continues with another version of the scenario, and keeps the state that is still valid in it.
    ///
    /// Clock, tokens, journal and the counts of responses stay. States stay where the new version knows the state and
    /// the value, counters where it knows the counter. Items stay where the new version's collection begins with
    /// the same ones; any other collection is reset. The past is not repeated; the timeline is entered again
    /// with what still lies ahead, and what an exchange has set off already stays on the agenda. Gates stay that have
    /// the same name, with the requests that it holds; the others let go.
    package mutating func replace(_ played: CompiledScenario, at now: MonotonicTime) {
        leaveGates(missingIn: played.scenario, at: now)
        let time = catchUp(at: now)
        let (scenario, former) = (self.played.scenario, self.played.script)
        backend.replace(played)
        renderer = ResponseRenderer()
        chooser.replace(former, by: played.script)
        story.keep(played.scenario.parts)
        if played.scenario.tls != scenario.tls { servedTLS.begin(played.scenario, at: start) }
        agenda.removeTimedEvents()
        agenda.add(played.scenario.timeline, from: start, after: time)
        enterGates(at: now)
    }
}

/// The data of the backend, as others read it.
extension Session {
    package var name: String { backend.name }
    package var seed: UInt64 { backend.seed }
    /// The moment at which the scenario began, on its own clock.
    package var start: VirtualTime { backend.start }
    /// The scenario, ready for playing; a reload puts another one here.
    package var played: CompiledScenario { backend.played }
    package var ledger: TokenLedger { backend.ledger }
    /// The exchanges that played each ``StoryPart``, by the part's name; 0 for one that no exchange played.
    package var plays: [String: [UInt64]] { story.plays }
    /// The names of the story's events that have happened and changed nothing.
    package var idleEvents: Set<String> { story.idleEvents }
    package var items: [(collection: String, account: String?, items: [JSONValue])] { backend.items }

    package func items(of collection: String, account: String? = nil) -> [JSONValue]? {
        backend.items(of: collection, account: account)
    }
}
