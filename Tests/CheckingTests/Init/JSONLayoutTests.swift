import JSON
import Testing

@testable import Checking
@testable import ClientTesting
@testable import ScenarioFormat

@Suite
struct `JSON as people write it` {
    private func text(_ value: JSONValue) -> String {
        String(decoding: JSONLayout.fitted.utf8(value), as: UTF8.self)
    }

    @Test
    func `keeps on one line what fits there`() {
        #expect(
            text(["a": ["b": 1, "c": [true, .null]], "d": [], "e": [:]])
                == """
                {
                  "a": { "b": 1, "c": [true, null] },
                  "d": [],
                  "e": {}
                }

                """
        )
    }

    @Test
    func `breaks what does not fit, from the outside in`() {
        let long = JSONValue.string(String(repeating: "x", count: 60))
        let lines = text(["list": [["name": long], ["name": long, "other": long]]]).split(separator: "\n")
        #expect(lines.map { $0.prefix(16) }.first { $0.contains("{ \"name") } != nil)
        #expect(lines.allSatisfy { $0.count <= JSONLayout.width })
    }

    @Test(arguments: [#"{"a":1.50,"b":[1e400,-0,"\u0000\"é"],"":{"deep":[[[[]]]]}}"#, #""text""#, "[1]", "null"])
    func `is the same value`(source: String) throws {
        let value = try JSONParser().parse(source).root
        let read = try JSONParser().parse(JSONLayout.fitted.utf8(value)).root
        #expect(read.text() == value.text())
    }

    @Test
    func `tries no more than a line at each depth, however long the text is`() throws {
        let text = String(repeating: "y", count: 1_000_000)
        let source = String(repeating: "[", count: 500) + "\"\(text)\"" + String(repeating: "]", count: 500)
        let value = try JSONParser().parse(source).root
        #expect(JSONLayout.layout(value).discarded <= 501 * JSONLayout.width)
    }
}
