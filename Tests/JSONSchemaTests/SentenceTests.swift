import JSON
import JSONSchema
import Testing

/// The words are what people read, so they are tested as they are.
@Suite struct `A violation` {
    struct Case: Sendable, CustomTestStringConvertible {
        var schema: String
        var value: String
        var sentences: [String]

        init(_ schema: String, _ value: String, _ sentences: String...) {
            (self.schema, self.value, self.sentences) = (schema, value, sentences)
        }

        var testDescription: String { "\(value) by \(schema)" }
    }

    private static func leaves(_ schema: String, _ value: String, dialect: SchemaDialect = .draft2020) throws
        -> [SchemaViolation]
    {
        let schema = try Schema.compile(JSONParser().parse(schema).root, dialect: dialect, formats: .assertion)
        return try schema.evaluate(JSONParser().parse(value).root).leaves
    }

    @Test(arguments: [
        Case(
            #"{"properties": {"data": {"properties": {"planId": {"type": "integer"}}}}}"#,
            #"{"data": {"planId": null}}"#,
            "`data.planId` is null, but the schema requires an integer"
        ),
        Case(#"{"type": ["string", "null"]}"#, "1", "the value is 1, but the schema requires a string or null"),
        Case(#"{"enum": ["a", "b", null]}"#, "1", #"the value is 1, but the schema requires one of "a", "b" or null"#),
        Case(#"{"const": 3}"#, "[]", "the value is an empty array, but the schema requires 3"),
        Case(#"{"minimum": 5}"#, "3", "the value is 3, but the schema requires at least 5"),
        Case(#"{"exclusiveMaximum": 5}"#, "5", "the value is 5, but the schema requires less than 5"),
        Case(#"{"multipleOf": 0.01}"#, "0.015", "the value is 0.015, but the schema requires a multiple of 0.01"),
        Case(#"{"items": {"minLength": 2}}"#, #"["é"]"#, "`[0]` has 1 character, but the schema requires at least 2"),
        Case(#"{"maxItems": 1}"#, "[1, 2]", "the value has 2 elements, but the schema requires at most 1"),
        Case(
            #"{"uniqueItems": true}"#,
            "[1, 2, 1.0]",
            "the elements 0 and 2 in the value are equal, but the schema requires unique elements"
        ),
        Case(#"{"required": ["a", "b"]}"#, #"{"a": 1}"#, "`b` is missing, but the schema requires it"),
        Case(
            #"{"properties": {"a": {}}, "additionalProperties": false}"#,
            #"{"x y": 1}"#,
            "`/x y` is not a property that the schema allows"
        ),
        Case(
            #"{"dependentRequired": {"a": ["b"]}}"#,
            #"{"a": 1}"#,
            "`b` is missing, but the schema requires it when `a` is present"
        ),
        Case(#"{"not": {"type": "string"}}"#, #""x""#, #"the value is "x", which the schema does not allow (`not`)"#),
        Case("false", "1", "the value is not allowed by the schema"),
        Case(
            #"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            "1",
            "the value is 1, but the schema requires a string or null"
        ),
        Case(
            #"{"oneOf": [{"minimum": 1}, {"minimum": 2}]}"#,
            "3",
            "the value matches 2 alternatives in the schema, but must match exactly one"
        ),
        Case(
            #"{"anyOf": [{"properties": {"kind": {"const": "a"}, "n": {"type": "string"}}}, {"properties": {"kind": {"const": "b"}, "n": {"type": "integer"}}}]}"#,
            #"{"kind": "b", "n": null}"#,
            "`n` is null, but the schema requires an integer"
        ),
        Case(
            #"{"properties": {"b": {"type": "string"}, "a": {"type": "string"}}}"#,
            #"{"a": 1, "b": 2}"#,
            "`a` is 1, but the schema requires a string",
            "`b` is 2, but the schema requires a string"
        ),
        Case(
            #"{"allOf": [{"type": "string"}, {"type": "string"}]}"#,
            "1",
            "the value is 1, but the schema requires a string"
        ),
    ])
    func `says what was found and what is wanted`(example: Case) throws {
        #expect(try Self.leaves(example.schema, example.value).map(\.sentence) == example.sentences)
    }

    @Test func `knows its places in the instance and in the schema`() throws {
        let schema = "{\n  \"properties\": {\"a\": {\n    \"type\": \"string\"}}}"
        let leaf = try #require(try Self.leaves(schema, "{\n \"a\": 1}").first)
        #expect(leaf.instance.description == "/a")
        #expect(leaf.instancePosition.description == "2:7")
        #expect(leaf.schema == "backlot:schema#/properties/a/type")
        #expect(leaf.schemaPosition.description == "3:5")
    }

    @Test(arguments: [
        (#"{"enum": ["active", "blocked"]}"#, #""actve""#, #"did you mean "active"?"#),
        (
            #"{"properties": {"planId": {}}, "additionalProperties": false}"#, #"{"planID": 1}"#,
            #"did you mean "planId"?"#
        ),
        (#"{"required": ["planId"]}"#, #"{"planID": 1}"#, "`planID` may be meant"),
    ])
    func `guesses what was meant`(schema: String, value: String, advice: String) throws {
        #expect(try Self.leaves(schema, value).first?.advice == advice)
    }
}
