import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// A client's requests to a small backend, with the machine's clock in the test's hand.
struct Traffic {
    /// Tokens of two kinds, in a header and in the body, and devices that may name themselves.
    static let backend = """
        "clock": {"frozen": true}, "devices": {"header": "X-Device"},
        "accounts": {"ann": {}, "ben": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h", "jti": true},
          "refresh": {"lifetime": "30d", "format": "opaque", "in": {"body": "/refresh"}, "rotate": {"grace": "0s"}, "terminal": [401]}}},
        "routes": {
          "POST /login": {
            "signIn": {"account": "{{request.query.user ?? \\"ann\\"}}"}, "grants": {"access": "new", "refresh": "new"},
            "json": {"access": "{{token.access}}", "refresh": "{{token.refresh}}"}},
          "POST /refresh": {
            "requires": "refresh", "grants": {"access": "new", "refresh": "new"},
            "json": {"access": "{{token.access}}", "refresh": "{{token.refresh}}"}},
          "POST /logout": {"requires": "access", "then": [{"signOut": "caller"}], "status": 204, "empty": true},
          "GET /notes": {"requires": "access", "json": []},
          "POST /notes": {"requires": "access", "status": 201, "json": {}},
          "GET /profile": {"requires": "access", "json": {}},
          "GET /busy": {"status": 503, "headers": {"Retry-After": "30"}, "json": {}},
          "GET /feed": {
            "requires": "access", "headers": {"Content-Type": "text/event-stream"}, "text": "id: 7\\ndata: x\\n\\n"},
          "PUT /files/{id}": {"requires": "access", "status": 204, "empty": true},
          "GET /moved": {"status": 302, "headers": {"Location": "https://images.test/cat.png?w=1"}, "empty": true}}
        """

    /// The same with refresh tokens that are good for as long as they live.
    static let withoutRotation = backend.replacing(", \"rotate\": {\"grace\": \"0s\"}", with: "")
        .replacing(
            """
            "requires": "refresh", "grants": {"access": "new", "refresh": "new"},
                "json": {"access": "{{token.access}}", "refresh": "{{token.refresh}}"}
            """,
            with: """
                "requires": "refresh", "grants": {"access": "new"}, "json": {"access": "{{token.access}}"}
                """
        )

    private(set) var session: Session
    private let loaded: LoadedScenario
    /// Whether the client is judged while it may be at work.
    var isProvisional = false
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// How the launches of the client have ended.
    var exits: [Int] = []
    /// The same by process.
    var processExits: [String: [Int]] = [:]
    /// What the journal is made to say beside what the engine wrote.
    private var changes: [UInt64: @Sendable (inout Exchange) -> Void] = [:]

    init(_ backend: String = Traffic.backend, given: String = "") throws {
        let past = given.isEmpty ? "" : "\"given\": [\(given)], "
        loaded = try LoadedScenario(members: past + backend)
        session = loaded.session(at: now)
        session.refusalHold = .milliseconds(50)
    }

    // MARK: Time

    /// Lets time pass on the machine's clock.
    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    /// Takes back some of the pause after the last request.
    mutating func rewind(_ duration: Duration) {
        now = MonotonicTime(nanoseconds: now.nanoseconds - UInt64(duration / .nanoseconds(1)))
    }

    /// Lets time pass on the session's clock.
    mutating func advance(_ duration: Duration) {
        session.advance(by: duration, at: now)
    }

    /// The session's time.
    var time: VirtualTime { session.time(at: now) }

    mutating func launch(_ number: Int) {
        session.enact(Event(.launch(number)), at: now)
    }

    // MARK: Requests

    /// Sends a request and gets the response; half a second lies between two of them.
    @discardableResult
    mutating func send(
        _ line: String,
        bearing access: String? = nil,
        refresh: String? = nil,
        from device: String? = nil,
        fields: HTTPFields = [:],
        body: String? = nil,
        by process: String? = nil,
        ending outcome: ExchangeOutcome = .sent
    ) -> UInt64 {
        let number = begin(
            line,
            bearing: access,
            refresh: refresh,
            from: device,
            fields: fields,
            body: body,
            by: process
        )
        wait(.milliseconds(5))
        end(number, outcome)
        wait(.milliseconds(500))
        return number
    }

