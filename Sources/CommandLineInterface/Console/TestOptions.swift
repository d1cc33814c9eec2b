package import Basics
import EventLoops

/// The words of `backlot test`, which two programs read: the one that users call, and the one that does the work.
package enum TestOptions {
    /// The program that does the work, next to the one that users call.
    package static let program = "backlot-test"

    package static let apps = Positional(
        variadic: "APP",
        .text("a client's name"),
        "The clients to test; by default, all registered clients"
    )
    package static let operations = Option(
        repeated: "operation",
        "ID",
        .text("an operationId, in which * matches any characters"),
        "Only operations with this operationId; * matches any characters"
    )
    package static let checks = Option(
        repeated: "check",
        "CHECK",
        .text("responses, variants, stories, urlsession or the ID of a finding such as variants/changed-value"),
        "Only this check, or only findings with this ID"
    )
    package static let schedules = StoryOptions.schedules(
        default: 50,
        "Play each story up to N times until a run fails, each time with the client's jobs in a different order"
    )
    package static let jobs = Option(
        "jobs",
        "N",
        .integer(in: 1...256),
        default: 4,
        "The number of concurrent calls and stories"
    )
    package static let isCovered = Option(
        flag: "coverage",
        "Print all responses, and the client's result for each response"
    )

    package static let description = CommandDescription(
        "test",
        "Test the client services of this package",
        discussion: """
            Calls every operation through the client's own code with every documented response, with connection \
            failures, and with every variant of a response that the schema allows. Then plays all of the client's \
            stories. Time is virtual, so the tests do not wait.

            An operation or a story is tested with every client that supports it. --operation skips the stories, and \
            --story skips all other checks.

            Exits with 0 when all checks passed, with 1 when a check failed, and with 2 when nothing was tested.
            """,
        examples: [
            "backlot test": "Test every registered client",
            "backlot test smeem --operation 'get*' --check variants":
                "Only variants of one client's read operations",
            "backlot test smeem --story SM-04 --schedules 500": "Find bugs that depend on the order of events",
            "backlot test --report html=test.html --report junit=test.xml": "Write reports for the build server",
        ],
        options: [
            operations, StoryOptions.only, checks, schedules, StoryOptions.seed, jobs, isCovered, ReportOutput.option,
        ],
        positionals: [apps],
        result: ReportOutput.result
    )

    /// Refuses options that leave nothing to be tested together.
    package static func check(_ arguments: ParsedArguments) throws(UsageError) {
        let playsOnly = !arguments[StoryOptions.only].isEmpty
        let callsOnly = !arguments[operations].isEmpty
        let checks = arguments[checks]
        if playsOnly, callsOnly {
            throw arguments.misuse("--operation and --story cannot be combined; keep one")
        }
        if playsOnly, !checks.isEmpty, !checks.contains("stories") {
            throw arguments.misuse("--story requires --check stories")
        }
        if callsOnly, !checks.isEmpty, checks.allSatisfy({ $0 == "stories" }) {
            throw arguments.misuse("--check stories and --operation cannot be combined; keep one")
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
        "Only the story with this ID"
    )
    /// The seed of random choices.
    package static let seed = Option(
        "seed",
        "N",
        .integer(in: 0...Int.max),
        "The seed for all random choices"
    )

    /// The number of runs of each story.
    package static func schedules(default count: Int, _ help: String) -> Option<Int> {
        Option("schedules", "N", .integer(in: 1...1_000_000), default: count, help)
    }
}

/// A client that has ended the process in which it was tested.
package struct EndedTest: Sendable, Hashable {
    /// The environment variable for the process that continues with the other clients.
    package static let variable = "BACKLOT_ENDED_TESTS"

    /// The client's action.
    package var deed: String
    /// The advice for the user.
    package var advice: String
    /// The calls in progress, the latest first.
    package var latest: [String]

    package init(_ deed: String, advice: String, latest: [String]) {
        (self.deed, self.advice, self.latest) = (deed, advice, latest)
    }

    /// Reads what ``text(_:)`` has written; none where there is nothing.
    package static func list(_ text: String?) -> [EndedTest] {
        (text ?? "").split(separator: "\u{1E}").compactMap { entry in
            let fields = entry.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
            return fields.count < 2 ? nil : EndedTest(fields[0], advice: fields[1], latest: Array(fields.dropFirst(2)))
        }
    }

    /// The tests as one value of an environment variable.
    package static func text(_ tests: [EndedTest]) -> String {
        tests.map { ([$0.deed, $0.advice] + $0.latest).joined(separator: "\u{1F}") }.joined(separator: "\u{1E}")
    }

    /// Returns whether it was this client: what is under way begins with its name.
    package func isTest(of client: String) -> Bool {
        latest.first?.utf8.starts(with: "\(client) ".utf8) ?? false
    }

    /// The finding about it.
    package var finding: Finding {
        var message = "\(deed), " + (latest.first.map { "at or shortly after \($0)" } ?? "before the first call")
        if latest.count > 1 {
            message += "; also in progress: \(latest.dropFirst().joined(separator: ", "))"
        }
        let remedy =
            "run the test alone with --operation or --story, \(advice); other findings about this client are lost"
        return Finding(.error, id: "responses/crash", message, advice: remedy)
    }
}

/// A file in which a program notes what it is about to do, so that the program that started it can find why it crashed.
package struct ProgressFile: Sendable {
    /// The environment variable that names the file.
    package static let variable = "BACKLOT_UNDER_WAY"
    /// The limit of things that are under way at the same time.
    private static let most = 8

    private let file: Descriptor?

    /// - Parameter path: the file; with `nil`, or where it cannot be written, nothing is noted.
    package init(_ path: String?) {
        do {
            file = try path.map { path throws(SystemError) in try Platform.openFile(path, for: .writing) }
        } catch {
            file = nil
        }
    }

    /// Notes the start of a call or story, on a separate line.
    package func note(_ what: String) {
        guard let file else { return }
        // In one call, so that two threads do not mix their lines.
        Platform.write(Array((what.split { $0.isNewline }.joined(separator: " ") + "\n").utf8), to: file)
    }

    /// Forgets what was noted, because the program ends by itself.
    package static func clear(_ path: String?) {
        // Opening a file for writing empties it.
        _ = ProgressFile(path)
    }

    /// The calls and stories that started last, the latest first.
    package static func latest(in text: String) -> [String] {
        text.split { $0.isNewline }.suffix(most).reversed().map(String.init)
    }
}
