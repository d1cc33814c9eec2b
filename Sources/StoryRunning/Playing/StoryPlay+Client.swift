import Basics
import Rules
import ScenarioFormat
import StubServing

/// The runner's own rules: whether there was a client at all, and how it ended.
extension StoryPlay {
    var clientChecks: [StoryCheck] {
        let failed = [silence].compactMap { $0 } + launches.enumerated().flatMap { checks(of: $1, number: $0 + 1) }
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
        switch last.end {
        case .exited(127): advice = "127 is a shell's code for a command that it does not find: check its spelling"
        case .exited(126): advice = "126 is a shell's code for a file that is not executable: chmod +x"
        default: break
        }
        let finding = Finding(.error, id: ClientFault.noRequest.rawValue, sentence, at: story.place, advice: advice)
        return StoryCheck("the client to send a request", for: finding)
    }

    private func checks(of launch: ClientLaunch, number: Int) -> [StoryCheck] {
        let suffix = launches.count > 1 ? " in launch \(number)" : ""
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
        } else if case .killed(let signal) = launch.end {
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

    /// An exit code counts only where the story expects one; otherwise it is worth knowing.
    private var exitNotes: [Finding] {
        guard !recording.verdict.expectations.contains(where: { $0.rule == "expect/exit" }) else { return [] }
        return launches.enumerated().compactMap { index, launch in
            guard launch.end.code != 0 else { return nil }
            let suffix = launches.count > 1 ? " in launch \(index + 1)" : ""
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
    /// Whole milliseconds, which is all that people want to read.
    var rounded: Duration {
        .milliseconds((self / .milliseconds(1)).rounded())
    }
}
