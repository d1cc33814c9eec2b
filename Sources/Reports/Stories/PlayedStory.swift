package import Basics
import JSON

/// A story as a client was run with it, ready to be drawn.
package struct PlayedStory: Sendable {
    /// `SM-03`, or `SM-10/no-data` for a variant.
    package var id: String
    package var title: String
    package var about: String
    package var reproduces: [String]
    /// The story's file as the user would write it.
    package var file: String?
    package var outcome: Judgement.Outcome
    /// The verdict as a sentence without a closing full stop.
    package var summary: String
    package var expectations: [Judgement] = []
    package var rules: [Judgement] = []
    /// The contract violations of requests and responses.
    package var contract: [Judgement] = []
    /// Further notes: gates, seeds, exit codes; sentences without closing full stops.
    package var notes: [String] = []
    package var diagram = StoryDiagram()
    /// The real time from its first request to its last response, or that of the whole run; `nil` where it is not known.
    package var duration: Duration?
    /// The command that runs it again.
    package var command: String?

    package init(id: String, title: String, outcome: Judgement.Outcome, summary: String) {
        self.id = id
        self.title = title
        about = ""
        reproduces = []
        self.outcome = outcome
        self.summary = summary
    }
}

extension PlayedStory {
    /// The story for reports that know checks only: one for each judgement, in a separate group.
    package var checks: [Report.Check] {
        var checks = (expectations + rules + contract).rulesFirst.subjects.map(check)
        if outcome == .incomplete, checks.allSatisfy({ $0.skipped != nil || $0.findings.isEmpty }) {
            let finding = Finding(.error, id: "story/incomplete", summary, at: place, advice: nil)
            checks.append(Report.Check(group: id, name: "can be judged", findings: [finding], place: place))
        }
        if checks.isEmpty { checks = [Report.Check(group: id, name: "obeys the contract", place: place)] }
        return checks
    }

    private var place: Place? { file.map { Place(file: $0) } }

    /// The check of one subject.
    private func check(_ judgements: [Judgement]) -> Report.Check {
        let first = judgements[0]
        var check = Report.Check(
            group: id,
            name: first.why == nil && !first.subject.isEmpty ? "\(first.id): \(first.subject)" : first.id,
            findings: judgements.compactMap(finding),
            skipped: first.explanation,
            place: first.place ?? place
        )
        check.place?.exchange = first.exchanges.first
        switch first.status {
        case .known: check.skipped = "a known failure, listed in the baseline"
        case .inconclusive, .notJudged, .excused: check.skipped = first.sentence
        case .held, .failed, .incomplete: break
        }
        return check
    }

    private func finding(_ judgement: Judgement) -> Finding? {
        guard var finding = judgement.finding else { return nil }
        // A story of which not all is known has not passed.
        if judgement.isOpen { finding.severity = .error }
        // The ids of rules have no spaces elsewhere, and readers of SARIF allow none.
        finding.id = finding.id.split(separator: " ").joined(separator: "/")
        var place = finding.place ?? Place()
        place.file = place.file ?? file
        finding.place = place == Place() ? nil : place
        return finding
    }
}

extension [Judgement] {
    /// Those of one subject together: the violations of a rule, what the contract does not allow in one way.
    package var subjects: [[Judgement]] { grouped { "\($0.id): \($0.subject)" }.map(\.elements) }
}
