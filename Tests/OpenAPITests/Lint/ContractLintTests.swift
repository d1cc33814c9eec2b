import Basics
import OpenAPI
import TestSupport
import Testing

@Suite struct `The lint of a contract` {
    private static let ok = "\"responses\": {\"200\": {\"description\": \"\"}}"

    private func told(paths: String, components: String = "{}", more: String = "", version: String = "3.1.0") throws
        -> [String]
    {
        try contract(paths: paths, components: components, more: more, version: version).lint().map(\.told)
    }

    @Test func `finds paths that collide`() throws {
        let item =
            "{\"get\": {\(Self.ok), \"parameters\": [{\"name\": \"%\", \"in\": \"path\", \"required\": true, \"schema\": {}}]}}"
        let findings = try told(
            paths: """
                {"/a/{x}": \(item.replacing("%", with: "x")),
                 "/a/{y}": \(item.replacing("%", with: "y")),
                 "/a/{y}.json": \(item.replacing("%", with: "y"))}
                """
        )
        #expect(
            findings == [
                "error contract/path-collision /paths/~1a~1{y} \"/a/{y}\" matches the same requests as \"/a/{x}\" on line 2;"
                    + " keep one path, and move the other path's operations to that path"
            ]
        )
    }

    @Test func `finds parameters that do not agree with their path`() throws {
        let findings = try told(
            paths: """
                {"/a/{userId}": {"get": {\(Self.ok),
                  "parameters": [{"name": "userID", "in": "path", "required": true, "schema": {}}]}}}
                """
        )
        #expect(
            findings == [
                "error contract/undeclared-path-parameter /paths/~1a~1{userId}/get no parameter describes \"{userId}\" in"
                    + " the path; did you mean the parameter \"userID\"?",
                "error contract/unused-path-parameter /paths/~1a~1{userId}/get/parameters/0 the path \"/a/{userId}\" contains"
                    + " no \"{userID}\"; did you mean \"userId\"?",
            ]
        )
    }

    @Test func `finds ids that several operations have`() throws {
        let findings = try told(
            paths:
                "{\"/a\": {\"get\": {\(Self.ok), \"operationId\": \"x\"}, \"put\": {\(Self.ok), \"operationId\": \"x\"}}}"
        )
        #expect(
            findings == [
                "error contract/duplicate-operation-id /paths/~1a/put/operationId \"x\" is already the id of GET /a"
            ]
        )
    }

    @Test(arguments: [
        ("\"401\": {\"description\": \"\"}", false), ("\"4XX\": {\"description\": \"\"}", false),
        ("\"default\": {\"description\": \"\"}", false), ("\"403\": {\"description\": \"\"}", false),
        ("\"419\": {\"description\": \"\"}", false), ("\"444\": {\"description\": \"Token has expired\"}", false),
        ("\"404\": {\"description\": \"Not found\"}", true), ("\"5XX\": {\"description\": \"\"}", true),
    ])
    func `misses an answer for missing credentials`(response: String, isMissed: Bool) throws {
        let findings = try told(
            paths: "{\"/a\": {\"get\": {\"responses\": {\(response)}}}}",
            components: "{\"securitySchemes\": {\"b\": {\"type\": \"http\", \"scheme\": \"bearer\"}}}",
            more: "\"security\": [{\"b\": []}],"
        )
        #expect(findings.contains { $0.contains("contract/no-unauthorized-response") } == isMissed)
    }

    @Test(arguments: ["[]", "[{\"b\": []}, {}]"])
    func `lets an operation be open that says so`(security: String) throws {
        let findings = try told(
            paths: "{\"/a\": {\"get\": {\"security\": \(security), \(Self.ok)}}}",
            components: "{\"securitySchemes\": {\"b\": {\"type\": \"http\", \"scheme\": \"bearer\"}}}",
            more: "\"security\": [{\"b\": []}],"
        )
        #expect(!findings.contains { $0.contains("contract/no-unauthorized-response") })
    }

    @Test func `finds components that nothing uses`() throws {
        let findings = try told(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema":
                  {"$ref": "#/components/schemas/Animal"}}}}}}}}
                """,
            components: """
                {"schemas": {
                  "Animal": {"type": "object", "discriminator": {"propertyName": "kind"}},
                  "Dog": {"allOf": [{"$ref": "#/components/schemas/Animal"}]},
                  "Car": {"properties": {"wheel": {"$ref": "#/components/schemas/Wheel"}}},
                  "Wheel": {"properties": {"car": {"$ref": "#/components/schemas/Car"}}}}}
                """
        )
        #expect(
            findings == [
                "note contract/unused-component /components/schemas/Car nothing uses \"Car\" in the schemas",
                "note contract/unused-component /components/schemas/Wheel nothing uses \"Wheel\" in the schemas",
            ]
        )
    }

    @Test(arguments: [
        (
            "{\"type\": \"object\", \"required\": [\"next\"], \"properties\": {\"next\": {\"$ref\": \"#/components/schemas/A\"}}}",
            true
        ),
        ("{\"type\": \"object\", \"properties\": {\"next\": {\"$ref\": \"#/components/schemas/A\"}}}", false),
        (
            "{\"type\": [\"object\", \"null\"], \"required\": [\"next\"], \"properties\": {\"next\": {\"$ref\": \"#/components/schemas/A\"}}}",
            false
        ),
        ("{\"$ref\": \"#/components/schemas/A\"}", true),
        ("{\"allOf\": [{\"$ref\": \"#/components/schemas/A\"}]}", true),
        ("{\"oneOf\": [{\"$ref\": \"#/components/schemas/A\"}, {\"type\": \"string\"}]}", false),
        ("{\"anyOf\": [{\"$ref\": \"#/components/schemas/A\"}]}", true),
        ("{\"type\": \"array\", \"items\": {\"$ref\": \"#/components/schemas/A\"}}", false),
        ("{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": \"#/components/schemas/A\"}}", true),
    ])
    func `finds schemas that need themselves`(schema: String, isEndless: Bool) throws {
        let findings = try told(paths: "{}", components: "{\"schemas\": {\"A\": \(schema)}}")
        #expect(findings.contains { $0.hasPrefix("error contract/endless-schema /components/schemas/A") } == isEndless)
    }

    @Test(arguments: [
        (#"{"type": "integer", "minimum": 2, "maximum": 1}"#, "no integer is at least 2 and at most 1"),
        (#"{"type": "string", "minLength": 2, "maxLength": 1}"#, "minLength 2 is greater than maxLength 1"),
        (#"{"allOf": [{"type": "string"}, {"type": "integer"}]}"#, "the keywords exclude every type"),
        (#"{"type": "string", "enum": [1, 2]}"#, "no value in enum or const matches the other keywords"),
        (#"{"type": ["string", "null"], "minLength": 2, "maxLength": 1}"#, nil), ("false", nil),
        (#"{"type": "object", "properties": {"a": false}}"#, nil), (#"{"type": "string", "not": {}}"#, nil),
        (#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}"#, nil),
    ])
    func `finds schemas without values`(schema: String, sentence: String?) throws {
        let findings = try told(paths: "{}", components: "{\"schemas\": {\"A\": \(schema)}}")
            .filter { $0.contains("empty-schema") }
        #expect(
            findings
                == (sentence.map {
                    ["warning contract/empty-schema /components/schemas/A no value matches this schema: \($0)"]
                } ?? [])
        )
    }

    @Test func `tells the way round once`() throws {
        let findings = try told(
            paths: "{}",
            components: """
                {"schemas": {
                  "A": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/components/schemas/B"}}},
                  "B": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/components/schemas/A"}}}}}
                """
        )
        .filter { $0.contains("endless") }
        #expect(findings.count == 1)
        #expect(findings.first?.contains("→ #/components/schemas/") == true)
    }

    @Test func `reports examples that could not be validated`() throws {
        let divisor = String(repeating: "7", count: 20_000)
        let example = String(repeating: "3", count: 20_001) + "e9999"
        let findings = try contract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
                  "schema": {"multipleOf": \(divisor)}, "example": \(example)}}}}}}}
                """
        )
        .lint()
        #expect(findings.map(\.id) == ["contract/undecided"])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.first?.message.utf8.starts(with: "the example could not be validated: ".utf8) == true)
    }

    @Test(arguments: [
        ("int32", "2147483648", "an int32, which ranges from -2147483648 to 2147483647"), ("int32", "2147483647", nil),
        ("int64", "9223372036854775808", "an int64, which ranges from -9223372036854775808 to 9223372036854775807"),
        ("money", "2147483648", nil),
    ]) func `finds numbers that their format cannot hold`(format: String, value: String, sentence: String?) throws {
        let findings = try told(
            paths: "{}",
            components: """
                {"schemas": {"A": {"type": "integer", "format": "\(format)", "default": \(value)}}}
                """
        )
        .filter { !$0.contains("unused-component") }
        #expect(findings.count == (sentence == nil ? 0 : 1))
        guard let sentence else { return }
        #expect(
            findings.first?.hasPrefix(
                "warning contract/invalid-default /components/schemas/A/default the default is not \(sentence); the schema is at"
            ) == true
        )
    }

    @Test(arguments: [
        (#"{"properties": {"a": {}}}"#, "a", false), (#"{"properties": {"a": {}}}"#, "b", true),
        (#"{"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}"#, "b", false),
        (#"{"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}"#, "b", false),
        (#"{"additionalProperties": {"type": "string"}}"#, "b", false),
        (#"{"patternProperties": {"^b": {}}}"#, "b", false), (#"{"patternProperties": {"^b": {}}}"#, "a", true),
    ]) func `finds encodings of properties that are not there`(schema: String, name: String, isFound: Bool) throws {
        let findings = try told(
            paths: """
                {"/a": {"post": {\(Self.ok), "requestBody": {"content": {"multipart/form-data": {
                  "schema": \(schema), "encoding": {"\(name)": {"contentType": "text/plain"}}}}}}}}
                """
        )
        let finding =
            "warning contract/unknown-property /paths/~1a/post/requestBody/content/multipart~1form-data/encoding/\(name) the"
            + " schema defines no property \"\(name)\", so this encoding has no effect"
        #expect(findings == (isFound ? [finding] : []))
    }

    @Test(arguments: [
        (#"{"required": ["nmae"], "properties": {"name": {}, "age": {}}}"#, true),
        // Another one may be on purpose, and names none of the properties.
        (#"{"required": ["owner"], "properties": {"name": {}}}"#, false),
        (#"{"required": ["names", "name"], "properties": {"name": {}}}"#, false),
        (#"{"required": ["nmae"], "properties": {"name": {}}, "additionalProperties": {}}"#, false),
        (#"{"required": ["nmae"], "properties": {"name": {}}, "allOf": [{"properties": {"nmae": {}}}]}"#, false),
        (#"{"allOf": [{"required": ["nmae"], "properties": {"name": {}}}, {"properties": {"nmae": {}}}]}"#, false),
        (##"{"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"nmae": {}}}]}"##, false),
        (##"{"items": {"$ref": "#/components/schemas/B"}}"##, true),
    ]) func `finds required properties that are misspelt`(schema: String, isFound: Bool) throws {
        let other = schema.contains("$ref") ? #", "B": {"required": ["nmae"], "properties": {"name": {}}}"# : ""
        let findings = try told(paths: "{}", components: #"{"schemas": {"A": \#(schema)\#(other)}}"#)
            .filter { !$0.contains("unused-component") }
        #expect(findings.count == (isFound ? 1 : 0), "\(findings)")
        let end = #"the schema defines no property "nmae", which "required" lists"#
        #expect(findings.allSatisfy { $0.hasPrefix("warning contract/unknown-property") && $0.contains(end) })
    }

    @Test func `finds examples that their schemas refuse`() throws {
        let findings = try contract(
            paths: """
                {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
                  "schema": {"type": "object", "properties": {"n": {"type": "integer", "default": "none"}}},
                  "examples": {"good": {"value": {"n": 1}}, "bad": {"value": {"n": "1"}}}}}}}}}}
                """
        )
        .lint()
        #expect(findings.map(\.id) == ["contract/invalid-default", "contract/invalid-example"])
        #expect(findings.map(\.severity) == [.warning, .error])
        #expect(
            findings.last?.place?.pointer
                == "/paths/~1a/get/responses/200/content/application~1json/examples/bad/value/n"
        )
        #expect(findings.last?.place?.operation == "GET /a")
    }
}
