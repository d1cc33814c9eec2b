import Basics
import CommandLineInterface
import JSON
import Reports
import Rules
import Simulation
import StoryRunning

/// `backlot report`: makes reports from journals that were saved.
enum ReportCommand {
    private static let journals = Positional(
        variadic: "JOURNAL",
        .file(endings: ["json"]),
        "Journals from run --output or journal --json; - for standard input"
    )

    static let description = CommandDescription(
        "report",
        "Write reports from saved journals",
        discussion: """
            Reads the recorded behavior of clients in stories, and the verdicts on the clients, and writes reports in any \
            format. Neither the server nor the scenario is required.
            Exits with 0 when every story passed, with 1 when a story did not pass, and with 2 when a file is not a journal.
            """,
        examples: [
            "backlot report out/SM-03/journal.json --report html=page.html":
                "Write a page with a diagram of the exchanges",
            "backlot report journal.json --report markdown=-": "Print a report for a pull request",
        ],
        options: [ReportOutput.option],
        positionals: [journals],
        result: ReportOutput.result
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let output = try ReportOutput(arguments)
        guard !arguments[journals].isEmpty else {
            throw arguments.misuse("JOURNAL is missing: a file written by backlot journal --json")
        }
        var report = Report(title: "report")
        for path in arguments[journals] {
            switch read(path) {
            case .recording(let recording): report.stories.append(PlayedStory(recording))
            case .finding(let finding): report.findings.append(finding)
            }
        }
        report.checks = report.stories.flatMap(\.checks)
        let code = output.write(report)
        return report.findings.isEmpty ? code : .misuse
    }

    /// The result of reading a path: a recording, or a finding.
    private enum Reading {
        case recording(Recording)
        case finding(Finding)
    }

    private static func read(_ path: String) -> Reading {
        let file = path == "-" ? "standard input" : path
        func problem(_ sentence: String, at position: TextPosition? = nil) -> Reading {
            .finding(
                Finding(.error, id: "report/journal", sentence, at: Place(file: file, position: position))
            )
        }
        let bytes: [UInt8]
        do {
            bytes = try path == "-" ? StandardInput.whole() : DiskFiles().read(path)
        } catch {
            return problem(error.sentence(about: path, as: "the journal"))
        }
        let document: JSONDocument
        do {
            document = try JSONParser().parse(bytes)
        } catch {
            return problem(
                "the journal is not valid JSON: \(error.sentence)",
                at: error.position.text
            )
        }
        do {
            return .recording(try Recording(document.root))
        } catch {
            return problem(error.sentence)
        }
    }
}

extension StandardInput {
    /// All of it.
    static func whole() throws(FileProblem) -> [UInt8] {
        var input = StandardInput()
        var bytes: [UInt8] = []
        while let line = input.next() {
            guard case .text(let text) = line, bytes.count + text.count <= longest else {
                throw FileProblem(reason: "standard input is larger than 64 MB")
            }
            bytes += text
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
