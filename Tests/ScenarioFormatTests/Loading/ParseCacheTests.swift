import Basics
import JSON
import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `A story that is loaded after others of its backend` {
    private static let files = MemoryFiles([
        "b.json": #"""
        { "backend": "B", "accounts": { "mina": { "age": 30 } },
          "collections": { "notes": { "items": [{ "title": "1" }] } },
          "routes": {
            "GET /a": { "fixture": "a.json" },
            "GET /b": { "json": { "age": "{{account.age}}" } },
            "GET /e": { "find": { "x": { "all": "notes", "where": { "/titel": "1" } } }, "json": "{{found.x}}" },
            "GET /c": { "json": { "{{name}}": "{{clock}}" } } } }
        """#,
        "a.json": #"{ "a": "{{clock}}" }"#,
        "changes.json": #"""
        { "extends": "b.json", "id": "S-1", "title": "1", "routes": { "GET /a": { "status": 500 } } }
        """#,
        "own.json": #"""
        { "extends": "b.json", "id": "S-2", "title": "2", "routes": { "GET /d": { "fixture": "d.json" } },
          "variants": { "one": { "routes": { "GET /b": { "status": 404 } } } } }
        """#,
        "d.json": #"{ "d": "{{clock}}" }"#,
        "others.json": #"""
        { "extends": "b.json", "id": "S-3", "title": "3", "accounts": { "mina": null, "jun": { "nick": "J" } } }
        """#,
    ])

    private static func statuses(_ outcome: Outcome) -> [Int] {
        outcome.scenario?.routes.compactMap { $0.allResponses.first?.status } ?? []
    }

    @Test func `has what its backend says, not what they changed`() throws {
        var memory = ParseCache()
        #expect(Self.statuses(load("changes.json", of: Self.files, remembering: &memory)) == [500, 200, 200, 200])
        #expect(Self.statuses(load("own.json", of: Self.files, remembering: &memory)) == [200, 200, 200, 200, 200])
        #expect(Self.statuses(load("changes.json", of: Self.files, remembering: &memory)) == [500, 200, 200, 200])
    }

    @Test(arguments: ["changes.json", "own.json", "others.json"])
    func `is told the same as when it stands alone`(name: String) throws {
        var memory = ParseCache()
        for first in ["own.json", "changes.json", "others.json"] {
            _ = load(first, of: Self.files, remembering: &memory)
        }
        let after = load(name, of: Self.files, remembering: &memory)
        #expect(after.lines == load(name, of: Self.files).lines)
        #expect(!after.lines.isEmpty)
    }

    @Test func `knows which file each fixture is`() throws {
        let project = try #require(ProjectRoot("/project", files: Self.files))
        let loader = ScenarioLoader(files: Self.files, project: project)
        var memory = ParseCache()
        for path in ["changes.json", "own.json", "changes.json", "own.json"] {
            for run in try loader.loadRuns(path, remembering: &memory) {
                for response in run.scenario.routes.flatMap(\.allResponses) {
                    let place = run.sources.path(of: response.position)
                    #expect(place == "b.json" || place == path)
                    guard let fixture = response.fixture else { continue }
                    #expect(run.sources.paths[Int(fixture.document)] == fixture.path)
                }
            }
        }
    }
}
