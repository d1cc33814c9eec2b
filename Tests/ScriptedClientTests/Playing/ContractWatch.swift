import Basics
import HTTPCodec
import OpenAPI
import Simulation

/// Holds what a script's client was answered against the backend's contract, and what a good one asked.
///
/// A response that breaks the contract on purpose says so in its story.
struct ContractWatch {
    let judge: ContractEvaluator
    let player: ScriptPlayer
    let isGood: Bool

    var complaints: [ScriptError] {
        player.session.journal.exchanges.flatMap { exchange -> [ScriptError] in
            guard
                exchange.origin == nil, let scripted = player.asked[exchange.number],
                let match = judge.contract.operation(exchange.request.method, exchange.request.path)
            else { return [] }
            var sentences: [String] = []
            // What is refused may well be wrong.
            if isGood, exchange.fault == nil, exchange.response.status < 400 {
                sentences += judge.violations(of: exchange.request, for: match).errors("the request")
            }
            if exchange.fault == nil, exchange.breaks == nil {
                let response = ReceivedResponse(content: .response(exchange.response))
                sentences += judge.violations(of: exchange.response, to: match.operation).errors("the response")
                    .map { "\($0); \(response.words)" }
            }
            return sentences.map { sentence in
                ScriptError(
                    file: player.script.file,
                    line: scripted.line,
                    sentence: "\(scripted.words): \(sentence)"
                )
            }
        }
    }
}

extension [ContractViolation] {
    /// What the contract forbids, each as a sentence about a message.
    fileprivate func errors(_ message: String) -> [String] {
        filter { $0.severity == .error }.map { violation in
            "\(message) is not as the contract says: \(violation.message) (\(violation.contractPlace))"
        }
    }
}
