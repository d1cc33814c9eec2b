import Basics
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
    var contractChecks: [StoryCheck] {
        let findings = locatedFindings
        guard !findings.isEmpty else {
            return isHeldAgainstContract ? [StoryCheck(.held, id: "contract", "requests as the contract has them")] : []
        }
        return findings.grouped(by: \.id).map { id, findings in
            let isFailed = findings.contains { $0.severity == .error }
            let name = "\(id.split(separator: "/").last ?? "") as the contract has it"
            var check = StoryCheck(isFailed ? .failed : .held, id: id, name, findings)
            check.exchanges = findings.compactMap { $0.place?.exchange.map { UInt64(clamping: $0) } }
            return check
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

extension Verdict.Outcome {
    /// The result of a story as a whole.
    init(_ checks: [StoryCheck]) {
        if checks.contains(where: { $0.status == .failed }) {
            self = .failed
        } else {
            self = checks.contains { $0.status == .unknown } ? .incomplete : .passed
        }
    }
}

extension StoryPlay {
    /// Everything that was looked at: the client itself, what the story expects, what every client is judged by, and
    /// the contract.
    package var checks: [StoryCheck] {
        if let absence { return [absence.check] }
        var checks = clientChecks + expectationChecks + ruleChecks + gapChecks + contractChecks
        if launches.contains(where: \.isInterrupted) {
            // What the client would have done is unknown.
            for index in checks.indices where checks[index].status == .failed { checks[index].status = .unknown }
            return checks
        }
        guard Verdict.Outcome(checks) == .passed, recording.verdict.outcome != .passed else { return checks }
        // The verdict knows of something that none of these reports.
        let isFailed = recording.verdict.outcome == .failed
        let finding = Finding(.error, id: "run/verdict", recording.verdict.summary, at: story.place)
        return checks + [StoryCheck("the verdict as a whole", is: isFailed ? .failed : .unknown, for: finding)]
    }

    private var expectationChecks: [StoryCheck] {
        recording.verdict.expectations.map { judged in
            var findings: [Finding] = []
            if var finding = judged.finding {
                finding.severity = .error
                finding.adviseAboutRuns()
                findings = [finding]
            }
            let status: StoryCheck.Status =
                switch judged.status {
                case .held: .held
                case .failed: .failed
                case .incomplete: .unknown
                }
            var check = StoryCheck(status, id: judged.rule, judged.wanted, findings)
            check.exchanges = judged.exchanges
            check.place = judged.place
            return check
        }
    }

    private var ruleChecks: [StoryCheck] {
        recording.verdict.rules.map { rule in
            let profile = rule.profile
            let status: StoryCheck.Status =
                switch rule.status {
                case .held: .held
                // What is only probably wrong is reported, and does not fail the story.
                case .failed: profile.severity == .error ? .failed : .held
                case .excused, .notJudged: .excused
                case .inconclusive: .inconclusive
                }
            var check = StoryCheck(status, id: profile.id, profile.name, rule.findings)
            check.exchanges = rule.violations.flatMap(\.exchanges)
            check.place = rule.findings.first?.place
            check.excuse = rule.reason
            check.reason = profile.reason
            check.source = profile.source
            return check
        }
    }

    /// What the verdict could not decide, beside expectations and rules.
    private var gapChecks: [StoryCheck] {
        let verdict = recording.verdict
        let told = Set(verdict.expectations.compactMap(\.finding) + verdict.rules.flatMap(\.findings))
        let obstacle = verdict.obstacle.map { "expect/\($0.rawValue)" }
        return verdict.findings.filter { !told.contains($0) && $0.id != obstacle }.map { finding in
            var finding = finding
            finding.severity = .error
            finding.adviseAboutRuns()
            return StoryCheck("what the client did to be known", is: .unknown, for: finding)
        }
    }
}

extension Finding {
    /// Says what helps in a run, which has none of the options of `serve`.
    fileprivate mutating func adviseAboutRuns() {
        guard id == "expect/lost-exchanges" else { return }
        advice = "a run keeps 50,000 exchanges; let the client send fewer, or play the story with serve --journal all"
    }
}

/// The runner's own rules: whether there was a client at all, and how it ended.
extension StoryPlay {
    var clientChecks: [StoryCheck] {
        let failed = [silence].compactMap { $0 } + launches.enumerated().flatMap { checks(of: $1, at: $0) }
        guard failed.isEmpty else { return failed }
        return [StoryCheck(.held, id: "client", "the client to run and to end by itself", exitNotes)]
    }

    /// A client that sends nothing has passed no story, whatever the story does not expect.
    private var silence: StoryCheck? {
        guard recording.verdict.obstacle == .noRequest, !story.isSilent, let last = launches.last else { return nil }
        guard !last.isInterrupted else { return nil }
        if let reason = refusals.first {
            let finding = Finding(
                .error,
                id: ClientFault.noRequest.rawValue,
                "the client sent nothing that could be read as a request: \(reason)",
                at: story.place,
                advice: "the story's server speaks HTTP/1.1 in clear text, at the base URL that BACKLOT_URL has"
            )
            return StoryCheck("the client to send a request", for: finding)
        }
        var sentence = "the client sent nothing"
        if !last.isOverdue, case .exited(let code) = last.end { sentence += " and ended with exit code \(code)" }
        if let words = last.lastWords { sentence += "; it said: \(words.printable)" }
        var advice = adviceOnSilence
        if let fact = factInsteadOfRequests { advice += "; a client that is right to send nothing reports \(fact)" }
        switch last.end {
        case .exited(127): advice = "127 is a shell's code for a command that it does not find: check its spelling"
        case .exited(126): advice = "126 is a shell's code for a file that is not executable: chmod +x"
        default: break
        }
        let finding = Finding(.error, id: ClientFault.noRequest.rawValue, sentence, at: story.place, advice: advice)
        return StoryCheck("the client to send a request", for: finding)
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

    private func checks(of launch: ClientLaunch, at index: Int) -> [StoryCheck] {
        let suffix = suffix(of: launch, at: index)
        var checks: [StoryCheck] = []
        if launch.isInterrupted {
            let finding = Finding(
                .error,
                id: ClientFault.interrupted.rawValue,
                "the run was interrupted before the client had ended\(suffix)",
                at: story.place
            )
            return [StoryCheck("the client to run and to end by itself", is: .unknown, for: finding)]
        }
        if let finding = launch.finding {
            return [StoryCheck("the client to run and to end by itself", for: finding)]
        }
        if launch.isOverdue {
            let time = DurationText.text(launch.duration.rounded)
            let finding = Finding(
                .error,
                id: ClientFault.hung.rawValue,
                "the client had not ended after \(time), so it was ended\(suffix)",
                at: story.place,
                advice: "let the client end by itself once its work is done, or allow it more with --time-limit"
            )
            checks.append(StoryCheck("the client to end by itself", for: finding))
        } else if case .killed(let signal) = launch.end, !launch.isEndedByStory {
            let finding = Finding(
                .error,
                id: ClientFault.killed.rawValue,
                "the client was ended by \(ClientEnd.name(ofSignal: signal))\(suffix)",
                at: story.place,
                advice: launch.lastWords.map { "it said: \($0.printable)" }
            )
            checks.append(StoryCheck("the client to end by itself", for: finding))
        }
        if let names = launch.leftovers {
            let list = names.isEmpty ? "" : ": \(names.map(\.printable).joined(separator: ", "))"
            let finding = Finding(
                .error,
                id: ClientFault.leftRunning.rawValue,
                "the client ended and left \(Self.processes(names.count)) running\(suffix)\(list)",
                at: story.place,
                advice: "wait for what the client has started before it ends; what it left has been ended"
            )
            checks.append(StoryCheck("the client to leave nothing running", for: finding))
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
        guard !recording.verdict.expectations.contains(where: { $0.rule == "expect/exit" }) else { return [] }
        return launches.enumerated().compactMap { index, launch in
            guard launch.end.code != 0, !launch.isEndedByStory else { return nil }
            let suffix = suffix(of: launch, at: index)
            return Finding(
                .note,
                id: ClientFault.exit.rawValue,
                "the client ended with exit code \(launch.end.code)\(suffix), which the story does not judge",
                at: story.place,
                advice: "a story that does has {\"exit\": 0} in \"expect\""
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
