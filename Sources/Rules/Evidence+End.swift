import Basics
import JSON
import ScenarioFormat
import Simulation

/// What is so at the end, whatever led to it.
extension Evidence {
    /// Judges the newest token of a kind, of one device or of every one.
    func judge(token kind: String, of name: String?, _ standings: [TokenStanding]) -> ExpectationResult {
        let owner = name.map { "of \($0.printable)" } ?? "of every device"
        let wanted =
            "the \(kind) token \(owner) to be \(Sentences.list(standings.map(\.words), "or")) at the end"
        let devices = ledger.devices.filter { device in name.map { device.name.utf8.elementsEqual($0.utf8) } ?? true }
        guard !devices.isEmpty || standings.contains(.missing) else {
            let happened = name.map { "no device \($0.printable) has signed in" } ?? "no device has signed in"
            return .failed("expect/token", wanted, but: happened)
        }
        for device in devices {
            let token = ledger.tokens(of: device).last { $0.kind == kind }
            guard !standings.contains(token?.standing(now: end) ?? .missing) else { continue }
            let happened =
                token.map { "\($0.id) of \(device.name.printable) is \($0.standing(now: end).words)" }
                ?? "\(device.name.printable) has none"
            return .failed("expect/token", wanted, but: happened)
        }
        return .held("expect/token", wanted)
    }

    /// Judges states; one that is per account or device must be so for each of them.
    func judge(states wanted: [(name: String, values: [String])]) -> ExpectationResult {
        let sentence = wanted.map { "the state \($0.name) to be \(Sentences.list($0.values, "or"))" }
        let all = Sentences.list(sentence, "and") + " at the end"
        for (expected, words) in zip(wanted, sentence) {
            let stray = states.first { $0.name == expected.name && !expected.values.contains($0.value) }
            guard let stray else { continue }
            let owner = stray.owner.map { " for \($0.printable)" } ?? ""
            return .failed("expect/state", words + " at the end", but: "it is \(stray.value)\(owner)")
        }
        return .held("expect/state", all)
    }

    /// Judges what the client tells about itself; what it has not told is unknown and neither right nor wrong.
    func judge(client facts: [Expectation.ClientFact], orUnknown: Bool) -> ExpectationResult {
        let wanted =
            "the client to report \(Sentences.list(facts.map { "\($0.name) \(Sentences.value($0.value))" }, "and"))"
        for fact in facts {
            guard let told = clientFacts[fact.name], told != fact.value else { continue }
            let happened = "it reported \(fact.name) \(Sentences.value(told))"
            return .failed("expect/client", wanted, but: happened)
        }
        let unknown = facts.map(\.name).filter { clientFacts[$0] == nil }
        guard let first = unknown.first, !orUnknown else { return .held("expect/client", wanted) }
        var judged = ExpectationResult.failed(
            "expect/unknown-fact",
            wanted,
            but: "it has told nothing about \(Sentences.list(unknown, "or"))"
        )
        judged.status = .incomplete
        judged.advice =
            Suggestion.nearest(to: first, among: clientFacts.names).map { "did it mean \(first) by \($0.printable)?" }
            ?? "let the client POST its facts to /__backlot/client"
        return judged
    }

    /// Judges how the client's launches ended; where nobody has started them, that is unknown.
    func judge(exit code: Int) -> ExpectationResult {
        let wanted = "every launch of the client to end with exit code \(code)"
        guard !exits.isEmpty else {
            var judged = ExpectationResult.failed("expect/exit", wanted, but: "the client was not started")
            judged.status = .incomplete
            judged.advice = "play the story with backlot run"
            return judged
        }
        guard let launch = exits.firstIndex(where: { $0 != code }) else { return .held("expect/exit", wanted) }
        return .failed("expect/exit", wanted, but: "launch \(launch + 1) ended with \(exits[launch])")
    }
}
