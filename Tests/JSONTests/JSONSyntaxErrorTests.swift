import Basics
import JSON
import Testing

/// The wording and the place of every error: people read these, so a change is a decision.
struct JSONSyntaxErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var place: String
        var sentence: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ place: String, _ sentence: String) {
            self.text = text
            self.place = place
            self.sentence = sentence
        }
    }

    @Test(arguments: [
        Case("", "1:1", "the text is empty; JSON requires a value, such as {}"),
        Case(" \r\n ", "2:2", "the text is empty; JSON requires a value, such as {}"),
        Case("\u{FEFF}{}", "1:1", "the text begins with a byte order mark; save the text as UTF-8 without the mark"),
        Case("{\0}\0", "1:1", "the text looks like UTF-16 or UTF-32; JSON requires UTF-8"),
        Case("1 2", "1:3", "found text after the end of the value; a JSON text is a single value"),
        Case("{}]", "1:3", "found ], but no array or object is open here"),
        Case("}", "1:1", "found }, but no array or object is open here"),
        Case("[\n  1,\n  [2, 3", "3:8", "the text ends here, but the array opened at 3:3 is not closed"),
        Case("{\"a\": {}", "1:9", "the text ends here, but the object opened at 1:1 is not closed"),
        Case("{\"a\"", "1:5", "the text ends here, but the object opened at 1:1 is not closed"),
        Case("[1}", "1:3", "found } where the array opened at 1:1 needs ]"),
        Case("[}", "1:2", "found } where the array opened at 1:1 needs ]"),
        Case("{\"a\": 1]", "1:8", "found ] where the object opened at 1:1 needs }"),
        Case("{]", "1:2", "found ] where the object opened at 1:1 needs }"),
    ])
    func `The text as a whole`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("[1 2]", "1:4", "missing comma between elements; insert a comma here"),
        Case("[[][]]", "1:4", "missing comma between elements; insert a comma here"),
        Case("{\"a\": 1\n \"b\": 2}", "2:2", "missing comma between members; insert a comma here"),
        Case("[1,\n]", "1:3", "found a comma after the last element; remove the comma"),
        Case("{\"a\": 1 , }", "1:9", "found a comma after the last member; remove the comma"),
        Case("[1,,2]", "1:4", "found a comma without an element before it"),
        Case("[,1]", "1:2", "found a comma without an element before it"),
        Case("{,}", "1:2", "found a comma without a member before it"),
        Case("[1; 2]", "1:3", "found a semicolon; elements are separated by commas"),
        Case("{\"a\": 1;}", "1:8", "found a semicolon; members are separated by commas"),
        Case("[\"a\": 1]", "1:5", "found a colon in an array; only objects, which use braces, contain names"),
        Case("[: 1]", "1:2", "found a colon in an array; only objects, which use braces, contain names"),
        Case("{: 1}", "1:2", "found a colon without a name before it"),
        Case("{\"a\" 1}", "1:6", "missing colon and value after the name \"a\""),
        Case("{\"a\", \"b\": 1}", "1:5", "missing colon and value after the name \"a\""),
        Case("{\"a\"}", "1:5", "missing colon and value after the name \"a\""),
        Case("{\"a\" = 1}", "1:6", "found an equals sign after the name \"a\"; JSON requires a colon"),
        Case("{\"a\":}", "1:6", "the name \"a\" has no value after its colon"),
        Case("{\"x\": [{\"a\\n\":, 1}]}", "1:15", "the name \"a\\n\" has no value after its colon"),
        Case("{a: 1}", "1:2", "the name a requires double quotes"),
        Case("{1: 1}", "1:2", "a member's name must be a string in double quotes"),
        Case("{\"a\"::1}", "1:6", "found : where a value was expected"),
        Case("{\"a\":1:2}", "1:7", "found : where a comma or } was expected"),
        Case("{\n  \"é\": 1,\n  \"é\": 2\n}", "3:3", "this object already contains the name \"é\", at 2:3"),
        Case(
            "{\"a\": {\"b\": 1}, \"a\\u0000\": 1, \"a\": 2}",
            "1:31",
            "this object already contains the name \"a\", at 1:2"
        ),
    ])
    func `Arrays and objects`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("[\"abc]", "1:2", "this string is not closed"),
        Case("\"\\", "1:1", "this string is not closed"),
        Case("\"é\\u12", "1:1", "this string is not closed"),
        Case("{\"a\": \"b\n}", "1:9", "the line ends inside a string; close the string, or write a line break as \\n"),
        Case("[\"é\tx\"]", "1:4", "found a raw tab in a string; write it as \\t"),
        Case("\"\u{1}\"", "1:2", "found a raw control character U+0001 in a string; write it as \\u0001"),
        Case(
            "\"a\\x41\"",
            "1:3",
            "\\x is not a JSON escape; use \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits"
        ),
        Case(
            "\"\\\u{A0}\"",
            "1:2",
            "a backslash before U+00A0 is not a JSON escape; use \\\" \\\\ \\/ \\b \\f \\n \\r \\t"
                + " and \\u with four digits"
        ),
        Case("\"\\u12G4\"", "1:2", "\\u requires four hexadecimal digits"),
        Case("\"\\u+123\"", "1:2", "\\u requires four hexadecimal digits"),
        Case(
            "\"é\\uD83D\"",
            "1:3",
            "\\uD83D is the first half of a pair; its second half, \\uDC00 to \\uDFFF, is missing"
        ),
        Case(
            "\"\\uD83D\\u0041\"",
            "1:2",
            "\\uD83D is the first half of a pair; its second half, \\uDC00 to \\uDFFF, is missing"
        ),
        Case(
            "\"\\udc00\"",
            "1:2",
            "\\uDC00 is the second half of a pair; its first half, \\uD800 to \\uDBFF, is missing"
        ),
        Case("['a']", "1:2", "found a single quote; JSON strings use double quotes"),
        Case("{'a': 1}", "1:2", "found a single quote; JSON strings use double quotes"),
        Case("[“a”]", "1:2", "found a curly quote; JSON strings use straight double quotes"),
        Case(
            "[\"say \"hi\"\"]",
            "1:8",
            "found text right after the end of a string; write a quote inside a string as \\\""
        ),
    ])
    func `Strings`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("[01]", "1:2", "this number has a leading zero, which JSON does not allow"),
        Case("-00", "1:1", "this number has a leading zero, which JSON does not allow"),
        Case("+1", "1:1", "found a plus sign, which JSON does not allow in front of a number"),
        Case(".5", "1:1", "this number has no digit before its decimal point, or no digits at all; write 0.5, not .5"),
        Case("[-]", "1:2", "this number has no digit before its decimal point, or no digits at all; write 0.5, not .5"),
        Case("1.", "1:1", "this number has no digit after its decimal point; write 1.0 or 1"),
        Case("[1.e5]", "1:2", "this number has no digit after its decimal point; write 1.0 or 1"),
        Case("1e+", "1:1", "this number has no digits in its exponent; write 1e5, not 1e"),
        Case("0x1F", "1:1", "0x1F is not a JSON number; JSON numbers are decimal, such as -12.5e3"),
        Case("[1_000]", "1:2", "1_000 is not a JSON number; JSON numbers are decimal, such as -12.5e3"),
        Case("1.2.3", "1:1", "1.2.3 is not a JSON number; JSON numbers are decimal, such as -12.5e3"),
        Case("NaN", "1:1", "NaN is not a JSON number; JSON supports neither NaN nor infinity"),
        Case("[-Infinity]", "1:2", "-Infinity is not a JSON number; JSON supports neither NaN nor infinity"),
    ])
    func `Numbers`(_ example: Case) { expect(example) }

    @Test(arguments: [
        Case("{ // note\n}", "1:3", "found a comment, which JSON does not support; use a \"$comment\" member"),
        Case("{} # note", "1:4", "found a comment, which JSON does not support; use a \"$comment\" member"),
        Case("[1 /* one */]", "1:4", "found a comment, which JSON does not support; use a \"$comment\" member"),
        Case("[True]", "1:2", "found True; JSON writes true"),
        Case("tru", "1:1", "found tru; JSON writes true"),
        Case("[nul]", "1:2", "found nul; JSON writes null"),
        Case("undefined", "1:1", "found undefined; JSON writes null"),
        Case("{\"a\": hello}", "1:7", "found hello without quotes; text requires double quotes"),
        Case("nulltrue", "1:1", "found nulltrue without quotes; text requires double quotes"),
        Case("[*]", "1:2", "found * where a value was expected"),
        Case(",", "1:1", "found , where a value was expected"),
        Case("{*}", "1:2", "found * where a name in double quotes was expected"),
        Case("{\"a\" * 1}", "1:6", "found * where a colon was expected"),
        Case("[1 * 2]", "1:4", "found * where a comma or ] was expected"),
        Case("[\u{A0}1]", "1:2", "found U+00A0, which is not JSON whitespace, where a value was expected"),
        Case("[1\u{0C}]", "1:3", "found U+000C, which is not JSON whitespace, where a comma or ] was expected"),
        Case("[\u{2060}1]", "1:2", "found the invisible character U+2060 where a value was expected"),
    ])
    func `Everything else`(_ example: Case) { expect(example) }

    struct BytesCase: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var explanation: String
        var testDescription: String { bytes.map { String($0, radix: 16, uppercase: true) }.joined(separator: " ") }
    }

    @Test(arguments: [
        BytesCase(bytes: [0x80], explanation: "the byte continues a character that has not started"),
        BytesCase(bytes: [0xBF, 0xBF], explanation: "the byte continues a character that has not started"),
        BytesCase(bytes: [0xC3], explanation: "the character that the byte begins is not complete"),
        BytesCase(bytes: [0xE2, 0x82], explanation: "the character that the byte begins is not complete"),
        BytesCase(bytes: [0xF0, 0x9F, 0x98], explanation: "the character that the byte begins is not complete"),
        BytesCase(bytes: [0xC3, 0x28], explanation: "the character that the byte begins is not complete"),
        BytesCase(bytes: [0xC0, 0xAF], explanation: "the byte begins a character that is encoded in too many bytes"),
        BytesCase(bytes: [0xC1, 0xBF], explanation: "the byte begins a character that is encoded in too many bytes"),
        BytesCase(
            bytes: [0xE0, 0x80, 0xAF],
            explanation: "the byte begins a character that is encoded in too many bytes"
        ),
        BytesCase(
            bytes: [0xF0, 0x80, 0x80, 0xAF],
            explanation: "the byte begins a character that is encoded in too many bytes"
        ),
        BytesCase(bytes: [0xED, 0xA0, 0x80], explanation: "the byte begins a surrogate, which only UTF-16 uses"),
        BytesCase(bytes: [0xED, 0xBF, 0xBF], explanation: "the byte begins a surrogate, which only UTF-16 uses"),
        BytesCase(bytes: [0xF4, 0x90, 0x80, 0x80], explanation: "the byte begins a character beyond U+10FFFF"),
        BytesCase(bytes: [0xF5, 0x80, 0x80, 0x80], explanation: "the byte begins a character beyond U+10FFFF"),
        BytesCase(bytes: [0xF8, 0x88, 0x80, 0x80, 0x80], explanation: "no UTF-8 character contains this byte"),
        BytesCase(bytes: [0xFF], explanation: "no UTF-8 character contains this byte"),
    ])
    func `Invalid UTF-8 is refused wherever it stands`(_ example: BytesCase) throws {
        let first = String(example.bytes[0], radix: 16, uppercase: true)
        let sentence = "byte 0x\(first) is not valid UTF-8: \(example.explanation)"
        let inString = Array("[\"é".utf8) + example.bytes + Array("\"]".utf8)
        let afterEscape = Array("[\"\\n".utf8) + example.bytes + Array("\"]".utf8)
        let between = Array("[1 \n".utf8) + example.bytes + Array("]".utf8)
        for (bytes, place) in [(inString, "1:4"), (afterEscape, "1:5"), (between, "2:1")] {
            let error = try #require(throws: JSONSyntaxError.self) { try JSONParser().parse(bytes) }
            #expect("\(error)" == "\(place): \(sentence)")
        }
    }

    @Test func `A long name is cut off in a sentence`() throws {
        let name = String(repeating: "n", count: 100)
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser().parse("{\(name): 1}") }
        #expect(error.sentence == "the name \(name.prefix(59))… requires double quotes")
    }

    @Test func `An error becomes a finding with its place`() throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser(document: 3).parse("{\r\n  \"é\" 1}") }
        #expect(error.position == JSONPosition(document: 3, line: 2, column: 7))
        #expect(error.offset == 10)
        #expect(
            "\(error.finding(in: "backend.json"))"
                == "backend.json:2:7: error: missing colon and value after the name \"é\" [json/syntax]"
        )
    }

    private func expect(_ example: Case) {
        do {
            let value = try JSONParser().parse(example.text).root
            Issue.record("accepted as \(value)")
        } catch {
            #expect("\(error)" == "\(example.place): \(example.sentence)")
        }
    }
}
