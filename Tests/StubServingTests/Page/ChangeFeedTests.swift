import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import StoryRunning
import Streams
import StubServing
import TestSupport
import Testing

/// The server-sent events of the admin API, on a clock that the test moves.
@Suite(.timeLimit(.minutes(15)))
struct ChangeFeedTests {
    private static let backend = """
        {
          "backend": "Feed", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "states": { "member": ["new", "old"] },
          "timeline": [{ "at": "3h", "state": { "member": "old" } }],
          "routes": {
            "POST /login": { "grants": { "access": "new" }, "json": {} },
            "GET /notes": { "requires": "access", "text": "notes" },
            "GET /open": { "text": "open" },
            "GET /cases": {
              "cases": [
                { "when": { "query": { "page": "1" } }, "text": "one" }, { "when": { "query": { "page": "2" } }, "text": "two" }
              ],
              "text": "none"
            }
          }
        }
        """

    /// A client of the stream, which reads what has come so far.
    private final class Follower {
        private let client: HTTPClient
        private let stub: Stub

        init(_ stub: Stub, _ query: String = "", _ fields: HTTPFields = [:]) throws {
            self.stub = stub
            client = try stub.client()
            try client.send(HTTPRequest(target: "/__backlot/events\(query)", fields: fields))
        }

        var text: String {
            get throws { String(decoding: try client.peek(), as: UTF8.self) }
        }

        /// The documents of the events that have come, without the chunks that they came in.
        func documents() throws -> [JSONValue] {
            var documents: [JSONValue] = []
            for line in try text.split(separator: "\n") where line.hasPrefix("data: ") {
                documents.append(try JSONParser().parse(Array(line.dropFirst(6).utf8)).root)
            }
            return documents
        }

        /// The last identifier that has come.
        func lastID() throws -> String? {
            try text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
        }

        /// Lets time pass until so many events are there.
        func wait(for count: Int) async throws {
            var found = try documents().count
            for _ in 0..<500 {
                if found >= count { return }
                await stub.pass(.milliseconds(100))
                found = try documents().count
            }
            let text = try text
            try #require(found >= count, "\(text)")
        }
    }

    private func numbers(_ document: JSONValue?) -> [Int] {
        (document?["exchanges"]?.array ?? []).compactMap { $0["number"]?.number?.int }
    }

    @Test func `A stream begins with everything and goes on with what is different`() async throws {
        try await withStub(Self.backend) { stub in
            let follower = try Follower(stub)
            try await follower.wait(for: 1)
            #expect(try follower.text.contains("Content-Type: text/event-stream"))
            let first = try #require(try follower.documents().first)
            #expect(first["backend"] == "Feed" && first["clock"]?["mode"] == "frozen")
            #expect(first["agenda"]?[0]?["due"] == "2026-03-01T12:00:00Z")
            #expect(first["agenda"]?[0]?["what"] == "member becomes old")

            _ = try stub.client().call(.post, "/login")
            try await follower.wait(for: 2)
            let second = try follower.documents()[1]
            #expect(numbers(second) == [1] && second["devices"]?.array?.count == 1)
            #expect(second["backend"] == nil && second["states"] == nil, "what has not changed is not told again")

            try stub.advance("2h")
            try await follower.wait(for: 3)
            let third = try follower.documents()[2]
            #expect(third["clock"]?["now"] == "2026-03-01T11:00:00Z" && third["exchanges"] == nil)
            #expect(third["devices"]?[0]?["tokens"]?[0]?["state"] == "expired")

            try stub.admin(.post, "scenario", ["reset": true])
            try await follower.wait(for: 4)
            let fourth = try follower.documents()[3]
            #expect(fourth["life"] == "new" && fourth["count"] == 0)
            await stub.pass(.seconds(1))
            #expect(try follower.documents().count == 4, "time alone changes nothing")
        }
    }

