import Basics
import Checking
import ClientTesting
import TestSupport
import Testing

@Suite struct `A file that shows the stories` {
    private static func catalog() throws -> StoryCatalog {
        let files = MemoryFiles([
            "Scenarios/backend.json": #"{ "backend": "B" }"#,
            "Scenarios/s.json": #"{ "extends": "backend.json", "id": "S1", "title": "One" }"#,
        ])
        return try StoryCatalog(files: files)
    }

    private func shown(_ text: String) -> ShownStories { shown(Array(text.utf8)) }

    private func shown(_ bytes: [UInt8]) -> ShownStories {
        let command = "backlot stories --readme README.md --write"
        return ShownStories(in: "README.md", renewedBy: command, files: MemoryFiles(["README.md": bytes]))
    }

    private static let fresh = """
        # Title
        <!-- stories -->

        ### B

        | id | story | reproduces | bug classes | facts |
        |---|---|---|---|---|
        | S1 | [One](Scenarios/s.json) | | | |

        <!-- /stories -->
        The end.
        """

    @Test func `is up to date when it is what the command prints`() throws {
        #expect(try shown(Self.fresh).finding(for: Self.catalog()) == nil)
        #expect(try shown(Self.fresh).text(with: Self.catalog()) == Self.fresh)
    }

    @Test(arguments: [
        ("# Title\n<!-- stories -->\n<!-- /stories -->\nThe end.", 3),
        (fresh.split(separator: "[One]").joined(separator: "[Two]"), 8),
        (fresh.split(separator: "| | |\n").joined(separator: "| | |\n| S2 | more | | |\n"), 9),
        (fresh.split(separator: "\n\n<!-- /").joined(separator: "\n<!-- /"), 9),
    ])
    func `is told where it differs, and renewed`(text: String, line: Int) throws {
        let catalog = try Self.catalog()
        #expect(
            shown(text).finding(for: catalog)?.description
                == "README.md:\(line):1: error: the table of stories is out of date from this line on; "
                + "update the table with backlot stories --readme README.md --write [stories/outdated-table]"
        )
        #expect(shown(text).text(with: catalog) == Self.fresh)
    }

    @Test(arguments: [
        "", "<!-- stories -->\n", "<!-- /stories -->\n<!-- stories -->\n", "`<!-- stories -->`\n<!-- /stories -->",
    ])
    func `must have a place for them`(text: String) throws {
        let catalog = try Self.catalog()
        #expect(
            shown(text).finding(for: catalog)?.description
                == "README.md: error: the file contains no markers for the table of stories; write the lines <!-- stories --> "
                + "and <!-- /stories --> where the table belongs [stories/missing-markers]"
        )
        #expect(shown(text).text(with: catalog) == nil)
    }

    @Test func `must be a text`() throws {
        let catalog = try Self.catalog()
        let broken = shown(Array(Self.fresh.utf8) + [0xFF])
        #expect(broken.finding(for: catalog)?.message == "the file is not valid UTF-8")
        #expect(broken.text(with: catalog) == nil && !broken.isThere)
        let missing = ShownStories(in: "README.md", renewedBy: "", files: NoFiles())
        #expect(missing.finding(for: catalog)?.message == "there is no file \"README.md\"")
    }
}
