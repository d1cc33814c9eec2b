import Basics
import JSON
import Testing

struct JSONParserTests {
    @Test func `A document becomes the tree that its literal describes`() throws {
        let text = """
            { "name": "Smeem", "count": 3, "rate": -1.5e3, "open": true, "closed": false, "owner": null,
              "tags": ["a", [], {}], "nested": {"deep": [{"er": "\\u00e9\\ud83d\\ude00\\/\\n"}]} }
            """
        let expected: JSONValue = [
            "name": "Smeem", "count": 3, "rate": -1500, "open": true, "closed": false, "owner": .null,
            "tags": ["a", [], [:]], "nested": ["deep": [["er": "é😀/\n"]]],
        ]
        let root = try JSONParser().parse(text).root
        #expect(root == expected)
        #expect(
            root.object?.names == ["name", "count", "rate", "open", "closed", "owner", "tags", "nested"],
            "members keep their order"
        )
    }

    @Test(arguments: [
        ("0", "number"), ("\"\"", "string"), (" true\n", "boolean"), ("null", "null"), ("\t[]", "array"),
        ("{}\r", "object"),
    ])
    func `Any value may be a whole document`(_ text: String, _ kind: String) throws {
        #expect(try JSONParser().parse(text).root.kindName == kind)
    }

    @Test func `Names that differ in their scalars only are different names`() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let root = try JSONParser().parse("{\"\(composed)\": 1, \"\(decomposed)\": 2, \"\(decomposed)\\u0000\": 3}")
            .root
        #expect(root.object?.count == 3)
        #expect(root[composed] == 1)
        #expect(root[decomposed] == 2)
        #expect(root["\(decomposed)\0"] == 3)
    }

    // MARK: Positions

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `Every value and every name knows its line and column`(_ lineEnd: String) throws {
        let lines = ["{", "  \"é😀\": [1, \"a\\nü\", true],", "", "\t\"b\" : {\"c\":{} }, \"x\":-0", "}"]
        let root = try JSONParser(document: 7).parse(lines.joined(separator: lineEnd)).root
        func at(_ line: Int32, _ column: Int32) -> JSONPosition {
            JSONPosition(document: 7, line: line, column: column)
        }
        #expect(root.position == at(1, 1))
        let first = try #require(root.object?.member(named: "é😀"))
        #expect(first.namePosition == at(2, 3))
        #expect(first.value.position == at(2, 9))
        #expect(first.value.array?.map(\.position) == [at(2, 10), at(2, 13), at(2, 21)])
        let second = try #require(root.object?.member(named: "b"))
        #expect(second.namePosition == at(4, 2))
        #expect(second.value.position == at(4, 8))
        #expect(second.value.object?.member(named: "c")?.namePosition == at(4, 9))
        #expect(second.value["c"]?.position == at(4, 13))
        #expect(root.object?.member(named: "x")?.namePosition == at(4, 19))
        #expect(root["x"]?.position == at(4, 23))
    }

    @Test func `A position is a finding's place`() throws {
        let root = try JSONParser().parse("[\n 1]").root
        let position = try #require(root[0]?.position)
        #expect(position.isKnown)
        #expect(position.text.description == "2:2")
        #expect(!JSONValue.null.position.isKnown)
    }

    // MARK: Duplicate names

    @Test func `Of a repeated name the last value counts, at the first one's place`() throws {
        let text = "{\"a\": 1, \"b\": 2,\n \"a\": {\"a\": [3]},\n \"\\u0061\": 4}"
        let document = try JSONParser(duplicateNames: .lastWins).parse(text)
        #expect(document.root.text() == "{\"a\":4,\"b\":2}")
        #expect(document.duplicates.map(\.name) == ["a", "a"])
        #expect(document.duplicates.map(\.position.description) == ["2:2", "3:2"])
        #expect(document.duplicates.map(\.firstPosition.description) == ["1:2", "1:2"])
        #expect(
            document.duplicates.first?.finding().description
                == "2:2: warning: the name \"a\" is repeated (first at 1:2); the last value is used"
                + " [json/duplicate-name]"
        )
    }

    @Test func `A repeated name may hold an object again`() throws {
        let text = "{\"a\": {\"x\": 1, \"y\": 2}, \"a\": {\"x\": {\"z\": 1}, \"x\": [{}, {\"q\": 2}]}, \"b\": 1}"
        let document = try JSONParser(duplicateNames: .lastWins).parse(text)
        #expect(document.root == ["a": ["x": [[:], ["q": 2]]], "b": 1])
        #expect(document.duplicates.map(\.name) == ["a", "x"])
    }

    @Test(arguments: [11, 12, 13, 14, 5_000])
    func `A repeated name is seen among any number of members`(_ count: Int) throws {
        let members = (0..<count).map { "\"name \($0)\": \($0)" }
        let text = "{" + (members + ["\"name 3\": \"again\""]).joined(separator: ",") + "}"
        #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(text) }
        let document = try JSONParser(duplicateNames: .lastWins).parse(text)
        #expect(document.duplicates.map(\.name) == ["name 3"])
        let object = try #require(document.root.object)
        #expect(object.count == count)
        #expect(object["name 3"] == "again")
        for number in 0..<count where number != 3 {
            #expect(object["name \(number)"]?.int == number)
        }
        #expect(object["name \(count)"] == nil)
    }

    // MARK: Depth

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func `Depth beyond the limit is an error, never a crash`(_ opening: String) throws {
        let perRepeat = opening.utf8.filter { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }.count
        let text = String(repeating: opening, count: 100_000 / perRepeat)
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser().parse(text) }
        #expect(error.reason == .tooDeep(limit: 512))
        #expect(error.sentence == "arrays and objects are nested deeper than the limit of 512 levels")
        let unlimited = JSONParser(maximumDepth: .max)
        let other = try #require(throws: JSONSyntaxError.self) { try unlimited.parse(text) }
        #expect(other.reason == .tooDeep(limit: JSONParser.depthLimit))
    }

    @Test func `A document at the limit is read, compared, hashed and written`() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = String(repeating: open, count: 512) + "1" + String(repeating: close, count: 512)
            let value = try JSONParser().parse(text).root
            let again = try JSONParser().parse(text).root
            #expect(value == again)
            #expect(value.hashValue == again.hashValue)
            #expect(value.text() == text)
            #expect(throws: JSONSyntaxError.self) { try JSONParser().parse(open + text + close) }
        }
        #expect(throws: JSONSyntaxError.self) { try JSONParser(maximumDepth: 1).parse("[[]]") }
        #expect(try JSONParser(maximumDepth: 1).parse("{}").root == [:])
        #expect(try JSONParser(maximumDepth: 0).parse("1").root == 1)
    }

    @Test func `A value stays small`() {
        #expect(MemoryLayout<JSONValue>.stride <= 32)
        #expect(MemoryLayout<JSONObject.Member>.stride <= 64)
    }
}
