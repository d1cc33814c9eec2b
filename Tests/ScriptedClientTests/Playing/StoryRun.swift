import Findings
import ProjectFiles
import ScenarioFormat
import Simulation

/// A story, or a variant of one, that has been loaded for any number of plays.
struct StoryRun: Sendable {
    let loaded: LoadedScenario
    let compiled: CompiledScenario

    init(_ loaded: LoadedScenario) {
        self.loaded = loaded
        compiled = CompiledScenario(loaded.scenario)
    }

    /// - Throws: the findings that keep it from being played, one a line.
    init(_ path: String, variant: String?, files: any FileReading) throws(Unplayable) {
        guard let root = ProjectRoot(enclosing: path, files: files) else {
            throw Unplayable(description: "\(path) lies in no project")
        }
        do throws(ScenarioError) {
            self.init(try ScenarioLoader(files: files, project: root).load(path, variant: variant))
        } catch {
            throw Unplayable(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    /// Whether a client can be judged by it.
    var expectsSomething: Bool {
        !loaded.scenario.expectations.isEmpty || loaded.scenario.story?.isSilent ?? false
    }

    struct Unplayable: Error, CustomStringConvertible {
        var description: String
    }
}
