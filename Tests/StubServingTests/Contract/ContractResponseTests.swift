import Basics
import Checking
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// Answers that come from a contract and not from a scenario.
@Suite(.timeLimit(.minutes(15)))
struct DocumentedResponseTests {
    private func withContract(
        _ configure: (inout StubServer.Configuration) -> Void = { _ in },
        _ body: (Stub, HTTPClient) async throws -> Void
    ) async throws {
        try await withStub(try ContractExample.contractAlone(), configure) { stub in
            try await body(stub, try stub.client())
        }
    }

    @Test func `The first valid example answers, in the lowest success`() async throws {
        try await withContract { stub, client in
            let response = try client.get("/notes")
            #expect(response.code == 200 && response.text == #"[{"id":1,"title":"one"}]"#)
            #expect(response.fields["Content-Type"] == "application/json")
            #expect(try client.get("/api/notes").text == response.text)
            let exchange = try stub.admin(.get, "journal")["exchanges"]?[0]
            #expect(exchange?["route"]?.string == "GET /notes" && exchange?["answeredBy"]?.string == "contract")
            #expect(exchange?["violations"] == nil)
        }
    }

    @Test func `What has no example is made from its schema, with the fields that are required`() async throws {
        try await withContract { _, client in
            let note = try client.get("/notes/7")
            let value = try note.json
            #expect(value["id"]?.int != nil && value["title"]?.string != nil)
            #expect(note.fields["ETag"]?.isEmpty == false)
            let made = try client.call(.post, "/notes", ["Content-Type": "application/json"], #"{"title":"a"}"#)
            #expect(made.code == 201)
            #expect(try client.get("/health").json == ["ok": true])
        }
    }

    @Test func `Deleting has no body, and HEAD is GET without one`() async throws {
        try await withContract { _, client in
            let gone = try client.call(.delete, "/notes/7")
            #expect(gone.code == 204 && gone.body.isEmpty && gone.fields["Content-Type"] == nil)
            let head = try client.call(.head, "/notes")
            #expect(head.code == 200 && head.body.isEmpty && head.fields["Content-Type"] == "application/json")
        }
    }

    @Test func `Other media types answer who asks for them`() async throws {
        try await withContract { _, client in
            #expect(try client.get("/notes/7", ["Accept": "text/plain"]).text == "a note")
            #expect(
                try client.get("/notes/7", ["Accept": "text/*;q=0.5, application/json"]).fields["Content-Type"]
                    == "application/json"
            )
            let refused = try client.get("/notes/7", ["Accept": "image/png"])
            #expect(refused.code == 406 && refused.problem == "not-acceptable")
            #expect(try refused.json["available"] == ["text/plain", "application/json"])
        }
    }

    @Test func `What is not documented is told from what is`() async throws {
        try await withContract { _, client in
            let unknown = try client.get("/nots")
            #expect(unknown.code == 404 && unknown.problem == "no-route")
            #expect(try unknown.json["nearest"]?["route"]?.string == "GET /notes")
            let wrong = try client.call(.put, "/notes/7")
            #expect(wrong.code == 405 && wrong.fields["Allow"] == "DELETE, GET, HEAD, OPTIONS")
            let options = try client.call(.options, "/notes")
            #expect(options.code == 204 && options.fields["Allow"] == "GET, HEAD, OPTIONS, POST")
        }
    }

    @Test func `Sessions, clock and journal are there as for every scenario`() async throws {
        try await withContract { stub, client in
            _ = try client.get("/notes", ["Backlot-Session": "other"])
            try stub.advance("2h")
            #expect(try client.get("/notes").fields["Date"] == "Sun, 01 Mar 2026 11:00:00 GMT")
            #expect(try stub.admin(.get, "journal?session=other")["exchanges"]?.array?.count == 1)
            #expect(try stub.admin(.get, "scenario")["contract"]?["operations"]?.int == 5)
        }
    }

