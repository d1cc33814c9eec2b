package import HTTPCodec

/// What a contract has to say about a request before a session decides it.
///
/// The engine knows no contracts: whoever does tells it, with the request, what was found and what could be answered.
package struct ContractEvaluation: Sendable {
    /// What the request has that the contract does not allow.
    package var violations: [Violation] = []
    /// The answer that takes the place of every other, before anything changes.
    package var refusal: Problem?
    /// The answer that the client asks for, in place of the scenario's.
    package var preferred: ContractResponse?
    /// The answer where the scenario has no route.
    package var fill: ContractResponse?
    /// The answer where neither scenario nor contract has one; the engine's own when `nil`.
    package var unmatched: Unmatched?

    package init() {}

    /// The tool's own answer to a request that nobody knows, and what was probably meant.
    package struct Unmatched: Sendable {
        package var problem: Problem
        package var nearest: NearestRoute?

        package init(_ problem: Problem, nearest: NearestRoute?) {
            self.problem = problem
            self.nearest = nearest
        }
    }
}

/// An answer that a contract documents, made when it is known that it will be given.
package struct ContractResponse: Sendable {
    /// A message without a date, or why there is none.
    package enum Outcome: Sendable {
        case message(HTTPResponse)
        case problem(Problem)
    }

    /// The operation that it answers, as the journal names it.
    package var operation: String
    /// Where it comes from, as the journal says it: `contract`.
    package var source: String
    private let make: @Sendable (_ seed: UInt64, _ count: Int) -> Outcome

    /// - Parameter make: makes the answer from a seed and the number of such answers that were given before; the same
    ///   two always make the same answer.
    package init(
        operation: String,
        source: String,
        make: @escaping @Sendable (_ seed: UInt64, _ count: Int) -> Outcome
    ) {
        self.operation = operation
        self.source = source
        self.make = make
    }

    func outcome(seed: UInt64, count: Int) -> Outcome { make(seed, count) }
}
