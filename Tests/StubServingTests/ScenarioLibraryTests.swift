import Findings
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
        ])
        let error = #expect(throws: ScenarioError.self) { try ScenarioLibrary("/project/Scenarios", files: files) }
        #expect(error?.findings.first?.message == #"the folder "/project/Scenarios" has no backend.json"#)
        #expect(
            error?.findings.first?.advice
                == "name a folder with one; there are /project/Scenarios/one, /project/Scenarios/two"
        )
    }
}
