package import Reports
import Simulation

extension PlayedStory {
    /// Makes a recording ready to be drawn.
    package init(_ recording: Recording) {
        let verdict = recording.verdict
        let heading = recording.heading
        self.init(
            id: heading?.id ?? recording.backend,
            title: heading?.title ?? recording.backend,
            outcome: Judgement.Outcome(verdict.outcome),
            summary: verdict.summary
        )
        about = heading?.about ?? ""
        reproduces = heading?.reproduces ?? []
        file = heading?.file
        expectations = verdict.expectations.map(Judgement.init)
        rules = verdict.rules.flatMap(Judgement.all)
        contract = recording.contractFindings.map { Judgement($0) }
        notes = recording.notes
        diagram = StoryDiagram(recording)
        command = heading.map { "backlot run \($0.file) --seed \(recording.seed) -- COMMAND" }
    }
}

extension Judgement.Outcome {
    package init(_ outcome: Verdict.Outcome) {
        switch outcome {
        case .passed: self = .passed
        case .failed: self = .failed
        case .incomplete: self = .incomplete
        }
    }
}

extension Recording {
    /// Notes besides, as sentences.
    fileprivate var notes: [String] {
        var notes = evidence.gates.map { account in
            let held = account.openings.reduce(0) { $0 + $1.exchanges.count }
            let end = account.isReached ? "" : ", and what it waited for was not reached"
            return "the gate \(account.gate) waited for \(account.waitsFor) and held \(Self.requests(held))\(end)"
        }
        if seed != 0 { notes.append("the seed was \(seed)") }
        for (launch, code) in evidence.exits.enumerated() where code != 0 {
            notes.append("launch \(launch + 1) of the client ended with the exit code \(code)")
        }
        if let offset = evidence.dateOffset {
            notes.append("the server's Date was off by up to \(offset.largest.components.seconds) s")
        }
        return notes
    }

    private static func requests(_ count: Int) -> String {
        count == 1 ? "1 request" : "\(count) requests"
    }
}

extension Judgement {
    init(_ judged: ExpectationResult) {
        let status: Status =
            switch judged.status {
            case .held: .held
            case .failed: .failed
            case .incomplete: .incomplete
            }
        self.init(status, id: judged.rule, judged.message)
        place = judged.place
        exchanges = judged.exchanges.map { Int(clamping: $0) }
        advice = judged.advice
    }

    /// One for each thing that the client did wrong, or one that says why there is none.
    static func all(_ passed: RuleResult) -> [Self] {
        let profile = passed.profile
        switch passed.status {
        case .held: return [Self(.held, id: profile.id, "")]
        case .excused: return [Self(.excused, id: profile.id, passed.reason ?? "the story switches it off")]
        case .notJudged: return [Self(.notJudged, id: profile.id, passed.reason ?? "there is nothing to look at")]
        case .inconclusive: return [Self(.inconclusive, id: profile.id, passed.reason ?? "the server was late")]
        case .failed:
            return passed.violations.map { violation in
                var item = Self(.failed, id: profile.id, violation.sentence)
                item.exchanges = violation.exchanges.map { Int(clamping: $0) }
                item.why = profile.reason
                item.advice = profile.advice
                item.source = profile.source
                return item
            }
        }
    }
}
