import Basics
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

    /// How many stories there were, and their results, as a sentence without a closing full stop.
    package var closing: String {
        let passed = results.count { $0.outcome == .passed }
        let failed = results.count { $0.outcome == .failed }
        let incomplete = results.count { $0.outcome == .incomplete }
        var parts = ["\(passed) passed"]
        if failed > 0 { parts.append("\(failed) failed") }
        if incomplete > 0 { parts.append("\(incomplete) incomplete") }
        let inconclusive = results.reduce(0) { $0 + $1.checks.count { $0.status == .inconclusive } }
        if inconclusive > 0 {
            parts.append(inconclusive == 1 ? "1 rule inconclusive" : "\(inconclusive) rules inconclusive")
        }
        if leftOut > 0 { parts.append("\(leftOut) not played") }
        let total = results.count + leftOut
        return (total == 1 ? "1 story: " : "\(total) stories: ") + parts.joined(separator: ", ")
    }

    /// Which facts would have decided more, as a sentence without a closing full stop; `nil` where the clients reported
    /// every fact that their stories ask for, or sent what shows the same.
    package var missingFacts: String? {
        var names: [String] = []
        var counts: [String: Int] = [:]
        for name in results.flatMap(\.missingFacts) {
            if counts[name] == nil { names.append(name) }
            counts[name, default: 0] += 1
        }
        guard !names.isEmpty else { return nil }
        let facts = names.map { "\($0) in \(counts[$0] == 1 ? "1 story" : "\(counts[$0] ?? 0) stories")" }
        return "facts that would decide more if the client reported them: \(facts.joined(separator: ", ")); "
            + "backlot stories lists their values"
    }
}

extension Report {
    /// A check for each thing that was looked at in each story, and the diagrams of the stories.
    init(of results: [StoryResult]) {
        self.init(title: "run")
        checks = results.flatMap { result in result.checks.subjects.map { Check($0, of: result) } }
        stories = results.map(PlayedStory.init)
    }
}

extension Report.Check {
    fileprivate init(_ judgements: [Judgement], of result: StoryResult) {
        let first = judgements[0]
        self.init(
            group: result.story.id,
            name: first.why == nil ? "\(first.id): \(first.subject)" : first.id,
            findings: judgements.compactMap(\.finding).map { finding in
                var finding = finding
                // The ids of rules have no spaces elsewhere, and readers of SARIF allow none.
                finding.id = finding.id.split(separator: " ").joined(separator: "/")
                return finding
            },
            place: first.place ?? first.exchanges.first.map { Place(exchange: $0) } ?? result.story.place
        )
        switch first.status {
        case .known: skipped = "a known failure, listed in the baseline"
        case .inconclusive, .notJudged, .excused: skipped = first.sentence
        case .failed where findings.isEmpty: skipped = first.explanation
        case .held, .failed, .incomplete: break
        }
    }
}

extension [Judgement] {
    /// Those of one subject together: the violations of a rule, what the contract does not allow in one way.
    var subjects: [[Judgement]] { grouped { "\($0.id): \($0.subject)" }.map(\.elements) }
}

extension PlayedStory {
    fileprivate init(_ result: StoryResult) {
        self.init(result.recording)
        id = result.story.id
        outcome = result.outcome
        command = result.play.command
        if result.outcome != result.recording.verdict.outcome { summary = result.summary }
        let known = result.checks.filter { $0.status == .known }.map(\.id)
        for index in expectations.indices { expectations[index].excuse(known) }
        for index in rules.indices { rules[index].excuse(known) }
        let own = result.checks.filter { $0.id.hasPrefix("client") || $0.id.hasPrefix("baseline/") }
        expectations += own.filter(\.isOpen)
        notes += own.filter { $0.status == .known }.map(\.sentence)
        contract = result.checks.filter { $0.id.hasPrefix("contract") && $0.severity != nil }
        if result.plays > 1 {
            notes.append("it was played \(result.plays) times; this is the play with seed \(result.play.seed)")
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
        return names.enumerated().filter { !names[..<$0].containsExactly($1) }.map(\.element)
    }

    /// The result of the story where that is not what its verdict says.
    fileprivate var summary: String {
        if let open = checks.first(where: \.isCause) { return open.sentence }
        let known = checks.count { $0.status == .known }
        return known == 1 ? "1 failure is known" : "\(known) failures are known"
    }
}

extension Judgement {
    /// Takes a failure for what the baseline says it is.
    fileprivate mutating func excuse(_ known: [String]) {
        guard isOpen, known.containsExactly(id) else { return }
        status = .known
    }
}
