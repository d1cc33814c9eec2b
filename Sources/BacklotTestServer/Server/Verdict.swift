import Basics
import JSON
import Reports
import Rules
import ScenarioFormat
import StubServing

extension BacklotServer {
    /// The result of checking a client against a story.
    public struct Verdict: Sendable, CustomStringConvertible {
        /// The overall result.
        public enum Outcome: String, Sendable, Hashable {
            case passed
            case failed
            /// No failure was found, but some checks could not be decided. See ``failures``.
            case incomplete
        }

        /// The overall result.
        public var outcome: Outcome {
            switch decided {
            case .passed: .passed
            case .failed: .failed
            case .incomplete: .incomplete
            }
        }
        /// The failed expectations, rule and contract violations, and undecided checks.
        ///
        /// A violation that results from another violation is listed in the ``BacklotServer/Finding/consequences`` of
        /// the other violation.
        public let failures: [Finding]
        /// Findings that do not fail a test: inconclusive rules, warnings and a contract that was not read.
        public let notes: [Finding]
        /// A summary sentence without a period.
        public let summary: String
        private let decided: Judgement.Outcome
        let recording: Recording

        /// - Parameters:
        ///   - unread: contracts that were left out.
        ///   - unjudged: the finding that the story has no expectations; `nil` if it has some, or leaves them to the test.
        init(_ recording: Recording, unread: [Basics.Finding], unjudged: Basics.Finding?) {
            self.recording = recording
            let verdict = recording.verdict
            var judged = [unjudged].compactMap { $0.map { Judgement($0, .incomplete) } }
            judged += verdict.judgements.filter { $0.id != "expect/nothing-expected" }
            // Without a request, only that and the client's reports can be judged; a backend without expectations is judged
            // by the rules alone.
            if recording.evidence.isSilent, recording.heading?.isSilent != true, verdict.obstacle != nil {
                judged = [Rules.Verdict.Obstacle.noRequest.judgement] + judged.filter { $0.id == "expect/client" }
            }
            let judgements = (judged + recording.contractFindings.map { Judgement($0) }).map(\.adaptedToTests)
            let failed = judgements.filter(\.isCause)
            decided = Judgement.Outcome(judgements)
            failures = failed.compactMap(Finding.init)
            notes = unread.map(Finding.init) + judgements.filter { !$0.isOpen }.compactMap(Finding.init)
            summary =
                switch (failed.count, verdict.expectations.count) {
                case (0, 0): "no rule was violated"
                case (0, _): verdict.summary
                case (1, _): failed[0].sentence
                case (let count, _): "\(count) failures"
                }
        }

        /// The report as a self-contained HTML page.
        public var page: String {
            var story = PlayedStory(recording)
            (story.outcome, story.summary) = (decided, summary)
            var report = Report(title: "test", summary: [summary])
            report.stories = [story]
            return ReportFormat.html.text(of: report)
        }

        /// The complete recording as JSON for `backlot report`.
        public var journal: String { recording.json.text(.pretty) + "\n" }

        /// The failures, one per line, or the summary if nothing failed.
        public var description: String {
            failures.isEmpty ? summary : failures.map(\.description).joined(separator: "\n")
        }
    }

    /// Returns the current verdict on the client.
    ///
    /// Call this method after the client has finished. A request in progress counts as a request without a response.
    public func verdict() async -> Verdict {
        await lifetime.host.settle()
        return Verdict(session.recording(), unread: unread, unjudged: unjudged)
    }
}

/// An error that reports a client's failures, one per line.
public struct VerdictFailure: Error, CustomStringConvertible, Sendable {
    /// The verdict.
    public let verdict: BacklotServer.Verdict

    /// The failures, one per line.
    public var description: String { verdict.description }
}

extension Judgement {
    /// With advice for a test, since that of the rule names options of a command; what keeps it from passing is an error.
    fileprivate var adaptedToTests: Judgement {
        let onPurpose = "sets \"judging: false\""
        var judgement = advised(by: [
            "expect/no-request":
                "use the server's url in the client; a test that intentionally sends no request \(onPurpose)",
            "expect/nothing-expected":
                "add \"expect\" to the story; a test that judges the client itself \(onPurpose)",
            "expect/lost-exchanges":
                "send fewer requests in one test, because a journal keeps only the most recent requests",
            "expect/unknown-fact":
                "report the fact with the server's report(_:), or make the client POST the fact to /__backlot/client",
        ])
        if isCause { judgement.severity = .error }
        return judgement
    }
}
