import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// A client's requests in a row of lines, with the responses that are under way between them.
///
/// `GET /notes access-1` sends a request and gets the response; `a: GET /notes access-1` only sends it, and `end a` lets
/// the response arrive; `lose a` breaks the connection. A refresh carries its token as everything does. Other lines:
/// `wait 2h` on the session's clock, `pause 3s` on the machine's, `launch 2`, `skew 5m`, `tell signedOut`, and
/// `fault lost /refresh`, which befalls the first one.
struct Drama {
    private static let backend = """
        "clock": {"frozen": true}, "accounts": {"ann": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h", "format": "opaque"},
          "refresh": {"lifetime": "30d", "format": "opaque", "rotate": {"grace": "10s"}, "terminal": [401]}}},
        "given": [{"signIn": "phone", "ago": "5m"}],
        "routes": {
          "POST /login": {"signIn": {"device": "phone"}, "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /busy": {"requires": "refresh", "cases": [
            {"when": {"query": {"really": "no"}}, "grants": {"access": "new"}, "json": {}}], "status": 503, "json": {}},
          "POST /slow": {
            "requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "latency": "10s", "json": {}},
          "POST /logout": {"requires": "access", "then": [{"signOut": "caller"}], "status": 204, "empty": true},
          "GET /notes": {"requires": "access", "json": []},
          "GET /profile": {"requires": "access", "json": {}},
          "GET /forbidden": {"requires": "access", "status": 403, "json": {}},
          "GET /skewed": {"requires": "access", "status": 401, "json": {}},
          "POST /notes": {"requires": "access", "status": 201, "json": {}}}
        """

    private var session: Session
    private let loaded: LoadedScenario
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var open: [String: UInt64] = [:]
    private var connections: UInt64 = 0

    /// - Parameter lines: what happens, one thing a line.
    init(_ lines: String, changing changes: String = "") throws {
        let steps = lines.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let faults = steps.filter { $0[0] == "fault" }.map {
            #"{"at": "0s", "fault": "\#($0[1])", "route": "POST \#($0[2])"}"#
        }
        let changes = (changes.isEmpty ? [] : [changes]) + ["\"timeline\": [\(faults.joined(separator: ", "))]"]
        loaded = try LoadedScenario(members: ([Self.backend] + changes).joined(separator: ", "))
        session = loaded.session(at: now)
        session.refusalHold = .milliseconds(50)
        for words in steps { try perform(words) }
    }

    private mutating func perform(_ words: [String]) throws {
        switch words[0] {
        case "wait": session.advance(by: DurationText.parse(words[1]) ?? .zero, at: now)
        case "pause": pass(DurationText.parse(words[1]) ?? .zero)
        case "launch": enact(.launch(Int(words[1]) ?? 0))
        case "tell": session.note(clientFacts: JSONObject([(words[1], JSONValue.bool(true))]), at: now)
        case "skew": enact(.skew(DurationText.parse(words[1]) ?? .zero))
        case "fault": break
        case "end": try end(words[1], .sent)
        case "lose": try end(words[1], .faulted)
        default:
            let isLabelled = words[0].hasSuffix(":")
            let exchange = begin(isLabelled ? Array(words.dropFirst()) : words)
            pass(.milliseconds(5))
            if isLabelled {
                open[String(words[0].dropLast())] = exchange
            } else {
                let hasFault = session.journal.exchange(exchange)?.fault != nil
                session.end(exchange, hasFault ? .faulted : .sent, at: now)
                pass(.milliseconds(50))
            }
        }
    }

    private mutating func enact(_ action: Event.Action) {
        session.enact(Event(action), at: now)
    }

    private mutating func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    private mutating func begin(_ words: [String]) -> UInt64 {
        connections += 1
        let token = words.count > 2 ? session.ledger.token(id: words[2])?.value : nil
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: words[0]),
            target: words[1],
            fields: token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
            body: Array((words.count > 3 ? words[3] : "").utf8)
        )
        return session.decide(IncomingRequest(request, connection: connections), at: now).exchange
    }

    private mutating func end(_ label: String, _ outcome: ExchangeOutcome) throws {
        let exchange = open.removeValue(forKey: label)
        session.end(try #require(exchange), outcome, at: now)
        pass(.milliseconds(1))
    }

    var evidence: Evidence { Evidence(session, at: now) }

    /// What every rule has found: `B2: exchanges 4 and 5 …`.
    var sentences: [String] {
        let recording = Recording(session, file: "backend.json", in: loaded.sources, at: now)
        let history = TokenHistory(recording.evidence)
        expectSame(history, recording)
        return history.sentences
    }
}
