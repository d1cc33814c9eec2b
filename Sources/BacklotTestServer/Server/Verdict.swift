import Basics
import JSON
import Reports
import Rules
import ScenarioFormat
import StubServing

extension BacklotServer {
    /// The verdict of a story about the client that used it.
    public struct Verdict: Sendable, CustomStringConvertible {
        /// The result as a whole.
        public enum Outcome: String, Sendable, Hashable {
            case passed
            case failed
            /// No failure was found, but some checks could not be decided; see ``failures``.
            case incomplete
        }

        /// The result as a whole.
        public var outcome: Outcome {
            switch decided {
            case .passed: .passed
            case .failed: .failed
            case .incomplete: .incomplete
            }
        }
        /// Each failed expectation, violation of a rule or of the contract, and undecided check; a violation that follows
        /// from another one is among the ``BacklotServer/Finding/consequences`` of that one.
        public let failures: [Finding]
        /// Notes, which do not fail a test: inconclusive rules, warnings, and a contract that was not read.
        public let notes: [Finding]
        /// One sentence, without a full stop.
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
                case (0, 0): "no rule was broken"
                case (0, _): verdict.summary
                case (1, _): failed[0].sentence
                case (let count, _): "\(count) failures"
                }
        }

        /// The report page, as one self-contained HTML file.
        public var page: String {
            var story = PlayedStory(recording)
            (story.outcome, story.summary) = (decided, summary)
            var report = Report(title: "test", summary: [summary])
            report.stories = [story]
            return ReportFormat.html.text(of: report)
        }

        /// The full recording as JSON, for `backlot report`.
        public var journal: String { recording.json.text(.pretty) + "\n" }

        /// The failures, a line each, or the summary.
        public var description: String {
            failures.isEmpty ? summary : failures.map(\.description).joined(separator: "\n")
        }
    }

    /// Returns the current verdict about the client.
    ///
    /// Call it when the client has finished; a request in progress counts as one without a response.
    public func verdict() async -> Verdict {
        await lifetime.host.settle()
        return Verdict(session.recording(), unread: unread, unjudged: unjudged)
    }
}

/// An error for a client that failed; its description has a line for each failure.
public struct VerdictFailure: Error, CustomStringConvertible, Sendable {
    /// The verdict.
    public let verdict: BacklotServer.Verdict

    /// A line for each failure.
    public var description: String { verdict.description }
}

extension Judgement {
    /// With advice for a test, since that of the rule names options of a command; what keeps it from passing is an error.
    fileprivate var adaptedToTests: Judgement {
        let onPurpose = "sets \"judging: false\""
        var judgement = advised(by: [
            "expect/no-request": "give the client the server's url; a test that sends nothing on purpose \(onPurpose)",
            "expect/nothing-expected":
                "add \"expect\" to the story; a test that judges the client itself \(onPurpose)",
            "expect/lost-exchanges":
                "let one test send fewer requests, because a journal keeps only the last ones",
            "expect/unknown-fact":
                "report it with report(_:) of the server, or let the client POST it to /__backlot/client",
        ])
        if isCause { judgement.severity = .error }
        return judgement
    }
}
