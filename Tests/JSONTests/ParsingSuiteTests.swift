import JSON
import TestSupport
import Testing

/// JSONTestSuite's parsing cases, which are no part of the project: `y_` files are valid, `n_` files are not, and about
/// `i_` files the RFC says nothing, so they must only not crash.
@Suite(.enabled(if: Suites.has(ParsingSuite.folder), "suites/json is not there; set BACKLOT_SUITES"))
struct ParsingSuiteTests {
    @Test(arguments: ParsingSuite.names.filter { $0.hasPrefix("y_") })
    func `A valid text is accepted`(_ name: String) throws {
        let bytes = try ParsingSuite.bytes(of: name)
        let document = try JSONParser(duplicateNames: .lastWins).parse(bytes)
        #expect(try JSONParser().parse(document.root.utf8()).root == document.root)
        // Files that people write may not repeat a name; these two do.
        let repeatsName = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"].contains(name)
        #expect(document.duplicates.isEmpty == !repeatsName)
        if repeatsName {
            #expect(throws: JSONSyntaxError.self) { try JSONParser(duplicateNames: .refused).parse(bytes) }
        } else {
            #expect(try JSONParser(duplicateNames: .refused).parse(bytes).root == document.root)
        }
    }

    @Test(arguments: ParsingSuite.names.filter { $0.hasPrefix("n_") })
    func `An invalid text is refused with its place`(_ name: String) throws {
        let bytes = try ParsingSuite.bytes(of: name)
        for duplicateNames in [JSONParser.DuplicateNames.refused, .lastWins] {
            let error = try #require(throws: JSONSyntaxError.self) {
                try JSONParser(duplicateNames: duplicateNames).parse(bytes)
            }
            #expect((0...bytes.count).contains(error.offset))
            #expect(!error.sentence.isEmpty)
        }
    }

    @Test(arguments: ParsingSuite.names.filter { $0.hasPrefix("i_") })
    func `A text that the RFC leaves open gets an answer`(_ name: String) throws {
        let bytes = try ParsingSuite.bytes(of: name)
        // All numbers are kept and half a character is never let pass, so the result is known all the same.
        let isAccepted = name.hasPrefix("i_number_") || name == "i_structure_500_nested_arrays.json"
        let document = try? JSONParser().parse(bytes)
        #expect((document != nil) == isAccepted)
    }

    @Test func `The suite is there as a whole`() {
        #expect(ParsingSuite.names.count >= 300)
    }
}

/// The suite's files.
private enum ParsingSuite {
    static let folder = "json/test_parsing"

    static let names = Suites.files(in: folder, endingIn: ".json").map { String($0.dropFirst(folder.count + 1)) }

    static func bytes(of name: String) throws -> [UInt8] { try Suites.bytes(of: "\(folder)/\(name)") }
}