    @Test func `The same seed and requests make the same bytes, another seed others`() async throws {
        func bodies(_ seed: UInt64) async throws -> [String] {
            var bodies: [String] = []
            try await withContract({ ($0.seed, $0.fill) = (seed, .schema) }) { _, client in
                for _ in 0..<5 {
                    let response = try client.get("/notes/7")
                    bodies += [response.text, response.fields["ETag"] ?? "", try client.get("/notes").text]
                }
            }
            return bodies
        }
        let first = try await bodies(1)
        #expect(try await bodies(1) == first)
        #expect(try await bodies(2) != first)
        #expect(Set(first).count > 3)
    }

    @Test func `A scenario is filled up where it has no route`() async throws {
        let library = try ContractExample.library(#""backend": "Notes","#, #""backend": "Notes", "fill": "examples","#)
        try await withStub(library) { stub in
            let client = try stub.client()
            #expect(try client.get("/notes").text == #"[{"id":1,"title":"first"}]"#)
            #expect(try client.call(.delete, "/notes/7").code == 204)
            #expect(try client.get("/health").text == #"{"ok":true}"#)
            #expect(try client.get("/nowhere").problem == "no-route")
        }
    }

    // MARK: Prefer

    @Test func `Prefer picks a documented response instead of the scripted one`() async throws {
        try await withStub(try ContractExample.library()) { stub in
            let client = try stub.client()
            let lost = try client.get("/notes/7", ["Prefer": "code=404"])
            #expect(lost.code == 404 && lost.text == #"{"error":"lost"}"#)
            #expect(lost.fields["Preference-Applied"] == "code=404")
            #expect(try client.get("/notes", ["Prefer": "respond-async, example=\"none\""]).text == "[]")
            #expect(try client.get("/notes/7", ["Prefer": "example=lost"]).code == 404)
            let range = try client.call(
                .post,
                "/notes",
                ["Prefer": "code=409", "Content-Type": "application/json"],
                #"{"title":"a"}"#
            )
            #expect(range.code == 409 && range.body.isEmpty)
            #expect(try client.get("/notes").text == #"[{"id":1,"title":"first"}]"#)
        }
    }

    @Test func `A seed asks for one certain value`() async throws {
        try await withContract { _, client in
            let seeded: HTTPFields = ["Prefer": "dynamic=true, seed=5"]
            let first = try client.get("/notes/7", seeded)
            #expect(try client.get("/notes/7", seeded).text == first.text)
            #expect(first.fields["Preference-Applied"] == "dynamic=true, seed=5")
        }
    }

    @Test(arguments: [
        ("code=418", ["404", "200"]), ("example=cat", ["lost"]), ("code=200, example=lost", []),
    ])
    func `A preference for what is not documented is told what is`(preference: String, documented: [String])
        async throws
    {
        try await withContract { _, client in
            let response = try client.get("/notes/7", ["Prefer": preference])
            #expect(response.code == 400 && response.problem == "unknown-preference")
            #expect(try response.json["documented"]?.array?.compactMap(\.string).sorted() == documented.sorted())
        }
    }

    @Test func `Errors in a part of a contract are told, and cost that part only`() async throws {
        let broken = ContractExample.contract.replacing(
            #""/health": { "get": {"#,
            with: """
                "/empty": { "get": { "responses": {} } },
                "/lost": { "get": { "responses": { "200": { "$ref": "#/components/responses/Lost" } } } },
                "/bad": { "get": { "responses": { "200": { "description": "", "content": { "application/json": {
                  "schema": { "$ref": "#/components/schemas/Lost" } } } } } } },
                "/health": { "get": {
                """
        )
        let files = MemoryFiles(scenarios: ["openapi.json": broken])
        let library = try ScenarioLibrary("/project/Scenarios/openapi.json", files: files)
        try await withStub(library) { stub in
            let client = try stub.client()
            #expect(try client.get("/health").text == #"{"ok":true}"#)
            #expect(stub.log.text.contains("error: an operation requires at least one response"))
            for (path, problem) in [
                ("/empty", "nothing-documented"), ("/lost", "nothing-documented"), ("/bad", "broken-schema"),
            ] {
                let response = try client.get(path)
                #expect(response.code == 501 && response.fields["Content-Type"] == "application/problem+json")
                #expect(try response.json["type"]?.string == "urn:backlot:problem:\(problem)", "\(path)")
            }
        }
    }

    @Test func `A schema with an error sends the example, or says what is wrong and where`() async throws {
        let more = """
            "/example": { "get": { "responses": { "200": { "description": "", "content": { "application/json": {
              "schema": { "type": "string", "pattern": "(?i)a" }, "example": "A" } } } } } },
            "/pattern": { "get": { "responses": { "200": { "description": "", "content": { "application/json": {
              "schema": { "type": "string", "pattern": "(?i)a" } } } } } } },
            "/optional": { "get": { "responses": { "200": { "description": "", "content": { "application/json": {
              "schema": { "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" },
                "lost": { "$ref": "#/components/schemas/Lost" }, "bad": { "type": "string", "pattern": "(?i)a" } },
                "anyOf": [{ "$ref": "#/components/schemas/Lost" }, { "minProperties": 1 }] } } } } } } },
            "/required": { "get": { "responses": { "200": { "description": "", "content": { "application/json": {
              "schema": { "type": "object", "required": ["lost"], "properties": {
                "lost": { "$ref": "#/components/schemas/Lost" } } } } } } } } },
            "/xml": { "get": { "responses": { "200": { "description": "", "content": { "application/xml": {
              "schema": { "type": "object" }, "example": { "id": "x" } } } } } } },
            "/text": { "get": { "responses": { "200": { "description": "", "content": { "application/xml": {
              "example": "<id>x</id>" } } } } } },
            "/health": {
            """
        let files = MemoryFiles(scenarios: [
            "openapi.json": ContractExample.contract.replacing(#""/health": {"#, with: more)
        ])
        let library = try ScenarioLibrary("/project/Scenarios/openapi.json", files: files)
        try await withStub(library) { stub in
            let client = try stub.client()
            #expect(try client.get("/example").text == #""A""#)
            #expect(try client.get("/text").text == "<id>x</id>")
            let pattern = try client.get("/pattern")
            #expect(pattern.code == 501)
            #expect(try pattern.json["detail"]?.string?.contains("openapi.json:") == true)
            #expect(
                try pattern.json["detail"]?.string?.contains("is not a valid ECMAScript regular expression") == true
            )
            // What is optional is left out where nothing is known of it.
            let intact = try client.get("/optional")
            #expect(intact.code == 200)
            #expect(try intact.json.object?.members.map(\.name) == ["id"])
            let lost = try client.get("/required")
            #expect(lost.code == 501 && lost.problem == "broken-schema")
            let xml = try client.get("/xml")
            #expect(xml.code == 501 && xml.fields["Content-Type"] == "application/problem+json")
            #expect(try xml.json["title"]?.string == "Values cannot be generated as XML")
        }
    }

    @Test func `Of many errors a few are told, and where the others are`() async throws {
        let empty = (0..<30).map { #""/p\#($0)": { "get": { "responses": { "x\#($0)": {} } } },"# }.joined()
        let broken = ContractExample.contract.replacing(#""/health": {"#, with: empty + #""/health": {"#)
        let files = MemoryFiles(scenarios: ["openapi.json": broken])
        let library = try ScenarioLibrary("/project/Scenarios/openapi.json", files: files)
        try await withStub(library) { stub in
            #expect(stub.log.text.matches(of: /is not a status such as/).count == 10)
            #expect(stub.log.text.contains("and 20 more findings") && stub.log.text.contains("backlot check"))
        }
    }

    @Test func `A contract without an operation is not served`() throws {
        let files = MemoryFiles(scenarios: [
            "openapi.json": #"{"openapi":"3.1.0","info":{"title":"Hooks","version":"1"},"webhooks":{}}"#
        ])
        let library = try ScenarioLibrary("/project/Scenarios/openapi.json", files: files)
        let error = #expect(throws: ScenarioError.self) {
            try StubServer(
                library,
                StubServer.Configuration(contractReader: OpenAPIReader()),
                log: .silent
            )
        }
        #expect(error?.findings.last?.id == "contract/no-operation")
    }
}
