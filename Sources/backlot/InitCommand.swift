import Basics
import Checking
import CommandLineInterface
import JSON
import OpenAPI
import Reports
import ScenarioFormat
import StubServing

/// `backlot init`: makes a scenario from an OpenAPI file, or a first scenario without such a file.
enum InitCommand {
    private static let contract = Positional(
        optional: "OPENAPI",
        .file(endings: TextFormat.endings),
        "An OpenAPI 3.0, 3.1 or 3.2 file"
    )
    private static let folder = Positional(
        optional: "FOLDER",
        .folder,
        "The scenario folder; by default, Scenarios/ and the contract's title"
    )
    private static let force = Option(flag: "force", "Write to a folder that is not empty")
    private static let seed = Option(
        "seed",
        "N",
        .integer(in: 0...Int.max),
        default: 0,
        "The seed for generated values"
    )
    private static let root = Option("root", "FOLDER", .folder, "The folder that must contain the contract")

    static let description = CommandDescription(
        "init",
        "Create a scenario, optionally from an OpenAPI file",
        discussion: """
            Writes a backend with a route for every operation, fixtures that match the contract, and token rules \
            guessed from the contract's security schemes. A $comment marks each guess. If a response grants tokens, \
            also writes a story for the expiry of each token. Edit the files as you like.

            Without an OpenAPI file, writes a starter backend to \(ScenarioStarter.folder): a sign-in, an access token, \
            a refresh token, a list, and a story for the expiry of each token. Does not replace existing files.
            """,
        examples: [
            "backlot init": "Create a starter backend with two stories",
            "backlot init petstore.json": "Write Scenarios/petstore",
            "backlot init petstore.json Scenarios/pets --force": "Overwrite the files",
        ],
        options: [PlayOptions.overlay, PlayOptions.map, force, seed, root],
        positionals: [contract, folder],
        otherNames: ["new", "create", "generate"]
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        let files = DiskFiles()
        guard let path = arguments[contract] else { return start(files) }
        guard files.resolve(path) != nil, !files.isFolder(path) else {
            let what = files.isFolder(path) ? "\"\(path)\" is a folder" : "there is no file \"\(path)\""
            // A word without an ending is meant as the folder.
            let advice =
                "; the OpenAPI file is the first argument: backlot init openapi.json \(path); without an OpenAPI file, "
                + "run backlot init"
            return Terminal.refuse(TextFormat.isDocument(path) ? what : what + advice)
        }
        let project =
            arguments[root].flatMap { ProjectRoot($0, files: files) } ?? ProjectRoot(enclosing: path, files: files)
        guard let project else { return Terminal.refuse("there is no file \"\(path)\"") }
        do {
            let contract = try ContractLoader(
                files: files,
                project: project,
                overlays: arguments[PlayOptions.overlay],
                mappings: arguments[PlayOptions.map]
            )
            .load(path)
            return draft(contract, arguments, files)
        } catch {
            return Terminal.refuse(error.findings)
        }
    }

    private static func draft(_ contract: Contract, _ arguments: ParsedArguments, _ files: DiskFiles) -> ExitCode {
        let named = arguments[folder]
        let folder = named ?? "Scenarios/\(DraftFixtures.name(of: contract.title))"
        let target = DraftFolder(folder, isNamed: named != nil, files: files)
        if let problem = target.problem(overwriting: arguments[force]) { return Terminal.refuse(problem) }
        let placement: ContractPlacement
        do {
            placement = try ContractPlacement(of: contract, in: target.resolved, files: files)
        } catch {
            return Terminal.refuse(error.message)
        }
        let drafter = ScenarioDrafter(
            contract,
            at: placement.path,
            schemaPath: target.schemaPath,
            seed: UInt64(arguments[seed])
        )
        let draft = drafter.draft()
        Terminal.complain(contract.findings.filter { $0.severity > .note } + draft.findings)
        guard draft.routeCount > 0 else {
            return Terminal.refuse("the contract contains no operation that can become a route")
        }
        do throws(DraftFolder.Problem) {
            let written = try target.write(draft.files + placement.copies)
            var notes: [String] = []
            if !draft.tokenKinds.isEmpty {
                let kinds = draft.tokenKinds.joined(separator: ", ")
                notes.append("token rules, guessed: \(kinds); see \"tokens\" in backend.json")
            }
            if contract.findings.contains(where: { $0.severity == .error }) {
                notes.append(
                    "the contract contains the errors above; the affected parts are not enforced until the errors are fixed"
                )
            }
            let lines = target.summary(
                of: written,
                routeCount: draft.routeCount,
                hasStories: draft.storyCount > 0,
                notes: notes
            )
            Terminal.output(lines.map { $0 + "\n" }.joined())
            return .success
        } catch {
            return Terminal.refuse(error.sentence)
        }
    }

    /// Writes a scenario that no contract is needed for.
    private static func start(_ files: DiskFiles) -> ExitCode {
        if let contract = ScenarioLibrary.contractHere(files: files) {
            return Terminal.refuse("found an OpenAPI file; create a scenario from it with backlot init \(contract)")
        }
        // Those of a project around this folder do not matter: from now on this folder is a project.
        if let backend = ScenarioLibrary.usualBackends(files: files).first(where: { !$0.hasPrefix("..") }) {
            return Terminal.refuse(
                "found a backend in \"\(backend)\"; serve it with backlot serve \(backend)"
            )
        }
        let folder = DraftFolder(ScenarioStarter.folder, isNamed: false, files: files)
        // The folder may contain files, except for those that are checked next.
        if let problem = folder.problem(overwriting: true) { return Terminal.refuse(problem) }
        let drafted = ScenarioStarter.files(schemaPath: folder.schemaPath)
        let present = drafted.map { FilePath.join(folder.path, $0.path) }.first { files.resolve($0) != nil }
        if let present { return Terminal.refuse("\"\(present)\" already exists; nothing was written") }
        do throws(DraftFolder.Problem) {
            let written = try folder.write(drafted)
            Terminal.output(
                written.map { "wrote \($0)\n" }.joined()
                    + """

                    Sign in with POST /login and {"email": "ada@example.com", "password": "secret"}.

                    next:
                      backlot check
                      backlot serve
                      backlot run \(folder.path) -- COMMAND

                    """
            )
            return .success
        } catch {
            return Terminal.refuse(error.sentence)
        }
    }
}
