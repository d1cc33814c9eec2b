import Basics
import Checking
import ClientTesting
import OpenAPI

extension AdaptedClient {
    /// Reads the contract.
    ///
    /// - Parameter patterns: the operations that are wanted.
    /// - Throws: ``TestProblem`` when the contract cannot be used, or nothing of it is wanted by a pattern.
    func loadContract(with patterns: [String]) throws(TestProblem) -> Contract {
        let loaded = try loadContract()
        let known = loaded.operations.map(\.id) + operations.map(\.id)
        for pattern in patterns where !known.contains(where: NamePattern(pattern).fits) {
            let advice = Suggestion.nearest(to: pattern, among: known).map { "; did you mean \($0)?" } ?? ""
            throw TestProblem("\(contract) has no operation \"\(pattern)\"\(advice)")
        }
        return loaded
    }

    private func loadContract() throws(TestProblem) -> Contract {
        let files = DiskFiles()
        guard let project = ProjectRoot(enclosing: contract, files: files) else {
            throw TestProblem("the contract \(contract) cannot be read")
        }
        do throws(ContractError) {
            return try ContractLoader(files: files, project: project).load(contract)
        } catch {
            throw TestProblem(error.findings.map(\.description).joined(separator: "\n"))
        }
    }
}
