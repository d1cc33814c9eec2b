import HTTPCodec
import HTTPServing
import JSON
import TestSupport
import Testing

@testable import StubServing

/// Requests that come again and again with the same bytes: each is answered as things stand, and written down.
@Suite(.timeLimit(.minutes(15)))
struct RepeatedRequestTests {
    private static let scenario = """
        {
          "backend": "Repeated",
          "states": { "mode": ["day", "night"] },
          "routes": {
            "GET /fixed": { "json": { "fixed": true } },
            "GET /mode": { "json": { "mode": "{{state.mode}}" } },
            "POST /night": { "empty": true, "then": [{ "state": { "mode": "night" } }] }
          }
        }
        """

    /// Asks often enough for a request to be known.
    private func warm(_ client: HTTPClient, _ target: String, _ fields: HTTPFields = [:]) throws {
        for _ in 0..<4 { #expect(try client.get(target, fields).code == 200) }
    }

    @Test func `Every exchange is in the journal, with its end`() async throws {
        try await withStub(Self.scenario) { stub in
            let client = try stub.client()
            try warm(client, "/fixed")
            try warm(client, "/fixed?x=1")
            let exchanges = try #require(stub.admin(.get, "journal")["exchanges"]?.array)
            #expect(exchanges.count == 8)
            #expect(exchanges.compactMap { $0["number"]?.number?.int } == Array(1...8))
            #expect(exchanges.allSatisfy { $0["outcome"] == "sent" && $0["status"] == 200 })
            #expect(exchanges.allSatisfy { $0["response"]?["body"]?["json"] == ["fixed": true] })
        }
    }

    @Test func `What changes in the session changes the next response`() async throws {
        try await withStub(Self.scenario) { stub in
            let client = try stub.client()
            for _ in 0..<4 { #expect(try client.get("/mode").json == ["mode": "day"]) }
            _ = try client.call(.post, "/night")
            #expect(try client.get("/mode").json == ["mode": "night"])

            try warm(client, "/fixed")
            try stub.admin(.post, "faults", ["fault": "empty", "route": "GET /fixed"])
            #expect(throws: (any Error).self) { try client.get("/fixed") }
            try warm(try stub.client(), "/fixed")
        }
    }

    @Test func `A session that is deleted is not answered for any more`() async throws {
        try await withStub(Self.scenario) { stub in
            let client = try stub.client()
            let fields: HTTPFields = ["Backlot-Session": "one"]
            try warm(client, "/fixed", fields)
            try warm(client, "/__session/one/fixed")
            #expect(try stub.admin(.get, "journal?session=one")["exchanges"]?.array?.count == 8)
            try stub.admin(.delete, "sessions/one")
            try warm(client, "/fixed", fields)
            try warm(client, "/__session/one/fixed")
            #expect(try stub.admin(.get, "journal?session=one")["exchanges"]?.array?.count == 8)
            #expect(try stub.admin(.get, "journal")["exchanges"]?.array?.count == 0)
        }
    }

    @Test func `Another story takes the place of what was known`() async throws {
        let story = """
            { "extends": "backend.json", "id": "R-1", "title": "One", "about": "One.",
              "routes": { "GET /fixed": { "json": { "fixed": 1 } } } }
            """
        try await withStub(Self.scenario, files: ["story.json": story]) { stub in
            let client = try stub.client()
            try warm(client, "/fixed")
            try stub.admin(.post, "scenario", ["story": "R-1"])
            for _ in 0..<4 { #expect(try client.get("/fixed").json == ["fixed": 1]) }
        }
    }

    @Test(arguments: [
        (["Origin": "https://example.com"], 403), (["Origin": "http://localhost:3000"], 200),
        (["Origin": "http://192.168.1.7:8080"], 200), (["Origin": "http://phone.local"], 200),
        (["Origin": "http://[::1]:3000"], 200), (["Origin": "capacitor://localhost"], 200),
        (["Origin": "null"], 200), (["Origin": "null", "Sec-Fetch-Site": "cross-site"], 403),
        (["Origin": "http://localhost.example.com"], 403), (["Origin": "http://127.0.0.1.example.com"], 403),
        (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 200),
        (["Sec-Fetch-Site": "cross-site", "Referer": "http://localhost:3000/"], 200),
        (["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:3000"], 200),
        (["Sec-Fetch-Site": "cross-site", "Referer": "https://example.com/"], 403),
        (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], 200),
        (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], 403),
    ])
    func `Pages of other sites may not send requests`(fields: [String: String], code: Int) async throws {
        try await withStub(Self.scenario) { stub in
            var sent = HTTPFields()
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) { sent.append(name, value) }
            let client = try stub.client()
            for _ in 0..<3 {
                let response = try client.get("/fixed", sent)
                #expect(response.code == code)
                #expect(response.problem == (code == 403 ? "foreign-page" : nil))
            }
            // Both of them count.
            sent.append("Origin", "https://example.com")
            #expect(try client.get("/fixed", sent).code == 403)
            #expect(try client.call(.post, "/night", sent).code == 403)
            #expect(try client.get("/mode").json == ["mode": "day"])
        }
    }

