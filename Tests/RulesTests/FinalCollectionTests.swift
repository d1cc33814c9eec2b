import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// What is taken down of a session's collections.
struct FinalCollectionTests {
    private static let backend = """
        "accounts": {"ann": {}, "bob": {}},
        "tokens": {"kinds": {"access": {"lifetime": "1h"}}},
        "collections": {
          "notes": {"items": [{"text": "tea"}]}, "logs": {}, "lists": {"items": [{"done": true}], "per": "account"}},
        "routes": {
          "POST /login": {"signIn": {"device": "phone", "account": "ann"}, "grants": {"access": "new"}, "json": {}},
          "POST /notes": {
            "then": [{"create": "notes", "item": {
              "text": "{{request.body#/text}}", "field": "{{request.header.Authorization ?? omit}}",
              "token": "{{request.body#/token ?? omit}}"}}],
            "status": 201, "empty": true}}
        """

    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    /// What is left when a note with a token was written.
    private func recording(expecting expectations: String, text: String = "\"jam\"") throws -> Recording {
        let loaded = try LoadedScenario(members: "\(Self.backend), \"expect\": [\(expectations)]")
        var session = loaded.session(at: now)
        _ = session.decide(IncomingRequest(HTTPRequest(method: .post, target: "/login")), at: now)
        let token = try #require(session.ledger.tokens.first?.value)
        let request = HTTPRequest(
            method: .post,
            target: "/notes",
            fields: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
            body: Array("{\"text\": \(text), \"token\": \"\(token)\"}".utf8)
        )
        let decision = session.decide(IncomingRequest(request), at: now)
        #expect(decision.response.status == .created)
        return Recording(session, file: "backend.json", in: loaded.sources, at: now)
    }

    @Test func `What a client has written is judged`() throws {
        let recording = try recording(
            expecting: #"{"items": "notes", "where": {"/text": "jam"}, "count": 1}, {"items": "notes", "count": 1}"#
        )
        #expect(
            recording.verdict.expectations.map(\.sentence) == [
                #"one item of notes with /text equal to "jam" at the end"#,
                "expected one item of notes at the end, but there are 2: items 1 and 2",
            ]
        )
    }

    @Test func `Only collections that are expected something of are taken down`() throws {
        #expect(try recording(expecting: #"{"request": "POST /notes"}"#).evidence.collections.isEmpty)
        let both = try recording(expecting: #"{"items": "notes"}, {"items": "lists"}"#).evidence.collections
        #expect(both.map(\.name) == ["notes", "lists", "lists"])
        #expect(both.map(\.account) == [nil, "ann", "bob"])
    }

    @Test func `An account's copy counts before anybody has needed it`() throws {
        let recording = try recording(
            expecting: #"{"items": "lists", "account": "bob", "where": {"/done": true}, "count": 1}"#
        )
        #expect(recording.verdict.expectations.map(\.status) == [.held])
    }

    @Test func `A stored token's value is not taken down`() throws {
        let recording = try recording(expecting: #"{"items": "notes"}"#)
        let token = try #require(recording.evidence.ledger.tokens.first?.value)
        let kept = try #require(recording.json["collections"]?.text())
        #expect(!kept.contains(token))
        #expect(kept.contains("Bearer recorded.") && kept.contains("\"token\":\"recorded."))
    }

    @Test func `An item that is very deep is cut, so that the document can be read again`() throws {
        let deep = String(repeating: "[", count: 505) + String(repeating: "]", count: 505)
        let recording = try recording(expecting: #"{"items": "notes"}"#, text: deep)
        let read = try Recording(JSONParser().parse(recording.json.text()).root)
        #expect(read.evidence.collections.map(\.items) == recording.evidence.collections.map(\.items))
    }
}
