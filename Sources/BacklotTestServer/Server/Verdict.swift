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
        public var outcome: Outcome {
            switch decided {
            case .passed: .passed
            case .failed: .failed
            case .incomplete: .incomplete
            }
        }
        /// Each failed expectation, each violation of a rule and of the contract, and what could not be decided; what
        /// follows from another violation is among the ``BacklotServer/Finding/consequences`` of that one.
        public let failures: [Finding]
        /// Notes, which fail no test: rules that were inconclusive, warnings, and a contract that was not read.
        public let notes: [Finding]
        /// One sentence, without a full stop.
        public let summary: String
        private let decided: Judgement.Outcome
        let recording: Recording

        /// - Parameters:
        ///   - unread: contracts that were left out.
        ///   - isOfFile: whether the story is a file, which says what it expects; one in Swift may leave that to the test.
        init(_ recording: Recording, unread: [Basics.Finding], isOfFile: Bool) {
            self.recording = recording
            let verdict = recording.verdict
            // Where no request came, that says it all; a backend without expectations is judged by the rules alone.
            let isSilent = recording.evidence.isSilent && recording.heading?.isSilent != true && verdict.obstacle != nil
            var judged = isSilent ? [.noRequest] : verdict.judgements.filter { $0.id != "expect/nothing-expected" }
            if !isSilent, verdict.obstacle == .nothingExpected, isOfFile, let story = recording.heading {
                judged.insert(.nothingExpected(by: story), at: 0)
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
                case (let count, _): "\(count) things are wrong"
                }
        }

        /// The page that shows what happened, as one HTML file that fetches nothing.
        public var page: String {
            var story = PlayedStory(recording)
            (story.outcome, story.summary) = (decided, summary)
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

extension Judgement {
    fileprivate static let noRequest = Judgement(
        Basics.Finding(
            .error,
            id: "expect/no-request",
            "no request arrived at the server, so the client could not be judged",
            advice: "give the client the server's url; a test that sends nothing on purpose says \"judging: false\""
        ),
        .incomplete
    )

    fileprivate static func nothingExpected(by story: Recording.Heading) -> Judgement {
        Judgement(
            Basics.Finding(
                .error,
                id: "expect/nothing-expected",
                "the story \(story.id) expects nothing of the client, so it never passes".printable,
                at: Place(file: story.file),
                advice: "add \"expect\" to the story; a test that judges the client itself says \"judging: false\""
            ),
            .incomplete
        )
    }

    /// With advice for a test, since that of the rule names options of a command; what keeps it from passing is an error.
    fileprivate var adaptedToTests: Judgement {
        var judgement = self
        if isCause { judgement.severity = .error }
        if advice?.contains("serve --journal") == true {
            judgement.advice = "let one test send fewer requests, because a journal keeps only the last ones"
        }
        if id == "expect/unknown-fact" {
            judgement.advice = "report it with report(_:) of the server, or let the client POST it to /__backlot/client"
        }
        return judgement
    }
}
