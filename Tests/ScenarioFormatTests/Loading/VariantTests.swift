import Basics
import JSON
import TestSupport
import Testing

@testable import ScenarioFormat

@Suite
struct `A variant of a story` {
    private static let files = [
        "b.json": #"""
        { "backend": "B", "clock": { "rate": 2, "skew": "1s" }, "routes": { "GET /a": { "fixture": "a.json" } } }
        """#,
        "s.json": #"""
        { "extends": "b.json", "id": "S-1", "title": "A story", "about": "It is told.", "seed": 5,
          "expect": [{ "request": "GET /a" }],
          "variants": {
            "$comment": "two",
            "no-data": { "title": "Without data", "clock": { "skew": null }, "routes": { "GET /a": { "empty": true } } },
            "twice": { "seed": null, "expect": [{ "request": "GET /a", "count": 2 }, { "client": "home" }] }
          } }
        """#,
        "t.json": #"{ "extends": "s.json", "id": "T-1", "title": "Another story" }"#, "a.json": "[]",
    ]

    private func load(_ path: String = "s.json", variant: String?) throws -> LoadedScenario {
        let files = MemoryFiles(Self.files)
        let root = try #require(ProjectRoot("/project", files: files))
        return try ScenarioLoader(files: files, project: root).load(path, variant: variant)
    }

    @Test
    func `leaves the story as it is`() throws {
        let loaded = try load(variant: nil)
        let story = try #require(loaded.scenario.story)
        #expect(story.id == "S-1" && story.variant == nil && story.variants == ["no-data", "twice"])
        #expect(loaded.variant == nil && loaded.findings == [])
        #expect(loaded.scenario.seed == 5 && loaded.scenario.expectations.count == 1)
        #expect(loaded.root["variants"] == nil)
    }

    @Test
    func `is laid over the story along the format`() throws {
        let loaded = try load(variant: "no-data")
        let story = try #require(loaded.scenario.story)
        #expect(story.id == "S-1/no-data" && story.variant == "no-data" && story.variants == ["no-data", "twice"])
        #expect(story.title == "Without data" && story.about == "It is told.")
        #expect(loaded.variant == "no-data" && loaded.path == "s.json")
        #expect(loaded.scenario.clock.skew == .zero && loaded.scenario.clock.mode == .running(rate: 2))
        guard case .some(.none) = loaded.scenario.routes.first?.responses.own?.body else {
            return #expect(Bool(false), "a body")
        }
        #expect(loaded.scenario.seed == 5 && loaded.scenario.expectations.count == 1)
    }

    @Test
    func `replaces arrays and takes away what is null`() throws {
        let scenario = try load(variant: "twice").scenario
        #expect(scenario.seed == 1 && scenario.expectations.count == 2 && scenario.story?.title == "A story")
    }

    @Test
    func `belongs to its own file and not to those that extend it`() throws {
        #expect(try load("t.json", variant: nil).scenario.story?.variants == [])
        #expect(throws: ScenarioError.self) { try load("t.json", variant: "twice") }
    }

    @Test
    func `is loaded with the files of the whole story`() throws {
        for variant in [nil, "no-data", "twice"] {
            #expect(try load(variant: variant).watched.map(FilePath.name) == ["s.json", "b.json", "a.json"])
        }
    }

    @Test(arguments: [
        ("s.json", "no-dta", #"the story does not define the variant "no-dta"; did you mean "no-data"?"#),
        ("s.json", "", #"the story does not define the variant ""; use no-data or twice"#),
        ("t.json", "twice", #"the story does not define the variant "twice"; the story defines no variants"#),
        ("b.json", "twice", #"the story does not define the variant "twice"; the story defines no variants"#),
    ])
    func `that is not there is told with those that are`(path: String, variant: String, message: String) {
        let error = #expect(throws: ScenarioError.self) { try load(path, variant: variant) }
        #expect(error?.findings.map(\.description) == ["\(path): error: \(message) [scenario/unknown-variant]"])
        #expect(error?.watched.isEmpty == false)
    }
}
