import JSON
import JSONSchema
import Testing

@Suite struct `A required property` {
    /// Each requires `id`, which is read-only, and `secret`, which is write-only.
    private static let schemas: [(name: String, text: String)] = [
        (
            "in one schema",
            #"{"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}}, "required": ["id", "secret"]}"#
        ),
        (
            "behind references",
            ##"{"properties": {"id": {"$ref": "#/$defs/i"}, "secret": {"allOf": [{"$ref": "#/$defs/s"}]}}, "required": ["id", "secret"], "$defs": {"i": {"readOnly": true}, "s": {"writeOnly": true}}}"##
        ),
        (
            "above its description",
            ##"{"allOf": [{"$ref": "#/$defs/base"}], "required": ["id", "secret"], "$defs": {"base": {"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}}}}}"##
        ),
        (
            "beside its description",
            #"{"allOf": [{"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}}}, {"required": ["id", "secret"]}]}"#
        ),
        (
            "before its description, two levels down",
            #"{"allOf": [{"allOf": [{"required": ["id", "secret"]}]}, {"allOf": [{"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}}}]}]}"#
        ),
        (
            "described again without the flag",
            #"{"allOf": [{"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}}}, {"properties": {"id": {"type": "integer"}, "secret": {}}, "required": ["id", "secret"]}]}"#
        ),
        (
            "in an alternative",
            #"{"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}}, "oneOf": [{"required": ["id", "secret"]}]}"#
        ),
    ]

    @Test(arguments: schemas.indices, [SchemaDialect.openAPI31, .draft7, .openAPI30])
    func `may be missing where it does not travel`(number: Int, dialect: SchemaDialect) throws {
        let schema = Self.schemas[number].text
        func isValid(_ value: String, _ direction: SchemaDirection) throws -> Bool {
            try Judged(value, by: schema, dialect: dialect).isValid(going: direction)
        }
        #expect(try isValid(#"{"secret": 1}"#, .request))
        #expect(try isValid(#"{"id": 1}"#, .response))
        #expect(try isValid(#"{"id": 1, "secret": 1}"#, .either))
        #expect(try !isValid(#"{"id": 1}"#, .request))
        #expect(try !isValid(#"{"secret": 1}"#, .response))
        #expect(try !isValid(#"{"id": 1}"#, .either))
        #expect(try !isValid(#"{"secret": 1}"#, .either))
    }

    @Test func `is not excused by an alternative that another value takes`() throws {
        let schema =
            #"{"anyOf": [{"properties": {"id": {"readOnly": true}}, "minProperties": 9}, {"required": ["id"]}]}"#
        #expect(try !Judged("{}", by: schema).isValid(going: .request))
    }

    @Test func `is not excused by what must not hold`() throws {
        let schema =
            #"{"not": {"properties": {"id": {"readOnly": true, "type": "string"}}, "required": ["id"]}, "required": ["id"]}"#
        #expect(try !Judged("{}", by: schema).isValid(going: .request))
    }

    @Test func `stays required where a shared schema describes it by itself`() throws {
        let schema = ##"""
            {
                "properties": {
                    "both": {"allOf": [{"properties": {"id": {"readOnly": true}}}, {"$ref": "#/$defs/named"}]},
                    "one": {"$ref": "#/$defs/named"}
                },
                "$defs": {"named": {"properties": {"id": {"type": "integer"}}, "required": ["id"]}}
            }
            """##
        #expect(try !Judged(#"{"one": {}}"#, by: schema).isValid(going: .request))
    }

    @Test func `of another object is another property`() throws {
        let schema = #"{"properties": {"id": {"readOnly": true}, "inner": {"required": ["id"]}}}"#
        #expect(try !Judged(#"{"inner": {}}"#, by: schema).isValid(going: .request))
    }

    @Test func `that may be missing is not told as missing`() throws {
        let judged = try Judged("{}", by: Self.schemas[3].text)
        #expect(
            try judged.schema.evaluate(judged.value, going: .request).leaves.map(\.sentence)
                == ["`secret` is missing, but the schema requires it"]
        )
    }
}
