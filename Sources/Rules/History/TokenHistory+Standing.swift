import JSON
import ScenarioFormat
import Simulation

extension TokenHistory {
    /// Whether the server would have accepted a token when an exchange was decided.
    ///
    /// - Parameters:
    ///   - number: the exchange's number; what was decided later at the same virtual time does not count.
    ///   - time: its virtual time.
    func isGood(_ token: Token, before number: UInt64, at time: VirtualTime) -> Bool {
        guard time < token.expires else { return false }
        guard let ended = token.ended, ended <= time else { return true }
        if ended == time, wasEnded(token, in: number..., at: time) { return true }
        guard case .exchanged(let moment) = token.fate else { return false }
        return time - moment < roles.kind(named: token.kind)?.grace ?? .zero
    }

    /// Whether one of these exchanges was what ended the token at that moment.
    private func wasEnded(_ token: Token, in numbers: PartialRangeFrom<UInt64>, at time: VirtualTime) -> Bool {
        if let spender = spenders[token.id] { return numbers.contains(spender) }
        let last = enders[Ending(device: ExactText(token.device), time: time)]
        return last.map(numbers.contains) ?? false
    }
}
