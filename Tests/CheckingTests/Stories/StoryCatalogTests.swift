import Basics
import Reports
import TestSupport
import Testing

@testable import Checking
@testable import ClientTesting

@Suite struct `A catalog of stories` {
    private static let files = [
        "Scenarios/pets/backend.json": #"{ "backend": "Pets", "reproduces": "pets/B0" }"#,
        "Scenarios/pets/fixtures/pets.json": "[]",
        "Scenarios/pets/a.json": #"""
        { "extends": "backend.json", "id": "K10", "title": "Ten", "reproduces": null,
          "routes": { "GET /a": {} }, "expect": [
            { "client": { "says": "a|b", "rows": 3 }, "shownBy": [{ "request": "GET /a" }] }, { "client": { "greets": "c" } },
            { "client": { "rows": 3 }, "orUnknown": true }
          ] }
        """#,
        "Scenarios/pets/b.json": #"""
        { "extends": "backend.json", "id": "K2", "title": "Two | [more] <b>", "reproduces": ["pets/B3", "pets/x_y"],
          "bugClasses": ["refresh-storm", "B17"], "variants": { "same": {},
            "other": { "title": "Two in another way", "reproduces": ["pets/B3", "pets/B9"], "bugClasses": "B2" },
            "seen": { "uiOnly": true, "bugClasses": "B9" } } }
        """#,
        "Scenarios/pets/more stories/c.json": #"""
        { "extends": "../b.json", "id": "K3", "title": "Three", "bugClasses": null, "uiOnly": true }
        """#,
        "Scenarios/birds/backend.json": #"{ "backend": "Birds" }"#,
        "Scenarios/birds/one.json": #"{ "extends": "backend.json", "id": "BI-01", "title": "One" }"#,
        "docs/stories.md": "",
    ]

    private static let pets = #"""
        ### Pets

        | id | story | reproduces | bug classes | facts |
        |---|---|---|---|---|
        | K2 | [Two \| \[more\] \<b\>](Scenarios/pets/b.json)<br>`K2/same`<br>`K2/other` Two in another way<br>`K2/seen` | pets/B3, pets/x\_y, pets/B9 | B2 refresh-storm, B17 retry-after-ignored, B9 signed-out-by-passing-failure, only on the screen | |
        | K3 | [Three](Scenarios/pets/more%20stories/c.json) | pets/B3, pets/x\_y | only on the screen | |
        | K10 | [Ten](Scenarios/pets/a.json) | | | `says` "a\|b"; `rows` 3; **`greets`** "c" |

        """#

    @Test func `has a table for each backend, in the natural order of ids`() throws {
        let catalog = try StoryCatalog(files: MemoryFiles(Self.files))
        #expect(catalog.findings == [])
        #expect(catalog.tables.map(\.backend) == ["Birds", "Pets"])
        let birds =
            "### Birds\n\n| id | story | reproduces | bug classes | facts |\n|---|---|---|---|---|\n"
            + "| BI-01 | [One](Scenarios/birds/one.json) | | | |\n"
        #expect(catalog.markdown == birds + "\n" + Self.pets)
        #expect(try StoryCatalog(["Scenarios/pets"], files: MemoryFiles(Self.files)).markdown == Self.pets)
    }

    @Test func `has links from the folder of the file that shows it`() throws {
        let catalog = try StoryCatalog(
            ["Scenarios/birds"],
            shownIn: "docs/stories.md",
            files: MemoryFiles(Self.files)
        )
        #expect(catalog.tables.first?.rows.map(\.link) == ["../Scenarios/birds/one.json"])
    }

    @Test func `tells what is wrong with stories, each thing once`() throws {
        var files = Self.files
        files["Scenarios/pets/a.json"] =
            #"{ "extends": "backend.json", "id": "K1", "title": "T", "bugClasses": "B99" }"#
        files["Scenarios/birds/backend.json"] = #"{ "backend": "Birds", "sed": 1 }"#
        files["Scenarios/birds/two.json"] = #"{ "extends": "backend.json", "id": "BI-02", "title": "Two" }"#
        files["Scenarios/birds/three.json"] = "{"
        let found = try StoryCatalog(files: MemoryFiles(files)).findings.map {
            "\($0.place?.description ?? "") \($0.id)"
        }
        #expect(
            found == [
                "Scenarios/birds/backend.json:1:23 scenario/unknown-key", "Scenarios/birds/three.json:1:2 json/syntax",
                "Scenarios/pets/a.json:1:70 scenario/bad-value",
            ]
        )
    }

    @Test func `must have some`() {
        let files = MemoryFiles(["Scenarios/backend.json": #"{ "backend": "B" }"#, "a.txt": ""])
        #expect(throws: CheckProblem(sentence: "there is no story in Scenarios, so there is nothing to list")) {
            try StoryCatalog(files: files)
        }
        #expect(throws: CheckProblem(sentence: "there is no file or folder \"Scenario\"; did you mean \"Scenarios\"?"))
        {
            try StoryCatalog(["Scenario"], files: files)
        }
        let nothing = "there is no Scenarios folder in /project; specify files or folders"
        #expect(throws: CheckProblem(sentence: nothing)) { try StoryCatalog(files: MemoryFiles(["a.json": "{}"])) }
    }

    @Test func `of this repository is what Scenarios/STORIES.md shows`() throws {
        let path = Project.scenarios + "/STORIES.md"
        let catalog = try StoryCatalog([Project.scenarios], shownIn: path, files: DiskFiles())
        #expect(catalog.findings.map(\.description) == [])
        let command = "backlot stories --readme Scenarios/STORIES.md --write"
        let shown = ShownStories(in: path, renewedBy: command, files: DiskFiles())
        if Golden.isUpdated {
            try Golden.update(path, to: try #require(shown.text(with: catalog)))
        } else {
            #expect(shown.finding(for: catalog)?.description == nil)
        }
    }
}