    /// Sends a request whose response is under way until it is ended.
    mutating func begin(
        _ line: String,
        bearing access: String? = nil,
        refresh: String? = nil,
        from device: String? = nil,
        fields: HTTPFields = [:],
        body: String? = nil,
        on connection: UInt64 = 0,
        by process: String? = nil,
        lag: Duration = .zero
    ) -> UInt64 {
        var connection = connection
        if let process {
            connection = process.utf8.reduce(1) { $0 &* 131 &+ UInt64($1) }
            session.note(process: process, on: connection)
        }
        let words = line.split(separator: " ").map(String.init)
        var fields = fields
        if let access { fields.append("Authorization", "Bearer \(value(of: access))") }
        if let device { fields.append("X-Device", device) }
        let text = refresh.map { "{\"refresh\": \"\(value(of: $0))\"}" } ?? body ?? ""
        if !text.isEmpty, !fields.contains("Content-Type") { fields.append("Content-Type", "application/json") }
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: words[0]),
            target: words[1],
            fields: fields,
            body: Array(text.utf8)
        )
        return session.decide(IncomingRequest(request, lag: lag, connection: connection), at: now).exchange
    }

    mutating func end(_ exchange: UInt64, _ outcome: ExchangeOutcome = .sent) {
        session.end(exchange, outcome, at: now)
    }

    mutating func tell(_ fact: String, _ value: JSONValue = true, by process: String? = nil) {
        session.note(clientFacts: JSONObject([(fact, value)]), by: process, at: now)
    }

    mutating func enact(_ action: Event.Action) {
        session.enact(Event(action), at: now)
    }

    /// Makes the journal say something of an exchange that the engine has no part in.
    mutating func change(_ exchange: UInt64, _ body: @escaping @Sendable (inout Exchange) -> Void) {
        changes[exchange] = body
    }

    /// The newest token of a kind that an exchange granted, by its id.
    func granted(_ kind: String, by exchange: UInt64) -> String? {
        session.journal.exchange(exchange)?.granted.last { $0.kind == kind }?.id
    }

    /// The status of a response.
    func status(of exchange: UInt64) -> Int? { session.journal.exchange(exchange)?.response.status.code }

    /// The value of a token; the name itself where there is none.
    func value(of id: String) -> String {
        session.ledger.token(id: id)?.value ?? id
    }

    // MARK: Judging

    /// The session as it is saved.
    var recording: Recording {
        var recording = Recording(
            session,
            file: "backend.json",
            in: loaded.sources,
            exits: exits,
            isProvisional: isProvisional,
            at: now
        )
        recording.evidence.processExits = processExits
        for index in recording.evidence.exchanges.indices {
            changes[recording.evidence.exchanges[index].number]?(&recording.evidence.exchanges[index])
        }
        return recording
    }

    func history(with roles: (inout TokenRoles) -> Void = { _ in }) -> TokenHistory {
        var recording = recording
        roles(&recording.evidence.roles)
        let history = TokenHistory(recording.evidence)
        expectSame(history, recording)
        return history
    }

    func sentences<Checked: Rule>(of rule: Checked.Type) -> [String] {
        rule.violations(in: history()).map(\.sentence)
    }

    /// What all rules say.
    var allSentences: [String] { history().sentences }
}

extension TokenHistory {
    /// What every rule has found: `B2: exchanges 4 and 5 …`.
    var sentences: [String] {
        AllRules.list.flatMap { rule in
            rule.violations(in: self).map { "\(rule.profile.number): \($0.sentence)" }
        }
    }
}

/// Holds what is said of a session against what is said of it when it was saved and read again.
func expectSame(_ history: TokenHistory, _ recording: Recording) {
    do {
        let text = recording.json.text()
        let read = try Recording(JSONParser().parse(text).root)
        #expect(read.json.text() == text)
        #expect(TokenHistory(read.evidence).sentences == history.sentences)
    } catch {
        Issue.record("a recording cannot be read again: \(error)")
    }
}
