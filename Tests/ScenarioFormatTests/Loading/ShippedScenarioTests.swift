import Basics
import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `The scenarios of this project` {
    @Test(arguments: Project.stories(of: "smeem"))
    func `load without a finding`(name: String) throws {
        let files = DiskFiles()
        let path = "\(Project.scenarios)/smeem/\(name)"
        let root = try #require(ProjectRoot(enclosing: path, files: files))
        do {
            let loaded = try ScenarioLoader(files: files, project: root).load(path)
            #expect(loaded.findings.map(\.description) == [])
        } catch {
            Issue.record("\(error.findings.map(\.description).joined(separator: "\n"))")
        }
    }
}
