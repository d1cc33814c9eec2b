import JSON
import Testing

struct JSONValueTests {
    private static let distinct: [JSONValue] = [
        .null, false, true, 0, 1, 0.5, "", "0", "null", "\u{E9}", "e\u{301}", [], [[]], [.null], [1, 2], [2, 1], [:],
        ["a": .null],
        ["a": 1], ["b": 1], ["a": 1, "b": 2], ["a": 2, "b": 1], ["\u{E9}": 1], ["e\u{301}": 1], ["a": [:]], ["a": []],
    ]

    @Test func `Different values are unequal, each equals itself and hashes alike`() throws {
        for (place, left) in JSONValueTests.distinct.enumerated() {
            for (otherPlace, right) in JSONValueTests.distinct.enumerated() {
                #expect((left == right) == (place == otherPlace), "\(left) == \(right)")
            }
            let reread = try JSONParser().parse(left.text(.pretty)).root
            #expect(reread == left)
            #expect(reread.hashValue == left.hashValue)
        }
        #expect(Set(JSONValueTests.distinct).count == JSONValueTests.distinct.count)
    }

    @Test(arguments: [
        ("{\"a\":1,\"b\":[2.0]}", "{ \"b\": [2], \"a\": 10e-1 }"), ("[1e2]", "[\n100 ]"), ("\"\\u00e9\"", "\"é\""),
        ("{\"a\":{\"x\":1,\"y\":2},\"b\":{}}", "{\"b\":{},\"a\":{\"y\":2,\"x\":1}}"),
    ])
    func `Order of members, form of numbers and escapes, and positions make no difference`(
        _ left: String,
        _ right: String
    ) throws {
        let left = try JSONParser(document: 1).parse(left).root
        let right = try JSONParser(document: 2).parse(right).root
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left.content == right.content)
    }

    @Test func `Large objects are equal regardless of order`() {
        let pairs = (0..<3_000).map { ("name \($0)", JSONValue(.number(JSONNumber($0)))) }
        let forwards = JSONObject(pairs)
        let backwards = JSONObject(pairs.reversed())
        #expect(forwards == backwards)
        #expect(forwards.hashValue == backwards.hashValue)
        var other = backwards
        other["name 7"] = "seven"
        #expect(forwards != other)
    }

    @Test func `Accessors give what is there and nothing else`() {
        let value: JSONValue = ["n": .null, "b": true, "i": 7, "d": 1.5, "s": "text", "a": [1, 2], "o": ["x": 1]]
        #expect(value["n"]?.isNull == true)
        #expect(value["b"]?.bool == true)
        #expect(value["i"]?.int == 7)
        #expect(value["d"]?.number?.double == 1.5)
        #expect(value["d"]?.int == nil)
        #expect(value["s"]?.string == "text")
        #expect(value["a"]?.array?.count == 2)
        #expect(value["o"]?.object?.names == ["x"])
        #expect(value["a"]?[1] == 2)
        #expect(value["a"]?[2] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["missing"] == nil)
        #expect(value["s"]?["x"] == nil)
        #expect(value[0] == nil)
        #expect(value["s"]?.bool == nil)
        #expect(value["b"]?.string == nil)
        #expect(
            value.object?.members.map(\.value.kindName)
                == ["null", "boolean", "number", "number", "string", "array", "object"]
        )
    }
}
