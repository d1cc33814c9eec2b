import Findings
import Judgements

/// What came of a story as a whole.
package enum StoryOutcome: String, Sendable, Hashable {
    case passed
    case failed
    /// Nothing is known to be wrong, and not all is known to be right.
    case incomplete

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
    var checks: [StoryCheck] {
        let checks = clientChecks + expectationChecks + judgementChecks + contractChecks
        guard StoryOutcome(checks) == .passed, recording.verdict.outcome != .passed, !isRightlySilent else {
            return checks
        }
        // The verdict knows of something that none of these tells.
        let isFailed = recording.verdict.outcome == .failed
        let finding = Finding(.error, id: "run/verdict", recording.verdict.summary, at: story.place)
        return checks + [StoryCheck("the verdict as a whole", is: isFailed ? .failed : .unknown, for: finding)]
    }

    /// Whether no request has come, as it should be.
    private var isRightlySilent: Bool { story.isSilent && recording.verdict.obstacle == .noRequest }

    private var expectationChecks: [StoryCheck] {
        recording.verdict.expectations.map { judged in
            var findings: [Finding] = []
            if var finding = judged.finding {
                finding.severity = .error
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

    /// What the verdict found beside the story's own expectations.
    private var judgementChecks: [StoryCheck] {
        let findings = recording.verdict.findings.filter { !$0.id.hasPrefix("expect/") }
        return findings.grouped.map { id, findings in
            let isFailed = findings.contains { $0.severity == .error }
            var check = StoryCheck(isFailed ? .failed : .held, id: id, "no \(id)", findings)
            check.exchanges = findings.compactMap { $0.place?.exchange.map { UInt64(clamping: $0) } }
            return check
        }
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
