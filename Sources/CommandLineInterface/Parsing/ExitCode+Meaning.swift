extension ExitCode {
    /// Every exit code of the commands, with its meaning and the reader's next step: the only table of them.
    ///
    /// The parts are sentences without closing full stops.
    package static let all: [(code: ExitCode, meaning: String, advice: String)] = [
        (
            .success, "the command did its work, and all checks passed",
            "nothing needs to be done"
        ),
        (
            .failed, "a check failed, or could not be decided",
            "read the findings, and fix the client, the file or the server that they name"
        ),
        (
            .misuse, "the usage is incorrect, a file or a server is unusable, or nothing was checked",
            "read the error; it names the option, file or server, and the correction"
        ),
        (
            .interrupted, "the command was interrupted before it ended",
            "run it again; results from before the interruption were reported"
        ),
    ]

    /// The table for a terminal.
    package static var table: String {
        "The exit codes of all commands:\n\n"
            + all.map { "\($0.code.rawValue)\t\($0.meaning); \($0.advice)\n" }.joined()
    }
}
