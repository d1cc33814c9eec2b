package import Basics
import JSON

/// The documented responses of one operation, and the coverage of each.
package struct Coverage: Sendable {
    /// The coverage of a documented response.
    package enum Basis: String, Sendable, Hashable {
        /// A scenario gives it.
        case response
        /// The contract shows one.
        case example
        case nothing
    }

    /// A documented status and its coverage.
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
    /// The place where the contract documents the operation.
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
    /// The tooltip of the status.
    var words: String {
        switch self {
        case .response: "played"
        case .example: "covered by an example in the contract"
        case .nothing: "missing"
        }
    }
}
