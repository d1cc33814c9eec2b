import Basics
import HTTPCodec
import JSON
import Reports
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import Checking

/// Files of other tools as backends, each loaded as `check` does it.
@Suite struct `Stubs of another tool` {
    /// A backend that `check` has accepted.
    private func backend(_ text: String) throws -> BackendDraft {
        let draft = try #require(try StubDraft.read(try JSONParser().parse(text).root, file: "stubs.json"))
        let backend = try draft.backend(schemaPath: nil)
        try backend.expectToBeAccepted()
        return backend
    }

    private func routes(_ backend: BackendDraft) throws -> JSONObject {
        try #require(backend.backend[.routes]?.object)
    }

    private func statuses(_ backend: BackendDraft, _ requests: [HTTPRequest]) throws -> [Int] {
        try backend.responses(to: requests).map(\.status.code)
    }

    private func request(
        _ method: String,
        _ target: String,
        _ body: String = "",
        _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(method: HTTPMethod(rawValue: method), target: target, fields: fields, body: Array(body.utf8))
    }

    private static let wireMock = #"""
        {"mappings": [
          {"request": {"method": "GET", "url": "/notes"}, "response": {"body": "[]", "headers": {"X-Total": "0"}}},
          {"request": {"method": "GET", "urlPath": "/notes", "queryParameters": {"page": {"equalTo": "2"}}},
           "response": {"status": 200, "jsonBody": [{"id": 3}], "fixedDelayMilliseconds": 80}},
          {"request": {"method": "GET", "urlPathPattern": "/notes/[0-9]+"}, "response": {"status": 404}},
          {"request": {"method": "POST", "urlPath": "/notes", "bodyPatterns": [{"matchesJsonPath": "$.title"}]},
           "response": {"status": 201, "body": "{{request.body}}"}},
          {"request": {"method": "PUT", "urlPath": "/lock"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"},
           "scenarioName": "the lock", "requiredScenarioState": "Started", "newScenarioState": "closed"},
          {"request": {"method": "GET", "urlPattern": "/a(b|c).*"}, "response": {"status": 200}},
          {"request": {"method": "GET", "urlPath": "/p"}, "response": {"proxyBaseUrl": "http://x"}}
        ]}
        """#

    @Test(arguments: [
        (#"{"request": {"method": "POST", "url": "/token"}, "response": {"jsonBody": {"refresh_token": "r"}}}"#, 1),
        (
            #"{"request": {"method": "POST", "url": "/in"}, "response": {"body": "{\"data\": [{\"refreshToken\": \"r\"}]}"}}"#,
            1
        ),
        (
            #"{"request": {"method": "GET", "url": "/me"}, "response": {"jsonBody": {"refreshRate": "60", "name": "r"}}}"#,
            0
        ),
    ])
    func `with a refresh token that never changes are told of`(_ text: String, _ count: Int) throws {
        let notes = try backend(text).findings.map(\.description)
        #expect(
            notes.count { $0.hasSuffix("[import/fixed-tokens]") && $0.contains("note: POST /") } == count,
            "\(notes)"
        )
    }

    @Test func `of WireMock become routes, cases and states`() throws {
        let draft = try backend(Self.wireMock)
        let routes = try routes(draft)
        #expect(routes.names == ["GET /notes", "GET /notes/{part1}", "POST /notes", "PUT /lock", "GET /*rest"])
        #expect(routes["GET /notes"]?["cases"]?[0]?["when"]?["query"]?["page"] == ["equals": "2"])
        #expect(routes["GET /notes"]?["cases"]?[0]?["latency"] == "80ms")
        #expect(routes["GET /notes"]?["json"] == [])
        #expect(routes["GET /notes"]?["headers"] == ["X-Total": "0"])
        #expect(routes["POST /notes"]?["cases"]?[0]?["when"]?["body"]?["/title"] == ["exists": true])
        #expect(routes["PUT /lock"]?["cases"]?[0]?["fault"] == "reset")
        #expect(draft.backend[.states]?["the-lock"] == ["Started", "closed"])
    }

    @Test func `say what was left out, with its line`() throws {
        let backend = try backend(Self.wireMock)
        let messages = backend.findings.map(\.description)
        #expect(messages.contains { $0.hasPrefix("stubs.json:11:") && $0.contains("forwards to another server") })
        let comments = backend.backend.comment?.array?.compactMap(\.string) ?? []
        #expect(comments.contains { $0.contains("forwards to another server") }, "\(comments)")
    }

    @Test func `of Postman are the saved examples`() throws {
        let draft = try backend(
            #"""
            {"info": {"name": "Notes", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
             "item": [{"name": "folder", "item": [
               {"name": "one note", "request": {"method": "GET", "url": {"raw": "{{base}}/notes/:id", "path": ["notes", ":id"]}},
                "response": [
                  {"name": "found", "code": 200, "header": [{"key": "Content-Type", "value": "application/json"}], "body": "{\"id\": 1}"},
                  {"name": "gone", "code": 404, "body": ""}]},
               {"name": "no example", "request": {"method": "GET", "url": "https://a.example/x"}, "response": []}]}]}
            """#
        )
        #expect(try routes(draft)["GET /notes/{id}"]?["json"] == ["id": 1])
        #expect(draft.findings.contains { $0.message.contains("gone of one note") })
        // A request without an example is a route, and says that its response is not known.
        let open = try #require(try routes(draft)["GET /x"])
        #expect(open["empty"] == true && open["$comment"]?.string?.hasPrefix("placeholder: ") == true)
        // As Postman's mock servers do, a header field chooses between examples that nothing else distinguishes.
        let named = request("GET", "/notes/1", "", ["x-mock-response-name": "gone"])
        #expect(try statuses(draft, [request("GET", "/notes/1"), named]) == [200, 404])
    }

    @Test func `of Mockoon are routes with rules`() throws {
        let draft = try backend(
            #"""
            {"uuid": "1", "name": "Shop", "endpointPrefix": "api", "routes": [
              {"type": "http", "method": "get", "endpoint": "orders/:id", "responses": [
                {"statusCode": 200, "body": "{\"ok\": true}", "default": true, "latency": 20, "headers": [], "rules": []},
                {"statusCode": 404, "body": "", "rules": [{"target": "params", "modifier": "id", "value": "9", "operator": "equals"}]},
                {"statusCode": 500, "body": "", "rules": [{"target": "request_number", "modifier": "", "value": "2"}]}]},
              {"type": "http", "method": "get", "endpoint": "state", "responseMode": "SEQUENTIAL", "responses": [
                {"statusCode": 202, "body": "queued"}, {"statusCode": 200, "body": "done"}]},
              {"type": "crud", "endpoint": "users", "responses": []}]}
            """#
        )
        let state = try #require(try routes(draft)["GET /api/state"])
        #expect(state["responses"]?.array?.compactMap { $0["text"]?.string } == ["queued", "done"])
        #expect(state["afterLast"] == "loop")
        let route = try #require(try routes(draft)["GET /api/orders/{id}"])
        #expect(route["json"] == ["ok": true] && route["latency"] == "20ms")
        #expect(route["cases"]?.array?.count == 1)
        #expect(route["cases"]?[0]?["when"] == ["path": ["id": ["oneOf": ["9", 9]]]])
        #expect(draft.findings.contains { $0.message.contains("type crud") })
        #expect(draft.findings.contains { $0.message.contains("request_number") })
    }

    @Test func `of WireMock in several files answer together, with the bodies that they name`() throws {
        let texts = [
            #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"bodyFileName": "a.json"}}"#,
            #"{"mappings": [{"request": {"urlPath": "/b"}, "response": {"bodyFileName": "gone.json"}}]}"#,
            #"{"other": 1}"#,
        ]
        let documents = try texts.enumerated().map { (try JSONParser().parse($0.element).root, "\($0.offset).json") }
        let reader = try WireMockReader(documents) { $0 == "a.json" ? Array(#"{"id": 1}"#.utf8) : nil }
        let draft = try reader.draft.backend(schemaPath: nil)
        let routes = try routes(draft)
        #expect(routes["GET /a"]?["json"] == ["id": 1] && routes["* /b"]?["empty"] == true)
        #expect(draft.findings.map(\.place?.file) == ["1.json"])
    }

    @Test func `of MockServer say that a path that is a number matches any path`() throws {
        let draft = try backend(#"[{"httpRequest": {"path": 7}, "httpResponse": {"statusCode": 204}}]"#)
        #expect(try routes(draft)["* /*"]?["status"] == 204)
        #expect(draft.findings.map(\.message) == ["left out: the path 7; any path matches"])
    }

    @Test func `that cannot be imported are refused with the reason`() throws {
        let text = #"{"request": {"url": "/a", "method": "GET", "customMatcher": {"name": "x"}}, "response": {}}"#
        let document = try JSONParser().parse(text).root
        let problem = #expect(throws: CaptureProblem.self) {
            try WireMockReader([(document, "a.json")]) { _ in nil }
        }
        #expect(problem?.finding.message.contains("among 1 mapping; left out: ") == true)
    }

    @Test func `of a pact are routes whose bodies and queries tell them apart`() throws {
        let draft = try backend(
            #"""
            {"consumer": {"name": "App"}, "provider": {"name": "Users"}, "interactions": [
              {"description": "a page", "request": {"method": "get", "path": "/users", "query": {"page": ["2"]}},
               "response": {"status": 200, "headers": {"X-Next": ["3"]}, "body": [{"id": 1}]}},
              {"description": "the first", "request": {"method": "GET", "path": "/users", "query": "page=1&tag=a"},
               "response": {"status": 200, "body": []}},
              {"description": "made", "request": {"method": "POST", "path": "/users",
                 "body": {"contentType": "application/json", "content": {"name": "Ada"}}},
               "response": {"status": 201, "body": {"contentType": "application/json", "encoded": false, "content": {"id": 2}}}},
              {"description": "again", "request": {"method": "POST", "path": "/users",
                 "body": {"contentType": "application/json", "content": {"name": "Ada"}}}, "response": {"status": 409}},
              {"description": "any", "request": {"method": "PUT", "path": "/users", "body": {"a": 1},
                 "headers": {"authorization": "Bearer x"}, "matchingRules": {"$.body": {"match": "type"}}},
               "response": {"status": 204}},
              {"description": "a message", "contents": {}}]}
            """#
        )
        let routes = try routes(draft)
        #expect(routes["GET /users"]?["cases"]?[0]?["when"]?["query"]?["tag"] == ["equals": "a"])
        #expect(routes["GET /users"]?["cases"]?[1]?["headers"] == ["X-Next": "3"])
        #expect(routes["GET /users"]?["status"] == 404)
        #expect(routes["POST /users"]?["cases"]?[0]?["when"]?["body"]?[""] == ["equals": ["name": "Ada"]])
        #expect(routes["POST /users"]?["cases"]?[0]?["json"] == ["id": 2])
        #expect(routes["PUT /users"]?["cases"]?[0]?["when"]?["body"]?["/a"] == ["type": "number"])
        let left = draft.findings.map(\.message)
        for part in ["again: its request equals the request", "Authorization", "a message"] {
            #expect(left.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test func `of MockServer are routes with conditions, delays and dropped connections`() throws {
        let draft = try backend(
            #"""
            [{"httpRequest": {"method": "POST", "path": "/pay", "headers": {"X-Plan": ["pro"]},
                "body": {"type": "JSON", "json": "{\"currency\": \"EUR\"}"}},
              "httpResponse": {"statusCode": 201, "headers": [{"name": "X-Id", "values": ["7"]}],
                "body": {"type": "JSON", "json": {"paid": true}}, "delay": {"timeUnit": "SECONDS", "value": 2}},
              "times": {"remainingTimes": 2, "unlimited": false}},
             {"httpRequest": {"path": "/users/[0-9]+", "queryStringParameters": {"a": ["1"]}},
              "httpResponse": {"body": "hello"}},
             {"httpRequest": {"path": "/down"}, "httpError": {"dropConnection": true}},
             {"httpRequest": {"path": "/live"}, "httpForward": {"host": "a"}},
             {"httpRequest": {"path": "/x", "body": {"type": "XPATH", "xpath": "/a"}}, "httpResponse": {}}]
            """#
        )
        let routes = try routes(draft)
        let pay = try #require(routes["POST /pay"]?["cases"]?[0])
        #expect(pay["when"] == ["header": ["X-Plan": ["equals": "pro"]], "body": ["/currency": ["equals": "EUR"]]])
        #expect(pay["latency"] == "2s" && pay["json"] == ["paid": true] && pay["headers"] == ["X-Id": "7"])
        #expect(routes["* /users/{part1}"]?["cases"]?[0]?["text"] == "hello")
        #expect(routes["* /down"]?["fault"] == "empty")
        #expect(routes.names == ["POST /pay", "* /users/{part1}", "* /down"])
        #expect(routes["* /users/{part1}"]?["cases"]?[0]?["when"]?["path"]?["part1"] == ["matches": "^(?:[0-9]+)$"])
        for part in ["\"times\"", "forward", "XPATH"] {
            #expect(draft.findings.contains { $0.message.contains(part) }, "\(part)")
        }
    }

    @Test func `of json-server are collections with six routes each`() throws {
        let draft = try backend(
            #"{"posts": [{"id": "1", "title": "a"}, {"id": "2", "views": 3}], "accounts": [{"id": 4}], "me": {"name": "x"}}"#
        )
        let routes = try routes(draft)
        let posts = [
            "GET /posts", "GET /posts/{id}", "POST /posts", "PUT /posts/{id}", "PATCH /posts/{id}",
            "DELETE /posts/{id}",
        ]
        let accounts = ["GET /accounts", "GET /accounts/{id}", "POST /accounts", "DELETE /accounts/{id}"]
        #expect(routes.names == posts + accounts + ["GET /me", "PUT /me", "PATCH /me"])
        let item = routes["POST /posts"]?["then"]?[0]?["item"]
        #expect(item?["id"] == "{{counter.posts-id as text}}" && item?["views"] == "{{request.body#/views ?? omit}}")
        #expect(draft.backend[.collections]?.object?.names == ["posts", "accounts-list", "me"])
        for other in [
            #"{"posts": [1]}"#, #"{"posts": []}"#, #"{"a": {"id": 1}}"#, #"{"a": [{"id": 1}], "b": 2}"#, "[]",
        ] {
            let isDraft = try StubDraft.read(try JSONParser().parse(other).root, file: "a.json") != nil
            #expect(!isDraft, "\(other)")
        }
    }

    @Test func `of json-server are filtered, sorted, cut into pages and replaced`() throws {
        let draft = try backend(
            #"{"posts": [{"id": 1, "by": "b", "views": 5}, {"id": 2, "by": "a", "views": 9}, {"id": 3, "by": "b", "views": 7}]}"#
        )
        func ids(_ target: String) throws -> [Int] {
            let body = try draft.responses(to: [request("GET", target)])[0].body
            return (try JSONParser().parse(body).root.array ?? []).compactMap { $0["id"]?.int }
        }
        #expect(try ids("/posts") == [1, 2, 3])
        #expect(try ids("/posts?by=b") == [1, 3])
        #expect(try ids("/posts?by=b&views=7") == [3])
        #expect(try ids("/posts?views_gte=7") == [2, 3])
        #expect(try ids("/posts?by_ne=b") == [2])
        #expect(try ids("/posts?_sort=views&_order=desc") == [2, 3, 1])
        #expect(try ids("/posts?_sort=-views&_page=2&_limit=2") == [1])
        #expect(try ids("/posts?_limit=2") == [1, 2])
        #expect(try ids("/posts?_page=2&_limit=2") == [3])
        let put = request("PUT", "/posts/1", #"{"views": 1}"#, ["Content-Type": "application/json"])
        let answers = try draft.responses(to: [put, request("GET", "/posts/1")])
        #expect(try JSONParser().parse(answers[1].body).root == ["id": 1, "views": 1])
    }

    // MARK: Files as they are

    @Test(arguments: [
        #"{"mappings": [{"request": {"urlPath": "/a"}, "response": {"body": "a"}}, {"priority": 10, "request": {"method": "ANY", "urlPattern": ".*"}, "response": {"status": 418}}]}"#,
        #"{"request": {"urlPathPattern": "/a/(?i)x[0-9]+", "headers": {"A": {"matches": "(?i)abc"}}}, "response": {"headers": {"X": "a\r\nb", "Content-Length": "7"}}}"#,
        #"{"request": {"urlPath": "/a b/{x}"}, "response": {"fixedDelayMilliseconds": 9223372036854775807, "status": 99}}"#,
        #"{"request": {"url": "/a", "headers": {"B": {"matches": "("}}}, "response": {"body": "{{ left open"}}"#,
        #"{"request": {"url": "relative"}, "response": {}, "x": 1}"#,
        #"{"info": {"name": "a"}, "item": [{"request": {"method": "GET", "url": {"path": ["files", "{{name}}.json"]}}, "response": [{"code": 200, "body": "{{x}}"}]}]}"#,
        #"{"info": {"name": "{{n}}"}, "item": [{"request": {"method": "get", "url": {"path": ["a", ":id", "b", ":id"]}}, "response": []}, {"request": {"url": "https://a.example/x y/%zz/*?q#f"}}]}"#,
        #"{"uuid": "1", "routes": [{"method": "get", "endpoint": "a/:id/b/:id", "responses": [{"statusCode": "404"}]}, {"method": "all", "endpoint": "a-:id", "responses": [{}]}, {"method": "get", "endpoint": "*", "responses": [{"body": "{{faker 'x'}}"}]}]}"#,
        #"{"consumer": {}, "interactions": [{"request": {"method": "GET", "path": "/a b"}, "response": {"status": 200, "body": {"{{a}}": "{{"}}}]}"#,
        #"[{"httpRequest": {"path": ".*"}, "httpResponse": {}}, {"httpRequest": {"path": "/a[", "method": "!GET"}, "httpResponse": {"delay": {"value": -1}}}]"#,
        #"{"a b": [{"id": 1}], "x": [{"id": 1, "{{": "{{"}]}"#,
    ])
    func `always become a backend that is accepted, or an error`(_ text: String) throws {
        let root = try JSONParser().parse(text).root
        do throws(CaptureProblem) {
            guard let draft = try StubDraft.read(root, file: "stubs.json") else { return }
            let backend = try draft.backend(schemaPath: nil)
            #expect(throws: Never.self) { try backend.expectToBeAccepted() }
        } catch {
            #expect(error.finding.place?.file == "stubs.json")
        }
    }

    @Test func `leave out the part that the format refuses, and say so at its place`() throws {
        let backend = try backend(
            #"""
            {"mappings": [
              {"request": {"urlPath": "/a"}, "response": {"status": 202}},
              {"request": {"urlPath": "/a", "headers": {"B": {"matches": "(?<!x"}}}, "response": {"status": 201}}]}
            """#
        )
        let route = try #require(try routes(backend)["* /a"])
        #expect(route["status"] == 202 && route["cases"] == nil)
        #expect(route["$comment"]?.string?.contains("case 1 of * /a") == true, "\(route)")
        #expect(backend.findings.contains { $0.place?.position?.line == 3 && $0.id == "import/left-out" })
    }

    @Test func `keep their media types and repeated fields`() throws {
        let fields =
            #"[{"key": "Content-Type", "value": "application/vnd.api+json"}, {"key": "Set-Cookie", "value": "a=1"}, {"key": "set-cookie", "value": "b=2"}]"#
        let postman = try backend(
            #"{"info": {"name": "a"}, "item": [{"request": {"url": "https://a.example/x"}, "response": [{"code": 200, "body": "{}", "header": \#(fields)}]}]}"#
        )
        let answer = try postman.responses(to: [request("GET", "/x")])[0]
        #expect(answer.fields["Content-Type"] == "application/vnd.api+json")
        #expect(answer.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
        let text = try backend(
            #"{"request": {"url": "/t"}, "response": {"body": "1.10", "headers": {"Content-Type": "text/plain", "X": ["1", "2"]}}}"#
        )
        let plain = try text.responses(to: [request("GET", "/t")])[0]
        #expect(String(decoding: plain.body, as: UTF8.self) == "1.10" && plain.fields["Content-Type"] == "text/plain")
        #expect(plain.fields.values(of: "X") == ["1", "2"])
    }

    @Test func `send double braces as they are written`() throws {
        let backend = try backend(
            #"{"request": {"url": "/b"}, "response": {"jsonBody": {"a": "{{{x}}", "b": "}} {{"}, "headers": {"X": "{{y}}"}}}"#
        )
        let answer = try backend.responses(to: [request("GET", "/b")])[0]
        #expect(try JSONParser().parse(answer.body).root == ["a": "{{{x}}", "b": "}} {{"])
        #expect(answer.fields["X"] == "{{y}}")
    }

    // MARK: WireMock

    @Test func `of WireMock answer in its order, general ones where no other does`() throws {
        let backend = try backend(
            #"""
            {"mappings": [
              {"request": {"method": "GET", "urlPath": "/d"}, "response": {"status": 201}},
              {"request": {"method": "GET", "urlPath": "/d"}, "response": {"status": 202}},
              {"request": {"method": "GET", "urlPath": "/sort", "queryParameters": {"sort": {"equalTo": "a"}}}, "response": {"status": 203}},
              {"priority": 10, "request": {"method": "ANY", "urlPattern": ".*"}, "response": {"status": 418}}]}
            """#
        )
        let asked = ["/d", "/sort?sort=a", "/sort?sort=z", "/other/x"].map { request("GET", $0) }
        #expect(try statuses(backend, asked) == [202, 203, 418, 418])
        #expect(backend.findings.contains { $0.message.contains("another stub matches all of its requests") })
    }

    @Test func `of WireMock keep their conditions`() throws {
        let backend = try backend(
            #"""
            {"mappings": [
              {"request": {"method": "GET", "urlPath": "/basic", "basicAuth": {"username": "u", "password": "p"}}, "response": {}},
              {"request": {"method": "GET", "urlPathTemplate": "/n/{id}", "pathParameters": {"id": {"matches": "[0-9]+"}}}, "response": {}},
              {"request": {"method": "POST", "urlPath": "/json", "bodyPatterns": [{"equalToJson": {"a": {"b": 1}}, "ignoreExtraElements": true}]}, "response": {}},
              {"request": {"method": "POST", "urlPath": "/path", "bodyPatterns": [{"matchesJsonPath": "$.things[?(@.name == 'x')]"}]}, "response": {}},
              {"request": {"method": "GET", "urlPath": "/case", "headers": {"A": {"equalTo": "AbC", "caseInsensitive": true}}, "cookies": {"s": {"or": [{"equalTo": "1"}, {"absent": true}]}}}, "response": {}},
              {"request": {"method": "GET", "urlPathPattern": "/v[12]/items/[a-z]+/?"}, "response": {}}]}
            """#
        )
        let json: HTTPFields = ["Content-Type": "application/json"]
        #expect(
            try statuses(
                backend,
                [
                    request("GET", "/basic"), request("GET", "/basic", "", ["Authorization": "Basic dTpw"]),
                    request("GET", "/n/7"), request("GET", "/n/x"),
                    request("POST", "/json", #"{"a": {"b": 1, "c": 2}}"#, json),
                    request("POST", "/json", #"{"a": {"b": 2}}"#, json),
                    request("POST", "/path", #"{"things": [{"name": "x", "y": 1}]}"#, json),
                    request("POST", "/path", "{}", json),
                    request("GET", "/case", "", ["A": "aBc"]), request("GET", "/case", "", ["A": "ab"]),
                    request("GET", "/case", "", ["A": "abc", "Cookie": "s=2"]),
                    request("GET", "/v1/items/ab/"), request("GET", "/v2/items/ab"), request("GET", "/v3/items/ab"),
                ]
            ) == [404, 200, 200, 404, 200, 404, 200, 404, 200, 404, 404, 200, 200, 404]
        )
    }

    // MARK: Mockoon

    @Test func `of Mockoon compare as text, also in forms, and take the rest of a path`() throws {
        let rule = #"[{"target": "body", "modifier": "id", "value": "1", "operator": "equals"}]"#
        let backend = try backend(
            #"""
            {"uuid": "1", "headers": [{"key": "X-All", "value": "1"}], "cors": true, "latency": 3, "routes": [
              {"method": "post", "endpoint": "a", "responses": [{"statusCode": "404", "default": true}, {"statusCode": 201, "rules": \#(rule)}]},
              {"method": "get", "endpoint": "off", "enabled": false, "responses": [{}]},
              {"method": "get", "endpoint": "files/*", "responses": [{"statusCode": 203}]},
              {"method": "get", "endpoint": "x-:id", "responses": [{"statusCode": 204}]},
              {"method": "get", "endpoint": "files/never", "responses": [{"statusCode": 205}]}]}
            """#
        )
        let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
        let requests = [
            request("POST", "/a", #"{"id": 1}"#), request("POST", "/a", #"{"id": "1"}"#),
            request("POST", "/a", "id=1", form),
            request("POST", "/a", "id=2", form), request("GET", "/off"), request("GET", "/files/a/b"),
            request("GET", "/x-7"),
            request("GET", "/files/never"),
        ]
        #expect(try statuses(backend, requests) == [201, 201, 201, 404, 404, 203, 204, 203])
        #expect(try backend.responses(to: requests)[0].fields["X-All"] == "1")
        #expect(backend.backend[.cors] == true && backend.backend[.defaults]?["latency"] == "3ms")
        #expect(backend.findings.contains { $0.message.contains("off, which is disabled") })
    }

    @Test func `of Mockoon 1 are read, and its lists as collections`() throws {
        let backend = try backend(
            #"""
            {"source": "mockoon:1.17.0", "data": [{"type": "environment", "item": {"uuid": "e", "name": "Old", "data": [
                {"id": "b1", "name": "users", "value": "[{\"id\": 1}]"}], "routes": [
              {"uuid": "r", "method": "get", "endpoint": "old", "responses": [{"statusCode": 202, "body": "x", "rules": []}]},
              {"uuid": "c", "type": "crud", "endpoint": "users", "responses": [{"databucketID": "b1"}]}]}}]}
            """#
        )
        let made = [
            request("GET", "/old"), request("GET", "/users/1"), request("POST", "/users", "{}"),
            request("GET", "/users/2"),
        ]
        #expect(try statuses(backend, made) == [202, 200, 201, 200])
        #expect(backend.backend[.backend] == "Old")
    }

    // MARK: Pact and MockServer

    @Test func `of a pact go by their matching rules`() throws {
        let backend = try backend(
            #"""
            {"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [
              {"description": "v2", "request": {"method": "POST", "path": "/v2", "body": {"name": "Ada", "age": 3, "tags": ["x"]},
                "matchingRules": {"$.body.name": {"match": "type"}, "$.body.tags": {"min": 1}}}, "response": {"status": 201}},
              {"description": "v3", "request": {"method": "GET", "path": "/users/7", "query": {"page": ["1"]}, "matchingRules": {
                "path": {"matchers": [{"match": "regex", "regex": "/users/\\d+"}]}, "query": {"page": {"matchers": [{"match": "regex", "regex": "\\d+"}]}}}}, "response": {"status": 202}},
              {"description": "one", "request": {"method": "GET", "path": "/h", "headers": {"X-Version": "1"}}, "response": {"status": 203}},
              {"description": "two", "request": {"method": "GET", "path": "/h", "headers": {"X-Version": "2"}}, "response": {"status": 204}},
              {"description": "b64", "request": {"method": "GET", "path": "/b"}, "response": {"status": 200,
                "body": {"contentType": "text/plain", "encoded": "base64", "content": "aGVsbG8="}}}]}
            """#
        )
        let requests = [
            request("POST", "/v2", #"{"name": "Bo", "age": 3, "tags": ["y", "z"]}"#),
            request("POST", "/v2", #"{"name": 1, "age": 3, "tags": []}"#),
            request("GET", "/users/12?page=9"), request("GET", "/users/x?page=9"), request("GET", "/users/12?page=z"),
            request("GET", "/h", "", ["X-Version": "2"]), request("GET", "/b"),
        ]
        let answers = try backend.responses(to: requests)
        #expect(answers.map(\.status.code) == [201, 404, 202, 404, 404, 204, 200])
        #expect(answers.last?.body == Array("hello".utf8))
    }

    @Test func `of MockServer take its values for expressions`() throws {
        let backend = try backend(
            #"""
            [{"httpRequest": {"method": "GET", "path": "/q", "queryStringParameters": {"a": ["[0-9]+"], "?b": ["x"]}, "headers": {"H": ["!no"]}},
              "httpResponse": {"statusCode": 201}},
             {"httpRequest": {"path": "/p/{id}", "pathParameters": {"id": ["[a-z]+"]}}, "httpResponse": {"statusCode": 202}},
             {"httpRequest": {"path": ".*"}, "httpResponse": {"statusCode": 203}}]
            """#
        )
        let requests = [
            request("GET", "/q?a=12"), request("GET", "/q?a=x"), request("GET", "/q?a=1&b=y"),
            request("GET", "/q?a=1", "", ["H": "no"]),
            request("POST", "/p/abc"), request("POST", "/p/1"), request("PUT", "/else"),
        ]
        #expect(try statuses(backend, requests) == [201, 203, 203, 203, 202, 203, 203])
    }

    @Test func `of Insomnia are routes whose responses are marked as unknown`() throws {
        let backend = try backend(
            #"""
            {"_type": "export", "__export_format": 4, "resources": [
              {"_type": "workspace", "name": "W"}, {"_type": "environment", "data": {"base": "https://a.example/v1"}},
              {"_type": "request", "name": "one", "method": "GET", "url": "{{ _.base }}/notes/:id"}]}
            """#
        )
        #expect(try routes(backend).names == ["GET /v1/notes/{id}"])
        #expect(try routes(backend)["GET /v1/notes/{id}"]?["$comment"]?.string?.hasPrefix("placeholder: ") == true)
    }

    // MARK: Size

    @Test func `of which there are many are read in one pass, and cut where a route has too many`() throws {
        let interactions = (0..<1_200).map { #"{"request": {"path": "/a", "query": "q=\#($0)"}, "response": {}}"# }
        let backend = try backend(#"{"consumer": {}, "interactions": [\#(interactions.joined(separator: ","))]}"#)
        #expect(try routes(backend)["GET /a"]?["cases"]?.array?.count == 1_000)
        #expect(backend.findings.contains { $0.message.contains("at most 1000 imported cases") })
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let cut = try self.backend(#"{"request": {"url": "/d"}, "response": {"jsonBody": \#(deep)}}"#)
        #expect(cut.findings.contains { $0.message.contains("nested more than") })
    }

    @Test func `are told from other documents`() throws {
        let other = try StubDraft.read(try JSONParser().parse(#"{"log": {}}"#).root, file: "a.har")
        #expect(other.map(\.name) == nil)
        #expect(throws: CaptureProblem.self) {
            try StubDraft.read(try JSONParser().parse(#"{"info": {}, "item": []}"#).root, file: "a.json")
        }
    }
}
