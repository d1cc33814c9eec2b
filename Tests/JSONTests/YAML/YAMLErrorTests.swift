import Basics
import JSON
import TestSupport
import Testing

/// The place and the wording of every error that YAML has.
struct YAMLErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var place: String
        var part: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ place: String, _ part: String) {
            self.text = text
            self.place = place
            self.part = part
        }
    }

    @Test(arguments: [
        Case("", "1:1", "the text contains no document; YAML requires a value, such as {}"),
        Case("# nothing\n", "2:1", "the text contains no document"),
        Case("a: 1\n---\nb: 2\n", "2:1", "a second document begins here"),
        Case("a: 1\n...\n# c\nb: 2\n", "4:1", "a second document begins here"),
        Case("a: 1\n...\n%YAML 1.2\n---\n", "4:1", "a second document begins here"),
        Case("ab\0c", "1:3", "found the character U+0000, which YAML does not allow"),
        Case("a: \u{7F}\n", "1:4", "in double quotes, write it as \\x7F"),
        Case("%YAML 1.2\na: 1\n", "2:1", "must be followed by a line with ---"),
        Case("%YAML 2.0\n---\n", "1:1", "YAML \"2.0\" is not supported; use 1.2"),
        Case("%YAML\n---\n", "1:1", "this directive is incomplete"),
        Case("%YAML 1.2\n%YAML 1.2\n---\n", "2:1", "this directive is repeated"),
        Case("  a: 1\nb: 2\n", "2:1", "this line is not part of the document's value"),
    ])
    func `The text as a whole`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("a:\n\tb: 1\n", "2:1", "found a tab in the indentation; YAML indents with spaces"),
        Case("a:\n  b: 1\n\tc: 2\n", "3:1", "found a tab in the indentation"),
        Case("-\ta: 1\n", "1:2", "found a tab in the indentation"),
        Case("a: |\n\tb\n", "2:1", "found a tab in the indentation"),
        Case("a: 1\n  b: 2\n", "2:4", "found \": \" in text that began on an earlier line"),
        Case("a:\n  b: 1\n c: 2\n", "3:2", "indented by 1 space, but the open entries are indented by 0"),
        Case("a:\n  - b\n    - c: 1\n", "2:5", "this text continues on line 3, which contains \": \""),
        Case("a:\n  b:\n    - 1\n   - 2\n", "4:4", "by 0, 2"),
        Case(
            "a: \"b\nc\"\n",
            "1:4",
            "still open on line 2, which is not indented enough; close the value"
        ),
        Case("a: [b,\nc]\n", "1:4", "close the value, or indent that line by at least 1 space"),
        Case("a: - b\n", "1:4", "a list must not begin after other text"),
        Case("a: b: c\n", "1:4", "a second name is not allowed here"),
        Case("--- a: b\n", "1:5", "a second name is not allowed here"),
        Case("- a\nb\n", "2:1", "this line is in a list, whose entries begin with \"- \""),
        Case("a: 1\nb\n", "2:1", "a name followed by \": \" was expected"),
        Case("a: 1\n- b\n", "2:1", "found \"- \" where a name was expected"),
        Case("a: \"b\" c\n", "1:8", "found more text after the end of the value"),
        Case("a: [b] c\n", "1:8", "found more text after the end of the value"),
        Case("a: \"b\"#c\n", "1:7", "a comment requires a space before its #"),
        Case("[a,#b\n]", "1:4", "a comment requires a space before its #"),
    ])
    func `Lines`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("a\nb: 1\n", "1:1", "add the colon of a name"),
        Case("\"a\n b\": 1\n", "1:1", "a name and its colon must be on the line"),
        Case("[a\n: b]\n", "2:1", "a name and its colon must be on the line"),
        Case(String(repeating: "é", count: 1_025) + ": 1\n", "1:1", "this name is longer than 1024 characters"),
        Case("[a, b]: 1\n", "1:1", "a list or mapping cannot be a name"),
        Case("? - a\n: b\n", "1:3", "a list or mapping cannot be a name"),
        Case("{{a: b}: c}\n", "1:2", "a list or mapping cannot be a name"),
        Case("a: &x {b: 1}\nc:\n  <<: *x\n", "3:3", "<< merges mappings in YAML 1.1, but not in 1.2"),
        Case("a: 1\nb: 2\na: 3\n", "3:1", "this object already contains the name \"a\", at 1:1"),
        Case("200: 1\n\"200\": 2\n", "2:1", "this object already contains the name \"200\", at 1:1"),
        Case("{a: 1, a: 2}", "1:8", "this object already contains the name \"a\", at 1:2"),
    ])
    func `Names`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("a: *b\n", "1:4", "the anchor &b is not defined before this alias"),
        Case("a: &b 1\n*b: 2\n", "2:1", "put a space before the colon"),
        Case("a: &b [*b]\n", "1:8", "the value of &b contains *b, so the value would never end"),
        Case("a: & b\n", "1:4", "a name was expected after this character"),
        Case("a: &b 1\nc: !!str *b\n", "2:4", "an alias must not have an anchor or a tag"),
        Case("&a - b\n", "1:1", "on the line before its first entry"),
        Case("a: &b &c d\n", "1:7", "this value has two anchors"),
        Case("&a\n&b [c]\n", "2:4", "this value has two anchors"),
        Case("&a\n&b [c]: d\n", "2:4", "a list or mapping cannot be a name"),
        Case("a: !!str !!int 1\n", "1:10", "this value has two tags"),
        Case("a: !!str, b\n", "1:9", "a space is required after an anchor or a tag"),
        Case("a: !<tag:x b\n", "1:4", "this tag is incomplete"),
        Case("a: !mine b\n", "1:4", "the tag !mine is not supported in JSON"),
        Case("a: !!binary aGk=\n", "1:4", "the tag !!binary is not supported in JSON"),
        Case("a: !x!str b\n", "1:4", "no %TAG directive declares the prefix !x!"),
        Case("a: !!int b\n", "1:4", "the value after !!int does not match the tag"),
        Case("a: !!int 1.5\n", "1:4", "the value after !!int does not match the tag"),
        Case("a: !!map [b]\n", "1:4", "the value after !!map does not match the tag"),
    ])
    func `Anchors and tags`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("a: @b\n", "1:4", "text cannot begin with @ here"),
        Case("a: %b\n", "1:4", "text cannot begin with % here"),
        Case("[- a]\n", "1:2", "separated by commas and do not start with \"- \""),
        Case("[| \n a]\n", "1:2", "text after | or > cannot be in brackets"),
        Case("a: |b\n", "1:4", "only a digit from 1 to 9, a + or - and a comment can follow | or >"),
        Case("a: |0\n  b\n", "1:4", "only a digit from 1 to 9, a + or - and a comment can follow | or >"),
        Case("a: |\n    \n  b\n", "2:1", "contains more spaces than the indentation of the first nonempty line"),
        Case("a: \"\\d\"\n", "1:5", "\\d is not a YAML escape; write \\\\ for a backslash"),
        Case("a: \"\\u12\"\n", "1:5", "this escape requires 4 hexadecimal digits"),
        Case("a: \"\\U00110000\"\n", "1:5", "beyond the last character"),
        Case("a: \"\\ud83d\"\n", "1:5", "is the first half of a pair"),
        Case("a: .inf\n", "1:4", ".inf cannot be represented as a JSON number; quote the value"),
        Case("a: [-.INF, .NaN]\n", "1:5", "-.INF cannot be represented as a JSON number"),
        Case("a: 0x10000000000000000\n", "1:4", "has more than 64 bits"),
        Case("a: \"b\n", "1:4", "this string is not closed"),
        Case("a: 'it's'\n", "1:8", "found more text after the end of the value"),
        Case("a: [b\n", "2:1", "the array opened at 1:4 is not closed"),
        Case("a: [b}\n", "1:6", "found } where the array opened at 1:4 needs ]"),
        Case("a: ]\n", "1:4", "found ], but no array or object is open here"),
        Case("{a: 1 b: 2}\n", "1:8", "missing comma between members"),
        Case("{\"a\": 1\n \"b\": 2}\n", "2:5", "missing comma between members"),
        Case("[a,, b]\n", "1:4", "found a comma without an element before it"),
    ])
    func `Scalars and brackets`(_ example: Case) { expect(example) }

    private func expect(_ example: Case, sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            let root = try JSONParser().parseYAML(Array(example.text.utf8)).root
            Issue.record("\(example.text.debugDescription) is \(root)", sourceLocation: sourceLocation)
        } catch {
            #expect(error.position.description == example.place, "\(error)", sourceLocation: sourceLocation)
            #expect(error.sentence.contains(example.part), "\(error)", sourceLocation: sourceLocation)
        }
    }

    @Test func `Bytes that are not UTF-8 are refused at their place`() {
        let wide: [[UInt8]] = [[0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61], [0x61, 0, 0x3A, 0]]
        for bytes in wide {
            let error = #expect(throws: JSONSyntaxError.self) { try JSONParser().parseYAML(bytes) }
            #expect(error?.sentence == "the text looks like UTF-16 or UTF-32; save the text as UTF-8")
        }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONParser().parseYAML(Array("a: 1\nb: ".utf8) + [0xC3, 0x28])
        }
        #expect(error?.description.hasPrefix("2:4: byte 0xC3 is not valid UTF-8") == true)
    }

    @Test func `A finding names the format of its file`() throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser().parseYAML(Array("a: b: c".utf8)) }
        #expect(error.finding(in: "x.YML").id == "yaml/syntax")
        #expect(error.finding(in: "x.json").id == "json/syntax")
    }

    @Test(arguments: ["- ", "? ", "[", "{a: ", "- - ? - "])
    func `A hundred thousand levels are refused on the smallest stack`(_ level: String) async {
        let text = Array(String(repeating: level, count: 100_000).utf8)
        let error = await SmallStack.run { () -> JSONSyntaxError? in
            do throws(JSONSyntaxError) {
                _ = try JSONParser().parseYAML(text)
                return nil
            } catch {
                return error
            }
        }
        #expect(error?.reason == .tooDeep(limit: 512))
    }

    @Test func `Aliases cannot nest deeper than the limit`() {
        let levels = (1...60).map { "a\($0): &a\($0) [[[[[[[[[[*a\($0 - 1)]]]]]]]]]]\n" }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONParser().parseYAML(Array(("a0: &a0 []\n" + levels.joined()).utf8))
        }
        #expect(error?.reason == .tooDeep(limit: 512))
    }

    @Test(arguments: ["[x,x,x,x,x,x,x,x,x,x]", "\"\(String(repeating: "x", count: 100_000))\""])
    func `Aliases cannot make a large document of a small one`(_ first: String) {
        let levels = (1...12).map { level in
            "a\(level): &a\(level) [\(repeatElement("*a\(level - 1)", count: 10).joined(separator: ","))]\n"
        }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONParser().parseYAML(Array("a0: &a0 \(first)\n\(levels.joined())".utf8))
        }
        #expect(error?.sentence == "the aliases up to this one repeat more values than the limit of 1000000 allows")
    }
}
