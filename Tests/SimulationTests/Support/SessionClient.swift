import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// A session with a client in front of it: real time passes only when a test says so.
struct SessionClient {
    static let start = VirtualTime(seconds: 1_700_000_000)

    var session: Session
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private let loaded: LoadedScenario

    /// Begins a session of a scenario that is written out.
    ///
    /// - Parameters:
    ///   - json: the backend's file, without its name and its braces.
    ///   - files: fixtures by name.
    ///   - gates: take the place of those in the file.
    init(
        _ json: String,
        files: [String: String] = [:],
        name: String = Session.defaultName,
        seed: UInt64? = nil,
        start: VirtualTime = start,
        journal: Journal.Capacity = Journal.Capacity(),
        gates: [Gate] = []
    ) throws {
        var loaded = try Self.load(json, files: files)
        if !gates.isEmpty { loaded.scenario.gates = gates }
        self.init(loaded, name: name, seed: seed, start: start, journal: journal)
    }

    /// Begins a session of one of Smeem's files.
    init(smeem file: String, name: String = Session.defaultName, start: VirtualTime = start) throws {
        let path = "\(Project.scenarios)/smeem/\(file)"
        let root = try #require(ProjectRoot(enclosing: path, files: DiskFiles()))
        let runs = Self.memory.withLock { memory in
            Result { () throws(ScenarioError) in
                try ScenarioLoader(files: DiskFiles(), project: root).loadRuns(path, remembering: &memory)
            }
        }
        self.init(
            try #require(try Self.loading { () throws(ScenarioError) in try runs.get() }.first),
            name: name,
            seed: nil,
            start: start,
            journal: Journal.Capacity()
        )
    }

    private init(
        _ loaded: LoadedScenario,
        name: String,
        seed: UInt64?,
        start: VirtualTime,
        journal: Journal.Capacity
    ) {
        self.loaded = loaded
        session = Session(
            CompiledScenario(loaded.scenario),
            name: name,
            seed: seed,
            start: start,
            at: now,
            journal: journal
        )
    }

    /// What all of Smeem's files have in common, read once.
    private static let memory = Lock(ParseCache())

    static func load(_ json: String, files: [String: String] = [:]) throws -> LoadedScenario {
        var texts = files
        texts["backend.json"] = "{\"backend\": \"Test\", \(json)}"
        if let loaded = known.withLock({ $0[texts] }) { return loaded }
        let files = MemoryFiles(texts)
        let root = try #require(ProjectRoot("/project", files: files))
        let loaded = try loading { () throws(ScenarioError) in
            try ScenarioLoader(files: files, project: root).load("/project/backend.json")
        }
        known.withLock { $0[texts] = loaded }
        return loaded
    }

    /// What was loaded, by the texts of its files: the cases of a test have them in common.
    private static let known = Lock<[[String: String]: LoadedScenario]>([:])

    /// Turns what is wrong with a scenario into an error that a test's output shows.
    private static func loading<Loaded>(_ body: () throws(ScenarioError) -> Loaded) throws -> Loaded {
        do throws(ScenarioError) {
            return try body()
        } catch {
            throw UnplayableScenario(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    struct UnplayableScenario: Error, CustomStringConvertible {
        var description: String
    }

    // MARK: Requests

    /// Sends a request and takes its response; the exchange ends at once unless it is to stay open.
    ///
    /// - Parameters:
    ///   - request: a method and a target: `GET /diaries?page=2`.
    ///   - token: what goes into `Authorization` after `Bearer`.
    @discardableResult
    mutating func send(
        _ request: String,
        token: String? = nil,
        headers: HTTPFields = HTTPFields(),
        body: String = "",
        ends: Bool = true
    ) -> Answer {
        let parts = request.split(separator: " ", maxSplits: 1).map(String.init)
        var fields = headers
        if let token { fields.append("Authorization", "Bearer \(token)") }
        if !body.isEmpty, !fields.contains("Content-Type") { fields.append("Content-Type", "application/json") }
        let http = HTTPRequest(
            method: HTTPMethod(rawValue: parts[0]),
            target: parts.count > 1 ? parts[1] : "/",
            fields: fields,
            body: Array(body.utf8)
        )
        let decision = session.decide(IncomingRequest(http), at: now)
        if ends { end(decision.exchange) }
        return Answer(decision)
    }

    mutating func end(_ exchange: UInt64, _ outcome: ExchangeOutcome = .sent) {
        session.end(exchange, outcome, at: now)
    }

    // MARK: Time and events

    /// Lets real time pass.
    mutating func pass(_ duration: Duration) {
        now = MonotonicTime(nanoseconds: now.nanoseconds + UInt64(duration.wholeMicroseconds) * 1_000)
    }

    mutating func advance(_ duration: Duration) {
        session.advance(by: duration, at: now)
    }

    /// Enacts an event as the admin API receives it.
    mutating func enact(_ json: String) throws {
        let tree = try JSONParser().parse(Array(json.utf8)).root
        do throws(ScenarioError) {
            session.enact(try loaded.event(from: tree), at: now)
        } catch {
            throw UnplayableScenario(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    /// Goes on with another version of the scenario.
    mutating func replace(_ json: String, files: [String: String] = [:], gates: [Gate] = []) throws {
        var scenario = try Self.load(json, files: files).scenario
        if !gates.isEmpty { scenario.gates = gates }
        session.replace(CompiledScenario(scenario), at: now)
    }

    /// How long after the start it is on the session's clock.
    var elapsed: Duration { session.time(at: now) - session.start }

    // MARK: Looking

    /// The newest token of a kind, of a device if it is named.
    func token(_ kind: String, of device: String? = nil) throws -> Token {
        try #require(session.ledger.tokens.last { $0.kind == kind && (device == nil || $0.device == device) })
    }

    var lastExchange: Exchange {
        get throws { try #require(session.journal.exchanges.last) }
    }

    /// The tokens of the newest exchange as `kind id standing`, with `+` or `-` in front when a route judged them.
    var offered: [String] {
        get throws {
            try lastExchange.offered.map { token in
                let mark = token.isAccepted.map { $0 ? "+" : "-" } ?? ""
                return "\(mark)\(token.wanted) \(token.id ?? "?") \(token.standing.rawValue)"
            }
        }
    }

    /// The canonical journal as text.
    var canonicalJournal: String {
        session.journal.exchanges.map { $0.json(canonical: true).text(.compact) }.joined(separator: "\n")
    }
}

/// What a session decided to answer.
struct Answer {
    let decision: Decision

    init(_ decision: Decision) {
        self.decision = decision
    }

    var exchange: UInt64 { decision.exchange }
    var status: Int { decision.response.status.code }
    var fields: HTTPFields { decision.response.fields }
    var text: String { String(decoding: decision.response.body, as: UTF8.self) }

    /// The body as JSON; null when it is none.
    var json: JSONValue { (try? JSONParser().parse(decision.response.body))?.root ?? .null }

    /// The name at the end of a problem document's type.
    var problem: String? {
        json["type"]?.string?.split(separator: ":").last.map(String.init)
    }
}
