import TestSupport
import Testing

@Suite struct `A sheet` {
    @Test func `has examples with titles, files and lines`() throws {
        let text = "\n=== one\n--- a.json\n{}\n--- b.json\n1\n\n2\n--- says\nx\ny\n\n=== two\n--- a.json\n--- says\n"
        let examples = try SheetExample.read(text, in: "sheet.txt")
        #expect(examples.map(\.title) == ["one", "two"])
        #expect(examples.map { $0.files.map(\.name) } == [["a.json", "b.json"], ["a.json"]])
        #expect(examples.map { $0.files.map(\.text) } == [["{}\n", "1\n\n2\n"], [""]])
        #expect(examples.map(\.lines) == [["x", "y"], []])
    }

    @Test(arguments: [
        ("x\n=== one\n--- a\n--- says\n", 1, "this line belongs to no file"),
        ("=== one\nx\n--- a\n--- says\n", 2, "this line belongs to no file"),
        ("--- a\n", 1, "no example begins before this line"),
        ("=== one\n--- a\n=== two\n--- a\n--- says\n", 3, "the example before this one has no `says`"),
        ("=== one\n--- a\nx", 3, "the last example has no `says`"),
        ("=== one\n--- a\n--- says\n--- says\n", 4, "the example continues after its `says`"),
        ("=== one\n--- a\n--- says\n--- b\n", 4, "the example continues after its `says`"),
        ("=== one\n--- says\n", 2, "the example has no file"),
        ("=== one\n--- a\n--- a\n--- says\n", 3, "the example has two files with this name"),
        ("=== one\n--- a\n--- says\n=== one\n--- a\n--- says\n", 4, "another example has the same title"),
        ("===one\n--- a\n--- says\n", 1, "a heading has a space and a name"),
        ("=== one\n--- \n--- says\n", 2, "a heading has a space and a name"),
    ])
    func `is refused with the line if a part is out of place`(text: String, line: Int, sentence: String) {
        let problem = #expect(throws: SheetProblem.self) { try SheetExample.read(text, in: "sheet.txt") }
        #expect(problem?.description == "sheet.txt:\(line): \(sentence)")
    }
}