    @Test func `A page that the scenario does not name gets what a server would send`() async throws {
        let backend =
            #"{"backend": "Shared", "cors": {"origins": ["https://app.example"]}, "routes": {"GET /": {"json": {}}}}"#
        try await withStub(backend) { (stub) async throws in
            for (origin, allowed) in [("https://app.example", "https://app.example"), ("https://other.example", nil)] {
                let fields: HTTPFields = ["Origin": origin, "Sec-Fetch-Site": "cross-site"]
                let response = try stub.client().get("/", fields)
                #expect(response.code == 200)
                #expect(response.fields["Access-Control-Allow-Origin"] == allowed)
                #expect(response.fields["Vary"] == "Origin")
            }
            #expect(try stub.admin(.get, "journal")["exchanges"]?.array?.count == 2)
        }
    }

    @Test(arguments: ["Sec-Fetch-Site", "Origin", "Referer"])
    func `A browser is known without its name`(field: String) async throws {
        try await withStub(Self.scenario) { (stub) async throws in
            let value = field == "Sec-Fetch-Site" ? "same-origin" : "http://localhost/"
            let fields: HTTPFields = ["Host": "example.com", field: value]
            #expect(try stub.client().get("/fixed", fields).problem == "foreign-host")
        }
    }

    @Test(arguments: [
        ("localhost", 200), ("127.0.0.1:1", 200), ("phone.local", 200), ("192.168.1.7", 200), ("mac", 200),
        ("example.com", 403), ("localhost.example.com:9847", 403),
    ])
    func `A browser may use the server under local names only`(host: String, code: Int) async throws {
        try await withStub(Self.scenario) { stub in
            let page: HTTPFields = ["Host": host, "User-Agent": "Mozilla/5.0 (X11) Firefox/140.0"]
            for _ in 0..<3 {
                let response = try stub.client().get("/fixed", page)
                #expect(response.code == code)
                #expect(response.problem == (code == 403 ? "foreign-host" : nil))
            }
            // Other clients have their reasons, such as an address book of their own.
            let client = try stub.client()
            #expect(try client.get("/fixed", ["Host": host]).code == 200)
        }
    }

    @Test func `A page whose origin the scenario allows may use the server under its own name`() async throws {
        let scenario =
            #"{"cors": {"origins": ["https://example.com"]}, "#
            + #""backend": "Repeated", "routes": {"GET /fixed": {"json": {"fixed": true}}}}"#
        try await withStub(scenario) { stub in
            for (host, code) in [("example.com", 200), ("other.example.com", 403)] {
                let page: HTTPFields = ["Host": host, "User-Agent": "Mozilla/5.0 (X11) Firefox/140.0"]
                let client = try stub.client()
                #expect(try client.get("/fixed", page).code == code)
            }
        }
    }

    @Test func `The end of a server judges as many sessions as it tells about`() async throws {
        try await withStub(Self.scenario) { stub in
            for number in 1...5 { _ = try stub.client().get("/missing", ["Backlot-Session": "s\(number)"]) }
            let all = stub.server.verdicts()
            #expect(all.left == 0)
            let some = stub.server.verdicts(atMost: 0)
            #expect(some.made.isEmpty && some.left == 5)
            #expect(stub.server.verdicts(within: .zero).left == 5)
        }
    }
}
