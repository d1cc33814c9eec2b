import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The backend that a session plays: its items, tokens, states and counters.
///
/// It gives conditions and placeholders their values, and does what responses and events do to its data. Time, traffic and
/// the order of what happens are the session's.
package struct MockBackend: Sendable {
    /// Distinguishes its tokens from those of every other session.
    let name: String
    /// The start of every random choice.
    let seed: UInt64
    /// The moment at which the scenario began, on its own clock.
    let start: VirtualTime
    private(set) var played: CompiledScenario

    package internal(set) var ledger = TokenLedger()
    /// The keys that sign its tokens.
    var keys: SigningKeys
    var proofs: ProofChecker
    /// The tokens of other servers that requests have shown.
    var foreignTokens = ForeignTokens()

    var states: StateValues
    var counters: [String: Int]
    var store: ItemStore
    /// The requests that are not answered yet.
    var open = OpenExchanges()

    var timestamps = TimestampCache()
    /// The base URLs of the story's other servers, by name; set by the server that listens there.
    package var originURLs: [String: String] = [:]
    /// Returns whether all sessions of the server together store as much as they may.
    package var isServerFull: @Sendable () -> Bool = { false }

    init(_ played: CompiledScenario, name: String, seed: UInt64, start: VirtualTime) {
        (self.played, self.name, self.seed, self.start) = (played, name, seed, start)
        keys = SigningKeys(of: name, key: played.scenario.tokens.key)
        proofs = ProofChecker(secret: keys.secret)
        states = StateValues(played.script.stateScopes)
        counters = Self.startValues(of: played.scenario)
        store = ItemStore(played.scenario.collections)
        fillStore(except: [])
    }

    /// Continues with another version of the scenario, and keeps the data that is still valid in it.
    mutating func replace(_ played: CompiledScenario) {
        let former = self.played.scenario
        self.played = played
        states.replace(played.script.stateScopes)
        let known = Self.startValues(of: played.scenario)
        counters = known.merging(counters.filter { known[$0.key] != nil }) { _, current in current }
        renewStore(after: former)
    }

    private static func startValues(of scenario: Scenario) -> [String: Int] {
        Dictionary(scenario.counters.map { ($0.name, $0.start) }) { _, last in last }
    }
}
