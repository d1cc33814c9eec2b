import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import StoryRunning
import TestSupport
import Testing

@testable import StubServing

/// The server-sent events of the admin API, on a clock that the test moves.
@Suite(.timeLimit(.minutes(15)))
struct ChangeFeedTests {
    private static let backend = """
        {
          "backend": "Feed", "clock": { "frozen": true },
          "tokens": { "kinds": { "access": { "lifetime": "1h" } } },
          "states": { "member": ["new", "old"] },
          "timeline": [{ "at": "3h", "state": { "member": "old" } }],
          "guards": [{ "name": "maintenance", "when": { "header": { "X-Down": "1" } }, "status": 503, "text": "down" }],
          "routes": {
            "POST /login": { "grants": { "access": "new" }, "json": {} },
            "GET /notes": { "requires": "access", "text": "notes" },
            "GET /open": { "text": "open" },
            "GET /items/{id}": {
              "cases": [
                { "when": { "path": { "id": 5 } }, "text": "five" },
                { "when": { "state": { "member": "old" } }, "text": "old" },
                { "when": { "token": { "access": "valid" }, "state": { "member": "old" } }, "text": "both" },
                { "when": { "header": { "X-A": { "matches": "^a+$" } } }, "text": "a" },
                { "when": { "not": { "header": { "X-A": { "exists": true } } } }, "text": "none" },
                { "when": { "any": [{ "query": { "q": "1" } }, { "query": { "q": "2" } }] }, "text": "q" }
              ]
            },
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

    @Test(
        arguments: [
            (told: 0, oldest: 1, last: 20_000, goesOnAfter: 0), (told: 0, oldest: 1, last: 20_001, goesOnAfter: 10_001),
            (told: 0, oldest: 30_001, last: 50_000, goesOnAfter: 40_000),
            (told: 100, oldest: 1, last: 50_100, goesOnAfter: 40_100),
            (told: 5, oldest: 9, last: 20, goesOnAfter: 8), (told: 7, oldest: 1, last: 5, goesOnAfter: 7),
        ] as [(told: UInt64, oldest: UInt64, last: UInt64, goesOnAfter: UInt64)]
    )
    func `A listener that is far behind is told of the newest exchanges`(
        told: UInt64,
        oldest: UInt64,
        last: UInt64,
        goesOnAfter: UInt64
    ) {
        #expect(ChangeListener.resumption(after: told, oldest: oldest, last: last) == goesOnAfter)
    }

    @Test func `What grows with the clients is listed up to a limit`() async throws {
        try await withStub(Self.backend) { stub in
            let events = (0..<130).map { ["signIn": .string("phone \($0)")] as JSONValue }
            try stub.admin(.post, "events", .array(events))
            let issues = [JSONValue](repeating: ["issue": "access", "device": "phone 129"], count: 80)
            try stub.admin(.post, "events", .array(issues))
            let changes = try stub.admin(.get, "changes")
            #expect(changes["devices"]?.array?.count == 100 && changes["devicesOmitted"] == 30)
            #expect(changes["devices"]?[99]?["tokens"]?.array?.count == 60)
            #expect(changes["devices"]?[99]?["omitted"]?.int.map { $0 >= 20 } == true)
        }
    }

    // MARK: Explanations

    private static let explained:
        [(target: String, fields: HTTPFields, status: Int, answeredBy: String?, reasons: [String])] =
            [
                (
                    "/cases?page=2", [:], 200, "case 2",
                    ["case 1 requires query item page equal to \"1\", but the request contains \"2\""]
                ),
                ("/cases?page=1", [:], 200, "case 1", []),
                (
                    "/cases", [:], 200, nil,
                    [
                        "case 1 requires query item page equal to \"1\", but the request contains none",
                        "case 2 requires query item page equal to \"2\", but the request contains none",
                    ]
                ),
                (
                    "/items/4", ["X-A": "b"], 404, nil,
                    [
                        "case 1 requires path parameter id equal to 5, but the request contains \"4\"",
                        "case 2 requires the state member to be old",
                        "case 3 requires several conditions, and at least one was not met: the access token to be"
                            + " valid; "
                            + "the state member to be old",
                        "case 4 requires header X-A matching \"^a+$\", but the request contains \"b\"",
                        "case 5 requires the opposite of header X-A present",
                        "case 6 requires one of these: query item q equal to \"1\"; query item q equal to \"2\"",
                    ]
                ),
                ("/notes", [:], 401, nil, []),
                ("/open", ["X-Down": "1"], 503, "maintenance", []),
            ]

    @Test(arguments: explained)
    func `An exchange says why the cases before did not hold`(
        target: String,
        fields: HTTPFields,
        status: Int,
        answeredBy: String?,
        reasons: [String]
    ) async throws {
        try await withStub(Self.backend) { stub in
            #expect(try stub.client().get(target, fields).code == status)
            let exchange = try stub.admin(.get, "exchanges/1")
            let told = (exchange["notTaken"]?.array ?? []).compactMap(\.string)
            #expect(told.count == reasons.count, "\(told)")
            for (told, reason) in zip(told, reasons) {
                #expect(told.hasPrefix("\(reason) (/project/Scenarios/backend.json:"), "\(told)")
            }
            #expect(exchange["answeredBy"]?.string == answeredBy)
            // A refusal and a route without any response stand nowhere.
            let hasPlace = exchange["answeredAt"]?.string?.hasPrefix("/project/Scenarios/backend.json:") ?? false
            #expect(hasPlace == ![401, 404].contains(status), "\(exchange)")
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
