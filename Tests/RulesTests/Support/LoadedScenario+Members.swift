import Basics
import ScenarioFormat
import Simulation
import TestSupport
import Testing

extension LoadedScenario {
    /// Loads a backend from the members of its file, besides its name.
    init(members: String) throws {
        let files = MemoryFiles(["backend.json": "{\"backend\": \"Test\", \(members)}"])
        let root = try #require(ProjectRoot("/project", files: files))
        do throws(ScenarioError) {
            self = try ScenarioLoader(files: files, project: root).load("/project/backend.json")
        } catch {
            throw Unplayable(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    struct Unplayable: Error, CustomStringConvertible {
        var description: String
    }

    /// A session at its beginning, at a moment of the calendar that never changes.
    func session(at now: MonotonicTime, journal: Journal.Capacity = Journal.Capacity()) -> Session {
        Session(CompiledScenario(scenario), start: VirtualTime(seconds: 1_700_000_000), at: now, journal: journal)
    }
}
