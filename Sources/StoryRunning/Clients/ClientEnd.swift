package import Basics

/// The end of a client: of a process, or of a client in this process.
package enum ClientEnd: Sendable, Hashable {
    case exited(Int)
    case killed(signal: Int)
    /// One in this process did all that it was to do.
    case returned
    /// One in this process did not: it ended with an error, or not at all.
    case failed

    /// The exit code, or what a shell makes of a signal; one in this process has the codes that a command would have.
    package var code: Int {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        case .returned: 0
        case .failed: 1
        }
    }

    /// `SIGSEGV`, for the numbers that are the same everywhere.
    static func name(ofSignal number: Int) -> String {
        let names = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
            11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
        ]
        return names[number] ?? "signal \(number)"
    }
}

/// The files that a client's standard streams go into.
struct ClientStreams: Sendable, Hashable {
    var output: String
    var errors: String

    /// The size of the larger file, in bytes.
    var largest: Int64 {
        [output, errors].compactMap { DiskFiles().stamp(of: $0)?.size }.max() ?? 0
    }
}

/// The reason that a client could not be started.
package enum ClientProblem: Error, Hashable {
    /// A file for its output cannot be written.
    case file(String, reason: String)
    case start(String, reason: String)

    /// A sentence without a closing full stop.
    package var sentence: String {
        switch self {
        case .file(let path, let reason): "\"\(path)\" cannot be written: \(reason)"
        case .start(let program, let reason): "\"\(program)\" cannot be started: \(reason)"
        }
    }
}

/// The reason that a client does not take part in a story.
package enum ClientAbsence: Sendable, Hashable {
    /// It should: the story counts as failed.
    case unexplained(Finding)
    /// It does not on purpose, for a reason: a sentence without a closing full stop.
    case explained(String)
    /// It cannot, because of how the story is run.
    case impossible(Finding)

    /// The only check of such a story.
    var check: Judgement {
        switch self {
        case .unexplained(let finding): Judgement(finding, subject: "the client to play the story")
        case .impossible(let finding): Judgement(finding, .incomplete, subject: "the client to play the story")
        case .explained(let reason):
            Judgement(.excused, id: "story/no-flow", reason, subject: "the client to play the story")
        }
    }
}
