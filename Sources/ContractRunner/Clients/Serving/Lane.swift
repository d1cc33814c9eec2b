import HTTPServing
import HTTPWire
import OpenAPIContracts
import Synchronization

/// A port of an answering server for one client at a time: what it is answered, and what it has sent.
///
/// A class, because the server writes down what the test reads.
package final class Lane: Sendable {
    private struct State {
        var script = AnswerScript()
        var turns: [String: Int] = [:]
        var requests: [RecordedRequest] = []
        var whenRestless: (@Sendable () -> Void)?
    }

    /// The base URL for the lane's client.
    package let url: String
    /// A base URL of this machine where nobody listens.
    package let deadURL: String
    package let activity: CallActivity
    package let time: SimulatedTime
    package let network: SocketNetwork
    let tag: Int
    private let usual: UsualAnswers
    private let state = Mutex(State())

    init(tag: Int, port: UInt16, deadPort: UInt16, usual: UsualAnswers, silence: Silence) {
        self.tag = tag
        self.usual = usual
        url = "http://127.0.0.1:\(port)"
        deadURL = "http://127.0.0.1:\(deadPort)"
        activity = CallActivity()
        time = SimulatedTime(activity: activity)
        network = SocketNetwork(silence: silence, time: time, activity: activity)
    }

    /// From now on answers so, and forgets what was sent before.
    ///
    /// - Parameter whenRestless: told when the client goes on and on.
    package func play(_ script: AnswerScript, whenRestless: @escaping @Sendable () -> Void = {}) {
        state.withLock { $0 = State(script: script, whenRestless: whenRestless) }
        activity.begin(whenRestless: whenRestless)
    }

    /// What the client has sent since the script began.
    package var requests: [RecordedRequest] { state.withLock { $0.requests } }

    /// Answers a request, on a loop of the server.
    func answer(to request: HTTPRequest, for match: MatchedOperation?, judge: ContractJudge) -> ServerAnswer {
        activity.touch()
        let violations = match.map { judge.violations(of: request, for: $0) } ?? []
        let operation = match?.operation
        let turn = state.withLock { state -> (answer: ServerAnswer, whenRestless: (@Sendable () -> Void)?) in
            let answer = self.answer(to: operation, &state)
            let recorded = RecordedRequest(request, for: operation, violations: violations, answer: answer)
            let limit = state.script.requestLimit
            // What a restless client sends is counted as far as it is told.
            if state.requests.count <= limit { state.requests.append(recorded) }
            return (answer, state.requests.count > limit ? state.whenRestless : nil)
        }
        turn.whenRestless?()
        return turn.answer
    }

    private func answer(to operation: Operation?, _ state: inout State) -> ServerAnswer {
        guard let operation else { return .reply(HTTPResponse(status: .notFound)) }
        guard let answers = state.script.answers[operation.id], let last = answers.last else {
            return .reply(usual.answer(of: operation))
        }
        let turn = state.turns[operation.id, default: 0]
        state.turns[operation.id] = turn + 1
        return turn < answers.count ? answers[turn] : last
    }
}
