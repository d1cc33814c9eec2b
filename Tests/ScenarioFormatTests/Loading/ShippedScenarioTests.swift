import Basics
import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `The scenarios of this project` {
    @Test func `load without a finding`() throws {
        let files = DiskFiles()
        let root = try #require(ProjectRoot(enclosing: "\(Project.scenarios)/smeem", files: files))
        let loader = ScenarioLoader(files: files, project: root)
        // What the stories extend is read once.
        var known = ParseCache()
        for name in Project.stories(of: "smeem") {
            do {
                let runs = try loader.loadRuns("\(Project.scenarios)/smeem/\(name)", remembering: &known)
                #expect(runs.flatMap(\.findings).map(\.description) == [], "\(name)")
            } catch {
                Issue.record("\(error.findings.map(\.description).joined(separator: "\n"))")
            }
        }
    }
}