    @Test func `A client that comes back goes on after the last event`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try stub.client()
            for _ in 0..<3 { _ = try client.get("/open") }
            let first = try Follower(stub)
            try await first.wait(for: 1)
            #expect(numbers(try first.documents().first) == [1, 2, 3])
            let id = try #require(try first.lastID())
            _ = try client.get("/open")
            let second = try Follower(stub, "", ["Last-Event-ID": id])
            try await second.wait(for: 1)
            #expect(numbers(try second.documents().first) == [4])
            let other = try Follower(stub, "", ["Last-Event-ID": "77.3"])
            try await other.wait(for: 1)
            #expect(numbers(try other.documents().first) == [1, 2, 3, 4], "another life is told from its beginning")
            try stub.admin(.delete, "journal")
            _ = try client.get("/open")
            let third = try Follower(stub, "", ["Last-Event-ID": id])
            try await third.wait(for: 1)
            let last = try third.documents().first
            #expect(numbers(last) == [5] && last?["omitted"] == 1)
        }
    }

    @Test func `The stream of a session ends with it, and each session has its own`() async throws {
        try await withStub(Self.backend) { stub in
            try stub.admin(.post, "sessions", ["name": "one"])
            let follower = try Follower(stub, "?session=one")
            try await follower.wait(for: 1)
            #expect(try follower.documents().first?["session"] == "one")
            _ = try stub.client().get("/open")
            await stub.pass(.seconds(1))
            #expect(try follower.documents().count == 1, "it is another session's")
            try stub.admin(.delete, "sessions/one")
            for _ in 0..<500 {
                if try follower.text.hasSuffix("0\r\n\r\n") { break }
                await stub.pass(.milliseconds(100))
            }
            #expect(try follower.text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test(arguments: [
        ("Last-Event-ID", "x", 400, "bad-event-id"), ("Host", "evil.example", 403, "forbidden"),
        ("Origin", "http://evil.example", 403, "forbidden"), ("Sec-Fetch-Site", "cross-site", 403, "forbidden"),
    ])
    func `What may not listen is refused`(name: String, value: String, code: Int, problem: String) async throws {
        try await withStub(Self.backend) { stub in
            let response = try stub.client().get("/__backlot/events", [name: value])
            #expect(response.code == code && response.problem == problem, "\(response.text)")
        }
    }

    @Test func `There is a limit to those who listen, and HEAD is no listener`() async throws {
        try await withStub(Self.backend) { stub in
            #expect(try stub.client().call(.head, "/__backlot/events").code == 200)
            var followers: [Follower] = []
            for _ in 0..<64 { followers.append(try Follower(stub)) }
            for follower in followers { try await follower.wait(for: 1) }
            let response = try stub.client().get("/__backlot/events")
            #expect(response.code == 503 && response.problem == "too-many-listeners")
            followers = []
            var isAdmitted = false
            for _ in 0..<500 where !isAdmitted {
                let follower = try Follower(stub)
                await stub.pass(.milliseconds(100))
                isAdmitted = try follower.text.contains(" 200 ")
            }
            #expect(isAdmitted, "there is room for another one")
        }
    }

    @Test func `An exchange says which cases did not hold`() async throws {
        try await withStub(Self.backend) { stub in
            let client = try stub.client()
            _ = try client.get("/cases?page=2")
            _ = try client.get("/cases?page=1")
            let second = try stub.admin(.get, "exchanges/1")["notTaken"]?.array?.compactMap(\.string)
            #expect(
                second?.count == 1
                    && second?.first?.hasPrefix("case 1 did not hold: {\"query\":{\"page\":\"1\"}}") == true
            )
            #expect(try stub.admin(.get, "exchanges/2")["notTaken"] == nil)
        }
    }

    // MARK: Documents

    @Test func `A story that is made of what happened plays the same again`() async throws {
        var draft = ""
        try await withStub(Self.backend, { $0.documents = SessionDocument.all(version: "1") }) { stub in
            let client = try stub.client()
            _ = try client.call(.post, "/login")
            try stub.advance("2h")
            _ = try client.get("/open")
            try stub.admin(.post, "faults", ["fault": "empty", "route": "GET /open"])
            _ = try? stub.client().get("/open")
            _ = try client.get("/nothing")
            draft = try client.get("/__backlot/documents/story").text
            #expect(try client.get("/__backlot/documents/none").problem == "not-found")
            let report = try client.get("/__backlot/documents/report")
            #expect(report.fields["Content-Disposition"] == "attachment; filename=\"report.html\"")
            #expect(report.fields["Content-Security-Policy"]?.contains("sandbox") == true)
            #expect(try client.get("/__backlot/documents/picture").text.hasPrefix("<svg xmlns="))
            #expect(try client.get("/__backlot/documents/har").json["log"]?["entries"]?.array?.count == 4)
        }
        let files = MemoryFiles(scenarios: ["backend.json": Self.backend, "story.json": draft])
        let library = try ScenarioLibrary("/project/Scenarios/story.json", files: files)
        try await withStub(library) { stub in
            #expect(stub.server.loaded.findings.isEmpty, "\(stub.server.loaded.findings)\n\(draft)")
            let client = try stub.client()
            _ = try client.call(.post, "/login")
            _ = try client.get("/open")
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T11:00:00Z")
            #expect(throws: (any Error).self) { try stub.client().get("/open") }
            let verdict = try stub.admin(.get, "verdict")
            #expect(verdict["expectations"]?.array?.allSatisfy { $0["status"] == "held" } == true, "\(verdict)")
        }
    }
}
