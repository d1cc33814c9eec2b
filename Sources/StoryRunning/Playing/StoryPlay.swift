package import Basics
import HTTPCodec
import JSON
import Reports
package import Rules
import ScenarioFormat
import Simulation
package import StubServing

/// One run of a story, and how its client ended.
package struct StoryPlay: Sendable {
    package var story: RunnableStory
    package var recording: Recording
    package var launches: [ClientLaunch]
    /// What its client sent that could not be read as a request.
    package var refusals: Refusals
    /// Real time from the first launch to the end of the last.
    package var duration: Duration
    /// Whether there was a contract that it was checked against.
    package var isHeldAgainstContract: Bool
    /// The command that runs it again.
    package var command: String
    /// What a client that has sent nothing may have got wrong.
    var adviceOnSilence: String
    /// Why it was not run at all; `nil` where it was.
    package var absence: ClientAbsence?
    /// Files that could not be written, each as a sentence.
    package var lost: [String] = []

    package var seed: UInt64 { recording.seed }
}

/// Why a story could not be run, although it could be loaded.
package struct PlayProblem: Error, Hashable {
    /// A sentence without a closing full stop.
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}

/// What the contract does not allow in requests and responses.
///
/// A request is the client's, so it has the severity of the contract. A response is the scenario's, and a client is
/// not failed for it: it is a warning here, and an error of `check`. What breaks the contract on purpose is neither.
extension StoryPlay {
    var contractChecks: [Judgement] {
        let findings = locatedFindings
        guard !findings.isEmpty else {
            let subject = "requests as the contract has them"
            return isHeldAgainstContract ? [Judgement(.held, id: "contract", "", subject: subject)] : []
        }
        return findings.map { finding in
            Judgement(finding, subject: "\(finding.id.split(separator: "/").last ?? "") as the contract has it")
        }
    }

    /// The findings, each with the route that it is about.
    private var locatedFindings: [Finding] {
        let findings = recording.contractFindings
        guard !findings.isEmpty else { return [] }
        let exchanges = recording.evidence.exchanges
        let places = Dictionary(exchanges.indices.map { (Int(clamping: exchanges[$0].number), $0) }) { first, _ in first
        }
        return findings.map { finding in
            guard let index = finding.place?.exchange.flatMap({ places[$0] }) else { return finding }
            let exchange = exchanges[index]
            var finding = finding
            finding.place?.operation =
                exchange.route ?? "\(exchange.request.method) \(exchange.request.path)".printable.shortened
            return finding
        }
    }
}

extension StoryPlay {
    /// Everything that was looked at: the client itself, what the story expects, what every client is judged by, and
    /// the contract.
    package var checks: [Judgement] {
        if let absence { return [absence.check] }
        // A client that sends nothing is judged as such.
        let verdict = recording.verdict.judgements.filter { $0.id != "expect/no-request" }
        var checks = clientChecks + verdict.map(\.adaptedToRuns) + contractChecks
        guard launches.contains(where: \.isInterrupted) else { return checks }
        // What the client would have done is unknown.
        for index in checks.indices where checks[index].status == .failed { checks[index].status = .incomplete }
        return checks
    }
}

extension Judgement {
    /// With advice for a run, which has none of the options of `serve`, and in which what is unknown is an error.
    fileprivate var adaptedToRuns: Judgement {
        var judgement = self
        if status == .incomplete { judgement.severity = .error }
        if id == "expect/lost-exchanges" {
            judgement.advice =
                "a run keeps 50,000 exchanges; let the client send fewer, or play the story with serve --journal all"
        }
        return judgement
    }
}

/// The runner's own rules: whether there was a client at all, and how it ended.
extension StoryPlay {
    var clientChecks: [Judgement] {
        let failed = [silence].compactMap { $0 } + launches.enumerated().flatMap { checks(of: $1, at: $0) }
        guard failed.isEmpty else { return failed }
        let subject = "the client to run and to end by itself"
        let notes = exitNotes.map { Judgement($0, subject: subject) }
        return notes.isEmpty ? [Judgement(.held, id: "client", "", subject: subject)] : notes
    }

    private func fault(
        _ fault: ClientFault,
        _ sentence: String,
        advice: String? = nil,
        wanted: String = "the client to end by itself",
        is status: Judgement.Status = .failed
    ) -> Judgement {
        Judgement(
            wanted,
            is: status,
            for: Finding(.error, id: fault.rawValue, sentence, at: story.place, advice: advice)
        )
    }

