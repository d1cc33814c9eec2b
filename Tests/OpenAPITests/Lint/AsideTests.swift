import Basics
import OpenAPI
import TestSupport
import Testing

/// What is no request to the API, and blemishes that cost less than they seem to.
@Suite struct `Beside the operations of a contract` {
    private static let hook = """
        {"post": {"requestBody": {"content": {"application/json": {
          "schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "pattern": "("}}},
          "example": {"no": 1}}}}, "responses": {"200": {"description": "d", "content": {"application/json": {
          "schema": {"type": "integer"}, "example": "one"}}}}}}
        """

    @Test(arguments: [
        (#""webhooks": {"w": %},"#, "{}", "POST webhook w"),
        (
            "", #"{"/a": {"get": {"responses": {"200": {"description": "d"}}, "callbacks": {"c": {"{$url}": %}}}}}"#,
            "POST callback {$url}"
        ),
        (#""components": {"pathItems": {"p": %}},"#, "{}", "POST path item p"),
        (#""components": {"callbacks": {"c": {"{$url}": %}}},"#, "{}", "POST callback {$url}"),
    ])
    func `finds wrong examples and schemas under webhooks and callbacks`(
        more: String,
        paths: String,
        label: String
    ) throws {
        let text = """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, \(more.replacing("%", with: Self.hook))
            "paths": \(paths.replacing("%", with: Self.hook))}
            """
        let findings = try contract(["api.json": text]).lint().filter { $0.severity == .error }
        #expect(findings.map(\.id).sorted() == ["contract/invalid-example", "contract/invalid-pattern"])
        #expect(findings.first { $0.id == "contract/invalid-example" }?.place?.operation == label)
    }

    @Test func `reads callbacks that refer to themselves`() throws {
        let loop = """
            {"post": {"responses": {"200": {"description": "d"}}, "callbacks": {"c": {"$ref": "#/components/callbacks/c"}}}}
            """
        let findings = try contract(
            paths: "{\"/a\": \(loop)}",
            components: "{\"callbacks\": {\"c\": {\"u\": \(loop)}}}"
        )
        .lint()
        #expect(findings.allSatisfy { $0.severity != .error })
    }

    @Test(arguments: [
        ("3.1.0", #"{"default": "x", "enum": []}"#, Finding.Severity.error, "is empty"),
        ("3.1.0", #"{"default": "us", "enum": ["eu", "as"]}"#, .error, #"which contains "eu" and "as""#),
        ("3.0.3", #"{"default": "us", "enum": ["eu"]}"#, .warning, #"which contains "eu""#),
    ])
    func `finds a server's variable without its default`(
        version: String,
        variable: String,
        severity: Finding.Severity,
        words: String
    ) throws {
        let servers = #""servers": [{"url": "https://{r}.example.com", "variables": {"r": \#(variable)}}],"#
        let findings = try contract(paths: "{}", more: servers, version: version).findings
        #expect(findings.map(\.id) == ["contract/bad-value"])
        #expect(findings.first?.severity == severity && findings.first?.message.contains(words) == true)
        let fine = servers.replacing(variable, with: #"{"default": "eu", "enum": ["eu"]}"#)
        #expect(try contract(paths: "{}", more: fine, version: version).findings.isEmpty)
    }

    @Test func `warns of a misspelt keyword, which may be the author's own`() throws {
        let findings = try contract(paths: "{}", components: #"{"schemas": {"A": {"propertys": {}}}}"#).findings
        #expect(findings.map(\.id) == ["contract/misspelt-keyword"])
        #expect(findings.first?.severity == .warning)
        #expect(findings.first?.advice == "did you mean \"properties\"?")
    }

    @Test(arguments: [("3.0.3", "true", 0), ("3.1.0", "true", 1), ("3.2.0", "true", 1), ("3.1.0", "false", 0)])
    func `warns of nullable where it means nothing`(version: String, value: String, count: Int) throws {
        let components = #"{"schemas": {"A": {"type": "string", "nullable": \#(value)}}}"#
        let findings = try contract(paths: "{}", components: components, version: version).findings
        #expect(findings.map(\.id) == Array(repeating: "contract/unknown-keyword", count: count))
        #expect(findings.allSatisfy { $0.severity == .warning && $0.advice != nil })
    }

    @Test func `uses a schema that requires a name twice, and tells of it`() throws {
        let loaded = try contract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
                  "schema": {"type": "object", "required": ["id", "id"]}, "example": {}}}}}}}}
                """
        )
        #expect(loaded.lint().map(\.id).sorted() == ["contract/invalid-example", "contract/invalid-keyword"])
    }
}

@Suite struct `The places of a contract in YAML` {
    /// A mapping begins where its first key does.
    @Test func `point to the mapping and not to its first key`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: "1"}
            security: [{key: []}]
            paths:
              /a:
                get:
                  summary: s
                  responses:
                    "200":
                      description: d
            components:
              schemas:
                Unused:
                  type: strin
              securitySchemes:
                key: {type: http, scheme: basic}
            """
        let files = MemoryFiles(["api.yaml": text])
        let project = try #require(ProjectRoot("/project", files: files))
        let findings = try ContractLoader(files: files, project: project).load("api.yaml").lint()
        let pointers = Dictionary(findings.map { ($0.id, $0.place?.pointer) }) { first, _ in first }
        #expect(pointers["contract/no-unauthorized-response"] == "/paths/~1a/get")
        #expect(pointers["contract/unused-component"] == "/components/schemas/Unused")
        #expect(pointers["contract/invalid-keyword"] == "/components/schemas/Unused/type")
    }
}
