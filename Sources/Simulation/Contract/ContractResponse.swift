package import HTTPCodec

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

    /// - Parameter make: makes the response from a seed and the number of such responses that were given before; the same
    ///   two always make the same response.
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
