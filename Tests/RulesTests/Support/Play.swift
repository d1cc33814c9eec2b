import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// A session of a small backend with a client that goes by a list of steps.
struct Play {
    private static let backend = """
        "clock": {"frozen": true}, "devices": {"header": "X-Device"},
        "accounts": {"ann": {}}, "timeline": [{"at": "40d", "launch": 2}],
        "tokens": {"kinds": {
          "access": {"lifetime": "1h"},
          "refresh": {"lifetime": "30d", "format": "opaque"}}},
        "states": {"diary": ["there", "gone"], "member": {"values": ["new", "old"], "per": "device"}},
        "routes": {
          "POST /login": {
            "grants": {"access": "new", "refresh": "new"},
            "json": {"access": "{{token.access}}", "refresh": "{{token.refresh}}"}},
          "POST /refresh": {
            "requires": "refresh", "grants": {"access": "new"}, "json": {"access": "{{token.access}}"}},
          "GET /notes": {"requires": "access", "json": []},
          "POST /notes": {"status": 201, "empty": true},
          "DELETE /notes/{id}": {"then": [{"state": {"diary": "gone"}}], "status": 204, "empty": true},
          "POST /join": {"then": [{"state": {"member": "old"}}], "status": 204, "empty": true}}
        """

    private(set) var session: Session
    private let loaded: LoadedScenario
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var tokens: [String: String] = [:]

    /// - Parameter expectations: the elements of `expect`.
    init(expecting expectations: String, journal: Journal.Capacity = Journal.Capacity()) throws {
        loaded = try LoadedScenario(members: "\(Self.backend),\n\"expect\": [\(expectations)]")
        session = loaded.session(at: now, journal: journal)
    }

    /// Does what steps say: `login phone`, `notes`, `refresh`, `wait 2h`, `pause 2s` on the machine's clock, `tell {…}`, `clear`, `handshake unknown_ca`, or a method, a target
    /// and perhaps a body.
    mutating func perform(_ steps: [String]) throws {
        for step in steps {
            let words = step.split(separator: " ", maxSplits: 2).map(String.init)
            let rest = words.dropFirst().joined(separator: " ")
            switch words[0] {
            case "login": try keep(send("POST", "/login", ["X-Device": rest]))
            case "refresh": try keep(send("POST", "/refresh", authorization("refresh")))
            case "notes": _ = send("GET", "/notes", authorization("access"))
            case "wait": session.advance(by: try #require(DurationText.parse(rest)), at: now)
            case "pause": now = now.advanced(by: try #require(DurationText.parse(rest)))
            case "handshake": session.note(FailedHandshake(rest, isRejection: rest != "closed"), at: now)
            case "clear": session.clearJournal()
            case "tell":
                session.note(
                    clientFacts: try #require(try JSONParser().parse(Array(rest.utf8)).root.object),
                    at: now
                )
            default: _ = send(words[0], words[1], [:], words.count > 2 ? words[2] : "")
            }
        }
    }

    private func authorization(_ kind: String) -> HTTPFields {
        tokens[kind].map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }

    private mutating func keep(_ response: HTTPResponse) throws {
        for member in try JSONParser().parse(response.body).root.object?.members ?? [] {
            if ["access", "refresh"].contains(member.name) { tokens[member.name] = member.value.string }
        }
    }

    private mutating func send(
        _ method: String,
        _ target: String,
        _ fields: HTTPFields,
        _ body: String = ""
    ) -> HTTPResponse {
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: method),
            target: target,
            fields: fields,
            body: Array(body.utf8)
        )
        let decision = session.decide(IncomingRequest(request), at: now)
        session.end(decision.exchange, .sent, at: now)
        return decision.response
    }

    var recording: Recording {
        Recording(session, file: "backend.json", in: loaded.sources, exits: [0, 3], at: now)
    }

    var verdict: Verdict {
        Verdict(on: loaded.scenario, by: Evidence(session, at: now), in: loaded.sources)
    }
}
