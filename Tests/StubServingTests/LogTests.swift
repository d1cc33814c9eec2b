import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// The lines that somebody reads who watches the server.
@Suite(.timeLimit(.minutes(15)))
struct LogTests {
    private let backend = #"""
        {
          "backend": "Log", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" }, "key": { "lifetime": "1d", "format": "opaque", "in": { "query": "key" } } } },
          "routes": {
            "POST /login": { "grants": { "access": "new", "key": "new" }, "json": ["{{token.access}}", "{{token.key}}"] },
            "GET /notes": {
              "requires": "access",
              "cases": [{ "when": { "query": { "empty": { "exists": true } } }, "status": 204, "empty": true }],
              "text": "notes"
            },
            "GET /files/*": { "text": "file" },
            "POST /lost": { "fault": "lost", "text": "gone" }
          }
        }
        """#

    /// Plays the requests, ends the server, and returns its lines.
    private func lines(
        isColoured: Bool = false,
        _ requests: (Stub, HTTPClient) throws -> Void
    ) async throws -> [String] {
        var log: LogText?
        try await withStub(backend) { stub in
            try requests(stub, try stub.client())
            log = stub.log
        }
        return log?.text.split(separator: "\n").map(String.init) ?? []
    }

    @Test func `An exchange that the journal has no room for has a line`() async throws {
        var log: LogText?
        try await withStub(backend, { $0.journalBytes = 1_000 }) { stub in
            let client = try stub.client()
            for name in "abc" { _ = try client.get("/files/\(name)") }
            log = stub.log
        }
        let lines = (log?.text ?? "").split(separator: "\n")
        for name in "abc" { #expect(lines.count { $0.contains("/files/\(name)  200") } == 1, "\(lines)") }
    }

    @Test func `Every exchange has a line with time, request, answer, route and tokens`() async throws {
        let lines = try await lines { stub, client in
            let tokens = try client.call(.post, "/login").json
            let access = tokens[0]?.string ?? ""
            _ = try client.get("/notes", .bearer(access))
            _ = try client.get("/notes?empty", .bearer(access))
            try stub.advance("3h")
            _ = try client.get("/notes", .bearer(access))
            _ = try client.get("/notes", .bearer("nobody's"))
            _ = try client.get("/notes")
            _ = try client.get("/note")
            _ = try client.call(.delete, "/notes")
            _ = try client.call(.options, "/notes")
            _ = try client.get("/files/a", ["Backlot-Session": "other"])
            #expect(throws: HTTPClientFailure.closedWithoutResponse) { try client.call(.post, "/lost") }
        }
        #expect(
            lines == [
                "2026-03-01 09:00:00.000  POST  /login  200  0 ms  POST /login  → access-1  → key-1",
                "2026-03-01 09:00:00.000  GET  /notes  200  0 ms  GET /notes  access-1 valid (0s old)",
                "2026-03-01 09:00:00.000  GET  /notes?empty  204  0 ms  GET /notes (case 1)  access-1 valid (0s old)",
                "2026-03-01 12:00:00.000  GET  /notes  401  0 ms  GET /notes  access-1 expired (3h old)",
                "2026-03-01 12:00:00.000  GET  /notes  401  0 ms  GET /notes  access unknown",
                "2026-03-01 12:00:00.000  GET  /notes  401  0 ms  GET /notes  access missing",
                "2026-03-01 12:00:00.000  GET  /note  404  0 ms  "
                    + #"NO MATCH, nearest GET /notes: the path contains "note" where the route contains "notes""#,
                "2026-03-01 12:00:00.000  DELETE  /notes  405  0 ms  "
                    + "NO MATCH, nearest GET /notes: the method is DELETE, not GET",
                "2026-03-01 12:00:00.000  OPTIONS  /notes  204  0 ms  no route",
                "2026-03-01 09:00:00.000  other  GET  /files/a  200  0 ms  GET /files/*",
                "2026-03-01 12:00:00.000  POST  /lost  200 lost  0 ms  POST /lost",
            ]
        )
    }

    @Test func `Token values are shortened wherever they stand`() async throws {
        var values: [String] = []
        let lines = try await lines { _, client in
            values = try client.call(.post, "/login").json.array?.compactMap(\.string) ?? []
            _ = try client.get("/files/a?key=\(values[1])&page=2")
            _ = try client.get("/files/\(values[0])/b")
            _ = try client.get("/nowhere/\(values[1])")
            _ = try client.get("/files/\(String(repeating: "long/", count: 100))")
        }
        try #require(values.count == 2)
        #expect(lines.count == 5)
        for value in values { #expect(!lines.joined().contains(value)) }
        #expect(lines[1].contains("/files/a?key=\(values[1].prefix(8))…&page=2  200"))
        #expect(lines[2].contains("/files/\(values[0].prefix(8))…/b  200"))
        #expect(lines[4].utf8.count < 300)
    }

    @Test func `Long names and UUIDs of a path are shown whole`() async throws {
        let names = ["0190163d-8694-739b-aea5-966c26f8ad91", "a-photo-of-the-river-in-march-2026.jpeg"]
        let lines = try await lines { _, client in for name in names { _ = try client.get("/files/\(name)") } }
        for (line, name) in zip(lines, names) { #expect(line.contains("/files/\(name)  200")) }
    }

    @Test func `Tokens of other servers stand nowhere but in what was sent`() async throws {
        let token = "kakao.R3al-token_0123456789abcdefghijklmnopqrst"
        let backend = #"""
            {
              "backend": "Foreign",
              "tokens": { "kinds": { "access": { "lifetime": "1h" }, "social": { "foreign": true } } },
              "routes": {
                "POST /login": { "requires": "social", "json": { "hint": "{{request.body#/token}}" } }
              }
            }
            """#
        var log: LogText?
        try await withStub(backend) { stub in
            let client = try stub.client()
            let response = try client.call(.post, "/login", .bearer(token), #"{"token": "\#(token)"}"#)
            #expect(try response.json["hint"]?.string == token)
            _ = try client.get("/login/\(token)?a=\(token)", .bearer("nobody's"))
            for part in ["journal", "journal?canonical=true", "exchanges/1", "exchanges/2", "changes", "verdict"] {
                let shown = String(decoding: try client.get("/__backlot/\(part)").body, as: UTF8.self)
                #expect(!shown.contains(token), "\(part) shows it")
                if part.hasPrefix("journal") { #expect(shown.contains("Bearer recorded..")) }
            }
            log = stub.log
        }
        #expect(log?.text.isEmpty == false && log?.text.contains(token) == false)
    }

    @Test func `Control characters and marks of direction never reach the terminal`() async throws {
        let lines = try await lines { _, client in
            // Header values may hold C1 controls as bytes, and query values anything when decoded; both come back.
            client.expectResponse(to: .post)
            let body = #"{"a\u001b[31m\u202e":1,"a\u001b[31m\u202e":2}"#
            try client.send(
                "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            _ = try client.receive()
            client.expectResponse(to: .get)
            _ = try client.get("/notez%1b%5B31m")
        }
        let text = lines.joined()
        #expect(
            !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E || (0x7F...0x9F).contains($0.value) }
        )
    }

    @Test func `Colours are for terminals`() async throws {
        let log = LogText()
        let coloured = ServerLog(isColoured: true, sink: log.take)
        coloured.report([])
        coloured.say("plain")
        #expect(log.text == "plain\n")
    }

    @Test func `A reader that does not read costs lines and not the server`() {
        let log = LogText()
        let reads = Shared(false)
        let server = ServerLog(isColoured: false) { bytes in reads.withLock { $0 } ? log.take(bytes) : 0 }
        let line = String(repeating: "x", count: 1023)
        for _ in 0..<1_030 { server.say(line) }
        reads.withLock { $0 = true }
        #expect(server.flush())
        #expect(server.flush())
        let note = "6 lines were dropped because they could not be written in time\n"
        #expect(log.text.utf8.count == 1_024 * 1_024 + note.utf8.count)
        server.say("again")
        #expect(log.text.hasSuffix("\(note)again\n"))
    }
}
