import Basics
import Checking
import CommandLineInterface
import JSON

/// `backlot import`: makes a backend of traffic that was captured somewhere else.
enum ImportCommand {
    private static let capture = Positional(
        "CAPTURE",
        .file(endings: ["har", "json"], orFolder: true),
        "A HAR file, or a file from WireMock, Postman, Mockoon, Pact, MockServer or json-server; for WireMock, also "
            + "the folder"
    )
    private static let folder = Positional(
        optional: "FOLDER",
        .folder,
        "The output folder; by default Scenarios/ and the file's name"
    )
    private static let hosts = Option(
        repeated: "host",
        "HOST",
        .text("a host such as api.example.com"),
        "A host of the backend; by default the hosts that receive or grant tokens"
    )
    private static let kinds = Option(
        repeated: "kinds",
        "KIND=PLACE,…",
        .text("kinds such as access=header:Authorization,refresh=body:/refresh_token"),
        "The places of tokens, if they should not be detected automatically"
    )

    static let description = CommandDescription(
        "import",
        "Create a backend from captured traffic",
        discussion: """
            Writes backend.json with the routes, token rules and responses of a HAR file, and a story of the captured \
            session. Tokens, cookies, passwords, e-mail addresses and phone numbers are replaced by placeholders; a \
            file that would still contain one is not written. Also imports WireMock mappings, Postman 2.1 collections \
            with saved examples, Mockoon environments, pacts, MockServer expectations, and the db.json of json-server. \
            Reports what was skipped and why.
            Exits with 0 when the files are written, and with 2 when they are not.
            """,
        examples: ["backlot import capture.har": "Write Scenarios/capture, to check and serve it"],
        options: [hosts, kinds],
        positionals: [capture, folder],
        otherNames: ["convert", "migrate"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        let file = arguments[capture]
        var options = CapturedSession.Options()
        options.requiresTokens = false
        options.hosts = Set(arguments[hosts].map { $0.lowercased() })
        for text in arguments[kinds] { options.kinds += try AutopsyCommand.declared(text, arguments) }
        let name = FilePath.name(of: file).split(separator: ".").first.map(String.init) ?? "capture"
        let target = arguments[folder] ?? "Scenarios/\(name)"
        do throws(CaptureProblem) {
            let files = DiskFiles()
            guard !files.isFolder(file) else { return write(try wireMock(in: file, files), to: target) }
            let bytes = try AutopsyCommand.bytes(of: file)
            if let root = (try? JSONParser(duplicateNames: .lastWins).parse(bytes))?.root {
                if let draft = try StubDraft.read(root, file: file, bodyFile: bodyFile(beside: file, files)) {
                    return write(draft, to: target)
                }
                guard root["log"] != nil else {
                    throw CaptureProblem("the format of the file is not supported; \(StubDraft.known)", in: file)
                }
            }
            let capture = try Capture(har: bytes, file: file)
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

    /// The mappings of a folder of WireMock, or of its folder `mappings`.
    private static func wireMock(in folder: String, _ files: DiskFiles) throws(CaptureProblem) -> StubDraft {
        let mappings = FilePath.join(folder, "mappings")
        let place = files.isFolder(mappings) ? mappings : folder
        var documents: [(root: JSONValue, file: String)] = []
        for name in files.entries(of: place) where name.hasSuffix(".json") {
            let path = FilePath.join(place, name)
            let bytes = try AutopsyCommand.bytes(of: path)
            do {
                documents.append((try JSONParser(duplicateNames: .lastWins).parse(bytes).root, path))
            } catch {
                throw CaptureProblem("the file is not valid JSON: \(error.sentence)", in: path, at: error.position)
            }
        }
        guard documents.contains(where: { StubDraft.isWireMock($0.root) }) else {
            throw CaptureProblem(
                "the folder does not contain WireMock mappings",
                in: folder,
                advice: "specify the folder that contains \"mappings\", or a single file; \(StubDraft.known)"
            )
        }
        return try StubDraft(wireMock: documents, bodyFile: bodyFile(beside: FilePath.join(place, "mappings"), files))
    }

    /// Reads the bodies that mappings name: text files in `__files` next to the mappings or next to their folder.
    private static func bodyFile(beside file: String, _ files: DiskFiles) -> @Sendable (String) -> String? {
        let folder = FilePath.folder(of: file)
        let bodies = [folder, FilePath.join(folder, "..")].map { FilePath.join($0, "__files") }
        return { name in
            for place in bodies {
                guard let root = files.resolve(place), let path = files.resolve(FilePath.join(place, name)),
                    FilePath.contains(root, path), let bytes = try? files.read(path)
                else { continue }
                return String(validUTF8: bytes)
            }
            return nil
        }
    }

    /// Writes the stubs of another tool as a backend.
    private static func write(_ draft: StubDraft, to path: String) -> ExitCode {
        let folder = DraftFolder(path, files: DiskFiles())
        if let problem = folder.problem(overwriting: false) {
            return Terminal.refuse(problem)
        }
        Terminal.complain(draft.findings)
        let bytes = draft.backend(schemaPath: folder.schemaPath).utf8(.pretty) + [0x0A]
        do throws(DraftFolder.Problem) {
            let written = try folder.write([ScenarioDraft.File(path: "backend.json", bytes: bytes)])
            let lines = folder.summary(of: written, routeCount: draft.routeCount)
            Terminal.output(lines.map { $0.printable + "\n" }.joined())
            return .success
        } catch {
            return Terminal.refuse(error.sentence)
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
        if let problem = folder.problem(overwriting: false) { return problem }
        let host = session.hosts.sorted().first ?? "captured"
        let backend = ImportedBackend(session, named: host, schemaPath: folder.schemaPath, rules: rules)
        guard backend.leaks.isEmpty else {
            return "nothing was written, because the output would contain a token or an address of the capture in "
                + backend.leaks.joined(separator: ", ")
        }
        do throws(DraftFolder.Problem) {
            let written = try folder.write(backend.files)
            guard isTold else { return nil }
            Terminal.complain(backend.findings)
            let kinds = backend.kinds.joined(separator: ", ")
            let note = kinds.isEmpty ? "found no token" : "token kinds: \(kinds)"
            let lines = folder.summary(of: written, routeCount: backend.routeCount, notes: [note])
            Terminal.output(lines.map { $0.printable + "\n" }.joined())
            return nil
        } catch {
            return error.sentence
        }
    }
}
