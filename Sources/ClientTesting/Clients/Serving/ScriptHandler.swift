import Basics
import HTTPCodec
import HTTPServing
import OpenAPI

/// Answers a client's requests as a script says, and writes them down.
///
/// A class, because the server writes down what the test reads.
final class ScriptHandler: HTTPHandler {
    private struct State {
        var script: ResponsePlan
        var turns: [String: Int] = [:]
        var requests: [RecordedRequest] = []

        var isRestless: Bool { requests.count > script.requestLimit }
    }

    private let answers: UsualResponses
    private let state: Lock<State>

    init(_ answers: UsualResponses, _ script: ResponsePlan) {
        self.answers = answers
        state = Lock(State(script: script))
    }

    var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// Whether the client has sent more requests than the script allows.
    var isRestless: Bool { state.withLock { $0.isRestless } }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        let judge = answers.judge
        let match = judge.contract.operation(request.method, request.target)
        let violations = match.map { judge.violations(of: request, for: $0) } ?? []
        let operation = match?.operation
        let answer = state.withLock { state -> PlannedResponse in
            let answer = self.answer(to: operation, &state)
            // What a restless client sends is counted as far as it takes to tell.
            if !state.isRestless {
                state.requests.append(
                    RecordedRequest(request, for: operation, violations: violations, answer: answer)
                )
            }
            return answer
        }
        return .now(OutgoingResponse(answer))
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status, contentType: "text/plain", body: "\(refusal.sentence)\n"))
    }

    private func answer(to operation: Operation?, _ state: inout State) -> PlannedResponse {
        guard let operation else { return .response(HTTPResponse(status: .notFound)) }
        guard let answers = state.script.answers[operation.id], let last = answers.last else {
            return .response(self.answers.answer(of: operation))
        }
        let turn = state.turns[operation.id, default: 0]
        state.turns[operation.id] = turn + 1
        return turn < answers.count ? answers[turn] : last
    }
}

extension OutgoingResponse {
    /// The response as it goes out, or goes wrong.
    init(_ answer: PlannedResponse) {
        switch answer {
        case .response(let response): self.init(response)
        case .fault(let fault, let response):
            let fault: DeliveryFault =
                switch fault {
                // Whoever is to find nobody is sent elsewhere; one who comes all the same is not let in.
                case .refused, .reset: .reset
                case .empty: .empty
                case .cut: .truncatedBody(sent: response.body.count / 2)
                case .malformed: .garbage(Array("These are not the bytes that you expect.\r\n\r\n".utf8))
                case .never: .never
                }
            self.init(response, delivery: Delivery(fault: fault))
        }
    }
}
