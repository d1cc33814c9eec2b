import JSON
import JSONSchema
import TestSupport
import Testing

/// On threads with the stack that macOS gives to all but the first, and on some that have more.
@Suite struct `A deep value` {
    private static let schemas: [(name: String, text: String)] = [
        ("reference", ##"{"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}}"##),
        (
            "alternatives",
            ##"{"anyOf": [{"type": "string"}, {"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}}]}"##
        ),
        (
            "unevaluated",
            ##"{"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}, "unevaluatedProperties": false, "unevaluatedItems": false}"##
        ),
        (
            "mixture",
            ##"{"allOf": [{"oneOf": [{"type": "null"}, {"if": {"type": "object"}, "then": {"properties": {"a": {"$ref": "#"}}}, "else": {"items": {"$ref": "#"}}}]}], "not": {"type": "string"}}"##
        ),
    ]

    @Test(arguments: schemas.indices, [500, 1_000])
    func `gets a verdict or an error on a small stack, and never a crash`(number: Int, depth: Int) async throws {
        let schema = try Schema.compile(JSONParser().parse(Self.schemas[number].text).root)
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            for inside in ["1", "\"x\""] {
                let text = String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
                let value = try JSONParser(maximumDepth: 1_024).parse(text).root
                let outcome = await SmallStack.run {
                    do {
                        _ = try schema.accepts(value)
                        return try schema.evaluate(value).leaves.isEmpty ? "valid" : "invalid"
                    } catch {
                        return "error"
                    }
                }
                #expect(["valid", "invalid", "error"].contains(outcome))
            }
        }
    }

    private static func nested(_ depth: Int, around inside: String) throws -> JSONValue {
        let text = String(repeating: #"{"a":["#, count: depth / 2) + inside + String(repeating: "]}", count: depth / 2)
        return try JSONParser(maximumDepth: 1_024).parse(text).root
    }

    private static func outcome(of schema: Schema, _ value: JSONValue) -> String {
        do {
            let evaluation = try schema.evaluate(value)
            return evaluation.leaves.first?.sentence ?? "valid"
        } catch {
            return error.message
        }
    }

    @Test func `as deep as the parser allows gets its verdict where the stack has room`() async throws {
        let schema = try Schema.compile(
            JSONParser().parse(
                ##"{"type": ["object", "array"], "properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}}"##
            ).root
        )
        for (inside, verdict) in [("{}", "valid"), ("1", "is 1, but the schema requires an object or an array")] {
            let value = try Self.nested(500, around: inside)
            let outcome = await SmallStack.run(bytes: 8 << 20) { Self.outcome(of: schema, value) }
            #expect(outcome.hasSuffix(verdict))
        }
    }

    @Test func `too deep for its stack is told as such, and never accepted`() async throws {
        let text = Self.schemas[3].text
        let schema = try Schema.compile(JSONParser().parse(text).root)
        let value = try Self.nested(1_000, around: "{}")
        let outcome = await SmallStack.run(bytes: 256 * 1024) { Self.outcome(of: schema, value) }
        #expect(
            outcome
                == "the schema applies too many nested schemas to this value, or refers to itself endlessly"
        )
    }
}
