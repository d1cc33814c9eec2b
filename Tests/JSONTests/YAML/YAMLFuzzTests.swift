import JSON
import TestSupport
import Testing

/// Damaged YAML: whatever the bytes, the reader answers with a value or with an error inside the text, and a text that
/// can have no meaning any more has an error.
struct YAMLFuzzTests {
    private static let contract = """
        openapi: 3.1.0
        info:
          title: 'Pets & more'
          version: "1.0"
          description: |
            All about pets.

              - with a list
        tags: [pets, {name: "é ü"}]
        paths:
          /pets/{id}:
            parameters:
              - &id
                name: id
                in: path
                schema: {type: integer, minimum: 1}
            get:
              operationId: getPet
              summary: A plain text that goes on
                in the next line
              responses:
                200:
                  description: >-
                    The pet that
                    was asked for
                "404":
                  description: "There is \\"none\\"
                    of that number"
        x-same:
          - *id
        """

    private static let scenario = """
        extends: backend.json
        id: SM-01
        title: Refresh expired   # a comment
        routes:
          GET /api/me:
            - status: 401
              times: 1
            - fixture: fixtures/me.yaml
        expect:
        - count: {route: POST /auth, is: 1}
        - ? note
          : text
        """

    private static let documents = [contract, scenario].map { Array($0.utf8) }

    /// A change after which a line can have no meaning; `nil` for lines to which it does not apply.
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var apply: @Sendable (String) -> String?
        /// Whether it needs a line above that is indented alike.
        var needsNeighbour = false

        init(_ name: String, needsNeighbour: Bool = false, _ apply: @escaping @Sendable (String) -> String?) {
            testDescription = name
            self.needsNeighbour = needsNeighbour
            self.apply = apply
        }
    }

    /// Lines of text over several lines have other rules, and are left as they are.
    private static func isEntry(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return (text.contains(": ") || text.hasSuffix(":")) && !text.hasPrefix("-") && !text.hasPrefix("?")
            && !text.hasPrefix(":")
    }

    private static func isAlike(_ line: String, _ other: String) -> Bool {
        isEntry(other) && line.prefix { $0 == " " }.count == other.prefix { $0 == " " }.count
    }

    @Test(arguments: [
        Damage("a tab before an entry") { isEntry($0) ? "\t" + $0 : nil },
        Damage("a name twice") {
            isEntry($0) && $0.contains(": ") && !$0.hasSuffix("|") && !$0.hasSuffix(">-") ? $0 + "\n" + $0 : nil
        },
        Damage("a byte of zero") { $0.isEmpty ? nil : $0 + "\0" },
        Damage("an opening bracket") { isEntry($0) && $0.hasSuffix(":") ? $0 + " [" : nil },
        Damage("a second colon") { isEntry($0) && $0.hasSuffix(":") ? $0 + " a: b" : nil },
        Damage("an unknown alias") { isEntry($0) && $0.hasSuffix(":") ? $0 + " *none" : nil },
        Damage("a reserved character") { isEntry($0) && $0.hasSuffix(":") ? $0 + " @a" : nil },
        Damage("no end of a quoted name") {
            isEntry($0) ? $0.prefix { $0 == " " } + "\"" + $0.drop { $0 == " " } : nil
        },
        Damage("one space less", needsNeighbour: true) {
            isEntry($0) && $0.hasPrefix("  ") ? String($0.dropFirst()) : nil
        },
    ])
    func `A line without a meaning is refused`(_ damage: Damage) throws {
        var count = 0
        for document in [YAMLFuzzTests.contract, YAMLFuzzTests.scenario] {
            let lines = document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for (number, line) in lines.enumerated() where !line.hasPrefix("in the next") {
                guard let damaged = damage.apply(line) else { continue }
                if damage.needsNeighbour, !YAMLFuzzTests.isAlike(line, lines[number - 1]) { continue }
                count += 1
                var changed = lines
                changed[number] = damaged
                let text = Array(changed.joined(separator: "\n").utf8)
                let error = #expect(throws: JSONSyntaxError.self, "line \(number + 1): \(damaged)") {
                    try JSONParser().parseYAML(text)
                }
                #expect(error.map { (0...text.count).contains($0.offset) } ?? true)
            }
        }
        #expect(count >= 3)
    }

    @Test(arguments: 1...8)
    func `Damaged bytes never crash, and what is accepted is JSON`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let telling = Array("{}[]\",:\\'#-?&*!|>%@`~<.\t\r\n  0aé".utf8) + [0, 0x7F, 0x85, 0xC2, 0xEF, 0xFF]
        var accepted = 0
        for round in 0..<250 {
            var bytes = YAMLFuzzTests.documents[round % 2]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[place] = telling.randomElement(using: &random) ?? 0
                case 2: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
                case 3: bytes.remove(at: place)
                case 4: bytes.removeSubrange(place..<min(place + 9, bytes.count))
                default: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(30), at: place)
                }
            }
            do {
                let root = try JSONParser().parseYAML(bytes).root
                accepted += 1
                #expect(try JSONParser().parse(root.utf8()).root == root)
                #expect(try JSONParser().parseYAML(root.utf8(.pretty)).root == root)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(error.position.isKnown)
                #expect(!error.sentence.isEmpty)
            }
        }
        #expect(accepted > 0, "some damage, such as another letter in a text, leaves a valid document")
    }

    @Test func `Every beginning of a document has a result`() {
        for bytes in YAMLFuzzTests.documents {
            for length in bytes.indices {
                do {
                    _ = try JSONParser().parseYAML(Array(bytes[..<length]))
                } catch {
                    #expect((0...length).contains(error.offset))
                }
            }
        }
    }

    /// Short texts of telling characters: each is read, and what is accepted keeps its value as JSON.
    @Test func `All short texts have a result`() throws {
        let letters = Array("a:- \n[{,]}\"#?&*|\t".utf8)
        var texts: [[UInt8]] = [[]]
        for _ in 0..<4 {
            texts = texts.flatMap { text in letters.map { text + [$0] } }
            for text in texts {
                guard let root = try? JSONParser(duplicateNames: .lastWins).parseYAML(text).root else { continue }
                let again = try JSONParser(duplicateNames: .lastWins).parseYAML(root.utf8()).root
                #expect(again == root, "\(String(decoding: text, as: UTF8.self).debugDescription)")
            }
        }
    }
}
