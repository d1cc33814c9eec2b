import JSON
import Testing

@Suite
struct `The number of values of a text` {
    @Test(arguments: [
        ("[]", 0), ("{}", 0), ("[1]", 1), ("[1,2,3]", 3), (#"{"a":1,"b":[2,{}]}"#, 4), ("[[],[],[ ]]", 3),
        (#"["a,b]","\\",","]"#, 3), (#"["\","]"#, 1), ("[[1],[2]]", 4), (" \t\r\n [ [ ] , 1 ]", 2),
    ])
    func `is the one that the parser builds`(text: String, count: Int) throws {
        func size(_ value: JSONValue) -> Int {
            (value.array?.reduce(0) { $0 + 1 + size($1) } ?? 0)
                + (value.object?.members.reduce(0) { $0 + 1 + size($1.value) } ?? 0)
        }
        #expect(size(try JSONParser().parse(text).root) == count)
        // Spaces do not count, and a short text cannot exceed a limit.
        let bytes = Array(text.utf8) + [UInt8](repeating: 0x20, count: 20)
        if count > 0 { #expect(JSONParser.exceeds(count - 1, in: bytes)) }
        #expect(!JSONParser.exceeds(count, in: bytes))
    }

    @Test(arguments: ["1,2,3,4", "a,b\n[1,2,3]", "", "   ", #"",,,,""#])
    func `is not counted in other texts`(text: String) {
        #expect(!JSONParser.exceeds(1, in: Array(text.utf8)))
    }

    @Test(arguments: ["[1,2,3", #"["a,,,,"#, #"["\"#, "[,,,,", "}}}}]]]]", "[}}}}}}"])
    func `is limited in broken texts`(text: String) {
        #expect(JSONParser.exceeds(2, in: Array(text.utf8)) == (text == "[1,2,3" || text == "[,,,,"))
    }
}
