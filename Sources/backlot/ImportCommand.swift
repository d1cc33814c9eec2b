import Basics
import Checking
import CommandLineInterface
import JSON
import ScenarioFormat

/// `backlot import`: makes a backend of traffic that was captured somewhere else.
enum ImportCommand {
    private static let capture = Positional(
        "CAPTURE",
        .file(endings: ["har", "json"], orFolder: true),
        "A HAR file or its http:// or https:// address, or a file from WireMock, Postman, Insomnia, Mockoon, Pact, MockServer or json-server; for WireMock, "
            + "also the folder"
    )
    private static let folder = Positional(
        optional: "FOLDER",
        .folder,
        "The output folder; by default, Scenarios/ and the file's name"
    )
    private static let hosts = Option(
        repeated: "host",
        "HOST",
        .text("a host such as api.example.com"),
        "A backend host; by default, the hosts that receive or grant tokens"
    )
    private static let kinds = Option(
        repeated: "kinds",
        "KIND=PLACE,…",
        .text("kinds such as access=header:Authorization,refresh=body:/refresh_token"),
        "The locations of tokens; by default, the locations are detected automatically"
    )

    static let description = CommandDescription(
        "import",
        "Create a backend from captured traffic",
        discussion: """
            Writes backend.json with the routes, token rules and responses from a HAR file, and a story of the captured session. \
            Tokens, cookies, passwords, email addresses and phone numbers are replaced by placeholders; a part that would \
            still contain such a value is omitted. Also imports WireMock mappings, Postman 2.1 collections, Insomnia 4 exports, \
            Mockoon environments, pacts, MockServer expectations, and the db.json of json-server. Reports each omission \
            with its reason, and marks the place of the omission in the backend with a $comment. backlot check accepts the \
            written files.
            Exits with 0 when the files are written, and with 2 when they are not.
            """,
        examples: ["backlot import capture.har": "Write Scenarios/capture, to check and serve it"],
        options: [hosts, kinds] + TrustOptions.all,
        positionals: [capture, folder],
        otherNames: ["convert", "migrate"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let file = arguments[capture]
        var options = CapturedSession.Options()
        options.requiresTokens = false
        options.hosts = Set(arguments[hosts].map { $0.lowercased() })
        for text in arguments[kinds] { options.kinds += try AutopsyCommand.declared(text, arguments) }
        let trust = try TrustOptions.read(arguments)
        let name = FilePath.name(of: file).split(separator: ".").first.map(String.init) ?? "capture"
        let target = arguments[folder] ?? "Scenarios/\(name)"
        do throws(CaptureProblem) {
            let files = DiskFiles()
            guard !files.isFolder(file) else {
                return write(try StubDraft(wireMockFolder: file, files: files), to: target)
            }
            let root = try CapturedDocument.root(of: bytes(of: file, trust), file: file)
            if root["log"] == nil {
                let bodies = StubDraft.bodyFile(nextTo: file, files: files)
                guard let draft = try StubDraft.read(root, file: file, bodyFile: bodies) else {
                    throw CaptureProblem("the file format is not supported; \(StubDraft.known)", in: file)
                }
                return write(draft, to: target)
            }
            let capture = try Capture(har: root, file: file, needsMoments: false)
            Terminal.complain(capture.findings)
            let session = try CapturedSession(capture, options)
            if let problem = write(session, to: target, isTold: true) {
                return Terminal.refuse(problem)
            }
            return .success
        } catch {
            return Terminal.refuse([error.finding])
        }
    }

    /// The bytes of a file, or of a document on a server.
    private static func bytes(of file: String, _ trust: ServerTrust) throws(CaptureProblem) -> [UInt8] {
        guard GivenDocument.isAddress(file) else { return try AutopsyCommand.bytes(of: file) }
        do {
            let document = try GivenDocument(at: file, timeout: .seconds(30), trust: trust, in: DiskFiles())
            return try document.read(document.name)
        } catch let error as VerificationProblem {
            throw CaptureProblem(error.sentence, in: file, advice: error.advice)
        } catch {
            throw CaptureProblem("the capture cannot be read: \(error)", in: file)
        }
    }

    /// Writes the stubs of another tool as a backend.
    private static func write(_ draft: StubDraft, to path: String) -> ExitCode {
        let folder = DraftFolder(path, files: DiskFiles())
        if let problem = folder.problem(overwriting: nil) { return Terminal.refuse(problem) }
        do throws(CaptureProblem) {
            let backend = try draft.backend(schemaPath: folder.schemaPath)
            Terminal.complain(backend.findings)
            do throws(DraftFolder.Problem) {
                let written = try folder.write(backend.files)
                let lines = folder.summary(of: written, routeCount: backend.routeCount)
                Terminal.output(lines.map { $0.printable + "\n" }.joined())
                return .success
            } catch {
                return Terminal.refuse(error.sentence)
            }
        } catch {
            return Terminal.refuse([error.finding])
        }
    }

    /// Writes the backend and the story of a captured session.
    ///
    /// - Parameter isTold: whether to report the written and skipped parts.
    /// - Returns: why nothing was written, as a sentence.
    static func write(
        _ session: CapturedSession,
        to path: String,
        rules: [String] = [],
        isTold: Bool = false
    ) -> String? {
        let folder = DraftFolder(path, files: DiskFiles())
        if let problem = folder.problem(overwriting: nil) { return problem }
        let host = session.hosts.sorted().first ?? "captured"
        let backend: BackendDraft
        do {
            backend = try BackendDraft(session, named: host, schemaPath: folder.schemaPath, rules: rules)
        } catch {
            return error.finding.message
        }
        do throws(DraftFolder.Problem) {
            let written = try folder.write(backend.files)
            if isTold { report(backend, written, folder) }
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Reports the parts of a captured session that were written, and those that were left out.
    static func report(_ backend: BackendDraft, _ written: [String], _ folder: DraftFolder) {
        Terminal.complain(backend.findings)
        let kinds = backend.tokenKinds.joined(separator: ", ")
        let note = kinds.isEmpty ? "found no token" : "token kinds: \(kinds)"
        let lines = folder.summary(of: written, routeCount: backend.routeCount, notes: [note])
        Terminal.output(lines.map { $0.printable + "\n" }.joined())
    }
}
