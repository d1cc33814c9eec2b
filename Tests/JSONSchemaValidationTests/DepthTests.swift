import Foundation
import JSONSchemaValidation
import JSONText
import Synchronization
import Testing

/// On a thread with the stack that macOS gives to all but the first.
@Suite struct `A deep value` {
    /// What came of validation on a small stack.
    private final class Outcome: Sendable {
        let text = Mutex("")
    }

    private func onSmallStack(_ work: @escaping @Sendable () -> String) async -> String {
        let outcome = Outcome()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let thread = Thread {
                let text = work()
                outcome.text.withLock { $0 = text }
                done.resume()
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        return outcome.text.withLock { $0 }
    }

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
                let outcome = await onSmallStack {
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
}
