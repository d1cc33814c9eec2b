import Basics
import ScenarioFormat
import StubServing
import TestSupport
import Testing

@Suite
struct `A library of stories` {
    private let backend = #"{ "backend": "L", "routes": { "GET /": { "empty": true } } }"#

    private func story(_ id: String) -> String {
        #"{ "extends": "backend.json", "id": "\#(id)", "title": "T" }"#
    }

    @Test func `lists them as people sort names`() throws {
        let files = MemoryFiles(scenarios: [
            "backend.json": backend, "a.json": story("K10"), "b.json": story("K2"), "c.json": story("K1"),
        ])
        let library = try ScenarioLibrary("/project/Scenarios", files: files)
        #expect(library.stories().map(\.id) == ["K1", "K2", "K10"])
    }

    @Test func `tells of a folder of folders where the backends are`() throws {
        let files = MemoryFiles(scenarios: [
            "one/backend.json": backend, "two/backend.json": backend, "three/other.json": "{}", "schema.json": "{}",
            ".draft.7/backend.json": backend,
        ])
        let error = #expect(throws: ScenarioError.self) { try ScenarioLibrary("/project/Scenarios", files: files) }
        #expect(
            error?.findings.first?.message
                == #"the folder "/project/Scenarios" contains neither a backend.json nor a story"#
        )
        #expect(
            error?.findings.first?.advice
                == "specify a folder that contains a backend: /project/Scenarios/one or /project/Scenarios/two"
        )
    }

    @Test func `are not served from hidden folders, where drafts are written`() {
        let files = MemoryFiles(scenarios: ["one/backend.json": backend, ".draft.7/backend.json": backend])
        #expect(ScenarioLibrary.usualBackends(files: files) == ["Scenarios/one"])
    }

    private func extending(_ base: String, id: String) -> String {
        #"{ "extends": "\#(base)", "id": "\#(id)", "title": "T" }"#
    }

    @Test func `stands for the backend that all stories of a folder extend, directly or not`() throws {
        let files = MemoryFiles(scenarios: [
            "app/backend.json": backend, "app/day.json": story("DAY"),
            "found/b.json": extending("../app/backend.json", id: "B"),
            "found/a.json": extending("../app/day.json", id: "A"), "found/explore.json": #"{ "runs": {} }"#,
        ])
        let library = try ScenarioLibrary("/project/Scenarios/found", files: files)
        #expect(files.resolve(library.path) == "/project/Scenarios/app/backend.json")
        #expect(library.stories().map(\.id) == ["A", "B"])
        #expect(try library.load().scenario.story == nil)
        #expect(try library.load(story: "A").scenario.story?.id == "A")
    }

    @Test(arguments: [
        (
            ["found/a.json": "../one/backend.json", "found/b.json": "../two/backend.json"],
            #"the folder "/project/Scenarios/found" contains no backend.json, and its stories extend "#,
            "specify a story, such as /project/Scenarios/found/a.json, or one of the backends"
        ),
        (
            ["found/a.json": "../on/backend.json"], #"there is no file "/project/Scenarios/found/../on/backend.json""#,
            nil
        ),
        (
            ["found/a.json": "b.json", "found/b.json": "a.json"], #""extends" forms a cycle: "#, nil
        ),
        (
            ["found/a.json": nil],
            #"the folder "/project/Scenarios/found" contains neither a backend.json nor a story"#,
            #"a.json contains an "id" but no "extends"; a story requires its backend, such as "extends": "../app/backend.json""#
        ),
    ])
    func `says why a folder without a backend cannot be served`(
        bases: [String: String?],
        message: String,
        advice: String?
    ) {
        var texts = ["one/backend.json": backend, "two/backend.json": backend]
        for (name, base) in bases { texts[name] = base.map { extending($0, id: "S") } ?? #"{ "id": "A" }"# }
        let files = MemoryFiles(scenarios: texts)
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioLibrary("/project/Scenarios/found", files: files)
        }
        let finding = error?.findings.first
        #expect(finding?.message.hasPrefix(message) == true, "\(String(describing: finding))")
        #expect(finding?.advice == advice, "\(String(describing: finding))")
    }

    @Test func `reads YAML, with fixtures that are sent as JSON`() throws {
        let backend = """
            # A backend
            backend: L
            routes:
              GET /: {fixture: all.yml}
            """
        let files = MemoryFiles(scenarios: [
            "backend.yaml": backend, "all.yml": "# All\n- a: no\n  b: 0x10\n",
            "late.yml": "extends: backend.yaml\nid: K1\ntitle: T\nvariants: {later: {title: U}}\n",
            "other.yaml": "a: b: c",
        ])
        let library = try ScenarioLibrary("/project/Scenarios", files: files)
        #expect(library.path == "/project/Scenarios/backend.yaml")
        #expect(library.stories().map(\.id) == ["K1", "K1/later"])
        let loaded = try library.load(story: "K1/later")
        #expect(loaded.watched.contains("/project/Scenarios/all.yml"))
        let body = try #require(loaded.scenario.routes.first?.allResponses.first?.body)
        guard case .bytes(let bytes, let type) = body else {
            Issue.record("\(body)")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"[{"a":"no","b":16}]"#)
        #expect(type == "application/json")
    }

    @Test(arguments: [
        ("api.yaml", "# Pets\nopenapi: 3.1.0\ninfo: {}\n", true),
        ("api.yml", "{openapi: 3.1.0}", true),
        ("api.yaml", "openapi: 3.1.0\ninfo: [\n", true),
        ("api.yaml", "backend: openapi\n", false),
        ("api.json", "{\"openapi\": \"3.1.0\"}", true),
    ])
    func `tells an OpenAPI file from a scenario`(name: String, text: String, isContract: Bool) throws {
        let files = MemoryFiles(scenarios: [name: text])
        #expect(try ScenarioLibrary("/project/Scenarios/\(name)", files: files).isContract == isContract)
    }

    @Test(arguments: [
        (["backend.json", "Scenarios/app/backend.json"], "."),
        (["backend.yaml"], "."),
        (["Scenarios/backend.json", "Scenarios/fixtures/a.json"], "Scenarios"),
        (["Scenarios/app/backend.json", "Scenarios/app/story.json", "Scenarios/schema.json"], "Scenarios/app"),
        (["Scenarios/app/backend.yml"], "Scenarios/app"),
    ])
    func `finds the backend that is meant when no path is given`(paths: [String], found: String) throws {
        let files = MemoryFiles(Dictionary(uniqueKeysWithValues: paths.map { ($0, backend) }))
        #expect(try ScenarioLibrary.usualPath(files: files) == found)
    }

    @Test(arguments: [
        (
            ["Scenarios/a/backend.json": "{}", "Scenarios/b/backend.yaml": "", "Scenarios/c/story.json": "{}"],
            "found several backends: Scenarios/a, Scenarios/b",
            "specify a backend: backlot serve Scenarios/a"
        ),
        (
            ["package.json": "{}", "api.json": #"{ "openapi": "3.1.0" }"#],
            "found no backend.json here or in Scenarios",
            "serve the OpenAPI file with backlot serve api.json, or create a scenario from it with backlot init api.json"
        ),
        (
            ["package.json": "{}", "Scenarios/a/story.json": "{}"],
            "found no backend.json here or in Scenarios",
            "create a scenario with backlot init"
        ),
    ])
    func `says what to name when no path is given and none is meant`(
        texts: [String: String],
        message: String,
        advice: String
    ) {
        let error = #expect(throws: ScenarioError.self) {
            try ScenarioLibrary.usualPath(files: MemoryFiles(texts))
        }
        #expect(error?.findings.map(\.message) == [message])
        #expect(error?.findings.map(\.advice) == [advice])
    }
}
