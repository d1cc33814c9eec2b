import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// One block of a script in one run of its story, and what the story says about it.
struct Trial {
    let script: Script
    let block: ScriptBlock
    let run: StoryRun

    /// What is wrong, each as a colleague would say it; nothing when the story judges the client as the script says.
    func complaints() -> [String] {
        var player = ScriptPlayer(script, on: run)
        player.play(block)
        guard player.complaints.isEmpty else { return player.complaints.map(\.description) }
        let strays = run.contract.map {
            ContractWatch(judge: $0, player: player, isGood: block.role == .good).complaints
        }
        var evidence = Evidence(player.session, at: player.wire.now)
        evidence.exits = player.exitCodes
        let verdict = verdict(by: evidence)
        let complaint: String? =
            switch block.role {
            case .good: complaint(aboutGood: verdict)
            case .bug(_, let refusals):
                complaint(aboutBug: verdict, wanting: refusals) ?? complaint(withoutFactsIn: evidence)
            }
        let found = complaint.map { ["\(script.file):\(block.line): \($0)\(player.session.lines)"] } ?? []
        return (strays ?? []).map(\.description) + found
    }

    private func verdict(by evidence: Evidence) -> Verdict {
        Verdict(on: run.loaded.scenario, by: evidence, in: run.loaded.sources)
    }

    private func complaint(aboutGood verdict: Verdict) -> String? {
        guard verdict.outcome != .passed else { return nil }
        return "the good client must pass, but the verdict is \(verdict.outcome.rawValue): \(verdict.sentences)"
    }

    private func complaint(aboutBug verdict: Verdict, wanting refusals: [Refusal]) -> String? {
        guard verdict.outcome == .failed else {
            return "\(block.title) must be refused by \(Self.list(refusals)), but the verdict is "
                + "\(verdict.outcome.rawValue): \(verdict.sentences)"
        }
        let found = verdict.refusals(in: run.loaded.scenario)
        let missing = refusals.filter { !found.contains($0) }
        guard !missing.isEmpty else { return nil }
        return "\(block.title) must be refused by \(Self.list(missing)), but it is refused by "
            + "\(Self.list(found)): \(verdict.sentences)"
    }

    /// A bug that shows only on the screen would be found by nobody who looks at the traffic.
    private func complaint(withoutFactsIn evidence: Evidence) -> String? {
        guard !isUIOnly else { return nil }
        var silent = evidence
        silent.clientFacts = .init()
        silent.statements = []
        let verdict = verdict(by: silent)
        guard verdict.outcome != .failed else { return nil }
        return "\(block.title) is refused only for what the client tells about itself; let the story expect traffic or "
            + "the server's state, or say \"uiOnly\": true: \(verdict.sentences)"
    }

    private var isUIOnly: Bool { run.loaded.scenario.story?.isUIOnly ?? false }

    private static func list(_ refusals: [Refusal]) -> String {
        refusals.map(\.description).joined(separator: ", ")
    }
}

extension Verdict {
    /// Everything that refuses the client: rules first, then expectations in the order of the file.
    func refusals(in scenario: Scenario) -> [Refusal] {
        let judged = rules.filter { $0.status == .failed }.map { Refusal.rule($0.number) }
        let expected = expectations.enumerated().filter { $0.element.status == .failed }.map { index, expectation in
            index < scenario.expectations.count
                ? Refusal.expectation(index + 1)
                : expectation.id == "expect/silent" ? .silence : .expectation(index + 1)
        }
        return judged + expected
    }

    /// What it found, one a line; each expectation with its number.
    fileprivate var sentences: String {
        guard !findings.isEmpty else { return summary }
        let numbers = expectations.enumerated().reduce(into: [Finding: Int]()) { numbers, entry in
            if let finding = entry.element.finding { numbers[finding] = entry.offset + 1 }
        }
        return findings.map { finding in
            let name = numbers[finding].map { "expect \($0)" } ?? finding.id
            return "\n  \(name): \(finding.message)"
        }
        .joined()
    }
}

extension Session {
    /// The exchanges for people, one a line: who asked what with which tokens, and what came of it.
    fileprivate var lines: String {
        guard journal.count > 0 else { return "\n  nothing was asked" }
        return "\n  what happened:"
            + journal.exchanges.map { exchange in
                let tokens = exchange.offered.map { "\($0.id ?? "?") \($0.standing.rawValue)" }.joined(separator: ", ")
                let granted = exchange.granted.map { " +\($0.id ?? "null")" }.joined()
                let fault = exchange.fault.map { " \($0.rawValue)" } ?? ""
                let launch = exchange.launch > 1 ? " launch \(exchange.launch)" : ""
                let moment = DurationText.text(.seconds((exchange.time - start).components.seconds))
                return
                    "\n    \(exchange.number) \(moment)\(launch) \(exchange.request.method) \(exchange.request.target)"
                    + "\(tokens.isEmpty ? "" : " with \(tokens)") -> \(exchange.response.status.code)\(fault)\(granted)"
            }
            .joined()
            + client.statements.map { "\n    after \($0.afterExchange): client \($0.fact) = \($0.value)" }.joined()
    }
}
