import Basics
import Checking
import HTTPCodec
import HTTPServing
import JSON
import Proxying
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// Responses of an upstream that are compared with those of a scenario.
@Suite(.timeLimit(.minutes(15)))
struct ComparisonTests {
    /// A row: the response of the scenario's route, the real one, and the expected differences, each with its line.
    private struct Row {
        var route = "GET /a"
        var mock: String
        var real: (status: HTTPStatus, fields: HTTPFields, body: String)
        var found: [String] = []
        var notCompared: [String] = []

        init(
            _ mock: String,
            _ status: HTTPStatus = .ok,
            _ fields: HTTPFields = ["Content-Type": "application/json"],
            _ body: String,
            _ found: [String] = [],
            notCompared: [String] = []
        ) {
            (self.mock, real, self.found, self.notCompared) = (mock, (status, fields, body), found, notCompared)
        }
    }

    private static let json: HTTPFields = ["Content-Type": "application/json; charset=utf-8"]

    /// The route begins in line 3.
    private static let rows: [Row] = [
        // Values, null, empty arrays and kinds of numbers are no structure.
        Row(
            #""json": {"a": 1, "b": "x", "c": null, "d": []}"#,
            .ok,
            json,
            #"{"b":"y","a":2.5,"c":{"e":1},"d":[{"f":1}]}"#
        ),
        Row(#""json": {"a": 1, "c": null}"#, .ok, json, #"{"a":null}"#),
        Row(#""json": {"a": 1}"#, .ok, json, #"{"a":1,"b":null}"#),
        Row(#""json": [1, 2]"#, .ok, json, "[]"),
        // Members.
        Row(
            "\"json\": {\n\"name\": \"x\",\n\"id\": 1}",
            .ok,
            json,
            #"{"title":"x","id":1}"#,
            ["5:9 GET /a (200): the real response has no /name", "4:9 GET /a (200): the real response also has /title"]
        ),
        Row(
            "\"json\": {\"list\": [\n{\"a\": 1},\n{\"a\": 2, \"b\": 1}]}",
            .ok,
            json,
            #"{"list":[{"a":1},{"c":1}]}"#,
            ["5:1 GET /a (200): the real response also has /list/*/c"]
        ),
        Row(
            "\"json\": [\n{\"a\": 1,\n\"b\": 2}]",
            .ok,
            json,
            #"[{"a":1},{"a":2}]"#,
            ["6:6 GET /a (200): the real response has no /*/b"]
        ),
        // Types.
        Row(
            "\"json\": {\"x\":\n{\"id\": 7}}",
            .ok,
            json,
            #"{"x":{"id":"7"}}"#,
            ["5:8 GET /a (200): /x/id is a string instead of a number"]
        ),
        Row(#""json": {"a": {}}"#, .ok, json, #"{"a":[]}"#, ["4:15 GET /a (200): /a is an array instead of an object"]),
        Row(#""json": {"a": 1}"#, .ok, json, "[]", ["4:9 GET /a (200): the body is an array instead of an object"]),
        // Objects by id.
        Row(
            #""json": {"17": {"n": 1}}"#,
            .ok,
            json,
            #"{"4":{"n":1},"5":{"n":true}}"#,
            ["4:22 GET /a (200): /*/n is a boolean or a number instead of a number"]
        ),
        Row(#""json": {"ada@example.com": 1}"#, .ok, json, #"{"bob@example.com":2}"#),
        // Bodies that are not JSON.
        Row(
            #""json": {}"#,
            .ok,
            ["Content-Type": "application/json"],
            "",
            ["4:9 GET /a (200): the real response has no body"]
        ),
        Row(#""empty": true"#, .ok, json, "{}", ["4:10 GET /a (200): the real response has a body"]),
        Row(
            #""json": {}"#,
            .ok,
            ["Content-Type": "text/html"],
            "<p>",
            [
                "3:15 GET /a (200): Content-Type is text/html instead of application/json",
                "4:9 GET /a (200): the body of the real response is not JSON",
            ]
        ),
        Row(#""text": "a""#, .ok, ["Content-Type": "text/plain"], "another"),
        // Statuses.
        Row(
            "\"json\": {},\n\"status\": 201",
            .ok,
            json,
            "{}",
            ["5:11 GET /a (201): the real status is 200 instead of 201"]
        ),
        Row(#""json": {}"#, 404, json, "{}", ["3:15 GET /a (200): the real status is 404 instead of 200"]),
        Row(#""json": {}"#, 422, json, "{}", ["3:15 GET /a (200): the real status is 422 instead of 200"]),
        Row(#""json": {}"#, 401, json, "{}", ["3:15 GET /a (200): the real status is 401 instead of 200"]),
        Row(#""json": {}"#, 503, json, "{}", notCompared: ["GET /a: the real server failed with 503"]),
        Row(#""json": {}"#, 429, json, "{}", notCompared: ["GET /a: the real server received too many requests (429)"]),
        Row(
            #""json": {}"#,
            409,
            json,
            "{}",
            notCompared: ["GET /a: the state of the real server is another one (409)"]
        ),
        Row(
            #""cases": [{"when": {"query": {"a": "1"}}, "status": 404, "empty": true}], "json": {}"#,
            404,
            json,
            "{}",
            notCompared: ["GET /a: the scenario sends 200 in its state, and 404 in another one"]
        ),
        Row(
            #""requires": "access", "json": {}"#,
            .ok,
            json,
            "{}",
            notCompared: ["GET /a: the scenario has no response to this request; its server sends 401 by itself"]
        ),
        // The state of the real server decides which case responds.
        Row(
            #""cases": [{"when": {"query": {"a": "1"}}, "json": {"b": 2}}], "json": {"a": 1}"#,
            .ok,
            json,
            #"{"b":3}"#
        ),
        Row(
            #""cases": [{"when": {"query": {"a": "1"}}, "json": {"b": 2}}], "json": {"a": 1}"#,
            .ok,
            json,
            #"{"a":"1"}"#,
            ["4:77 GET /a (200): /a is a string instead of a number"]
        ),
        // Fields.
        Row(
            "\"headers\": {\n\"Cache-Control\": \"no-store\", \"X-Total\": \"3\"}, \"json\": {}",
            .ok,
            ["Content-Type": "application/json", "ETag": "1", "Server": "x", "X-Request-Id": "1", "X-Total": "5"],
            "{}",
            ["5:1 GET /a (200): the real response has no Cache-Control"]
        ),
        Row(
            "\"headers\": {\"Cache-Control\": \"no-store\",\n\"X-Total\": \"3\"}, \"json\": {}",
            .ok,
            ["Content-Type": "application/json", "Cache-Control": "max-age=60, private"],
            "{}",
            [
                "4:13 GET /a (200): Cache-Control is max-age, private instead of no-store",
                "5:1 GET /a (200): the real response has no X-Total",
            ]
        ),
        Row(
            #""json": {}"#,
            .ok,
            ["Content-Type": "application/json", "Set-Cookie": "sid=secret-value; Path=/", "Location": "/x"],
            "{}",
            [
                "3:15 GET /a (200): the real response also has Location",
                "3:15 GET /a (200): the real response also has Set-Cookie (sid)",
            ]
        ),
        Row(
            #""status": 401, "headers": {"WWW-Authenticate": "Bearer"}, "json": {}"#,
            401,
            ["Content-Type": "application/json", "WWW-Authenticate": "Basic realm=\"x\""],
            "{}",
            ["4:28 GET /a (401): Www-Authenticate is basic instead of bearer"]
        ),
        // What the scenario cannot say.
        Row(
            #""forward": true"#,
            .ok,
            json,
            "{}",
            notCompared: ["GET /a: the scenario sends this request on"]
        ),
        Row(
            #""fault": "reset", "json": {}"#,
            .ok,
            json,
            "{}",
            notCompared: ["GET /a: the scenario breaks the connection here"]
        ),
    ]

    /// Compares the responses of an upstream to the requests of the body.
    private func compared(
        with scenario: String,
        files: [String: String] = [:],
        to url: String,
        keepsTokens: Bool = false,
        _ body: (Proxied) async throws -> Void
    ) async throws -> DriftResult {
        var all = ["/project/Scenarios/mock.json": scenario, "/project/.git/HEAD": ""]
        for (name, text) in files { all["/project/Scenarios/\(name)"] = text }
        let files = MemoryFiles(all)
        let loaded = try ScenarioLibrary("/project/Scenarios/mock.json", files: files).load()
        let comparison = MockComparison(loaded, files: files)
        try await withProxy(to: url, keepsTokens: keepsTokens, comparison: comparison, { _ in }, body)
        return comparison.result
    }

    @Test(arguments: rows.indices) func `Each difference is found at its line, and nothing else`(index: Int)
        async throws
    {
        let row = Self.rows[index]
        let (status, fields, body) = row.real
        let scenario = """
            { "backend": "Mock", "upstream": "http://127.0.0.1:1", "tokens": {"kinds": {"access": {"lifetime": "1h"}}},
              "routes": {
                "GET /a": {
            \(row.mock)
            } } }
            """
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(HTTPResponse(status: status, fields: fields, body: Array(body.utf8))))
        } _: { _, url in
            let result = try await compared(with: scenario, to: url) { proxied in
                let client = try proxied.client()
                _ = try client.get("/a")
                // Each difference is reported once.
                _ = try client.get("/a")
                let count = proxied.log.text.split(separator: "\n").count {
                    $0.contains("the mock is out of date here")
                }
                #expect(count == row.found.count)
                #expect(!proxied.log.text.contains("secret-value"))
            }
            let found = result.differences.map { finding in
                let text = "\(finding.place?.position?.description ?? "?") \(finding.message)"
                return text.replacing("the mock is out of date here: ", with: "")
            }
            #expect(found.sorted() == row.found.sorted())
            #expect(result.notCompared.map(\.reason) == row.notCompared)
            #expect(result.compared == (row.notCompared.isEmpty ? 2 : 0))
        }
    }

    @Test func `A difference in a fixture is found at the fixture's line`() async throws {
        let scenario = #"{ "backend": "Mock", "routes": { "GET /a": { "fixture": "a.json" } } }"#
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: #"{"b":1}"#)))
        } _: { _, url in
            let files = ["a.json": "{\n  \"a\": 1,\n  \"b\": 2\n}\n"]
            let result = try await compared(with: scenario, files: files, to: url) { _ = try $0.client().get("/a") }
            let place = try #require(result.differences.first?.place)
            #expect(result.differences.count == 1)
            #expect("\(place)" == "/project/Scenarios/a.json:2:8")
        }
    }

    @Test func `A request without a route is not compared, whatever its items are`() async throws {
        let scenario = #"{ "backend": "Mock", "routes": { "GET /a": { "json": {} } } }"#
        try await RawUpstream.run { _, _ in
            .text("x")
        } _: { _, url in
            let result = try await compared(with: scenario, to: url) { proxied in
                for number in 1...3 { _ = try proxied.client().get("/users/\(number)") }
            }
            #expect(result.notCompared.map(\.reason) == ["GET /users/*: the scenario has no such route"])
            #expect(result.skipped == 3)
            #expect(result.differences.isEmpty)
        }
    }

    /// A backend with other items, and another one that differs in a member.
    private static func items(_ ids: [Int], name: String = "name") -> String {
        let items = ids.map { #"{ "id": \#($0), "\#(name)": "Item" }"# }.joined(separator: ", ")
        return """
            { "backend": "Items", "tokens": { "kinds": { "access": { "lifetime": "15m", "format": "opaque" } } },
              "collections": { "items": { "items": [\(items)] } },
              "routes": {
                "POST /login": { "signIn": true, "grants": { "access": "new" }, "json": { "token": "{{token.access}}" } },
                "GET /items": { "requires": "access", "find": { "all": { "all": "items" } }, "json": "{{found.all}}" },
                "GET /items/{id}": { "requires": "access",
                  "find": { "item": { "one": "items", "where": { "/id": "{{request.path.id}}" } } },
                  "cases": [{ "when": { "found": { "item": false } }, "status": 404, "json": { "error": "missing" } }],
                  "json": { "item": "{{found.item}}" } } } }
            """
    }

    @Test(arguments: [false, true]) func `The scenario's tokens and items take the place of the upstream's`(
        keepsTokens: Bool
    ) async throws {
        for (name, count) in [("name", 0), ("title", 4)] {
            try await withBackend(Self.items([8431, 8432, 8433, 17], name: name)) { _, url in
                let result = try await compared(with: Self.items([1, 2]), to: url, keepsTokens: keepsTokens) {
                    proxied in
                    let client = try proxied.client()
                    let token = try #require(client.call(.post, "/login").json["token"]?.string)
                    #expect(try client.get("/items", .bearer(token)).status == 200)
                    for id in [8431, 8433, 17] {
                        #expect(try client.get("/items/\(id)", .bearer(token)).status == 200)
                    }
                    #expect(try client.get("/items/99", .bearer(token)).status == 404)
                }
                #expect(result.compared == 6)
                #expect(result.differences.count == count, "\(result.differences)")
                #expect(result.notCompared.isEmpty, "\(result.notCompared)")
            }
        }
    }

    @Test func `A token that the scenario has never issued is the reason why a response is not compared`() async throws
    {
        try await withBackend(Self.items([1])) { server, url in
            let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
            let token = try #require(HTTPClient(port: port).call(.post, "/login").json["token"]?.string)
            let scenario = Self.items([1]).replacing("opaque", with: "jwt")
            let result = try await compared(with: scenario, to: url) { proxied in
                let response = try proxied.client().get("/items", .bearer(token))
                #expect(response.status == 200)
            }
            #expect(result.compared == 0)
            #expect(result.differences.isEmpty)
            #expect(result.skipped == 1)
        }
    }

    @Test func `A summary of no compared response does not say that there is no difference`() {
        var result = DriftResult()
        result.skip("a stream", at: nil)
        #expect(
            result.summary(of: "Scenarios/app") == "compared 0 responses with Scenarios/app; 1 response not compared"
        )
        result.compared = 1
        #expect(result.summary(of: "a").hasPrefix("compared 1 response with a: no difference; "))
    }
}
