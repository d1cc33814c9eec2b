import Basics
import Checking
import ClientTesting
import JSON
import JSONSchema
import TestSupport
import Testing

@Suite struct `A catalog of variants` {
    private func catalog() throws -> VariantCatalog {
        let second = Library.document.replacing("getBook", with: "getOtherBook")
        let files = MemoryFiles([
            "/library/Contracts/a/openapi.json": Library.document,
            "/library/Contracts/b/openapi.json": second,
        ])
        return try VariantCatalog(["/library/Contracts"], files: files)
    }

    @Test func `numbers the variants of each response`() throws {
        let variants = try catalog().variants(of: "getBook")
        let success = variants.filter { $0.status == 200 }
        #expect(success.map(\.number) == Array(1...success.count))
        #expect(success.first?.name == "getBook 200 #1")
        #expect(success.first?.variant.label == "everything is present")
        #expect(variants.contains { $0.name == "getBook 404 #1" })
    }

    @Test(arguments: [
        ("getBook 200 #1", "everything is present"),
        ("getBook #1", "everything is present"),
        ("getBook 200 /author/born is null", "/author/born is null"),
        ("getBook /code is null", "/code is null"),
    ])
    func `finds a variant by its number or label`(name: String, label: String) throws {
        #expect(try catalog().variant(name).variant.label == label)
    }

    @Test(arguments: [
        ("getBok 200 #1", "no contract contains an operation \"getBok\"; did you mean getBook?"),
        ("GET /book #1", "no contract contains an operation \"GET /book\"; did you mean getBook?"),
        ("getBook", "\"getBook\" does not name a variant; `getBook #1` is the first variant"),
        ("getBook 200", "\"getBook 200\" does not name a variant; `getBook 200 #1` is the first variant"),
        ("getBook 299 #1", "getBook has no variant for status 299, only for 200 and 404"),
        ("getBook 404 #900", "getBook has no variant #900; the last variant is #LAST"),
        ("getBook 200 7", "getBook has no variant \"7\"; did you mean \"#7\"?"),
        ("getBook /code is nul", "getBook has no variant \"/code is nul\"; did you mean \"/code is null\"?"),
        (
            "getShelf #1",
            "getShelf is an operation in /library/Contracts/a/openapi.json and /library/Contracts/b/openapi.json;"
                + " specify one contract"
        ),
    ])
    func `says what is wrong with a name`(name: String, sentence: String) throws {
        let catalog = try catalog()
        let problem = #expect(throws: CheckProblem.self) { try catalog.variant(name) }
        let last = try catalog.variants(of: "getBook").filter { $0.status == 404 }.count
        #expect(problem?.sentence == sentence.replacing("#LAST", with: "#\(last)"))
    }

    @Test func `writes fixtures without placeholders`() throws {
        let markup = try catalog().variant("getBook 200 /title is text with markup")
        let text = String(decoding: markup.fixture, as: UTF8.self)
        #expect(!text.contains("{{y}}"))
        #expect(text.contains("\n  \"title\""))
        let escaped = try catalog().variant("getBook 200 everything is written only with escapes")
        #expect(escaped.fixture == escaped.variant.body)
        #expect(try JSONParser().parse(escaped.fixture).root == escaped.variant.value)
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}
