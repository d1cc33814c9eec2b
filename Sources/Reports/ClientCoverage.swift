package import Basics
import JSON

/// A client's results for the responses to one operation.
package struct ClientCoverage: Sendable {
    /// A response, and its result.
    package struct Answer: Sendable, Hashable {
        /// Such as `401`, `200 newcomer` or `reset`.
        package var answer: String
        /// `value`, or the name of the client's error.
        package var outcome: String
        /// A Boolean value that indicates whether nothing was found about it that fails a check.
        package var isSound: Bool

        package init(_ answer: String, _ outcome: String, isSound: Bool) {
            self.answer = answer
            self.outcome = outcome
            self.isSound = isSound
        }
    }

    package var client: String
    /// The contract's file.
    package var contract: String
    /// The operation's id.
    package var operation: String
    package var answers: [Answer]
    /// The place where the contract documents the operation.
    package var place: Place?

    package init(client: String, contract: String, operation: String, answers: [Answer], place: Place? = nil) {
        self.client = client
        self.contract = contract
        self.operation = operation
        self.answers = answers
        self.place = place
    }

    var isSound: Bool { answers.allSatisfy(\.isSound) }

    /// The responses by their results, in the order of first mention.
    var outcomes: [(name: String, elements: [Answer])] { answers.grouped(by: \.outcome) }

    /// `value: 200 204; status(401): 401 reset!`, with a mark behind what is wrong.
    var words: String {
        outcomes.map { outcome, answers in
            "\(outcome): " + answers.map { $0.answer + ($0.isSound ? "" : "!") }.joined(separator: ", ")
        }
        .joined(separator: "; ")
    }
}

/// The operations of one client, for a separate table.
struct ClientTable {
    var client: String
    var contract: String
    var operations: [ClientCoverage]

    /// One sentence without a closing full stop.
    var sentence: String {
        let answers = operations.flatMap(\.answers)
        let values = answers.count { $0.outcome == "value" }
        let unsound = answers.count { !$0.isSound }
        // A client that is asked over several networks has a line of each.
        let asked = Set(operations.map { Array($0.operation.utf8) }).count
        return "\(client) got \(plural(answers.count, "response")) to \(plural(asked, "operation")): "
            + "\(plural(values, "value")), \(plural(answers.count - values, "error")), "
            + (unsound == 0 ? "all correct" : "\(unsound) wrong")
    }
}

extension Report {
    /// The coverage by client and contract, in the order of first mention.
    var clientTables: [ClientTable] {
        clients.grouped { "\($0.client)\n\($0.contract)" }.map { _, lines in
            ClientTable(client: lines[0].client, contract: lines[0].contract, operations: lines)
        }
    }
}

/// The operations of one contract, for a separate table.
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
        return "\(plural(all, "documented response")) of \(plural(operations.count, "operation")): "
            + counts.joined(separator: ", ")
    }
}

extension Report {
    /// The coverage by contract, in the order of first mention.
    var coverageByContract: [ContractCoverage] {
        coverage.grouped(by: \.contract).map { ContractCoverage(contract: $0, operations: $1) }
    }
}
