import Basics
import Checking
import CommandLineInterface
import HTTPCodec
import JSON
import OpenAPI
import Reports
import Rules
import Simulation
import StoryRunning
import StubServing

/// `backlot autopsy`: applies the token rules to traffic that was captured somewhere else.
enum AutopsyCommand {
    private static let capture = Positional(
        "CAPTURE",
        .file(endings: ["har", "json", "log"]),
        "A HAR file from a browser or proxy, or an access log with --pattern"
    )
    private static let contract = Option(
        "contract",
        "FILE",
        .file(endings: ["json", "yaml", "yml"]),
        "The OpenAPI file that requests and responses must match"
    )
    private static let basePath = Option(
        "base-path",
        "PATH",
        .text("a path such as /api/v1"),
        "The base path for the contract's paths, instead of the paths in the contract's server URLs"
    )
    private static let kinds = Option(
        repeated: "kinds",
        "KIND=PLACE,…",
        .text("kinds such as access=header:Authorization,refresh=body:/refresh_token"),
        "The locations of tokens: header:NAME, cookie:NAME, query:NAME, form:NAME or body:/POINTER"
    )
    private static let hosts = Option(
        repeated: "host",
        "HOST",
        .text("a host such as api.example.com"),
        "A backend host; a token that is sent to any other host is reported"
    )
    private static let pattern = Option(
        "pattern",
        "PATTERN",
        .text("a pattern such as combined"),
        "The line format of an access log: combined, common, or fields such as {time} {method} {target} {status}"
    )
    private static let folder = Option(
        "output",
        "FOLDER",
        .folder,
        "Write a backend and a story that reproduce the findings to this folder"
    )
    private static let complete = Option(
        flag: "complete",
        "Assume that the client sent all its requests before the capture ended"
    )

    static let description = CommandDescription(
        "autopsy",
        "Find token bugs in captured traffic",
        discussion: """
            Reads a HAR file, detects tokens and their kinds, applies the token rules, and lists the rules that the \
            capture cannot decide, with the missing data. Masked or hashed values also work if equal values remain \
            equal.

            --contract compares the requests and responses with an OpenAPI file, even if the capture contains no tokens. \
            A body that was not recorded is not judged.

            Exits with 0 when no mistake was found, with 1 when a mistake was found, and with 2 when the file cannot be \
            read or contains neither tokens nor requests to which the contract applies.
            """,
        examples: [
            "backlot autopsy capture.har": "Find mistakes in the client's use of tokens",
            "backlot autopsy capture.har --contract openapi.yaml --report html=page.html": "Also write a page",
            "backlot autopsy capture.har --output Scenarios/found": "Write a story that reproduces the bug",
        ],
        options: [
            contract, basePath, PlayOptions.overlay, PlayOptions.map, kinds, hosts, pattern, complete, folder,
            ReportOutput.option,
        ],
        positionals: [capture],
        otherNames: ["analyze", "analyse"],
        result: ReportOutput.result
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let output = try ReportOutput(arguments)
        let file = arguments[capture]
        var options = CapturedSession.Options()
        options.hosts = Set(arguments[hosts].map { $0.lowercased() })
        options.isComplete = arguments[complete]
        options.requiresTokens = arguments[contract] == nil
        for text in arguments[kinds] { options.kinds += try declared(text, arguments) }
        var pattern: AccessLogPattern?
        if let text = arguments[Self.pattern] {
            do {
                pattern = try AccessLogPattern(text)
            } catch {
                throw arguments.misuse(error.sentence)
            }
        }
        var report = Report(title: "autopsy")
        do {
            let capture = try read(file, pattern)
            var session = try CapturedSession(capture, options)
            report.findings = capture.findings
            if let contract = arguments[contract] {
                let files = DiskFiles()
                guard let project = ProjectRoot(enclosing: contract, files: files) else {
                    return Terminal.refuse("there is no file \"\(contract)\"")
                }
                do {
                    let loader = ContractLoader(
                        files: files,
                        project: project,
                        overlays: arguments[PlayOptions.overlay],
                        mappings: arguments[PlayOptions.map]
                    )
                    let judge = ContractEvaluator(try loader.load(contract))
                    report.add(session.hold(against: judge, below: arguments[basePath]))
                } catch {
                    report.findings += error.findings
                    _ = output.write(report)
                    return .misuse
                }
            }
            report.add(session.report)
            if let folder = arguments[folder] {
                let broken = session.recording(title: "").verdict.rules.filter { $0.status == .failed }.grouped(
                    by: \.number
                )
                if let problem = ImportCommand.write(session, to: folder, rules: broken.map(\.name)) {
                    report.findings.append(Finding(.error, id: "autopsy/output", problem))
                } else {
                    report.summary.append("wrote the story to \(FilePath.join(folder, "captured-session.json"))")
                }
            }
        } catch {
            report.findings.append(error.finding)
            _ = output.write(report)
            return .misuse
        }
        return output.write(report)
    }

    private static func read(_ file: String, _ pattern: AccessLogPattern?) throws(CaptureProblem) -> Capture {
        let bytes = try bytes(of: file)
        guard let pattern else { return try Capture(har: bytes, file: file) }
        return try Capture(log: bytes, pattern: pattern, file: file)
    }

    static func bytes(of file: String) throws(CaptureProblem) -> [UInt8] {
        do {
            return try DiskFiles().read(file)
        } catch {
            throw CaptureProblem(error.sentence(about: file, as: "the capture"), in: file)
        }
    }

    static func declared(
        _ text: String,
        _ arguments: ParsedArguments
    ) throws(UsageError) -> [CapturedTokens.DeclaredKind] {
        do {
            return try CapturedTokens.DeclaredKind.all(in: text)
        } catch {
            throw arguments.misuse(error.sentence)
        }
    }
}
