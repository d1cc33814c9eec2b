import HTTPWire
import JSONText
import OpenAPIContracts

/// What each operation of a contract answers when all goes well.
struct UsualAnswers: Sendable {
    private let answers: [String: SampleAnswer]

    init(_ contract: Contract, samples: SampleAnswers) {
        var answers: [String: SampleAnswer] = [:]
        for operation in contract.operations {
            answers[operation.id] = samples.usual(of: operation)
        }
        self.answers = answers
    }

    /// An empty success when none is documented, or no valid value was found.
    func answer(of operation: Operation) -> HTTPResponse {
        answers[operation.id]?.response ?? HTTPResponse(status: .noContent)
    }
}
