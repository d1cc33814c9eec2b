import Basics
import JSON
import JSONSchema
import OpenAPI
import TestSupport
import Testing

@Suite struct `References of a contract` {
    private func told(response: String, components: String = "{}", files: [String: String] = [:]) throws -> [String] {
        var files = files
        files["api.json"] = document(
            paths: "{\"/a\": {\"get\": {\"responses\": {\"200\": \(response)}}}}",
            components: components
        )
        return try contract(files).findings.map(\.told)
    }

    private static let pointer = "/paths/~1a/get/responses/200/$ref"

    @Test(arguments: [
        (
            "#/components/responses/Okay",
            "\"#/components/responses/Okay\" cannot be resolved: there is no such member in /components/responses;"
                + " did you mean \"Okey\"?"
        ),
        (
            "https://example.com/a.json#/x",
            "\"https://example.com/a.json\" is on another machine, and Backlot does not download files; save a copy, and specify the"
                + " copy with --map https://example.com/a.json=FILE"
        ),
        (
            "//example.com/a.json",
            "\"//example.com/a.json\" is on another machine, and Backlot does not download files; save a copy, and specify the"
                + " copy with --map //example.com/a.json=FILE"
        ),
        (
            "file:///etc/passwd",
            "\"file:///etc/passwd\" is not a relative path; references must be relative to this file"
        ),
        (
            "/etc/passwd#/x", "\"/etc/passwd\" is an absolute path; references must be relative to this file"
        ),
        ("other.jsn#/x", "there is no file \"other.jsn\"; did you mean \"other.json\"?"),
        ("../outside.json#/x", "\"../outside.json\" is outside the project folder"),
        ("#Okay", "\"#Okay\" is an anchor, but only schemas can have anchors"),
        ("%zz.json", "\"%zz.json\" cannot be percent-decoded"),
    ])
    func `are told when they lead nowhere`(reference: String, sentence: String) throws {
        let findings = try told(
            response: "{\"$ref\": \"\(reference)\"}",
            components: "{\"responses\": {\"Okey\": {\"description\": \"\"}}}",
            files: ["other.json": "{}", "/outside.json": "{}"]
        )
        #expect(findings == ["error contract/unresolvable-reference \(Self.pointer) \(sentence)"])
    }

    @Test func `are told when they lead from one to another very often`() throws {
        let chain = (0..<300).map { "\"R\($0)\": {\"$ref\": \"#/components/responses/R\($0 + 1)\"}" }
        let findings = try told(
            response: "{\"$ref\": \"#/components/responses/R0\"}",
            components: "{\"responses\": {\(chain.joined(separator: ",")), \"R300\": {\"description\": \"\"}}}"
        )
        #expect(findings.count > 150)
        #expect(findings.allSatisfy { $0.contains("leads to a chain of more than a hundred references") })
    }

    @Test func `are told when they lead back to themselves`() throws {
        let findings = try told(
            response: "{\"$ref\": \"#/components/responses/A\"}",
            components: """
                {"responses": {"A": {"$ref": "#/components/responses/B"}, "B": {"$ref": "#/components/responses/A"}}}
                """
        )
        #expect(findings.count == 3)
        #expect(findings.allSatisfy { $0.hasPrefix("error contract/circular-reference ") })
    }

    @Test func `are told when they lead to another kind of thing`() throws {
        let findings = try told(
            response: "{\"$ref\": \"#/components/schemas/A\"}",
            components: "{\"schemas\": {\"A\": {\"type\": \"string\"}}}"
        )
        #expect(
            findings.first
                == "error contract/wrong-reference \(Self.pointer) \"#/components/schemas/A\" refers to an entry in \"schemas\","
                + " but a response is expected"
        )
    }

    @Test func `are told inside of schemas`() throws {
        let contract = try contract(
            paths: "{}",
            components: "{\"schemas\": {\"User\": {\"$ref\": \"#/components/schemas/Usr\"}, \"Usre\": {}}}"
        )
        #expect(
            contract.findings.map(\.told) == [
                "error contract/unresolvable-reference /components/schemas/User/$ref \"#/components/schemas/Usr\" cannot be resolved:"
                    + " there is no such member in /components/schemas; did you mean \"User\"?"
            ]
        )
        #expect(!contract.lint().contains { $0.severity == .error })
    }

    @Test func `may go round between files`() throws {
        let contract = try contract([
            "api.json": document(
                paths: """
                    {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json":
                      {"schema": {"$ref": "node.json#/Node"}}}}}}}}
                    """,
                components: "{\"schemas\": {\"Leaf\": {\"type\": \"string\"}}}"
            ),
            "node.json": """
            {"Node": {"type": "object", "properties": {"next": {"$ref": "#/Node"},
              "leaf": {"$ref": "api.json#/components/schemas/Leaf"}}}}
            """,
        ])
        #expect(contract.findings.isEmpty)
        #expect(contract.lint().isEmpty)
        #expect(contract.watched == ["/project/api.json", "/project/node.json"])
        let schema = try #require(contract.operations.first?.responses.first?.content.first?.schema)
        let compiled = try #require(contract.schemas.schema(schema))
        let parser = JSONParser()
        #expect(try compiled.accepts(parser.parse("{\"next\": {\"leaf\": \"x\"}}").root))
        #expect(try !compiled.accepts(parser.parse("{\"next\": {\"leaf\": 1}}").root))
    }

    @Test(arguments: ["my%20types.json", "my types.json", "./my%20types.json", "sub/../my%20types.json"])
    func `may spell a file's name in several ways`(name: String) throws {
        let contract = try contract([
            "api.json": document(paths: "{}", components: "{\"schemas\": {\"A\": {\"$ref\": \"\(name)#/A\"}}}"),
            "my types.json": "{\"A\": {\"type\": \"string\"}}",
            "sub/x.json": "{}",
        ])
        #expect(contract.findings.isEmpty)
        #expect(contract.lint().isEmpty)
    }

    @Test func `may lead to files that are no JSON, which is told once`() throws {
        let findings = try told(
            response: "{\"$ref\": \"bad.json#/a\"}",
            components: "{\"responses\": {\"B\": {\"$ref\": \"bad.json#/b\"}}}",
            files: ["bad.json": "{\n  \"a\": }"]
        )
        #expect(findings.filter { $0.contains("json/syntax") }.count == 1)
        let missing = findings.filter { $0.contains("cannot be used, so its content is not available here") }
        #expect(missing.count == 1)
        #expect(missing.first?.contains("(and at 1 more place)") == true)
    }
}
