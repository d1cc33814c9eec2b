import Basics
import JSON
import OpenAPI
import TestSupport
import Testing

@Suite struct `The contract loader` {
    @Test(arguments: [
        ("3.0.0", OpenAPIVersion.v30), ("3.0.3", .v30), ("3.1.0", .v31), ("3.1.1", .v31), ("3.2.0", .v32),
    ])
    func `understands a version`(text: String, version: OpenAPIVersion) throws {
        let loaded = try contract(paths: "{}", version: text)
        #expect(loaded.version == version && loaded.findings.isEmpty)
    }

    @Test(arguments: [
        ("{\"swagger\": \"2.0\"}", "this is Swagger 2.0; only OpenAPI 3.0, 3.1 and 3.2 are supported", "1:13"),
        ("{\"openapi\": \"4.0.0\"}", "OpenAPI 4.0.0 is not supported; use OpenAPI 3.0, 3.1 or 3.2", "1:13"),
        (
            "{\"openapi\": 3.1}", "\"openapi\" must be a version in quotes, such as \"3.1.0\", but this is a number",
            "1:13"
        ),
        ("[]", "an OpenAPI file must be a JSON object, but this is an array", "1:1"),
        ("openapi: 3.0.0\n", "this text looks like YAML, but the file is read as JSON because of its name", "1:1"),
        ("# c\n---\na: 1", "this text looks like YAML, but the file is read as JSON because of its name", "2:1"),
    ])
    func `says what a file is that it cannot use`(text: String, message: String, position: String) throws {
        let findings = try refusal(["api.json": text])
        #expect(findings.map(\.message) == [message])
        #expect(findings.first?.place?.position.map { "\($0)" } == position)
    }

    @Test func `merges a path's parameters under an operation's`() throws {
        let contract = try contract(
            paths: """
                {"/a/{id}": {
                  "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                                 {"$ref": "#/components/parameters/Page"}],
                  "get": {"parameters": [{"name": "page", "in": "query", "required": true, "schema": true}],
                          "responses": {"200": {"description": ""}}}}}
                """,
            components: """
                {"parameters": {"Page": {"name": "page", "in": "query", "schema": {"type": "integer"}}}}
                """
        )
        let parameters = try #require(contract.operations.first).parameters
        #expect(parameters.map(\.name) == ["page", "id"])
        #expect(parameters.map(\.isRequired) == [true, true])
    }

    @Test func `follows references into other files`() throws {
        let contract = try contract([
            "api.json": document(paths: "{\"/a\": {\"$ref\": \"parts/my%20paths.json#/a~1b\"}}"),
            "parts/my paths.json": """
            {"a/b": {"get": {"responses": {"200": {"$ref": "../answers.json#/ok"}}}}}
            """,
            "answers.json": """
            {"ok": {"description": "Fine", "content": {"application/json": {"schema": {"$ref": "#/s"}}}}, "s": {}}
            """,
        ])
        let response = try #require(contract.operations.first?.response(for: 200))
        #expect(response.summary == "Fine")
        #expect(
            response.content.first?.schema?.uri == "file:///project/answers.json#/ok/content/application~1json/schema"
        )
        #expect(contract.sources.path(of: response.position) == "parts/../answers.json")
        #expect(contract.watched == ["/project/api.json", "/project/parts/my paths.json", "/project/answers.json"])
    }
}
