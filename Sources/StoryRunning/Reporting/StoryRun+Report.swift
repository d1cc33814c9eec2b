import Findings
package import Reports

extension StoryRun.Summary {
    /// The run for every kind of report: a check for each thing that was looked at in each story.
    package var report: Report {
        var report = Report(title: "run")
        report.checks = results.flatMap { result in result.checks.map { Report.Check($0, of: result) } }
        report.stories = results.map(PlayedStory.init)
        report.summary = [closing]
        return report
    }

    /// How many stories there were, and what came of them, as a sentence without a closing full stop.
    package var closing: String {
        let passed = results.count { $0.outcome == .passed }
        let failed = results.count { $0.outcome == .failed }
        let incomplete = results.count { $0.outcome == .incomplete }
        var parts = ["\(passed) passed"]
        if failed > 0 { parts.append("\(failed) failed") }
        if incomplete > 0 { parts.append("\(incomplete) incomplete") }
        if leftOut > 0 { parts.append("\(leftOut) not played") }
        let total = results.count + leftOut
        return (total == 1 ? "1 story: " : "\(total) stories: ") + parts.joined(separator: ", ")
    }
}

extension Report.Check {
    fileprivate init(_ check: StoryCheck, of result: StoryResult) {
        self.init(
            group: result.story.id,
            name: "\(check.id): \(check.name)",
            findings: check.findings,
            skipped: check.status == .known ? "a known failure, which the baseline has" : check.excuse,
            place: check.place ?? result.story.place
        )
    }
}

extension PlayedStory {
    fileprivate init(_ result: StoryResult) {
        self.init(result.recording)
        id = result.story.id
        switch result.outcome {
        case .passed: outcome = .passed
        case .failed: outcome = .failed
        case .incomplete: outcome = .incomplete
        }
        command = result.play.command
        let told = result.checks.filter { $0.id.hasPrefix("client") || $0.id.hasPrefix("baseline/") }.flatMap(
            \.findings
        )
        notes += told.map(\.message)
        if result.plays > 1 { notes.append("it was played \(result.plays) times, up to seed \(result.play.seed)") }
    }
}
