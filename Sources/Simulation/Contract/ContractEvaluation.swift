import Basics
import HTTPCodec
import JSON

/// A contract's evaluation of a request before a session decides it.
///
/// The engine knows no contracts: its caller tells it, with the request, what was found and what could be answered.
package struct ContractEvaluation: Sendable {
    /// The contract violations of the request.
    package var violations: [Violation] = []
    /// The answer that takes the place of every other, before anything changes.
    package var refusal: Problem?
    /// The answer that the client asks for, in place of the scenario's.
    package var preferred: ContractResponse?
    /// The answer where the scenario has no route.
    package var fill: ContractResponse?
    /// The documented answer with a status; `nil` where the contract documents none.
    package var documented: (@Sendable (_ status: Int) -> ContractResponse?)?
    /// The answer where neither scenario nor contract has one; the engine's own when `nil`.
    package var unmatched: Unmatched?

    package init() {}

    /// The tool's own response to an unknown request, and what was probably meant.
    package struct Unmatched: Sendable {
        package var problem: Problem
        package var nearest: NearestRoute?

        package init(_ problem: Problem, nearest: NearestRoute?) {
            self.problem = problem
            self.nearest = nearest
        }
    }
}
