import Basics
import Rules

extension Verdict.Outcome {
    /// What came of a story as a whole.
    init(_ checks: [StoryCheck]) {
        if checks.contains(where: { $0.status == .failed }) {
            self = .failed
        } else {
            self = checks.contains { $0.status == .unknown } ? .incomplete : .passed
        }
    }
}

extension StoryPlay {
    /// Everything that was looked at: the client itself, what the story expects, what every client is judged by, and
    /// the contract.
    package var checks: [StoryCheck] {
        if let absence { return [absence.check] }
        var checks = clientChecks + expectationChecks + ruleChecks + gapChecks + contractChecks
        if launches.contains(where: \.isInterrupted) {
            // Who knows what the client would have done.
            for index in checks.indices where checks[index].status == .failed { checks[index].status = .unknown }
            return checks
        }
        guard Verdict.Outcome(checks) == .passed, recording.verdict.outcome != .passed else { return checks }
        // The verdict knows of something that none of these tells.
        let isFailed = recording.verdict.outcome == .failed
        let finding = Finding(.error, id: "run/verdict", recording.verdict.summary, at: story.place)
        return checks + [StoryCheck("the verdict as a whole", is: isFailed ? .failed : .unknown, for: finding)]
    }

    private var expectationChecks: [StoryCheck] {
        recording.verdict.expectations.map { judged in
            var findings: [Finding] = []
            if var finding = judged.finding {
                finding.severity = .error
                finding.adviseAboutRuns()
                findings = [finding]
            }
            let status: StoryCheck.Status =
                switch judged.status {
                case .held: .held
                case .failed: .failed
                case .incomplete: .unknown
                }
            var check = StoryCheck(status, id: judged.rule, judged.wanted, findings)
            check.exchanges = judged.exchanges
            check.place = judged.place
            return check
        }
    }

    private var ruleChecks: [StoryCheck] {
        recording.verdict.rules.map { rule in
            let profile = rule.profile
            let status: StoryCheck.Status =
                switch rule.status {
                case .held: .held
                // What is only probably wrong is told, and fails nobody.
                case .failed: profile.severity == .error ? .failed : .held
                case .excused, .notJudged: .excused
                case .inconclusive: .inconclusive
                }
            var check = StoryCheck(status, id: profile.id, profile.name, rule.findings)
            check.exchanges = rule.violations.flatMap(\.exchanges)
            check.place = rule.findings.first?.place
            check.excuse = rule.reason
            check.reason = profile.reason
            check.source = profile.source
            return check
        }
    }

    /// What the verdict could not tell, beside expectations and rules.
    private var gapChecks: [StoryCheck] {
        let verdict = recording.verdict
        let told = Set(verdict.expectations.compactMap(\.finding) + verdict.rules.flatMap(\.findings))
        let obstacle = verdict.obstacle.map { "expect/\($0.rawValue)" }
        return verdict.findings.filter { !told.contains($0) && $0.id != obstacle }.map { finding in
            var finding = finding
            finding.severity = .error
            finding.adviseAboutRuns()
            return StoryCheck("what the client did to be known", is: .unknown, for: finding)
        }
    }
}

extension Finding {
    /// Says what helps in a run, which has none of the options of `serve`.
    fileprivate mutating func adviseAboutRuns() {
        guard id == "expect/lost-exchanges" else { return }
        advice = "a run keeps 50,000 exchanges; let the client send fewer, or play the story with serve --journal all"
    }
}

extension [Finding] {
    /// The findings by their ids, in the order in which each came first.
    var grouped: [(id: String, findings: [Finding])] {
        var groups: [(id: String, findings: [Finding])] = []
        for finding in self {
            if let index = groups.firstIndex(where: { $0.id == finding.id }) {
                groups[index].findings.append(finding)
            } else {
                groups.append((finding.id, [finding]))
            }
        }
        return groups
    }
}
