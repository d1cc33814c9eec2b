import JSON
import JSONSchema
import Testing

@Suite struct `OpenAPI 3.0` {
    @Test(arguments: [
        ##"{"nullable": true, "$ref": "#/components/schemas/A"}"##,
        ##"{"nullable": true, "anyOf": [{"$ref": "#/components/schemas/A"}]}"##,
        ##"{"nullable": true, "allOf": [{"$ref": "#/components/schemas/A"}]}"##,
        ##"{"nullable": true, "oneOf": [{"$ref": "#/components/schemas/A"}]}"##,
        #"{"nullable": true, "enum": ["a"]}"#,
        #"{"nullable": true, "type": "string"}"#,
        #"{"nullable": true, "type": "object", "required": ["a"]}"#,
        #"{"nullable": true}"#,
        #"{}"#,
    ])
    func `lets null through where a schema is nullable, whatever stands beside it`(schema: String) throws {
        let inner = schema.dropLast() + (schema.count > 2 ? "," : "")
        let text = inner + #""components": {"schemas": {"A": {"type": "string"}}}}"#
        #expect(try Judged("null", by: String(text), dialect: .openAPI30).isValid)
    }

    @Test(arguments: [
        #"{"nullable": false, "type": "string"}"#, #"{"type": "string"}"#, #"{"enum": ["a"]}"#,
    ])
    func `refuses null elsewhere`(schema: String) throws {
        #expect(try !Judged("null", by: schema, dialect: .openAPI30).isValid)
    }

    @Test(arguments: [
        ("5", false), ("5.1", true), ("6", true), ("7", false), ("4", false),
    ])
    func `reads exclusive limits as flags`(value: String, isValid: Bool) throws {
        let schema = #"{"minimum": 5, "exclusiveMinimum": true, "maximum": 7, "exclusiveMaximum": true}"#
        #expect(try Judged(value, by: schema, dialect: .openAPI30).isValid == isValid)
    }

    @Test func `takes a flag without a limit, and a limit whose flag is off`() throws {
        #expect(try Judged("0", by: #"{"exclusiveMinimum": true}"#, dialect: .openAPI30).isValid)
        #expect(try Judged("5", by: #"{"minimum": 5, "exclusiveMinimum": false}"#, dialect: .openAPI30).isValid)
    }

    @Test func `knows no keywords of later drafts`() throws {
        let schema =
            #"{"const": 1, "if": true, "then": false, "propertyNames": false, "patternProperties": {"a": false}}"#
        #expect(try Judged(#"{"a": 1}"#, by: schema, dialect: .openAPI30).isValid)
    }

    @Test func `ignores what stands beside a reference`() throws {
        let schema =
            ##"{"properties": {"a": {"$ref": "#/definitions/A", "minimum": 5}}, "definitions": {"A": {"type": "integer"}}}"##
        #expect(try Judged(#"{"a": 1}"#, by: schema, dialect: .openAPI30).isValid)
        #expect(try !Judged(#"{"a": "1"}"#, by: schema, dialect: .openAPI30).isValid)
    }

    private static let email = #"{"type": "string", "format": "email"}"#

    private static let alternatives: [(other: String, value: String, isValid: Bool)] = [
        (#"{"type": "string", "maxLength": 0}"#, #""""#, true),
        (#"{"type": "string", "maxLength": 0}"#, #""a@b.example""#, true),
        (#"{"type": "string", "maxLength": 0}"#, "1", false),
        (#"{"type": "string", "format": "email"}"#, #""a@b.example""#, false),
        (#"{"type": "string", "format": "uuid"}"#, #""a@b.example""#, true),
        (#"{"type": "string", "format": "uuid"}"#, #""neither""#, false),
        (#"{"type": "string", "format": "of-ours"}"#, #""neither""#, true),
    ]

    @Test(arguments: alternatives, [SchemaDialect.openAPI30, .openAPI31])
    func `decides by their formats between alternatives`(
        entry: (other: String, value: String, isValid: Bool),
        dialect: SchemaDialect
    ) throws {
        let schema = #"{"oneOf": [\#(Self.email), \#(entry.other)]}"#
        let judged = try Judged(entry.value, by: schema, dialect: dialect)
        #expect(try judged.isValid == entry.isValid)
        #expect(try judged.sentences.isEmpty == entry.isValid)
        let nested = try Judged(#"{"a": \#(entry.value)}"#, by: #"{"properties": {"a": \#(schema)}}"#, dialect: dialect)
        #expect(try nested.isValid == entry.isValid)
    }

    @Test func `leaves formats to JSON Schema elsewhere`() throws {
        let schema = #"{"oneOf": [\#(Self.email), {"type": "string", "maxLength": 0}]}"#
        #expect(try !Judged(#""""#, by: schema).isValid)
        #expect(try Judged(#""no address""#, by: Self.email, dialect: .openAPI31).isValid)
    }

    @Test func `takes 1.0 as an integer`() throws {
        #expect(try Judged("1.0", by: #"{"type": "integer"}"#, dialect: .openAPI30).isValid)
    }
}

@Suite struct `OpenAPI 3.1` {
    @Test func `reads schemas by draft 2020-12`() throws {
        let schema = #"{"type": ["object", "null"], "properties": {"a": {"const": 1}}, "unevaluatedProperties": false}"#
        #expect(try Judged("null", by: schema, dialect: .openAPI31).isValid)
        #expect(try Judged(#"{"a": 1}"#, by: schema, dialect: .openAPI31).isValid)
        #expect(try !Judged(#"{"a": 2}"#, by: schema, dialect: .openAPI31).isValid)
        #expect(try !Judged(#"{"b": 1}"#, by: schema, dialect: .openAPI31).isValid)
    }

    @Test func `knows no nullable`() throws {
        #expect(try !Judged("null", by: #"{"type": "string", "nullable": true}"#, dialect: .openAPI31).isValid)
    }

    @Test func `takes a discriminator as an annotation`() throws {
        let schema = #"{"discriminator": {"propertyName": "kind"}, "anyOf": [{"required": ["kind"]}]}"#
        #expect(try Judged(#"{"kind": 1}"#, by: schema, dialect: .openAPI31).isValid)
    }

    @Test func `counts what stands beside a reference`() throws {
        let schema = ##"{"$ref": "#/$defs/A", "minimum": 5, "$defs": {"A": {"type": "integer"}}}"##
        #expect(try !Judged("1", by: schema, dialect: .openAPI31).isValid)
        #expect(try Judged("5", by: schema, dialect: .openAPI31).isValid)
    }
}
