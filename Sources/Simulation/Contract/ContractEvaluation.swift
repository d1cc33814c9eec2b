package import Basics
package import HTTPCodec
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

extension Session {
    /// Makes a response that the contract documents, and counts on.
    mutating func answer(by documented: ContractResponse, in context: inout ExchangeContext) -> ChosenResponse {
        let count = documentedAnswers[documented.operation, default: 0]
        documentedAnswers[documented.operation] = count &+ 1
        context.operation = context.operation ?? documented.operation
        switch documented.outcome(seed: seed, count: count) {
        case .message(let response):
            context.answeredBy = documented.source
            return ChosenResponse(documented: response)
        case .problem(let problem): return ChosenResponse(problem)
        }
    }

    /// Notes what the contract does not allow in a response, and the message that takes the response's place.
    ///
    /// - Parameters:
    ///   - number: the exchange; one that the journal has dropped is skipped.
    ///   - replacement: what is sent instead; `nil` when the response is sent as it is.
    package mutating func note(
        _ violations: [Violation],
        of number: UInt64,
        replacement: HTTPResponse? = nil
    ) {
        journal.note(violations, of: number, replacement: replacement)
        // What the story had there was not sent.
        if replacement != nil {
            plays = plays.mapValues { exchanges in exchanges.filter { $0 != number } }.filter { !$0.value.isEmpty }
        }
    }

    /// The tool's answer to an exchange, with the date of the response that it takes the place of.
    package static func response(to problem: Problem, inPlaceOf response: HTTPResponse) -> HTTPResponse {
        var replacement = problem.response
        if let date = response.fields["Date"] { replacement.fields.append("Date", date) }
        return replacement
    }
}

/// Something in a request or a response that the contract does not allow, as the journal keeps it.
package struct Violation: Sendable, Hashable {
    /// The side of the message.
    package enum Side: String, Sendable, Hashable, CaseIterable {
        case request
        case response
    }

    /// The stable name of the rule: `contract/response-body`.
    package var id: String
    package var severity: Finding.Severity
    package var side: Side
    /// The part of the message: `body`, `query page`, `status`.
    package var part: String
    /// Where in the body, as a JSON Pointer; `nil` where it is not about the body.
    package var pointer: String?
    /// The finding and the contract's requirement, as a sentence without a closing full stop.
    package var message: String
    /// Where in the contract, as file, line and column.
    package var place: String
    /// The pointer of the keyword or object in the contract.
    package var contractPointer: String
    /// Where in the fixture or the scenario the response has it, as file, line and column; `nil` for a request.
    package var source: String?
    /// A Boolean value that indicates whether the scenario says that the response is so on purpose.
    package var isDeliberate = false

    package init(
        _ id: String,
        _ severity: Finding.Severity,
        in side: Side,
        part: String,
        pointer: String? = nil,
        message: String,
        place: String,
        contractPointer: String
    ) {
        self.id = id
        self.severity = severity
        self.side = side
        self.part = part
        self.pointer = pointer
        self.message = message
        self.place = place
        self.contractPointer = contractPointer
    }
}
