import Basics
import ScenarioFormat
import TestSupport

@testable import ReferenceClients

extension BugCase {
    /// Loads the story.
    func load() throws -> LoadedScenario {
        let files = files
        guard let root = ProjectRoot("/project", files: files) else { throw Unplayable(description: "no project") }
        do throws(ScenarioError) {
            return try ScenarioLoader(files: files, project: root).load("/project/story.json")
        } catch {
            throw Unplayable(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    var files: MemoryFiles { MemoryFiles(["backend.json": Backend.text, "story.json": storyText()]) }

    struct Unplayable: Error, CustomStringConvertible {
        var description: String
    }
}
