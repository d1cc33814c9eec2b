import Basics
import JSON
import ScenarioFormat
import TestSupport
import Testing

@testable import Traffic

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
              {"type": "crud", "endpoint": "users", "responses": []}]}
            """#
        )
        let route = try #require(try routes(draft)["GET /api/orders/{id}"])
        #expect(route["json"] == ["ok": true] && route["latency"] == "20ms")
        #expect(route["cases"]?.array?.count == 1)
        #expect(route["cases"]?[0]?["when"] == ["path": ["id": ["equals": "9"]]])
        #expect(draft.findings.contains { $0.message.contains("type crud") })
        #expect(draft.findings.contains { $0.message.contains("request_number") })
    }

    @Test func `are told from other documents`() throws {
        let other = try StubDraft.read(try JSONParser().parse(#"{"log": {}}"#).root, file: "a.har")
        #expect(other.map(\.name) == nil)
        #expect(throws: CaptureProblem.self) {
            try StubDraft.read(try JSONParser().parse(#"{"info": {}, "item": []}"#).root, file: "a.json")
        }
    }
}
