import JSON
import TestSupport
import Testing

/// The cases of yaml-test-suite, which is no part of the project.
///
/// What JSON cannot say is refused: tags of one's own, and collections as names. The tests tell those apart from
/// refusals for the grammar, so that none hides behind the other.
@Suite(.enabled(if: Suites.has(YAMLSuite.folder), "suites/yaml is not there; set BACKLOT_SUITES"))
struct YAMLSuiteTests {
    @Test(arguments: YAMLSuite.cases.filter(\.isError))
    func `An invalid text is refused with its place`(_ example: YAMLSuite.Case) throws {
        let bytes = try Suites.bytes(of: example.path)
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser().parseYAMLStream(bytes) }
        #expect((0...bytes.count).contains(error.offset))
        #expect(!error.sentence.isEmpty)
    }

    @Test(arguments: YAMLSuite.cases.filter { !$0.isError })
    func `A valid text has the value that the suite says, or none in JSON`(_ example: YAMLSuite.Case) throws {
        let bytes = try Suites.bytes(of: example.path)
        do {
            let documents = try JSONParser().parseYAMLStream(bytes).map(\.root)
            guard let expected = try example.documents() else { return }
            #expect(documents == expected)
            // Files hold one document.
            let single = try? JSONParser().parseYAML(bytes).root
            #expect(single == (documents.count == 1 ? documents.first : nil))
        } catch let error as JSONSyntaxError {
            #expect(YAMLSuite.isBeyondJSON(error.reason), "\(error)")
        }
    }

    @Test func `At most one of twenty valid texts is refused for what JSON cannot say`() throws {
        let valid = YAMLSuite.cases.filter { !$0.isError }
        let refused = valid.filter { (try? JSONParser().parseYAMLStream(Suites.bytes(of: $0.path))) == nil }
        let tagged = try refused.filter { try Suites.bytes(of: $0.path).contains(UInt8(ascii: "!")) }
        #expect(tagged.count * 15 < valid.count, "\(tagged)")
        #expect((refused.count - tagged.count) * 30 < valid.count, "\(refused)")
    }

    @Test func `The suite is there as a whole`() {
        #expect(YAMLSuite.cases.count >= 220)
    }
}

/// The suite's files.
enum YAMLSuite {
    static let folder = "yaml/cases"

    struct Case: Sendable, CustomTestStringConvertible {
        /// The text's path.
        var path: String
        var isError: Bool
        /// Whether the values of its documents are there.
        var hasValue: Bool

        var testDescription: String { String(path.dropFirst(YAMLSuite.folder.count + 1).dropLast(8)) }

        /// The values, one JSON text behind the other; `nil` where the suite has none.
        func documents() throws -> [JSONValue]? {
            guard hasValue else { return nil }
            var found: [JSONValue] = []
            var text: [UInt8] = []
            for line in try Suites.bytes(of: String(path.dropLast(4)) + "json").split(separator: UInt8(ascii: "\n")) {
                text += line + [UInt8(ascii: "\n")]
                guard let value = try? JSONParser().parse(text).root else { continue }
                found.append(value)
                text = []
            }
            return found
        }
    }

    static let cases: [Case] = {
        let errors = Set(Suites.files(in: folder, endingIn: "/error"))
        let values = Set(Suites.files(in: folder, endingIn: "/in.json"))
        return Suites.files(in: folder, endingIn: "/in.yaml").map { path in
            let stem = String(path.dropLast(7))
            return Case(
                path: path,
                isError: errors.contains(stem + "error"),
                hasValue: values.contains(stem + "in.json")
            )
        }
    }()

    static func isBeyondJSON(_ reason: JSONSyntaxError.Reason) -> Bool {
        switch reason {
        // One case repeats the name "", which the suite's own grammar does not look at.
        case .yaml(.foreignTag), .yaml(.collectionAsName), .duplicateName: true
        default: false
        }
    }
}