    /// A client that sends nothing has passed no story, whatever the story does not expect.
    private var silence: Judgement? {
        guard recording.verdict.obstacle == .noRequest, !story.isSilent, let last = launches.last, !last.isInterrupted
        else { return nil }
        var sentence = "the client sent nothing"
        var advice = adviceOnSilence
        if let reason = refusals.first {
            sentence += " that could be read as a request: \(reason)"
            advice = "use plain HTTP/1.1 and the base URL in BACKLOT_URL"
        } else {
            if !last.isOverdue, case .exited(let code) = last.end { sentence += " and ended with exit code \(code)" }
            if let fact = factInsteadOfRequests { advice += "; a client that is right to send nothing reports \(fact)" }
            if let words = last.lastWords { sentence += "; it said: \(words.printable)" }
            switch last.end {
            case .exited(127): advice = "a shell exits with 127 when it does not find a command: check its spelling"
            case .exited(126): advice = "a shell exits with 126 when a file is not executable: chmod +x"
            default: break
            }
        }
        return fault(.noRequest, sentence, advice: advice, wanted: "the client to send a request")
    }

    /// What a client reports that needs no request here, such as `signedOut true`; `nil` where it needs one.
    private var factInsteadOfRequests: String? {
        guard recording.verdict.expectations.allSatisfy({ $0.status == .held }) else { return nil }
        return story.loaded.scenario.expectations.flatMap(\.facts).first.map { "\($0.name) \($0.value.text())" }
    }

    /// Which of several launches it is, as the end of a sentence.
    private func suffix(of launch: ClientLaunch, at index: Int) -> String {
        guard let process = launch.process else { return launches.count > 1 ? " in launch \(index + 1)" : "" }
        let number = launches[...index].count { $0.process == process }
        let isOne = launches.count { $0.process == process } == 1
        return " in the process \(process.printable)\(isOne ? "" : " in launch \(number)")"
    }

    private func checks(of launch: ClientLaunch, at index: Int) -> [Judgement] {
        let suffix = suffix(of: launch, at: index)
        var checks: [Judgement] = []
        let whole = "the client to run and to end by itself"
        if launch.isInterrupted {
            let sentence = "the run was interrupted before the client had ended\(suffix)"
            return [fault(.interrupted, sentence, wanted: whole, is: .incomplete)]
        }
        if let finding = launch.finding { return [Judgement(whole, for: finding)] }
        if launch.isOverdue {
            checks.append(
                fault(
                    .hung,
                    "the client had not ended after \(DurationText.text(launch.duration.rounded)), so it was ended\(suffix)",
                    advice: "let the client end once its work is done, or raise the limit with --time-limit"
                )
            )
        } else if case .killed(let signal) = launch.end, !launch.isEndedByStory {
            let sentence = "the client was ended by \(ClientEnd.name(ofSignal: signal))\(suffix)"
            checks.append(fault(.killed, sentence, advice: launch.lastWords.map { "it said: \($0.printable)" }))
        }
        if let names = launch.leftovers {
            let list = names.isEmpty ? "" : ": \(names.map(\.printable).joined(separator: ", "))"
            checks.append(
                fault(
                    .leftRunning,
                    "the client ended and left \(Self.processes(names.count)) running\(suffix)\(list)",
                    advice: "let the client wait for the processes that it starts; those that it left have been ended",
                    wanted: "the client to leave nothing running"
                )
            )
        }
        return checks
    }

    private static func processes(_ count: Int) -> String {
        switch count {
        case 0: "processes"
        case 1: "a process"
        default: "\(count) processes"
        }
    }

    /// An exit code counts only where the story expects one; otherwise it is a note.
    private var exitNotes: [Finding] {
        guard !recording.verdict.expectations.contains(where: { $0.id == "expect/exit" }) else { return [] }
        return launches.enumerated().compactMap { index, launch in
            guard launch.end.code != 0, !launch.isEndedByStory else { return nil }
            let suffix = suffix(of: launch, at: index)
            return Finding(
                .note,
                id: ClientFault.exit.rawValue,
                "the client ended with exit code \(launch.end.code)\(suffix), which the story does not judge",
                at: story.place,
                advice: "to judge it, add {\"exit\": 0} to \"expect\""
            )
        }
    }
}

extension Duration {
    /// Whole milliseconds, which is precise enough for readers.
    var rounded: Duration {
        .milliseconds((self / .milliseconds(1)).rounded())
    }
}
