import JSON
import JSONSchema
import Testing

/// One row for each keyword that can refuse something, in every dialect that words it differently.
@Suite struct `The sentence about a keyword` {
    struct Row: Sendable, CustomTestStringConvertible {
        var keyword: String
        var schema: String
        var value: String
        var sentence: String
        var dialect = SchemaDialect.draft2020

        var testDescription: String { "\(keyword) in \(dialect)" }
    }

    private static let rows = [
        Row(
            keyword: "type",
            schema: #"{"type": "object"}"#,
            value: "[1]",
            sentence: "the value is an array, but the schema requires an object"
        ),
        Row(
            keyword: "enum",
            schema: #"{"enum": [1, {"a": 1}]}"#,
            value: "2",
            sentence: #"the value is 2, but the schema requires one of 1 or {"a":1}"#
        ),
        Row(
            keyword: "const",
            schema: #"{"const": null}"#,
            value: "0",
            sentence: "the value is 0, but the schema requires null"
        ),
        Row(
            keyword: "minimum",
            schema: #"{"minimum": 1}"#,
            value: "0.5",
            sentence: "the value is 0.5, but the schema requires at least 1"
        ),
        Row(
            keyword: "maximum",
            schema: #"{"maximum": 1}"#,
            value: "1.5",
            sentence: "the value is 1.5, but the schema requires at most 1"
        ),
        Row(
            keyword: "exclusiveMinimum",
            schema: #"{"exclusiveMinimum": 1}"#,
            value: "1",
            sentence: "the value is 1, but the schema requires more than 1"
        ),
        Row(
            keyword: "exclusiveMaximum",
            schema: #"{"exclusiveMaximum": 1}"#,
            value: "1",
            sentence: "the value is 1, but the schema requires less than 1"
        ),
        Row(
            keyword: "minimum",
            schema: #"{"minimum": 1, "exclusiveMinimum": true}"#,
            value: "1",
            sentence: "the value is 1, but the schema requires more than 1",
            dialect: .draft4
        ),
        Row(
            keyword: "maximum",
            schema: #"{"maximum": 1, "exclusiveMaximum": true}"#,
            value: "1",
            sentence: "the value is 1, but the schema requires less than 1",
            dialect: .openAPI30
        ),
        Row(
            keyword: "multipleOf",
            schema: #"{"multipleOf": 3}"#,
            value: "4",
            sentence: "the value is 4, but the schema requires a multiple of 3"
        ),
        Row(
            keyword: "minLength",
            schema: #"{"minLength": 2}"#,
            value: #""a""#,
            sentence: "the value has 1 character, but the schema requires at least 2"
        ),
        Row(
            keyword: "maxLength",
            schema: #"{"maxLength": 2}"#,
            value: #""abc""#,
            sentence: "the value has 3 characters, but the schema requires at most 2"
        ),
        Row(
            keyword: "pattern",
            schema: #"{"pattern": "^a"}"#,
            value: #""b""#,
            sentence: #"the value is "b", but the schema requires a text that matches "^a""#
        ),
        Row(
            keyword: "format",
            schema: #"{"format": "date"}"#,
            value: #""today""#,
            sentence: #"the value is "today", but the schema requires a date such as 2026-03-01"#
        ),
        Row(
            keyword: "format",
            schema: #"{"format": "int32"}"#,
            value: "2147483648",
            sentence: "the value is 2147483648, but the schema requires a 32-bit integer",
            dialect: .openAPI30
        ),
        Row(
            keyword: "minItems",
            schema: #"{"minItems": 1}"#,
            value: "[]",
            sentence: "the value has 0 elements, but the schema requires at least 1"
        ),
        Row(
            keyword: "maxItems",
            schema: #"{"maxItems": 1}"#,
            value: "[1, 2]",
            sentence: "the value has 2 elements, but the schema requires at most 1"
        ),
        Row(
            keyword: "uniqueItems",
            schema: #"{"uniqueItems": true}"#,
            value: "[1, 1]",
            sentence: "the elements 0 and 1 in the value are equal, but the schema requires unique elements"
        ),
        Row(
            keyword: "contains",
            schema: #"{"contains": {"const": 1}}"#,
            value: "[2]",
            sentence: "the value has 0 elements matching `contains`, but the schema requires at least 1"
        ),
        Row(
            keyword: "minContains",
            schema: #"{"contains": {"const": 1}, "minContains": 2}"#,
            value: "[1]",
            sentence: "the value has 1 element matching `contains`, but the schema requires at least 2"
        ),
        Row(
            keyword: "maxContains",
            schema: #"{"contains": {"const": 1}, "maxContains": 1}"#,
            value: "[1, 1]",
            sentence: "the value has 2 elements matching `contains`, but the schema requires at most 1"
        ),
        Row(
            keyword: "items",
            schema: #"{"prefixItems": [{}], "items": false}"#,
            value: "[1, 2]",
            sentence: "`[1]` is one element more than the schema allows"
        ),
        Row(
            keyword: "additionalItems",
            schema: #"{"items": [{}], "additionalItems": false}"#,
            value: "[1, 2]",
            sentence: "`[1]` is one element more than the schema allows",
            dialect: .draft7
        ),
        Row(
            keyword: "unevaluatedItems",
            schema: #"{"allOf": [{"prefixItems": [{}]}], "unevaluatedItems": false}"#,
            value: "[1, 2]",
            sentence: "`[1]` is one element more than the schema allows"
        ),
        Row(
            keyword: "minProperties",
            schema: #"{"minProperties": 1}"#,
            value: "{}",
            sentence: "the value has 0 properties, but the schema requires at least 1"
        ),
        Row(
            keyword: "maxProperties",
            schema: #"{"maxProperties": 0}"#,
            value: #"{"a": 1}"#,
            sentence: "the value has 1 property, but the schema requires at most 0"
        ),
        Row(
            keyword: "required",
            schema: #"{"required": ["a"]}"#,
            value: "{}",
            sentence: "`a` is missing, but the schema requires it"
        ),
        Row(
            keyword: "dependentRequired",
            schema: #"{"dependentRequired": {"a": ["b"]}}"#,
            value: #"{"a": 1}"#,
            sentence: "`b` is missing, but the schema requires it when `a` is present"
        ),
        Row(
            keyword: "dependencies",
            schema: #"{"dependencies": {"a": ["b"]}}"#,
            value: #"{"a": 1}"#,
            sentence: "`b` is missing, but the schema requires it when `a` is present",
            dialect: .draft7
        ),
        Row(
            keyword: "additionalProperties",
            schema: #"{"additionalProperties": false}"#,
            value: #"{"a": 1}"#,
            sentence: "`a` is not a property that the schema allows"
        ),
        Row(
            keyword: "unevaluatedProperties",
            schema: #"{"unevaluatedProperties": false}"#,
            value: #"{"a": 1}"#,
            sentence: "`a` is a property that no part of the schema allows"
        ),
        Row(
            keyword: "propertyNames",
            schema: #"{"propertyNames": {"maxLength": 1}}"#,
            value: #"{"ab": 1}"#,
            sentence: #""ab" is not a name that the schema allows in the value"#
        ),
        Row(
            keyword: "not",
            schema: #"{"not": {}}"#,
            value: "1",
            sentence: "the value is 1, which the schema does not allow (`not`)"
        ),
        Row(
            keyword: "oneOf",
            schema: #"{"oneOf": [{}, true]}"#,
            value: "1",
            sentence: "the value matches 2 alternatives in the schema, but must match exactly one"
        ),
        Row(
            keyword: "false",
            schema: #"{"properties": {"a": false}}"#,
            value: #"{"a": 1}"#,
            sentence: "`a` is not allowed by the schema"
        ),
    ]

