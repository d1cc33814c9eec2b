import JSON
import Testing

struct JSONWriterTests {
    @Test func `Compact text has no white space`() {
        let value: JSONValue = ["b": [1, true, .null, []], "a": ["x": [:]], "c": "é"]
        #expect(value.text() == "{\"b\":[1,true,null,[]],\"a\":{\"x\":{}},\"c\":\"é\"}")
        #expect(value.utf8(.compact) == Array(value.text(.compact).utf8))
        #expect("\(value)" == value.text(.compact))
    }

    @Test func `Pretty text is indented by two spaces, empty containers stay on their line`() {
        let value: JSONValue = ["list": [1, [], ["deep": [:]]], "none": [:], "s": "x", "n": .null]
        #expect(
            value.text(.pretty) == """
                {
                  "list": [
                    1,
                    [],
                    {
                      "deep": {}
                    }
                  ],
                  "none": {},
                  "s": "x",
                  "n": null
                }
                """
        )
        #expect(JSONValue(.array([])).text(.pretty) == "[]")
        #expect(JSONValue(true).text(.pretty) == "true")
    }

    @Test func `Only what must be escaped is escaped`() throws {
        let controls = (0..<0x20).map { String(Character(Unicode.Scalar($0 as UInt8))) }.joined()
        #expect(
            JSONValue(.string(controls)).text()
                == "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                + "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d"
                + "\\u001e\\u001f\""
        )
        #expect(JSONValue("a\"b\\c/d\u{7F}\u{2028}é😀").text() == "\"a\\\"b\\\\c/d\u{7F}\u{2028}é😀\"")
        #expect((["\n": 1] as JSONValue).text() == "{\"\\n\":1}")
    }

    @Test(arguments: [
        "[1.0,1e2,-0,0.10,123456789012345678901234567890,1E+05]", "{\"z\":1,\"a\":2,\"\":3}",
        "\"\\u0000\\u001f\\\"\\\\/é\u{10FFFF}\"", "[[],{},[{}],{\"a\":[]}]", "null",
    ])
    func `What is written is read again as the same text`(_ text: String) throws {
        let value = try JSONParser().parse(text).root
        #expect(value.text(.compact) == text)
        let reread = try JSONParser().parse(value.utf8(.pretty)).root
        #expect(reread == value)
        #expect(reread.text(.compact) == text)
    }

    @Test func `A writer appends`() {
        var bytes = Array("data: ".utf8)
        JSONWriter(.compact).append([1], to: &bytes)
        JSONWriter.append(quoted: "\t", to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "data: [1]\"\\t\"")
    }
}
