import JSON
import Rules
import Simulation
import TestSupport
import Testing

/// Documents that nobody wrote on purpose are refused or read, and never the end of the program.
struct RecordingFuzzTests {
    private static let strange: [JSONValue] = [
        .null, true, "", "é\u{301}", -1, 1e300, 0.0005, 9_007_199_254_740_993, [], [[]], .object(JSONObject()),
        "2026-03-01T09:00:00Z", ["json": .null], "error: [x]", "[", "]",
        JSONNumber("123456789012345678901234567890").map(JSONValue.number) ?? .null,
        JSONNumber("-4000000000000000000").map(JSONValue.number) ?? .null,
        JSONNumber("9223372036854775807").map(JSONValue.number) ?? .null,
    ]

    @Test(arguments: 1...8)
    func `A document with changed, removed and moved parts`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let document = try RecordingTests.recording().json
        let places = Self.places(in: document)
        for _ in 0..<30 * Breadth.factor {
            var changed = document
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let place = try #require(places.randomElement(using: &generator))
                let value =
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: JSONValue?.none
                    case 1:
                        places.randomElement(using: &generator).flatMap { JSONPointer(tokens: $0).value(in: document) }
                    default: Self.strange.randomElement(using: &generator)
                    }
                changed = changed.replacing(place[...], with: value)
            }
            Self.use(changed)
        }
    }

    @Test(arguments: 1...4)
    func `A text that is cut or has changed bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = try RecordingTests.recording().json.utf8(.compact)
        for _ in 0..<100 * Breadth.factor {
            var bytes = text
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            for _ in 0...2 {
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
            }
            if let document = try? JSONParser().parse(bytes).root { Self.use(document) }
        }
    }

    /// Reads a document, and does with it whatever is done with recordings.
    private static func use(_ document: JSONValue) {
        guard let recording = try? Recording(document) else { return }
        // What was read once is read again, as the same.
        let text = recording.json.text()
        let again = (try? JSONParser().parse(text).root).flatMap { try? Recording($0) }
        #expect(again?.json.text() == text)
        let history = TokenHistory(recording.evidence)
        for rule in AllRules.list { _ = rule.violations(in: history) }
    }

    /// The paths of all values, the whole document's not among them.
    private static func places(in value: JSONValue, at path: [String] = []) -> [[String]] {
        let parts: [(String, JSONValue)] =
            value.object?.members.map { ($0.name, $0.value) }
            ?? value.array?.enumerated().map { (String($0), $1) } ?? []
        return parts.flatMap { name, part in [path + [name]] + places(in: part, at: path + [name]) }
    }
}
