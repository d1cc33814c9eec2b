import Checking
import HTTPCodec
import OpenAPI

/// What each operation of a contract answers when all goes well, and who judges the requests for it.
struct UsualResponses: Sendable {
    let judge: ContractEvaluator
    private let answers: [String: HTTPResponse]

    init(_ contract: Contract, samples: SampleResponses) {
        judge = ContractEvaluator(contract.assertingFormats())
        var answers: [String: HTTPResponse] = [:]
        for operation in contract.operations {
            answers[operation.id] = samples.usual(of: operation)?.response
        }
        self.answers = answers
    }

    /// An empty success when none is documented, or no valid value was found.
    func answer(of operation: Operation) -> HTTPResponse {
        answers[operation.id] ?? HTTPResponse(status: .noContent)
    }
}
