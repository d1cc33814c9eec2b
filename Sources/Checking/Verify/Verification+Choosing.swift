import Basics
import OpenAPI

extension Verification {
    /// The operations that the options name, in the order of the contract.
    func chosenOperations() throws(VerificationProblem) -> [Operation] {
        let known = contract.operations.compactMap(\.operationID)
        for id in options.operationIDs where !known.containsExactly(id) {
            let meant = Suggestion.nearest(to: id, among: known)
            throw VerificationProblem(
                "\(contract.path) has no operation \"\(id.printable.shortened)\"",
                advice: meant.map { "did you mean \"\($0)\"?" }
            )
        }
        let chosen = contract.operations.filter { operation in
            let isNamed =
                options.operationIDs.isEmpty || operation.operationID.map(options.operationIDs.containsExactly) ?? false
            return isNamed && (options.filters.isEmpty || options.filters.contains { $0.fits(operation) })
        }
        guard !chosen.isEmpty else {
            throw VerificationProblem(
                contract.operations.isEmpty
                    ? "\(contract.path) documents no operation" : "no operation of \(contract.path) fits the filter"
            )
        }
        return chosen
    }
}
