package import Findings

/// The documented answers of one operation, and whether anything stands for each.
package struct Coverage: Sendable {
    /// A documented status, and whether something answers with it.
    package struct Answer: Sendable, Hashable {
        /// As the contract has it: `200`, `4XX`, `default`.
        package var status: String
        package var isCovered: Bool

        package init(_ status: String, isCovered: Bool) {
            self.status = status
            self.isCovered = isCovered
        }
    }

    /// The contract's file.
    package var contract: String
    /// Such as `GET /pets/{id}`.
    package var operation: String
    package var answers: [Answer]
    /// Where the contract documents the operation.
    package var place: Place?

    package init(contract: String, operation: String, answers: [Answer], place: Place? = nil) {
        self.contract = contract
        self.operation = operation
        self.answers = answers
        self.place = place
    }

    var covered: [String] { answers.filter(\.isCovered).map(\.status) }
    var missing: [String] { answers.filter { !$0.isCovered }.map(\.status) }
}

/// The operations of one contract, for a table of its own.
struct ContractCoverage {
    var contract: String
    var operations: [Coverage]

    /// One sentence without a closing full stop.
    var sentence: String {
        let all = operations.reduce(0) { $0 + $1.answers.count }
        let covered = operations.reduce(0) { $0 + $1.covered.count }
        return "\(covered) of \(plural(all, "documented answer")) of \(plural(operations.count, "operation")) covered"
    }
}

extension Report {
    /// The coverage by contract, in the order of first mention.
    var coverageByContract: [ContractCoverage] {
        var numbers: [[UInt8]: Int] = [:]
        var contracts: [ContractCoverage] = []
        for line in coverage {
            let key = Array(line.contract.utf8)
            if let number = numbers[key] {
                contracts[number].operations.append(line)
            } else {
                numbers[key] = contracts.count
                contracts.append(ContractCoverage(contract: line.contract, operations: [line]))
            }
        }
        return contracts
    }
}
