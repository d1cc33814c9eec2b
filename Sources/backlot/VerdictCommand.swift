import Basics
import CommandLineInterface
import HTTPCodec
import JSON
import StubServing

/// `backlot verdict`: says whether the client did what the served story expects.
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
        options: RunningServer.options + [json],
        otherNames: ["result", "results", "status"]
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

    /// How many sessions the end of a server reports.
    static let mostSessions = 20
    /// How long it may take to judge them: a process that ends a server may wait for a few seconds only.
    static let longestSummary = Duration.seconds(1)

    /// What `serve` says when it stops; empty where no story expected anything.
    ///
    /// - Parameter left: how many sessions with requests were not judged.
    static func summary(of verdicts: [JSONValue], unjudged left: Int) -> String {
        let shown = verdicts.map { VerdictText($0, isSummary: true).text }.joined()
        guard left > 0, !shown.isEmpty else { return shown }
        return shown + "… and \(left) more \(left == 1 ? "session, which was" : "sessions, which were") not judged\n"
    }
}

/// A verdict as text, from the document of the admin API.
struct VerdictText {
    let text: String

    /// What lines begin with that belong to the one above.
    private static let indent = String(repeating: " ", count: 14)

    /// - Parameter isSummary: leaves out what held.
    init(_ document: JSONValue, isSummary: Bool = false) {
        let story = document["story"]?.string.map { "\($0) " } ?? ""
        let session = document["session"]?.string ?? ""
        let whose = session == "default" ? "" : "in session \(session) "
        let outcome = document["verdict"]?.string ?? ""
        var lines = ["\(story)\(whose)\(outcome): \(document["summary"]?.string ?? "")"]
        for finding in document["findings"]?.array ?? [] where document["obstacle"] != nil {
            guard finding["id"]?.string?.hasSuffix(document["obstacle"]?.string ?? "") == true else { continue }
            lines += Self.advice(finding, indent: "  ")
        }
        for expectation in document["expectations"]?.array ?? [] {
            lines += Self.lines(expectation, isSummary: isSummary)
        }
        lines += Self.ruleLines(document["rules"]?.array ?? [])
        text = lines.map { $0.printable + "\n" }.joined()
    }

    private static func lines(_ expectation: JSONValue, isSummary: Bool) -> [String] {
        let status = expectation["status"]?.string ?? ""
        if status == "held", isSummary { return [] }
        let column = status + String(repeating: " ", count: max(0, 10 - status.utf8.count))
        var lines = ["  \(column)  \(expectation["message"]?.string ?? "")"]
        guard status != "held" else { return lines }
        lines += advice(expectation)
        if let place = expectation["place"]?.string {
            lines.append("\(indent)\(place) [\(expectation["rule"]?.string ?? "")]")
        }
        return lines
    }

    /// Those that failed or were switched off, and how many there are of each sort.
    private static func ruleLines(_ rules: [JSONValue]) -> [String] {
        var lines: [String] = []
        for rule in rules {
            let id = "\(rule["number"]?.string ?? "") \(rule["name"]?.string ?? "")"
            switch rule["status"]?.string {
            case "failed":
                for violation in rule["violations"]?.array ?? [] {
                    lines.append("  failed      \(id): \(violation["message"]?.string ?? "")")
                }
                lines.append("\(indent)why it matters: \(rule["why"]?.string ?? "")")
                lines.append("\(indent)what to do: \(rule["advice"]?.string ?? "")")
                lines.append("\(indent)\(rule["source"]?.string ?? "")")
            case "inconclusive":
                lines.append("  inconclusive \(id): \(rule["reason"]?.string ?? "")")
            case "excused":
                lines.append("  excused     \(id): \(rule["reason"]?.string ?? "")")
            default: break
            }
        }
        guard !rules.isEmpty else { return lines }
        let words = [
            ("held", "held"), ("failed", "failed"), ("inconclusive", "inconclusive"), ("excused", "excused"),
            ("notJudged", "not judged"),
        ]
        let counts = words.map { status in (rules.count { $0["status"]?.string == status.0 }, status.1) }
            .filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        return lines + ["  \(rules.count) rules: \(counts.joined(separator: ", "))"]
    }

    private static func advice(_ document: JSONValue, indent: String = indent) -> [String] {
        document["advice"]?.string.map { ["\(indent)\($0)"] } ?? []
    }
}
