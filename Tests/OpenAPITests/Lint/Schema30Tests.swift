import Basics
import HTTPCodec
import OpenAPI
import TestSupport
import Testing

/// What a schema object of OpenAPI 3.0 cannot say (3.0.3, section 4.7.24), and later versions can.
@Suite struct `A schema of OpenAPI 3.0` {
    @Test(arguments: [("[1]", true), ("[]", true), ("1", false), ("{\"a\": 1}", false)])
    func `of 3.1 has an array of examples`(examples: String, isArray: Bool) throws {
        let found = try told("{\"examples\": \(examples)}", version: "3.1.0").filter { $0.contains("invalid-keyword") }
        let finding =
            "error contract/invalid-keyword /components/schemas/A/examples \"examples\" requires an array of values"
        #expect(found == (isArray ? [] : [finding]))
    }

    private func told(_ schema: String, version: String) throws -> [String] {
        let contract = try contract(paths: "{}", components: "{\"schemas\": {\"A\": \(schema)}}", version: version)
        return (contract.findings + contract.lint()).map(\.told)
    }

    /// Schemas of `Sheets/schemas-3.0.txt`, with the findings in 3.0 and those of them that 3.1 has as well.
    @Test func `is refused where only later versions allow it`() throws {
        let sheet = Project.folder + "/Tests/OpenAPITests/Sheets/schemas-3.0.txt"
        let differences = try SheetExample.differences(from: sheet, count: 23) { example in
            let schema = try #require(example.files.first).text
            func lines(_ version: String) throws -> [String] {
                try told(schema, version: version).map { $0.replacing(" /components/schemas/A", with: " ") }
            }
            let found = try lines("3.0.3")
            return found.map { "3.0: \($0)" } + (try lines("3.1.0").filter(found.contains).map { "3.1: \($0)" })
        }
        #expect(differences == [])
    }

    @Test(arguments: [
        #"{"additionalProperties": true}"#, #"{"additionalProperties": false}"#, #"{"type": "array", "items": {}}"#,
        #"{"minimum": 1, "exclusiveMinimum": true}"#, #"{"readOnly": true, "writeOnly": false}"#,
        #"{"discriminator": {"propertyName": "a"}}"#, #"{"x-zzz": 1}"#,
        #"{"nullable": true, "type": "string", "enum": ["a", null]}"#, #"{"xml": {"name": "a", "attribute": true}}"#,
        ##"{"properties": {"a": {"$ref": "#/components/schemas/A", "zzz": 1, "type": "array"}}}"##,
    ]) func `is accepted where it is one`(schema: String) throws {
        #expect(try told(schema, version: "3.0.3") == [])
    }

    @Test(arguments: [
        (#"{"type": ["string", "null"]}"#, "null", true), (#"{"type": ["string", "null"]}"#, "1", false),
        (#"{"exclusiveMinimum": 1}"#, "1", false), (#"{"exclusiveMinimum": 1}"#, "1.5", true),
        (#"{"type": "array"}"#, "[1]", true), (#"{"type": "null"}"#, "null", true),
    ]) func `still judges values as it is meant`(schema: String, value: String, isValid: Bool) throws {
        let exchange = try JudgedExchange(
            "get",
            #""responses": {"200": {"description": "", "content": {"application/json": {"schema": \#(schema)}}}}"#,
            version: "3.0.3"
        )
        let fields: HTTPFields = ["Content-Type": "application/json"]
        #expect(try exchange.violations(ofResponse: 200, fields, body: value).isEmpty == isValid)
    }
}
