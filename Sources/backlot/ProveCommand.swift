import Basics
import CommandLineInterface
import EventLoops
import JSON
import ProgramInterface
import StoryRunning

/// `backlot prove`: proves with stories that one revision of a client fixes a bug of another one.
enum ProveCommand {
    private static let stories = Positional(
        variadic: "STORY",
        .file(endings: TextFormat.endings, orFolder: true),
        "The stories that fail before the change and pass after it"
    )
    private static let before = Option("before", "REV", .text("a git revision"), "The client's revision with the bug")
    private static let after = Option("after", "REV", .text("a git revision"), "The client's revision with the fix")
    private static let rule = Option("rule", "ID", .text("a rule such as B2"), "The rule that must be violated before")
    private static let seeds = Option(
        "seeds",
        "N",
        .integer(in: 1...1_000),
        default: 3,
        "The number of seeds with which each story is played"
    )
    private static let also = Option(
        repeated: "also",
        "STORY",
        .file(endings: TextFormat.endings, orFolder: true),
        "Stories that must not become worse; repeat the option for several"
    )
    private static let build = Option(
        "build",
        "COMMAND",
        .text("a shell command"),
        "Build the client in the folder of each revision"
    )
    private static let output = Option(
        "output",
        "FILE",
        .file(endings: ["json"]),
        "Write the receipt to FILE, and as Markdown next to it"
    )
    private static let check = Option("check", "FILE", .file(endings: ["json"]), "Verify a receipt instead")
    private static let client = Positional(
        variadic: "COMMAND",
        .text("a command"),
        "The client, which is started in a folder with each revision"
    )

    static let description = CommandDescription(
        "prove",
        "Prove that a change of a client fixes a bug",
        discussion: """
            Checks out both revisions of the git repository around the current folder, and plays each story to both with \
            several seeds. Every run before the change must violate the same rule or expectation, and every run after it \
            must pass. The change must not skip a part of the story, sign the user out instead, or make the stories of \
            --also worse. If the client pauses longer than before, the story is played again with slower responses: the \
            change is refused if the client then violates the rule again. The receipt contains a warning if the runs do not \
            show whether the client waits or works, and digests of both revisions, the stories and this program.

            Exits with 0 and a receipt if the change is a fix, with 1 and the reasons if it is not, and with 2 if nothing \
            can be said: uncommitted changes, an unknown revision, a failed build, or a story that cannot be run.
            """,
        examples: [
            "backlot prove story.json --before main --after fix -- python3 client.py":
                "Prove that the branch fix passes the story and main does not",
            "backlot prove story.json --before main --after fix --build 'swift build' -- .build/debug/client":
                "Build the client first",
            "backlot prove --check receipt.json": "Verify a receipt",
        ],
        options: [
            before, after, rule, seeds, also, build, output, check,
        ],
        positionals: [stories],
        passthrough: client,
        result: [
            "receipt": [
                "type": "object",
                "required": [
                    "kind", "schemaVersion", "rules", "stories", "command", "seeds", "before", "after", "runs",
                    "digest",
                ],
            ],
            "files": ["type": "array", "items": ["type": "string"]],
        ]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard let program = Platform.executablePath else {
            return Terminal.refuse("the path of this program cannot be determined")
        }
        return try StopForwarder.run { (stops, scratch) throws(UsageError) -> ExitCode in
            if let receipt = arguments[check] { return verify(receipt, program: program, scratch: scratch) }
            guard let before = arguments[before], let after = arguments[after] else {
                throw arguments.misuse("--before and --after are required; they name the client's revisions")
            }
            guard !arguments[stories].isEmpty else { throw arguments.misuse("STORY is missing: a file or a folder") }
            guard !arguments[client].isEmpty else { throw arguments.misuse("COMMAND... is missing after --") }
            let selection = StorySelection(arguments[stories])
            let others = StorySelection(arguments[also])
            let problems = selection.problems + others.problems
            guard problems.isEmpty else { return Terminal.refuse(problems) }
            guard !selection.stories.isEmpty else {
                return Terminal.refuse("no story was found in \(arguments[stories].joined(separator: ", "))")
            }
            var proof = Proof(
                selection.stories,
                before: before,
                after: after,
                seeds: Array(1...arguments[seeds]),
                command: arguments[client],
                program: program,
                scratch: scratch,
                stops: stops
            )
            proof.others = others.stories.filter { other in !selection.stories.contains { $0.id == other.id } }
            (proof.rule, proof.build) = (arguments[rule], arguments[build])
            return show(proof, writingTo: arguments[output])
        }
    }

    private static func show(_ proof: Proof, writingTo file: String?) -> ExitCode {
        do {
            switch try proof.run(around: ".") {
            case .refused(let findings):
                Terminal.complain(findings)
                Terminal.output("no receipt: \(plural(findings.count, "reason"))\n")
                return .failed
            case .receipt(let receipt, let warnings):
                Terminal.complain(warnings)
                return write(receipt, to: file)
            }
        } catch {
            Terminal.refuse([error.finding])
            return StopSignals.count > 0 ? .interrupted : .misuse
        }
    }

    private static func write(_ receipt: Receipt, to file: String?) -> ExitCode {
        var written: [String] = []
        if let file {
            let base = file.utf8.count > 5 && file.hasSuffix(".json") ? String(file.dropLast(5)) : file
            for (path, text) in [(file, receipt.json.text(.pretty) + "\n"), ("\(base).md", receipt.markdown)] {
                if let problem = Terminal.writeFile(path, text) {
                    return Terminal.refuse("the receipt \(path) cannot be written: \(problem)")
                }
                written.append(path)
            }
        }
        Terminal.changeResult { result in
            result.members["receipt"] = receipt.json
            result.members["files"] = .array(written.map(JSONValue.string))
            if let file { result.next.append("backlot prove --check \(file.shellWord)") }
        }
        Terminal.output(receipt.markdown + (written.isEmpty ? "" : "written: \(written.joined(separator: ", "))\n"))
        return .success
    }

    private static func verify(_ file: String, program: String, scratch: String) -> ExitCode {
        do {
            let (receipt, findings) = try Receipt.check(file, around: ".", program: program, scratch: scratch)
            Terminal.complain(findings)
            guard !findings.contains(where: { $0.severity == .error }) else { return .failed }
            Terminal.changeResult { $0.members["receipt"] = receipt }
            Terminal.output("\(file.printable): the receipt is valid\n")
            return .success
        } catch {
            return Terminal.refuse([error.finding])
        }
    }
}
