import JSON
import TestSupport
import Testing

/// Damaged documents: whatever the bytes, the parser answers with a value or with an error inside the text.
struct JSONParserFuzzTests {
    private static let document = Array(
        """
        {
          "name": "Sm\\u00e9em \\ud83d\\ude00 \\"quoted\\" \\\\ \\/ \\b\\f\\n\\r\\t",
          "é ü 漢字 😀": [true, false, null, -0, 1.5e-10, 123456789012345678901234567890],
          "nested": {"a": [[[]], {}, {"b": {"c": [1, 2, 3]}}], "": ""},\r
          "long": "a string that is longer than fifteen bytes, with \u{7F} and \u{2028}",
          "m01": 1, "m02": 2, "m03": 3, "m04": 4, "m05": 5, "m06": 6, "m07": 7, "m08": 8, "m09": 9, "m10": 10
        }
        """.utf8
    )

    @Test func `No beginning of a document is taken for the whole`() throws {
        let bytes = JSONParserFuzzTests.document
        _ = try JSONParser().parse(bytes)
        for length in bytes.indices {
            let error = try #require(throws: JSONSyntaxError.self, "\(length) bytes") {
                try JSONParser().parse(Array(bytes[..<length]))
            }
            #expect((0...length).contains(error.offset))
            #expect(!error.sentence.isEmpty)
        }
    }

    @Test(arguments: 1...8)
    func `Damaged bytes never crash, and what is accepted survives writing`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let outsiders: [UInt8] = [0, 0x1F, 0x7F, 0x80, 0xC0, 0xED, 0xF4, 0xFF]
        let telling = Array("{}[]\",:\\/'#-+.eE0123456789tfnu \t\r\n".utf8) + outsiders
        var accepted = 0
        for _ in 0..<1_000 {
            var bytes = JSONParserFuzzTests.document
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[place] = telling.randomElement(using: &random) ?? 0
                case 2: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
                case 3: bytes.remove(at: place)
                default: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
                }
            }
            do {
                let document = try JSONParser(duplicateNames: .lastWins).parse(bytes)
                accepted += 1
                let compact = try JSONParser().parse(document.root.utf8(.compact)).root
                let pretty = try JSONParser().parse(document.root.utf8(.pretty)).root
                #expect(compact == document.root && pretty == document.root)
                #expect(compact.hashValue == document.root.hashValue)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(error.position == position(of: error.offset, in: bytes))
                #expect(!error.sentence.isEmpty)
            }
        }
        #expect(accepted > 0, "some damage, such as another letter in a string, leaves a valid document")
    }

    @Test func `Every value begins where its position says`() throws {
        let bytes = JSONParserFuzzTests.document
        let root = try JSONParser().parse(bytes).root
        var starts: [JSONPosition: UInt8] = [:]
        for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 {
            starts[position(of: offset, in: bytes)] = bytes[offset]
        }
        func check(_ value: JSONValue) {
            let first = value.text().utf8.first
            #expect(starts[value.position] == first, "\(value.position): \(value)")
            for element in value.array ?? [] { check(element) }
            for member in value.object?.members ?? [] {
                #expect(starts[member.namePosition] == UInt8(ascii: "\""), "\(member.namePosition): \(member.name)")
                check(member.value)
            }
        }
        check(root)
    }

    /// Line and column counted anew, the simple way.
    private func position(of offset: Int, in bytes: [UInt8]) -> JSONPosition {
        var position = JSONPosition(line: 1, column: 1)
        for (place, byte) in bytes[..<offset].enumerated() {
            let isFirstOfTwo = byte == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A
            if byte == 0x0A || byte == 0x0D && !isFirstOfTwo {
                position.line += 1
                position.column = 1
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
        return position
    }
}
