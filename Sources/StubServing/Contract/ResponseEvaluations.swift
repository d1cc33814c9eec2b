import Basics
import JSON
import Simulation

/// What was found in responses that are the same for every request, so that each is judged once.
///
/// A class, because the event loops share it.
final class ResponseEvaluations: Sendable {
    /// A response, by its number in the scenario, to an operation.
    struct Key: Hashable, Sendable {
        var response: Int
        var status: Int
        /// Where the contract has the operation, which is quicker to compare than its name.
        var operation: JSONPosition
    }

    private let verdicts = Lock<[Key: [Violation]]>([:])

    func violations(of key: Key, orJudge judge: () -> [Violation]) -> [Violation] {
        if let known = verdicts.withLock({ $0[key] }) { return known }
        // Judged outside of the lock; of two that judge at once, both find the same.
        let found = judge()
        verdicts.withLock { $0[key] = found }
        return found
    }
}
