import Basics
import OpenAPI
import ScenarioFormat
import Simulation

/// A story, or a variant of one, that has been loaded for any number of plays.
struct StoryRun: Sendable {
    let loaded: LoadedScenario
    let compiled: CompiledScenario
    /// `nil` where the backend is documented by none.
    let contract: ContractEvaluator?

    /// Loads a story's file: the story itself, then each of its variants.
    ///
    /// - Throws: the findings that keep it from being played.
    static func all(
        in path: String,
        files: any FileReading,
        contracts: Contracts,
        remembering memory: inout ParseCache
    ) throws(Unplayable) -> [StoryRun] {
        guard let root = ProjectRoot(enclosing: path, files: files) else {
            throw Unplayable([Finding(.error, id: "script/no-project", "\(path) lies in no project")])
        }
        let runs: [LoadedScenario]
        do {
            runs = try ScenarioLoader(files: files, project: root).loadRuns(path, remembering: &memory)
        } catch {
            throw Unplayable(error.findings)
        }
        return try runs.map { loaded throws(Unplayable) in
            let contract = try loaded.scenario.contract.map { reference throws(Unplayable) in
                try contracts.contract(reference.path, in: root, files: files)
            }
            return StoryRun(loaded: loaded, compiled: CompiledScenario(loaded.scenario), contract: contract)
        }
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

extension [StoryRun] {
    /// The run of a variant, or of the story itself; nothing where the story has no such variant.
    func run(of variant: String?) -> StoryRun? {
        first { $0.loaded.variant == variant }
    }
}
