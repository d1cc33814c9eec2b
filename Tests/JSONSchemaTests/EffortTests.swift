import JSON
import Testing

@testable import JSONSchema

/// Counted in steps, because a clock would count other things too.
@Suite struct `The effort of a validation` {
    private static func schema(_ text: String) throws -> Schema { try Schema.compile(JSONParser().parse(text).root) }

    private static func objects(_ count: Int) -> JSONValue {
        .array((0..<count).map { .object(JSONObject([("id", JSONValue(integerLiteral: $0))])) })
    }

    /// Every level applies the next one twice.
    ///
    /// - Parameter second: the second application, with the next level as `%`.
    private static func doubling(
        _ levels: Int,
        from root: String,
        by keyword: String = "allOf",
        second: String = #"{"not": {"not": %}}"#,
        to last: String = #"{"minProperties": 0}"#
    ) throws -> Schema {
        let definitions = (0..<levels).map { level in
            let next = ##"{"$ref": "#/$defs/d\##(level + 1)"}"##
            return #""d\#(level)": {"\#(keyword)": [\#(next), \#(second.replacing("%", with: next))]}"#
        }
        let last = #""d\#(levels)": \#(last)"#
        return try schema("{\(root), \"$defs\": {\((definitions + [last]).joined(separator: ","))}}")
    }

    @Test func `may grow with the value`() throws {
        let schema = try Self.schema(#"{"items": {"properties": {"id": {"type": "integer"}}, "required": ["id"]}}"#)
        let value = Self.objects(10_000)
        #expect(try schema.accepts(value, going: .either, budget: StepBudget(for: value, steps: 100)))
    }

    @Test(arguments: [##""$ref": "#/$defs/d0""##, ##""not": {"$ref": "#/$defs/d0"}"##])
    func `may not grow without end, and is no verdict then`(root: String) throws {
        let schema = try Self.doubling(40, from: root)
        for value in [JSONValue.object(JSONObject()), try JSONParser().parse(#"{"a": [{}, {}, {}]}"#).root] {
            let error = try #require(throws: SchemaEvaluationError.self) {
                try schema.accepts(value, going: .either, budget: StepBudget(for: value, steps: 1_000))
            }
            #expect(
                error.message
                    == "the schema requires too many comparisons with this value, so no verdict was reached"
            )
        }
    }

    @Test(arguments: ["allOf", "anyOf", "oneOf"])
    func `is bounded where a schema applies another one along many ways`(keyword: String) throws {
        let schema = try Self.doubling(
            40,
            from: ##""$ref": "#/$defs/d0""##,
            by: keyword,
            second: #"{"not": {"not": %}}"#,
            to: #"{"required": ["a"]}"#
        )
        #expect(try schema.accepts(["a": 1]) == (keyword != "oneOf"))
        #expect(try !schema.accepts(["b": 1]))
    }

    /// `"é"` and `"é"` are equal as Swift's strings.
    @Test func `keeps strings apart that differ in their code units`() throws {
        let schema = try Self.doubling(40, from: ##""items": {"$ref": "#/$defs/d0"}"##, to: #"{"maxLength": 1}"#)
        #expect(try schema.accepts(["\u{E9}"]))
        #expect(try !schema.accepts(["\u{E9}", "e\u{301}"]))
    }

    @Test(arguments: ["allOf", "anyOf"])
    func `of the same alternative twice is that of one`(keyword: String) throws {
        let last = #"{"type": "object", "required": ["a"]}"#
        let schema = try Self.doubling(40, from: ##""$ref": "#/$defs/d0""##, by: keyword, second: "%", to: last)
        for (value, isValid) in [(["a": 1], true), (["b": 1], false)] as [(JSONValue, Bool)] {
            #expect(try schema.accepts(value, going: .either, budget: StepBudget(for: value, steps: 100)) == isValid)
        }
        var generator = SystemRandomNumberGenerator()
        #expect(SchemaSampler().sample(schema, using: &generator)?["a"] != nil)
    }

    @Test(arguments: [
        (#"{"items": {"enum": [0, "a", "b", "c", "d", "e", "f", "g", "h", {"a": 1}]}}"#, false),
        (#"{"contains": {"const": 99999}}"#, true),
        (#"{"uniqueItems": true}"#, true),
    ])
    func `of a hundred thousand elements is a step for each at most`(text: String, isValid: Bool) throws {
        let schema = try Self.schema(text)
        let value = JSONValue.array((0..<100_000).map { JSONValue(integerLiteral: $0) })
        #expect(try schema.accepts(value, going: .either, budget: StepBudget(for: value, steps: 200_002)) == isValid)
    }

    @Test func `of twenty thousand names is linear for the schema and for the value`() throws {
        let names = (0..<20_000).map { "\"n\($0)\"" }
        let members = names.map { "\($0): 1" }.joined(separator: ",")
        let properties = names.map { "\($0): {\"type\": \"string\"}" }.joined(separator: ",")
        let schema = try Self.schema(
            "{\"required\": [\(names.joined(separator: ","))], \"properties\": {\(properties)}, \"propertyNames\": {\"pattern\": \"^n\"}}"
        )
        let full = try JSONParser().parse("{\(members)}").root
        let budget = StepBudget(for: full, steps: 20_010)
        #expect(try !schema.accepts(full, going: .either, budget: budget))
        let empty = JSONValue.object(JSONObject())
        // Both are told in part only, and soon.
        #expect(try schema.evaluate(full).leaves.count == 2_000)
        #expect(try schema.evaluate(empty).leaves.count == 2_000)
    }

    @Test func `of twenty thousand unknown names is bounded too`() throws {
        let names = (0..<20_000).map { "\"n\($0)\"" }
        let schema = try Self.schema(
            "{\"properties\": {\(names.map { "\($0): true" }.joined(separator: ","))}, \"additionalProperties\": false}"
        )
        let value = try JSONParser().parse("{\((0..<20_000).map { "\"m\($0)\": 1" }.joined(separator: ","))}").root
        #expect(try schema.evaluate(value).leaves.count == 2_000)
    }

    @Test func `of telling what is wrong leaves what is known when it is spent`() throws {
        let schema = try Self.schema(#"{"required": ["a"], "properties": {"b": {"type": "string"}}}"#)
        let value = try JSONParser().parse(#"{"b": 1}"#).root
        var explanation = Explanation(schema.program.schemas, going: .either, budget: StepBudget(for: value, steps: 1))
        #expect(try explanation.explain(schema.root, value).map(\.keyword) == ["required", "type"])
    }
}
