package import Basics

/// The documented answers of one operation, and what stands for each.
package struct Coverage: Sendable {
    /// What stands for a documented answer.
    package enum Basis: String, Sendable, Hashable {
        /// A scenario gives it.
        case response
        /// The contract shows one.
        case example
        case nothing
    }

    /// A documented status, and what stands for it.
    package struct Answer: Sendable, Hashable {
        /// As the contract has it: `200`, `4XX`, `default`.
        package var status: String
        package var basis: Basis

        package init(_ status: String, _ basis: Basis) {
            self.status = status
            self.basis = basis
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

    var played: [String] { statuses(by: .response) }
    var shown: [String] { statuses(by: .example) }
    package var missing: [String] { statuses(by: .nothing) }

    private func statuses(by basis: Basis) -> [String] { answers.filter { $0.basis == basis }.map(\.status) }
}

extension Coverage.Basis {
    /// What somebody reads who points at the status.
    var words: String {
        switch self {
        case .response: "played"
        case .example: "shown by an example of the contract"
        case .nothing: "missing"
        }
    }
}

/// The operations of one contract, for a table of its own.
struct ContractCoverage {
    var contract: String
    var operations: [Coverage]

    /// One sentence without a closing full stop.
    var sentence: String {
        let all = operations.reduce(0) { $0 + $1.answers.count }
        let counts = [
            "\(operations.reduce(0) { $0 + $1.played.count }) played",
            "\(operations.reduce(0) { $0 + $1.shown.count }) by example",
            "\(operations.reduce(0) { $0 + $1.missing.count }) neither",
        ]
        return "\(plural(all, "documented answer")) of \(plural(operations.count, "operation")): "
            + counts.joined(separator: ", ")
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
