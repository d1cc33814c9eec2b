package import Basics

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
        var checks = (expectations + rules).map(check)
        if outcome == .incomplete, checks.allSatisfy({ $0.skipped != nil || $0.findings.isEmpty }) {
            let finding = Finding(.error, id: "story/incomplete", summary, at: place, advice: nil)
            checks.append(Report.Check(group: id, name: "can be judged", findings: [finding], place: place))
        }
        if !contract.isEmpty || checks.isEmpty {
            checks.append(
                Report.Check(
                    group: id,
                    name: "obeys the contract",
                    findings: contract.compactMap(\.finding),
                    place: place
                )
            )
        }
        return checks
    }

    private var place: Place? { file.map { Place(file: $0) } }

    private func check(_ judgement: Judgement) -> Report.Check {
        var place = judgement.place ?? place
        place?.exchange = judgement.exchanges.first
        var check = Report.Check(group: id, name: judgement.id, place: place)
        if judgement.isCause, var finding = judgement.finding {
            // A story of which not all is known has not passed.
            (finding.severity, finding.place) = (.error, place)
            check.findings = [finding]
        } else if judgement.status != .held {
            check.skipped = judgement.explanation ?? judgement.statement
        }
        return check
    }
}
