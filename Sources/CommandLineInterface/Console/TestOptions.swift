package import Basics
import EventLoops

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
        .text("responses, variants, stories, urlsession or a finding's id such as variants/changed-value"),
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

/// A client that has ended the process in which it was tested.
package struct EndedTest: Sendable, Hashable {
    /// The environment variable that tells the process which goes on with the other clients.
    package static let variable = "BACKLOT_ENDED_TESTS"

    /// What the client has done.
    package var deed: String
    /// What to look for.
    package var advice: String
    /// What was under way, the latest first.
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

    /// Whether it was this client: what is under way begins with its name.
    package func isTest(of client: String) -> Bool {
        latest.first?.utf8.starts(with: "\(client) ".utf8) ?? false
    }

    /// What is left to say about it.
    package var finding: Finding {
        var message = "\(deed), " + (latest.first.map { "at or shortly after \($0)" } ?? "before the first call")
        if latest.count > 1 {
            message += "; under way may also have been \(latest.dropFirst().joined(separator: ", "))"
        }
        let remedy = "run that alone with --operation or --story, \(advice); what else was found in this client is lost"
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

    /// Notes what begins, on a line of its own.
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

    /// What began last, the latest first.
    package static func latest(in text: String) -> [String] {
        text.split { $0.isNewline }.suffix(most).reversed().map(String.init)
    }
}
