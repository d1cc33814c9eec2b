/// The words of `backlot test`, which two programs read: the one that users call, and the one that does the work.
package enum TestOptions {
    /// The program that does the work, beside the one that users call.
    package static let program = "backlot-test"

    package static let apps = Positional(
        variadic: "APP",
        .text("a client's name"),
        "The clients to test; all that are registered when there is none"
    )
    package static let operations = Option(
        repeated: "operation",
        "ID",
        .text("an operationId, where * stands for anything"),
        "Only operations of the contract with this operationId; * stands for anything"
    )
    package static let checks = Option(
        repeated: "check",
        "CHECK",
        ValueKind<String>(
            expected: "responses, variants, stories, urlsession or a finding's id such as variants/changed-value"
        ) {
            $0.isEmpty ? nil : $0
        },
        "Only this part, or only findings with this id"
    )
    package static let schedules = StoryOptions.schedules(
        default: 50,
        "Play each story N times, each time with the client's jobs in another order"
    )
    package static let jobs = Option(
        "jobs",
        "N",
        .integer(in: 1...256),
        default: 4,
        "How many calls and stories run at a time"
    )
    package static let isCovered = Option(flag: "coverage", "Print all responses, and what the client made of each")

    package static let description = CommandDescription(
        "test",
        "Test the client services of this package",
        discussion: """
            Calls every operation of a client's own, typed code with every response that its contract documents, with \
            connections that break, and with every variant of a response that its schema allows; then plays all of \
            the client's stories to it. Time is virtual, so nothing waits.

            An operation or a story goes to the clients that have it. --operation leaves the stories out, and --story \
            everything else.

            Exits with 0 when everything held, with 1 when something did not, and with 2 when nothing was tested.
            """,
        examples: [
            "backlot test": "Test every registered client",
            "backlot test smeem --operation 'get*' --check variants":
                "Only what one client's reading operations decode",
            "backlot test smeem --story SM-04 --schedules 500": "Look for a rare order of events",
            "backlot test --report html=test.html --report junit=test.xml": "Tell the build server",
        ],
        options: [
            operations, StoryOptions.only, checks, schedules, StoryOptions.seed, jobs, isCovered, ReportOutput.option,
        ],
        positionals: [apps]
    )

    /// Refuses options that leave nothing to be tested together.
    package static func check(_ arguments: ParsedArguments) throws(UsageError) {
        let playsOnly = !arguments[StoryOptions.only].isEmpty
        let callsOnly = !arguments[operations].isEmpty
        let checks = arguments[checks]
        if playsOnly, callsOnly {
            throw arguments.misuse("--operation leaves the stories out, and --story everything else; name one of them")
        }
        if playsOnly, !checks.isEmpty, !checks.contains("stories") {
            throw arguments.misuse("--story plays stories, which --check leaves out; add --check stories")
        }
        if callsOnly, !checks.isEmpty, checks.allSatisfy({ $0 == "stories" }) {
            throw arguments.misuse("--check stories leaves out the calls that --operation chooses")
        }
    }
}

/// The options of all commands that run stories.
package enum StoryOptions {
    /// The ids that choose among the stories.
    package static let only = Option(
        repeated: "story",
        "ID",
        .text("a story's id"),
        "Only the story with this id"
    )
    /// The seed of random choices.
    package static let seed = Option(
        "seed",
        "N",
        .integer(in: 0...Int.max),
        "Start every random choice from this number"
    )

    /// How often stories are run.
    package static func schedules(default count: Int, _ help: String) -> Option<Int> {
        Option("schedules", "N", .integer(in: 1...1_000_000), default: count, help)
    }
}
