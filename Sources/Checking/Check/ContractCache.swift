import Basics
import OpenAPI

/// A contract that was looked at, and what is wrong with it.
struct CheckedContract {
    var path: String
    /// `nil` when it cannot be used.
    var judge: ContractEvaluator?
    var findings: [Finding]
}

/// Every contract that a check meets, each loaded once.
struct ContractCache {
    private let files: any FileReading
    private let overlays: [String]
    private let mappings: [URLMapping]
    private var known: [String: CheckedContract] = [:]

    init(files: any FileReading, overlays: [String], mappings: [URLMapping]) {
        self.files = files
        self.overlays = overlays
        self.mappings = mappings
    }

    var count: Int { known.count }

    /// A contract, and whether it was met for the first time.
    mutating func contract(at path: String) -> (contract: CheckedContract, isNew: Bool) {
        let key = files.resolve(path) ?? path
        if let contract = known[key] { return (contract, false) }
        let contract = load(path)
        known[key] = contract
        return (contract, true)
    }

    private func load(_ path: String) -> CheckedContract {
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            let message = FileProblem.missing.sentence(about: path)
            let finding = Finding(.error, id: "check/missing-contract", message, at: Place(file: path))
            return CheckedContract(path: path, judge: nil, findings: [finding])
        }
        do {
            let loader = ContractLoader(files: files, project: project, overlays: overlays, mappings: mappings)
            let contract = try loader.load(path)
            return CheckedContract(
                path: path,
                judge: ContractEvaluator(contract),
                findings: contract.findings + contract.lint()
            )
        } catch {
            return CheckedContract(path: path, judge: nil, findings: error.findings)
        }
    }
}