    @Test(arguments: rows)
    func `says what was found and what is wanted`(row: Row) throws {
        let judged = try Judged(row.value, by: row.schema, dialect: row.dialect, formats: .assertion)
        let leaves = try judged.schema.evaluate(judged.value).leaves
        #expect(leaves.map(\.sentence) == [row.sentence])
        #expect(leaves.map(\.keyword) == [row.keyword])
    }

    @Test(arguments: [
        (##"{"$ref": "#/$defs/a", "minItems": 0, "$defs": {"a": {"type": "string"}}}"##, "$ref"),
        (##"{"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}}}"##, "$dynamicRef"),
        (#"{"allOf": [{}, {"type": "string"}]}"#, "allOf"),
        (#"{"if": true, "then": {"type": "string"}}"#, "then"),
        (#"{"if": false, "else": {"type": "string"}}"#, "else"),
    ])
    func `of a schema around it is followed by the cause`(schema: String, keyword: String) throws {
        let judged = try Judged("1", by: schema)
        let outer = try #require(try judged.schema.evaluate(judged.value).violations.first)
        #expect(outer.keyword == keyword)
        #expect(outer.sentence == "the value does not match this part of the schema")
        #expect(outer.causes.map(\.sentence) == ["the value is 1, but the schema requires a string"])
        #expect(try judged.sentences == ["the value is 1, but the schema requires a string"])
    }

    @Test func `names the property on which a schema depends`() throws {
        let judged = try Judged(#"{"a": 1}"#, by: #"{"dependentSchemas": {"a": {"required": ["b"]}}}"#)
        let outer = try #require(try judged.schema.evaluate(judged.value).violations.first)
        #expect(outer.keyword == "dependentSchemas")
        #expect(outer.causes.map(\.sentence) == ["`b` is missing, but the schema requires it"])
    }
}
