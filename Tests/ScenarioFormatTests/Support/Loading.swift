import Basics
import ScenarioFormat
import TestSupport

/// What came of a scenario: every finding as its line, whether it loaded or not.
struct Outcome {
    var scenario: Scenario?
    var findings: [Finding]
    var watched: [String]

    var lines: [String] { findings.map(\.description) }
}

/// Loads one of several files in memory.
func load(_ path: String, of files: MemoryFiles) -> Outcome {
    var memory = ParseCache()
    return load(path, of: files, remembering: &memory)
}

/// Loads one of several files in memory, without reading again what an earlier one has left.
func load(_ path: String, of files: MemoryFiles, remembering memory: inout ParseCache) -> Outcome {
    guard let project = ProjectRoot("/project", files: files) else {
        return Outcome(scenario: nil, findings: [Finding(.error, id: "test/no-project", "no project")], watched: [])
    }
    do {
        let runs = try ScenarioLoader(files: files, project: project).loadRuns(path, remembering: &memory)
        return Outcome(scenario: runs[0].scenario, findings: runs[0].findings, watched: runs[0].watched)
    } catch {
        return Outcome(scenario: nil, findings: error.findings, watched: error.watched)
    }
}

/// Loads `b.json`, a backend, with further files beside it.
func load(_ text: String, with others: [String: String] = [:]) -> Outcome {
    load("b.json", of: MemoryFiles(others.merging(["b.json": text]) { $1 }))
}

/// Loads `s.json`, a story, over `b.json`.
func load(story: String, over backend: String, with others: [String: String] = [:]) -> Outcome {
    load("s.json", of: MemoryFiles(others.merging(["b.json": backend, "s.json": story]) { $1 }))
}
