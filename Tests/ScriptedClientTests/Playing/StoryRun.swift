import Findings
import OpenAPIContracts
import ProjectFiles
import ScenarioFormat
import Simulation

/// A story, or a variant of one, that has been loaded for any number of plays.
struct StoryRun: Sendable {
    let loaded: LoadedScenario
    let compiled: CompiledScenario
    /// `nil` where the backend is documented by none.
    let contract: ContractJudge?

    init(_ loaded: LoadedScenario, contract: ContractJudge?) {
        self.loaded = loaded
        compiled = CompiledScenario(loaded.scenario)
        self.contract = contract
    }

    /// - Throws: the findings that keep it from being played, one a line.
    init(_ path: String, variant: String?, files: any FileReading, contracts: Contracts) throws(Unplayable) {
        guard let root = ProjectRoot(enclosing: path, files: files) else {
            throw Unplayable([Finding(.error, id: "script/no-project", "\(path) lies in no project")])
        }
        let loaded: LoadedScenario
        do {
            loaded = try ScenarioLoader(files: files, project: root).load(path, variant: variant)
        } catch {
            throw Unplayable(error.findings)
        }
        let reference = loaded.scenario.contract
        self.init(
            loaded,
            contract: try reference.map { reference throws(Unplayable) in
                try contracts.contract(reference.path, in: root, files: files)
            }
        )
    }

    /// Whether a client can be judged by it.
    var expectsSomething: Bool {
        !loaded.scenario.expectations.isEmpty || loaded.scenario.story?.isSilent ?? false
    }

    struct Unplayable: Error, CustomStringConvertible {
        var findings: [Finding]

        init(_ findings: [Finding]) {
            self.findings = findings.filter { $0.severity == .error }
        }

        var description: String { findings.map(\.description).joined(separator: "\n") }

        /// The first finding, and how many more there are.
        var gist: String {
            let first = findings.first?.description ?? "nothing is known"
            return findings.count < 2 ? first : "\(first), and \(findings.count - 1) more"
        }
    }
}
