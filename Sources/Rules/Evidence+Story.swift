import Basics
import JSON
import ScenarioFormat
import Simulation

/// What a story demands besides its list of expectations.
extension Evidence {
    /// Judges that a client which has nothing to say says nothing.
    func judgeSilence() -> ExpectationResult {
        let wanted = "no request at all"
        guard !isSilent else { return .held("expect/silent", wanted) }
        let numbers = exchanges.map(\.number)
        let count = numbers.count + lost
        let list = numbers.isEmpty ? "" : ": \(Sentences.exchanges(numbers))"
        return .failed("expect/silent", wanted, but: "\(count == 1 ? "one" : "\(count)") came\(list)", numbers)
    }

    /// The races that did not take place, so that nothing is known of the client in them.
    func judgeRaces(of gates: [Gate], in sources: SourceMap) -> [ExpectationResult] {
        self.gates.filter { !$0.isReached }.compactMap { account in
            let gate = gates.first { $0.name.utf8.elementsEqual(account.gate.utf8) }
            guard gate?.isOptional != true else { return nil }
            let most = account.openings.max { $0.exchanges.count < $1.exchanges.count }
            let numbers = most?.exchanges ?? []
            var judged = ExpectationResult(
                status: .incomplete,
                rule: "expect/race-not-reached",
                wanted: "the race at \(account.gate.printable)",
                message: "the race at \(account.gate.printable) was not reached: it waited for "
                    + "\(account.waitsFor) and held \(account.mostHeld == 0 ? "none" : "\(account.mostHeld)")",
                exchanges: numbers
            )
            judged.advice = "let the client send meanwhile what the gate waits for, or let the gate wait longer"
            judged.place = gate.map { sources.place(of: $0.position) }
            return judged
        }
    }
}
