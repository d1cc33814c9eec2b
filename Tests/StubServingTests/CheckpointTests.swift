import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Saved states of a session, as the admin API saves, compares and restores them.
@Suite(.timeLimit(.minutes(15)))
struct `A checkpoint` {
    private static let backend = #"""
        {
          "backend": "Notes", "clock": { "frozen": true }, "counters": { "posts": 1 },
          "accounts": { "ada": {} },
          "tokens": { "kinds": { "access": { "lifetime": "1h" }, "refresh": { "lifetime": "2d", "rotate": true } } },
          "states": { "shop": { "values": ["open", "closed"] } },
          "collections": { "notes": { "items": "notes.json" } },
          "routes": {
            "POST /notes": {
              "then": [{ "create": "notes", "item": { "id": "{{counter.posts}}", "text": "new" } }],
              "json": { "id": "{{uuid}}" }
            },
            "GET /news": { "staysOpen": true, "events": [{ "text": "first" }] }
          },
          "given": [{ "signIn": "phone", "account": "ada" }]
        }
        """#

    /// The documents of everything that a session contains.
    private func documents(_ stub: Stub) throws -> [String] {
        try ["clock", "tokens", "states", "collections", "client", "journal?canonical=true"]
            .map { try stub.admin(.get, $0).text(.compact) }
    }

    private func withNotes(items: Int = 3, _ body: (Stub) async throws -> Void) async throws {
        let notes = (1...items).map { #"{ "id": \#($0), "text": "note" }"# }.joined(separator: ",\n")
        try await withStub(Self.backend, files: ["notes.json": "[\(notes)]"], { _ in }, body)
    }

    private func post(_ client: HTTPClient) throws -> HTTPReceivedResponse {
        let fields: HTTPFields = ["Content-Type": "application/json"]
        return try client.exchange(HTTPRequest(method: .post, target: "/notes", fields: fields, body: Array("{}".utf8)))
    }

    private func save(_ stub: Stub, as name: String = "before") throws {
        #expect(try stub.admin(.post, "checkpoints", ["save": .string(name)]) == ["saved": .string(name)])
    }

    @Test func `restores 1,000 tokens and 10,000 items byte for byte`() async throws {
        try await withNotes(items: 10_000) { stub in
            let client = try stub.client()
            for _ in 0..<20 {
                _ = try client.admin(.post, "events", .array(Array(repeating: ["issue": "access"], count: 50)))
            }
            _ = try post(client)
            let before = try documents(stub)
            #expect(try stub.admin(.get, "tokens")["devices"]?[0]?["tokens"]?.array?.count ?? 0 > 1_000)
            try save(stub)
            // The state after the checkpoint, whatever is done in between.
            func proceed() throws -> String {
                let text = try post(client).text
                try stub.advance("90m")
                try stub.admin(.post, "tokens", ["revoke": "refresh"])
                try stub.admin(.post, "states", ["state": ["shop": "closed"]])
                return text
            }
            let (text, after) = (try proceed(), try documents(stub))
            #expect(after != before)
            let restored = try stub.admin(.post, "checkpoints", ["restore": "before"])
            #expect(restored["restored"]?.string == "before" && restored["closed"]?.array?.isEmpty == true)
            #expect(try documents(stub) == before)
            // Random choices, counters and the clock continue as they did.
            #expect(try proceed() == text)
            #expect(try documents(stub) == after)
        }
    }

    @Test func `shows what has changed since`() async throws {
        try await withNotes { stub in
            try save(stub)
            #expect(try stub.admin(.get, "checkpoints/before")["exchangeCount"]?.int == 0)
            _ = try post(stub.client())
            try stub.advance("90m")
            try stub.admin(.post, "states", ["state": ["shop": "closed"]])
            let changes = try stub.admin(.get, "checkpoints/before")
            #expect(changes["tokens"] == [["id": "access-1", "saved": "valid", "now": "expired"]])
            #expect(changes["states"]?.array?.first == ["name": "shop", "saved": "open", "now": "closed"])
            #expect(changes["items"] == [["name": "notes", "added": 1, "removed": 0, "changed": 0]])
            #expect(changes["exchangeCount"]?.int == 1)
            #expect(changes["exchanges"]?[0]?["target"]?.string == "/notes")
            #expect(try stub.admin(.get, "checkpoints")["checkpoints"]?[0]?["name"]?.string == "before")
            try stub.admin(.delete, "checkpoints/before")
            #expect(try stub.admin(.get, "checkpoints") == ["checkpoints": []])
        }
    }

    @Test func `closes and reports open streams when it is restored`() async throws {
        try await withNotes { stub in
            let reader = try stub.client()
            try reader.send(HTTPRequest(target: "/news"))
            try stub.until("the stream") {
                // Each call is a round trip to the server, so no real time is waited for.
                _ = try stub.admin(.get, "clock")
                return try String(decoding: reader.peek(), as: UTF8.self).contains("first")
            }
            try save(stub, as: "open")
            let restored = try stub.admin(.post, "checkpoints", ["restore": "open"])
            #expect(restored["closed"] == [1] && restored["ended"] == [1])
            #expect(try reader.receive().response.status.code == 200)
            // The exchange of the checkpoint has ended, and later requests are served.
            #expect(try post(stub.client()).response.status.code == 200)
            #expect(try stub.admin(.get, "journal")["exchanges"]?.array?.count == 2)
        }
    }

    @Test func `is refused with an unknown name, a wrong body, and above the limit`() async throws {
        try await withNotes { stub in
            let client = try stub.client()
            func status(_ method: HTTPMethod, _ part: String, _ body: JSONValue?) throws -> Int {
                var request = HTTPRequest(method: method, target: "/__backlot/\(part)")
                request.fields.append("Content-Type", "application/json")
                request.body = body.map { $0.utf8() } ?? []
                return try client.exchange(request).response.status.code
            }
            #expect(try status(.get, "checkpoints/none", nil) == 404)
            #expect(try status(.post, "checkpoints", ["restore": "none"]) == 404)
            #expect(try status(.post, "checkpoints", ["save": 1]) == 400)
            #expect(try status(.post, "checkpoints", ["save": "a b"]) == 400)
            for number in 1...16 { #expect(try status(.post, "checkpoints", ["save": .string("c\(number)")]) == 200) }
            #expect(try status(.post, "checkpoints", ["save": "c17"]) == 409)
            #expect(try status(.post, "checkpoints", ["save": "c16"]) == 200)
        }
    }
}
