import ScenarioFormat
import Testing

@Suite struct `A collection with many items at the beginning` {
    private static func outcome(of count: Int, more: String = "") -> Outcome {
        let items = Array(repeating: "{}", count: count).joined(separator: ",")
        return load(
            #"{ "backend": "B", "accounts": { "a": {}, "b": {} }, "collections": { "c": { "items": "c.json"\#(more) } } }"#,
            with: ["c.json": "[\(items)]"]
        )
    }

    @Test func `loads as many as it holds`() {
        let outcome = Self.outcome(of: ItemCollection.mostItems)
        #expect(outcome.lines == [])
        #expect(outcome.scenario?.collections.first?.items.count == ItemCollection.mostItems)
    }

    @Test func `is refused beyond, counting every account's copy`() {
        #expect(
            Self.outcome(of: ItemCollection.mostItems + 1).lines == [
                "b.json:1:86: error: found 100001 items, but a collection can contain at most 100000 "
                    + "[scenario/bad-items]"
            ]
        )
        #expect(
            Self.outcome(of: 50_001, more: #", "per": "account""#).lines == [
                "b.json:1:86: error: found 50001 items for each of 2 accounts, but a collection can contain at most "
                    + "100000 [scenario/bad-items]"
            ]
        )
    }
}
