import Basics
import CommandLineInterface
import HTTPCodec
import JSON
import Rules
import Simulation
import StubServing

/// `backlot verdict`: says whether the client did what the served story expects.
enum VerdictCommand {
    static let description = CommandDescription(
        "verdict",
        "Judge the client that used a running server",
        discussion: """
            Checks the journal, the tokens and the client's reports against the story's expectations.
            Exits with 0 when all expectations are met, with 1 when an expectation or a rule failed or \
            an expectation cannot be decided, and with 2 when nothing can be judged.
            """,
        examples: [
            "backlot verdict": "Print a line for each expectation of the story",
            "backlot verdict --session one --json": "Print JSON for one session",
        ],
        options: RunningServer.options,
        otherNames: ["result", "results", "status"],
        result: [
            "session": ["type": "string"], "story": ["type": ["string", "null"]],
            "verdict": ["enum": ["passed", "failed", "incomplete"]], "summary": ["type": "string"],
            "expectations": ["type": "array", "items": ["type": "object", "required": ["status"]]],
            "rules": ["type": "array", "items": ["type": "object", "required": ["number", "name", "status"]]],
        ],
        isResultOpen: true
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let server = try RunningServer(arguments)
        do throws(RunningServer.Problem) {
            let document = try server.call(.get, "verdict")
            let verdict: Verdict
            do {
                verdict = try Verdict(document)
            } catch {
                throw RunningServer.Problem(sentence: "the server's verdict cannot be read: \(error.sentence)")
            }
            let session = document["session"]?.string ?? ""
            let text = VerdictText(verdict, session: session, story: document["story"]?.string).text
            Terminal.output(text)
            Terminal.changeResult { result in
                result.members = document.object ?? [:]
                if !arguments[CommandResult.detail] {
                    let rules = document["rules"]?.array ?? []
                    result.members["rules"] = .array(rules.filter { $0["status"]?.string != "held" })
                }
                result.findings = verdict.findings.map {
                    CommandResult.SubjectFinding($0, of: document["story"]?.string)
                }
            }
            if verdict.obstacle == .nothingExpected, verdict.outcome != .failed { return .misuse }
            return verdict.outcome == .passed ? .success : .failed
        } catch {
            return Terminal.refuse(error.sentence)
        }
    }

    // MARK: At the end of a server

    /// The number of sessions that the end of a server reports.
    static let mostSessions = 20
    /// The time limit for judging them: a process that ends a server may wait for a few seconds only.
    static let longestSummary = Duration.seconds(1)

    /// The output of `serve` when it stops; empty if no story expects anything.
    ///
    /// - Parameter left: how many sessions with requests were not judged.
    static func summary(of verdicts: [SessionVerdict], unjudged left: Int) -> String {
        let shown = verdicts.map { made in
            VerdictText(made.verdict, session: made.session, story: made.story, isSummary: true).text
        }.joined()
        guard left > 0, !shown.isEmpty else { return shown }
        return shown + "… and \(left) more \(left == 1 ? "session, which was" : "sessions, which were") not judged\n"
    }
}

/// A verdict as text.
struct VerdictText {
    let text: String

    /// The prefix of lines that belong to the one above.
    private static let indent = String(repeating: " ", count: 14)

    /// - Parameter isSummary: leaves out what held.
    init(_ verdict: Verdict, session: String, story: String?, isSummary: Bool = false) {
        let whose = session == "default" ? "" : "in session \(session) "
        var lines = ["\(story.map { "\($0) " } ?? "")\(whose)\(verdict.outcome.rawValue): \(verdict.summary)"]
        if verdict.obstacle != nil, let advice = verdict.judgements.first?.advice { lines.append("  \(advice)") }
        for judgement in verdict.expectations where judgement.status != .held || !isSummary {
            lines += Self.lines(judgement)
        }
        text = (lines + Self.lines(ofRules: verdict.rules)).map { $0.printable + "\n" }.joined()
    }

    private static func lines(_ judgement: Judgement) -> [String] {
        let status = judgement.status.rawValue
        let column = status + String(repeating: " ", count: max(0, 10 - status.utf8.count))
        let line = "  \(column)  \(judgement.sentence)"
        guard judgement.status != .held else { return [line] }
        let place = judgement.place.map { "\($0) [\(judgement.id)]" }
        return [line] + [judgement.explanation ?? judgement.advice, place].compactMap { $0.map { indent + $0 } }
    }

    /// Those that failed or were switched off, and how many there are of each sort.
    private static func lines(ofRules judgements: [Judgement]) -> [String] {
        var lines: [String] = []
        let rules = judgements.grouped(by: \.id).map(\.elements)
        for rule in rules {
            let first = rule[0]
            switch first.status {
            case .failed:
                let causes = rule.filter(\.isCause)
                lines += causes.flatMap { cause in
                    ["  failed      \(cause.id): \(cause.sentence)"] + cause.consequences.map { indent + $0.message }
                }
                guard !causes.isEmpty else { break }
                lines.append("\(indent)why it matters: \(first.why ?? "")")
                lines.append("\(indent)what to do: \(first.advice ?? "")")
                lines.append("\(indent)\(first.source ?? "")")
            case .inconclusive: lines.append("  inconclusive \(first.id): \(first.sentence)")
            case .excused: lines.append("  excused     \(first.id): \(first.sentence)")
            default: break
            }
        }
        guard !rules.isEmpty else { return lines }
        let words: [(Judgement.Status, String)] = [
            (.held, "held"), (.failed, "failed"), (.inconclusive, "inconclusive"), (.excused, "excused"),
            (.notJudged, "not judged"),
        ]
        let counts = words.map { status, word in (rules.count { $0[0].status == status }, word) }
            .filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }
        return lines + ["  \(rules.count) rules: \(counts.joined(separator: ", "))"]
    }
}
