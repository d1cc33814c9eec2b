import Basics
import Checking
import JSON
package import Reports
import Rules
import ScenarioFormat
import Simulation

extension StoryRun.Summary {
    /// The run for every kind of report.
    package var report: Report {
        var report = Report(of: results)
        report.summary = [closing, missingFacts].compactMap(\.self)
        return report
    }

    /// The number of stories and their results, as a sentence without a closing full stop.
    package var closing: String {
        let inconclusive = results.reduce(0) { $0 + $1.checks.count { $0.status == .inconclusive } }
        let counts = [
            (results.count { $0.outcome == .failed }, " failed"),
            (results.count { $0.outcome == .incomplete }, " incomplete"),
            (inconclusive, inconclusive == 1 ? " rule inconclusive" : " rules inconclusive"), (leftOut, " not played"),
        ]
        let parts =
            ["\(results.count { $0.outcome == .passed }) passed"] + counts.filter { $0.0 > 0 }.map { "\($0)\($1)" }
        let total = results.count + leftOut
        return (total == 1 ? "1 story: " : "\(total) stories: ") + parts.joined(separator: ", ")
    }

    /// Which facts would have decided more, as a sentence without a closing full stop; `nil` where the clients reported
    /// every fact that their stories ask for, or sent what shows the same.
    package var missingFacts: String? {
        let missing = results.flatMap(\.missingFacts).grouped(by: \.self)
        guard !missing.isEmpty else { return nil }
        let facts = missing.map { name, stories in
            "\(name) in \(stories.count == 1 ? "1 story" : "\(stories.count) stories")"
        }
        return "facts that would decide more checks if the client reported them: \(facts.joined(separator: ", ")); "
            + "backlot stories lists their values"
    }
}

extension Report {
    /// The diagrams of the stories, and a check for each thing that was looked at in each of them.
    init(of results: [StoryResult]) {
        self.init(title: "run")
        stories = results.map(PlayedStory.init)
        checks = stories.flatMap(\.checks)
    }
}

extension PlayedStory {
    fileprivate init(_ result: StoryResult) {
        self.init(result.recording)
        id = result.story.id
        outcome = result.outcome
        command = result.play.command
        duration = result.play.duration
        let checks = result.checks
        rules = checks.filter { $0.why != nil }
        contract = checks.filter { $0.id.hasPrefix("contract") }
        expectations = checks.filter { $0.why == nil && !$0.id.hasPrefix("contract") }
        let known = checks.filter { $0.status == .known }
        if outcome != result.recording.verdict.outcome {
            summary = checks.first(where: \.isCause)?.sentence ?? Baseline.summary(of: known.count)
        }
        notes += known.filter { $0.why == nil && !$0.id.hasPrefix("expect/") }.map(\.sentence)
        if result.plays > 1 {
            notes.append("the story was played \(result.plays) times; this is the run with seed \(result.play.seed)")
        }
    }
}

extension StoryResult {
    /// The names of the facts that its story asks for and that are unknown, each once.
    fileprivate var missingFacts: [String] {
        guard recording.verdict.obstacle == nil else { return [] }
        let open = zip(story.loaded.scenario.expectations, recording.verdict.expectations).filter {
            $1.exchanges.isEmpty
        }
        let names = open.flatMap(\.0.facts).map(\.name).filter { !recording.evidence.clientFacts.contains($0) }
        return names.grouped(by: \.self).map(\.name)
    }
}
