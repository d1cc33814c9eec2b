import JSON
import JSONSchema
import Testing

/// What is said about schemas that are wrong themselves.
@Suite struct `A malformed schema` {
    struct Row: Sendable, CustomTestStringConvertible {
        var schema: String
        var message: String
        var uri: String
        var position: String
        var advice: String?

        init(_ schema: String, _ message: String, at uri: String, _ position: String, advice: String? = nil) {
            (self.schema, self.message, self.uri, self.position) = (schema, message, uri, position)
            self.advice = advice
        }

        var testDescription: String { schema }
    }

    private static func problems(_ schema: String, dialect: SchemaDialect = .draft2020) throws -> [SchemaProblem] {
        do {
            _ = try Schema.compile(JSONParser().parse(schema).root, at: "file:s.json", dialect: dialect)
            return []
        } catch let error as SchemaError {
            return error.problems
        }
    }

    @Test(arguments: [
        Row(
            #"{"type": "strin"}"#,
            #""strin" is not a type; the types are null, boolean, integer, number, string, array or object"#,
            at: "file:s.json#/type",
            "1:10",
            advice: #"did you mean "string"?"#
        ),
        Row("3", "a schema must be an object, true or false, but this is 3", at: "file:s.json#", "1:1"),
        Row(
            "{\n \"minimum\": \"5\"}",
            #""minimum" requires a number, but this is "5""#,
            at: "file:s.json#/minimum",
            "2:13"
        ),
        Row(
            #"{"minLength": -1}"#,
            #""minLength" requires a non-negative whole number, but this is -1"#,
            at: "file:s.json#/minLength",
            "1:15"
        ),
        Row(
            #"{"multipleOf": 0}"#,
            #""multipleOf" requires a number greater than zero, but this is 0"#,
            at: "file:s.json#/multipleOf",
            "1:16"
        ),
        Row(
            #"{"required": ["a", "b", "a"]}"#,
            #""required" contains "a" twice; remove the repetition"#,
            at: "file:s.json#/required",
            "1:25"
        ),
        Row(
            #"{"allOf": []}"#,
            #""allOf" requires a non-empty array of schemas, but this is an empty array"#,
            at: "file:s.json#/allOf",
            "1:11"
        ),
        Row(
            #"{"properties": {"a": 1}}"#,
            "a schema must be an object, true or false, but this is 1",
            at: "file:s.json#/properties/a",
            "1:22"
        ),
        Row(
            ##"{"$ref": "#/$defs/usr", "$defs": {"user": {}}}"##,
            ##"the reference "#/$defs/usr" cannot be resolved"##,
            at: "file:s.json#/$ref",
            "1:10",
            advice: ##"did you mean "#/$defs/user"?"##
        ),
        Row(
            #"{"$ref": "other.json"}"#,
            #"the reference "other.json" cannot be resolved"#,
            at: "file:s.json#/$ref",
            "1:10"
        ),
    ])
    func `is told with its place and what would be right`(row: Row) throws {
        let problem = try #require(try Self.problems(row.schema).first)
        #expect(problem.message == row.message)
        #expect(problem.uri == row.uri)
        #expect(problem.position.description == row.position)
        #expect(problem.advice == row.advice)
    }

    @Test func `is told about with everything that is wrong`() throws {
        let schema =
            #"{"type": 1, "properties": {"a": {"pattern": "("}, "b": {"minItems": "1"}}, "$defs": {"c": {"enum": 1}}}"#
        let problems = try Self.problems(schema)
        #expect(
            Set(problems.map(\.uri)) == [
                "file:s.json#/type", "file:s.json#/properties/a/pattern", "file:s.json#/properties/b/minItems",
                "file:s.json#/$defs/c/enum",
            ]
        )
        #expect(problems.filter { $0.id == "invalid-pattern" }.count == 1)
    }

    @Test func `is told when OpenAPI 3_0 requires names in required`() throws {
        let problem = try #require(
            try Self.problems(#"{"properties": {"a": {"required": true}}}"#, dialect: .openAPI30).first
        )
        #expect(problem.message == #""required" requires an array of names, but this is true"#)
        #expect(problem.advice == #"add the property to "required" in the enclosing object"#)
    }

    @Test func `that names an unknown metaschema is told`() throws {
        let problem = try #require(try Self.problems(#"{"$schema": "https://example.com/mine"}"#).first)
        #expect(problem.id == "unknown-metaschema")
        #expect(problem.position.description == "1:13")
    }

    @Test func `that requires a keyword of another draft is none`() throws {
        #expect(try Self.problems(#"{"prefixItems": 1}"#, dialect: .draft7).isEmpty)
        #expect(try Self.problems(#"{"exclusiveMinimum": true}"#, dialect: .draft4).isEmpty)
        #expect(try !Self.problems(#"{"exclusiveMinimum": true}"#, dialect: .draft6).isEmpty)
    }

    @Test func `that refers to itself without end says so, and judges what does not come there`() throws {
        let text = ##"{"type": "string", "$ref": "#"}"##
        var registry = SchemaRegistry()
        registry.add(try JSONParser().parse(text).root, at: "file:s.json")
        var compiler = SchemaCompiler(registry: registry)
        let compiled = compiler.compile("file:s.json")
        let handle = try #require(compiled)
        #expect(compiler.problems.map(\.id) == ["circular-reference"])
        let schema = compiler.finish().schema(handle)
        #expect(try !schema.accepts(1))
        #expect(throws: SchemaEvaluationError.self) { try schema.accepts("x") }
    }
}
