import HTTPCodec
import OpenAPI

extension ResponseCheckEvaluator {
    /// Judges requests that are sent again, to the letter, though the server has answered or may have done its work.
    func judgeRepetition(of call: MadeCall, in cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) {
        // The platform sends things again by itself, and a call without end is told of anyway.
        guard network == .raw, !call.outcome.isEndless else { return }
        var answers: [RepeatableRequest: PlannedResponse] = [:]
        for exchange in call.requests {
            guard let operation = exchange.operation else { continue }
            let request = RepeatableRequest(exchange.request)
            if let answer = answers[request], let reason = reason(against: answer, operation, exchange.request) {
                let message = "\(cell.operation.id), \(cell.answer.words), sends \(operation.id) again, \(reason)"
                verdict.add(.sentTwice, message, at: place(of: cell))
            }
            answers[request] = exchange.answer
        }
    }

    private func reason(against answer: PlannedResponse, _ operation: Operation, _ request: HTTPRequest) -> String? {
        switch answer {
        case .response(let response) where response.status.isSuccessful:
            return "though it was answered \(response.status.code) already"
        case .fault(.refused, _), .response: return nil
        case .fault:
            let mayRepeat = ![.post, .patch].contains(operation.method) || request.fields.contains("Idempotency-Key")
            // New tokens that were lost on their way are worth another try.
            if mayRepeat || !roles.isPlain(operation) { return nil }
            return "though the server may have done already what it was asked"
        }
    }
}

/// What makes two requests the same; tokens do not count.
private struct RepeatableRequest: Hashable {
    let method: HTTPMethod
    let target: String
    let body: [UInt8]

    init(_ request: HTTPRequest) {
        method = request.method
        target = request.target
        body = request.body
    }
}
