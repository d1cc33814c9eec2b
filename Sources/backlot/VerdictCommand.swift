import CommandLineInterface
import HTTPCodec
import JSON

/// `backlot verdict`: tells whether the client did what the played story expects.
enum VerdictCommand {
    private static let json = Option(flag: "json", "Print the document instead of lines")

    static let description = CommandDescription(
        "verdict",
        "Judge the client that used a running server",
        discussion: """
            Holds the journal, the tokens and what the client has told about itself against the story's expectations. \
            Exits with 0 when all held, with 1 when one failed or cannot be told, and with 2 when there is nothing to \
            judge by.
            """,
        examples: [
            "backlot verdict": "A line for each expectation of the story",
            "backlot verdict --session one --json": "The document for one session",
        ],
        options: RunningServer.options + [json]
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        do throws(RunningServer.Problem) {
            let document = try RunningServer(arguments).call(.get, "verdict")
            Terminal.output(arguments[json] ? document.text(.pretty) + "\n" : VerdictText(document).text)
            return code(of: document)
        } catch {
            Terminal.complain("error: \(error.sentence)\n")
            return .misuse
        }
    }

    private static func code(of document: JSONValue) -> ExitCode {
        if document["obstacle"]?.string == "nothing-expected" { return .misuse }
        return document["verdict"]?.string == "passed" ? .success : .failed
    }

    // MARK: At the end of a server

    /// How many sessions the end of a server tells about.
    private static let mostSessions = 20

    /// What `serve` says when it stops; empty where no story expected anything.
    static func summary(of verdicts: [JSONValue]) -> String {
        let shown = verdicts.prefix(mostSessions).map { VerdictText($0, isSummary: true).text }.joined()
        let more = verdicts.count - mostSessions
        return shown + (more > 0 ? "… and \(more) more sessions\n" : "")
    }
}
