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
    /// The bytes of the client that could not be read as requests.
    package var refusals: Refusals
    /// Real time from the first launch to the end of the last.
    package var duration: Duration
    /// A Boolean value that indicates whether there was a contract that it was checked against.
    package var isHeldAgainstContract: Bool
    /// The command that runs it again.
    package var command: String
    /// The advice for a client that has sent nothing.
    var adviceOnSilence: String
    var adviceOnFacts: String?
    /// The reason that it was not run; `nil` if it was.
    package var absence: ClientAbsence?
    /// Files that could not be written, each as a sentence.
    package var lost: [String] = []

    package var seed: UInt64 { recording.seed }
    package var isInterrupted: Bool { launches.contains(where: \.isInterrupted) }
}

extension StoryPlay {
    /// Creates the play from the server of a runner.
    init(
        of story: RunnableStory,
        by runner: StoryRunner,
        on server: StubServer,
        _ launches: [ClientLaunch] = [],
        lasting duration: Duration = .zero
    ) {
        let processes = Dictionary(grouping: launches.filter { $0.process != nil }) { $0.process ?? "" }
        self.story = story
        recording = server.recording(
            exits: launches.filter { $0.process == nil }.map(\.exitCode),
            processExits: processes.mapValues { $0.map(\.exitCode) }
        )
        self.launches = launches
        refusals = server.refusals
        self.duration = duration
        isHeldAgainstContract = server.contract != nil && runner.configuration.contract != .off
        command = runner.client.repetition(of: story, seed: recording.seed, under: runner.configuration)
        adviceOnSilence = runner.client.adviceOnSilence
        adviceOnFacts = runner.client.adviceOnFacts
    }
}

/// The reason that a story could not be run, although it could be loaded.
package struct PlayProblem: Error, Hashable {
    /// A sentence without a closing full stop.
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}

extension StoryPlay {
    /// Everything that was looked at: the client itself, what the story expects, what every client is judged by, and
    /// the contract.
    package var checks: [Judgement] {
        if let absence { return [absence.check] }
        // A client that sends nothing is judged as such.
        let verdict = recording.verdict.judgements.filter { $0.id != "expect/no-request" }
        let ownChecks = clientChecks
        let hasFailed = ownChecks.contains { $0.status == .failed }
        let judged = verdict.map { adaptedToRuns($0, isCutShort: hasFailed) }
        var checks = (ownChecks + judged + contractChecks).rulesFirst
        guard isInterrupted else { return checks }
        // What the client would have done is unknown.
        for index in checks.indices where checks[index].status == .failed { checks[index].status = .incomplete }
        return checks
    }

    /// The contract violations in requests and responses.
    ///
    /// A request is the client's, so it has the severity of the contract. A response is the scenario's, and a client is
    /// not failed for it: it is a warning here, and an error of `check`. What breaks the contract on purpose is neither.
    private var contractChecks: [Judgement] {
        let checks = recording.contractFindings.map { finding in
            Judgement(finding, subject: "\(finding.id.split(separator: "/").last ?? "") as the contract requires")
        }
        guard checks.isEmpty, isHeldAgainstContract else { return checks }
        return [Judgement(.held, id: "contract", "", subject: "requests as the contract requires")]
    }
}

extension StoryPlay {
    /// With advice for a run, which has none of the options of `serve`, and in which what is unknown is an error.
    ///
    /// - Parameter isCutShort: whether the client itself has failed, and so could not report what it would have.
    private func adaptedToRuns(_ judgement: Judgement, isCutShort: Bool) -> Judgement {
        var advice = [
            "expect/lost-exchanges":
                "a run keeps 50,000 exchanges; make the client send fewer requests, or play the story with serve "
                + "--journal all"
        ]
        advice["expect/unknown-fact"] = adviceOnFacts
        var adapted = judgement.advised(by: advice)
        if judgement.status == .incomplete {
            adapted.severity = isCutShort && judgement.id == "expect/unknown-fact" ? .note : .error
        }
        return adapted
    }
}

/// The runner's own rules: whether there was a client at all, and how it ended.
extension StoryPlay {
    /// The faults of the client itself, or the check that it ran and ended.
    package var clientChecks: [Judgement] {
        let failed = [silence].compactMap(\.self) + launches.indices.flatMap(launchChecks)
        guard failed.isEmpty else { return failed }
        let notes = launches.indices.compactMap(exitNote)
        return notes.isEmpty ? [Judgement(.held, id: "client", "", subject: ClientFault.subject)] : notes
    }

