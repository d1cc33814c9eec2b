import Basics
import JSON
import ScenarioFormat
import TestSupport
import Testing

@testable import Checking

/// Files of other tools as backends, each loaded as `check` does it.
@Suite struct `Stubs of another tool` {
    private func draft(_ text: String) throws -> StubDraft {
        try #require(try StubDraft.read(try JSONParser().parse(text).root, file: "stubs.json"))
    }

    /// The routes of a backend, which must be one that can be served.
    private func routes(_ draft: StubDraft) throws -> JSONObject {
        let backend = draft.backend(schemaPath: nil)
        let files = MemoryFiles(["/p/backend.json": backend.text(.pretty)])
        let project = try #require(ProjectRoot("/p", files: files))
        do {
            _ = try ScenarioLoader(files: files, project: project).load("/p/backend.json")
        } catch {
            Issue.record("\(error.findings)")
        }
        return try #require(backend["routes"]?.object)
    }

    private static let wireMock = #"""
        {"mappings": [
          {"request": {"method": "GET", "urlPath": "/notes", "queryParameters": {"page": {"equalTo": "2"}}},
           "response": {"status": 200, "jsonBody": [{"id": 3}], "fixedDelayMilliseconds": 80}},
          {"request": {"method": "GET", "url": "/notes"}, "response": {"body": "[]", "headers": {"X-Total": "0"}}},
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
        let notes = try draft(text).findings.map(\.description)
        #expect(
            notes.count { $0.hasSuffix("[import/fixed-tokens]") && $0.hasPrefix("stubs.json: note: POST /") } == count,
            "\(notes)"
        )
    }

    @Test func `of WireMock become routes, cases and states`() throws {
        let draft = try draft(Self.wireMock)
        let routes = try routes(draft)
        #expect(routes.names == ["GET /notes", "GET /notes/{part1}", "POST /notes", "PUT /lock"])
        #expect(routes["GET /notes"]?["cases"]?[0]?["when"]?["query"]?["page"] == ["equals": "2"])
        #expect(routes["GET /notes"]?["cases"]?[0]?["latency"] == "80ms")
        #expect(routes["GET /notes"]?["json"] == [])
        #expect(routes["GET /notes"]?["headers"] == ["X-Total": "0"])
        #expect(routes["POST /notes"]?["cases"]?[0]?["when"]?["body"]?["/title"] == ["exists": true])
        #expect(routes["PUT /lock"]?["cases"]?[0]?["fault"] == "reset")
        #expect(draft.states["the-lock"] == ["Started", "closed"])
    }

    @Test func `say what was left out, with its line`() throws {
        let messages = try draft(Self.wireMock).findings.map(\.description)
        #expect(messages.contains { $0.hasPrefix("stubs.json:10:") && $0.contains("regular expression") })
        #expect(messages.contains { $0.hasPrefix("stubs.json:11:") && $0.contains("forwards to another server") })
        #expect(messages.contains { $0.contains("a template") })
    }

    @Test func `of Postman are the saved examples`() throws {
        let draft = try draft(
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
        #expect(draft.findings.contains { $0.message.contains("no example, which has no saved example") })
        #expect(draft.findings.contains { $0.message.contains("gone of one note") })
    }

    @Test func `of Mockoon are routes with rules`() throws {
        let draft = try draft(
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
        #expect(route["cases"]?[0]?["when"] == ["path": ["id": ["equals": "9"]]])
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
        let draft = try StubDraft(wireMock: documents) { $0 == "a.json" ? #"{"id": 1}"# : nil }
        let routes = try routes(draft)
        #expect(routes["GET /a"]?["json"] == ["id": 1] && routes["* /b"]?["empty"] == true)
        #expect(draft.findings.map(\.place?.file) == ["1.json"])
    }

    @Test func `of a pact are routes whose bodies and queries tell them apart`() throws {
        let draft = try draft(
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
        #expect(routes["GET /users"]?["cases"]?[0]?["headers"] == ["X-Next": "3"])
        #expect(routes["GET /users"]?["cases"]?[1]?["when"]?["query"]?["tag"] == ["equals": "a"])
        #expect(routes["GET /users"]?["status"] == 404)
        #expect(routes["POST /users"]?["cases"]?[0]?["when"]?["body"]?[""] == ["equals": ["name": "Ada"]])
        #expect(routes["POST /users"]?["cases"]?[0]?["json"] == ["id": 2])
        #expect(routes["PUT /users"]?["cases"] == nil && routes["PUT /users"]?["status"] == 204)
        let left = draft.findings.map(\.message)
        for part in [
            "again: nothing in its request", "matching rules for the body of any", "Authorization", "a message",
        ] {
            #expect(left.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test func `of MockServer are routes with conditions, delays and dropped connections`() throws {
        let draft = try draft(
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
        for part in ["\"times\"", "forwards", "XPATH", "every text is taken"] {
            #expect(draft.findings.contains { $0.message.contains(part) }, "\(part)")
        }
    }

    @Test func `of json-server are collections with five routes each`() throws {
        let draft = try draft(
            #"{"posts": [{"id": "1", "title": "a"}, {"id": "2", "views": 3}], "accounts": [{"id": 4}], "me": {"name": "x"}}"#
        )
        let routes = try routes(draft)
        let posts = ["GET /posts", "GET /posts/{id}", "POST /posts", "PATCH /posts/{id}", "DELETE /posts/{id}"]
        let accounts = ["GET /accounts", "GET /accounts/{id}", "POST /accounts", "DELETE /accounts/{id}"]
        #expect(routes.names == posts + accounts + ["GET /me"])
        let item = routes["POST /posts"]?["then"]?[0]?["item"]
        #expect(item?["id"] == "{{counter.posts as text}}" && item?["views"] == "{{request.body#/views ?? omit}}")
        #expect(draft.backend(schemaPath: nil)["collections"]?.object?.names == ["posts", "accounts-list"])
        for other in [
            #"{"posts": [1]}"#, #"{"posts": []}"#, #"{"a": {"id": 1}}"#, #"{"a": [{"id": 1}], "b": 2}"#, "[]",
        ] {
            let isDraft = try StubDraft.read(try JSONParser().parse(other).root, file: "a.json") != nil
            #expect(!isDraft, "\(other)")
        }
    }

    @Test func `are told from other documents`() throws {
        let other = try StubDraft.read(try JSONParser().parse(#"{"log": {}}"#).root, file: "a.har")
        #expect(other.map(\.name) == nil)
        #expect(throws: CaptureProblem.self) {
            try StubDraft.read(try JSONParser().parse(#"{"info": {}, "item": []}"#).root, file: "a.json")
        }
    }
}
