import JSON
import JSONSchema
import Testing

/// Which alternative a message speaks of when none fits.
@Suite struct `Of several alternatives` {
    private static let shapes = #"""
        [
            {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
            {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}
        ]
        """#

    @Test(arguments: ["anyOf", "oneOf"])
    func `the one with the right tag is told`(keyword: String) throws {
        let schema = "{\"\(keyword)\": \(Self.shapes)}"
        #expect(
            try Judged(#"{"kind": "square", "side": "2"}"#, by: schema).sentences
                == [#"`side` is "2", but the schema requires a number"#]
        )
        #expect(
            try Judged(#"{"kind": "circle"}"#, by: schema).sentences
                == ["`radius` is missing, but the schema requires it"]
        )
    }

    @Test func `the one of the right type is told`() throws {
        let schema = #"{"anyOf": [{"type": "null"}, {"type": "object", "required": ["id"]}, {"type": "string"}]}"#
        #expect(try Judged("{}", by: schema).sentences == ["`id` is missing, but the schema requires it"])
    }

    @Test func `all types are named if the value has none of them`() throws {
        let schema = ##"{"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"type": "integer"}}}"##
        #expect(
            try Judged(#""x""#, by: schema).sentences
                == [#"the value is "x", but the schema requires an integer or null"#]
        )
    }

    @Test func `the one with the fewest faults is told`() throws {
        let schema = #"{"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}"#
        #expect(try Judged("{}", by: schema).sentences == ["`c` is missing, but the schema requires it"])
    }

    @Test func `the first is told when both are equally near`() throws {
        let schema = #"{"oneOf": [{"minimum": 5}, {"minimum": 6}]}"#
        #expect(try Judged("1", by: schema).sentences == ["the value is 1, but the schema requires at least 5"])
    }

    @Test func `all are there in the tree`() throws {
        let judged = try Judged("1", by: #"{"oneOf": [{"minimum": 5}, {"minimum": 6}]}"#)
        let outer = try #require(try judged.schema.evaluate(judged.value).violations.first)
        #expect(outer.sentence == "the value matches none of the alternatives in the schema")
        #expect(outer.causes.count == 2)
    }
}