    /// A client that sends nothing has passed no story, even one that expects no request.
    private var silence: Judgement? {
        guard recording.verdict.obstacle == .noRequest, !story.isSilent, let last = launches.last, !last.isInterrupted
        else { return nil }
        let subject = "the client to send a request"
        if let reason = refusals.first {
            return ClientFault.noRequest.judgement(
                "the client did not send a valid request: \(reason)",
                at: story.place,
                advice: refusals.advice ?? "use plain HTTP/1.1 and the base URL in BACKLOT_URL",
                subject: subject
            )
        }
        let reported = recording.evidence.clientFacts.members.map {
            "\($0.name) \($0.value.text())".printable.shortened
        }
        var deeds =
            reported.isEmpty ? ["sent nothing"] : ["reported \(reported.joined(lastBy: "and"))", "sent no request"]
        if !last.isOverdue, case .exited(let code) = last.end { deeds.append("ended with exit code \(code)") }
        var sentence = "the client \(deeds.joined(lastBy: "and"))"
        if let words = last.lastWords { sentence += "; it said: \(words.printable)" }
        // Facts go to the same server as requests.
        var means =
            reported.isEmpty ? adviceOnSilence : "make the client send the story's requests to the same base URL"
        if reported.isEmpty, case .exited(let code) = last.end, code != 0 {
            means = "correct the error that ended the client; if there is no error, \(means)"
        }
        let fact = factInsteadOfRequests.map { "a client that correctly sends no request reports \($0)" }
        // Nothing is known where a correct client may be right to send nothing, unless the command was not found.
        var status = fact == nil ? Judgement.Status.failed : .incomplete
        var advice = [means, fact].compactMap(\.self).joined(separator: "; ")
        switch last.end {
        case .exited(127):
            (status, advice) = (
                .failed, "a shell exits with 127 when it does not find a command; check the command's spelling"
            )
        case .exited(126):
            (status, advice) = (.failed, "a shell exits with 126 when a file is not executable; use chmod +x")
        case .killed: status = .failed
        case .exited, .returned, .failed: break
        }
        return ClientFault.noRequest.judgement(
            sentence,
            at: story.place,
            advice: advice,
            subject: subject,
            is: status
        )
    }

    /// A fact that the client reports and that needs no request here, such as `signedOut true`; `nil` if it needs one.
    private var factInsteadOfRequests: String? {
        let expectations = story.loaded.scenario.expectations
        let isEnough = zip(expectations, recording.verdict.expectations).allSatisfy { expectation, judgement in
            judgement.status == .held || !expectation.facts.isEmpty
        }
        return isEnough ? expectations.flatMap(\.facts).first.map { "\($0.name) \($0.value.text())" } : nil
    }

    /// Which of several launches it is, as the end of a sentence.
    private func suffix(at index: Int) -> String {
        guard let process = launches[index].process else { return launches.count > 1 ? " in launch \(index + 1)" : "" }
        let number = launches[...index].count { $0.process == process }
        let isOne = launches.count { $0.process == process } == 1
        return " in the process \(process.printable)\(isOne ? "" : " in launch \(number)")"
    }

    /// The probable cause of a client's error; `nil` if the recording shows none.
    private var adviceOnError: String? {
        let rules = recording.verdict.rules.filter { $0.status == .failed && $0.isCause }.map(\.number).unique
        if !rules.isEmpty { return "correct \(rules.joined(lastBy: "and")) first, from which the error may follow" }
        let lost = recording.evidence.exchanges.first { $0.outcome == .clientGone && !$0.granted.isEmpty }
        return lost.map { exchange in
            "the client closed the connection of exchange \(exchange.number) before the granted tokens arrived; if a refresh "
                + "was canceled with the call that had started it, let the refresh continue"
        }
    }

    private func launchChecks(at index: Int) -> [Judgement] {
        let (launch, suffix) = (launches[index], suffix(at: index))
        if launch.isInterrupted {
            let sentence = "the run was interrupted before the client had ended\(suffix)"
            return [ClientFault.interrupted.judgement(sentence, at: story.place, is: .incomplete)]
        }
        if var finding = launch.finding {
            if finding.id == ClientFault.threw.rawValue { finding.advice = adviceOnError ?? finding.advice }
            return [Judgement(finding, subject: ClientFault.subject)]
        }
        var checks: [Judgement] = []
        if launch.isOverdue {
            let limit = DurationText.text(launch.duration.rounded)
            checks.append(
                ClientFault.hung.judgement(
                    "the client had not ended after \(limit), so it was stopped\(suffix)",
                    at: story.place,
                    advice: "make the client end once its work is done, or raise the limit with --time-limit"
                )
            )
        } else if let limit = launch.exceededOutput {
            checks.append(
                ClientFault.output.judgement(
                    "the client wrote more than \(limit >> 20) MB of output, so it was stopped\(suffix)",
                    at: story.place,
                    advice: "make the client write less to standard output and standard error"
                )
            )
        } else if case .killed(let signal) = launch.end, !launch.isEndedByStory {
            let sentence = "the client was ended by \(ClientEnd.name(ofSignal: signal))\(suffix)"
            let words = launch.lastWords.map { "it said: \($0.printable)" }
            checks.append(ClientFault.killed.judgement(sentence, at: story.place, advice: words))
        }
        if let names = launch.leftovers {
            let number = names.isEmpty ? "processes" : names.count == 1 ? "a process" : "\(names.count) processes"
            let list = names.isEmpty ? "" : ": \(names.map(\.printable).joined(separator: ", "))"
            checks.append(
                ClientFault.leftRunning.judgement(
                    "the client ended and left \(number) running\(suffix)\(list)",
                    at: story.place,
                    advice: "make the client wait for the processes that it starts; the remaining processes have "
                        + "been stopped",
                    subject: "the client to leave no process running"
                )
            )
        }
        return checks
    }

    /// An exit code counts only where the story expects one; otherwise it is a note.
    private func exitNote(at index: Int) -> Judgement? {
        let code = launches[index].end.code
        guard code != 0, !launches[index].isEndedByStory,
            !recording.verdict.expectations.contains(where: { $0.id == "expect/exit" })
        else { return nil }
        return ClientFault.exit.judgement(
            "the client ended with exit code \(code)\(suffix(at: index)), which the story does not judge",
            at: story.place,
            advice: "to judge it, add {\"exit\": 0} to \"expect\"",
            is: .held
        )
    }
}

extension Duration {
    /// Whole milliseconds, which is precise enough for readers.
    var rounded: Duration {
        .milliseconds((self / .milliseconds(1)).rounded())
    }
}
