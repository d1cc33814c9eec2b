import Basics
import JSON
import Reports
import Rules
import ScenarioFormat
import StubServing

extension BacklotServer {
    /// What a story says about the client that was run with it.
    public struct Verdict: Sendable, CustomStringConvertible {
        /// The result as a whole.
        public enum Outcome: String, Sendable, Hashable {
            case passed
            case failed
            /// Nothing is known to be wrong, and not all is known to be right; ``failures`` says why.
            case incomplete
        }

        /// The result as a whole.
        public let outcome: Outcome
        /// Each failed expectation, each violation of a rule and of the contract, and what could not be decided.
        public let failures: [Finding]
        /// Notes, which fail no test: rules that were inconclusive, warnings, and a contract that was not read.
        public let notes: [Finding]
        /// One sentence, without a full stop.
        public let summary: String
        let recording: Recording

        /// - Parameters:
        ///   - unread: contracts that were left out.
        ///   - isOfFile: whether the story is a file, which says what it expects; one in Swift may leave that to the test.
        init(_ recording: Recording, unread: [Basics.Finding], isOfFile: Bool) {
            self.recording = recording
            let verdict = recording.verdict
            var failures: [Basics.Finding] = []
            var notes = unread
            var outcome = Outcome.passed
            // Whatever keeps a test from passing is an error to it.
            func add(_ finding: Basics.Finding, _ result: Outcome) {
                var finding = finding.adaptedToTests
                finding.severity = .error
                failures.append(finding)
                if outcome != .failed { outcome = result }
            }
            // A backend without expectations is judged by the rules alone; where no request came, that says it all.
            if recording.evidence.isSilent, recording.heading?.isSilent != true {
                add(.noRequest, .incomplete)
            } else {
                if verdict.obstacle == .nothingExpected, isOfFile, let story = recording.heading {
                    add(.nothingExpected(by: story), .incomplete)
                }
                for judged in verdict.expectations {
                    if let finding = judged.finding { add(finding, judged.status == .failed ? .failed : .incomplete) }
                }
            }
            for rule in verdict.rules {
                let isFailed = rule.status == .failed && rule.profile.severity == .error
                for finding in rule.findings {
                    if isFailed { add(finding, .failed) } else { notes.append(finding) }
                }
            }
            for finding in recording.contractFindings {
                if finding.severity == .error { add(finding, .failed) } else { notes.append(finding) }
            }
            let isLossTold = failures.contains { $0.id == "expect/lost-exchanges" }
            for finding in verdict.findings where finding.id == "expect/lost-exchanges" && !isLossTold {
                add(finding, .incomplete)
            }
            self.outcome = outcome
            self.failures = failures.map(Finding.init)
            self.notes = notes.map(Finding.init)
            summary =
                switch (failures.count, verdict.expectations.count) {
                case (0, 0): "no rule was broken"
                case (0, _): verdict.summary
                case (1, _): failures[0].message
                case (let count, _): "\(count) things are wrong"
                }
        }

        /// The page that shows what happened, as one HTML file that fetches nothing.
        public var page: String {
            var story = PlayedStory(recording)
            story.outcome =
                switch outcome {
                case .passed: .passed
                case .failed: .failed
                case .incomplete: .incomplete
                }
            story.summary = summary
            var report = Report(title: "test", summary: [summary])
            report.stories = [story]
            return ReportFormat.html.text(of: report)
        }

        /// Everything that happened, as JSON: what `backlot report` reads.
        public var journal: String { recording.json.text(.pretty) + "\n" }

        /// The failures, a line each, or the summary.
        public var description: String {
            failures.isEmpty ? summary : failures.map(\.description).joined(separator: "\n")
        }
    }

    /// What the story says about the client by now.
    ///
    /// Ask for it when the client has done what the test is about; what is under way counts as not responded to.
    public func verdict() async -> Verdict {
        await lifetime.host.settle()
        return Verdict(session.recording(), unread: unread, isOfFile: isOfFile)
    }
}

/// A client that did something wrong, as an error: its description has a line for each thing.
public struct VerdictFailure: Error, CustomStringConvertible, Sendable {
    /// What the story says.
    public let verdict: BacklotServer.Verdict

    /// A line for each thing that is wrong.
    public var description: String { verdict.description }
}

extension Basics.Finding {
    fileprivate static let noRequest = Basics.Finding(
        .error,
        id: "expect/no-request",
        "no request arrived at the server, so the test shows nothing about the client",
        advice: "give the client the server's url; a test that sends nothing on purpose says \"judging: false\""
    )

    fileprivate static func nothingExpected(by story: Recording.Heading) -> Basics.Finding {
        Basics.Finding(
            .error,
            id: "expect/nothing-expected",
            "the story \(story.id) expects nothing of the client, so it never passes".printable,
            at: Place(file: story.file),
            advice: "add \"expect\" to the story; a test that judges the client itself says \"judging: false\""
        )
    }

    /// With advice for a test: that of the rule names options of a command.
    fileprivate var adaptedToTests: Basics.Finding {
        var finding = self
        if advice?.contains("serve --journal") == true {
            finding.advice = "let one test send fewer requests, because a journal keeps the last ones only"
        }
        if id == "expect/unknown-fact" {
            finding.advice = "tell it with report(_:) of the server, or let the client POST it to /__backlot/client"
        }
        return finding
    }
}
