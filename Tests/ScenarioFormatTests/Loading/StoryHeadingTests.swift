import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `A story's heading` {
    private let files = MemoryFiles([
        "s.json": #"{ "extends": "b.json", "id": "S-1", "title": "A story", "routes": 5 }"#,
        "untitled.json": #"{ "extends": "b.json", "id": "S-2" }"#, "b.json": #"{ "backend": "B", "id": "x" }"#,
        "broken.json": #"{ "extends": "b.json", "id": "S-3", }"#, "odd.json": #"{ "extends": "b.json", "id": 4 }"#,
    ])

    @Test
    func `is read without the rest`() throws {
        let heading = try #require(StoryHeading("s.json", files: files))
        #expect(heading.id == "S-1" && heading.title == "A story" && heading.file == "s.json")
        #expect(StoryHeading("untitled.json", files: files)?.title == "")
    }

    @Test
    func `names the variants, with their titles or the story's`() throws {
        let files = MemoryFiles([
            "s.json": #"""
            { "extends": "b.json", "id": "S-1", "title": "A story",
              "variants": { "$comment": {}, "b": { "title": "B" }, "a": {}, "odd": 1, "gone": null } }
            """#
        ])
        let heading = try #require(StoryHeading("s.json", files: files))
        #expect(heading.variants.map(\.name) == ["b", "a"])
        #expect(heading.variants.map(\.title) == ["B", "A story"])
    }

    @Test(arguments: ["b.json", "broken.json", "odd.json", "nowhere.json"])
    func `is none where there is no story`(file: String) {
        #expect(StoryHeading(file, files: files) == nil)
    }
}
