import CommandLineArguments
import Console
import ContractRunner
import Findings
import JSONText
import OpenAPIContracts
import ProjectFiles

/// `backlot init`: makes a scenario of an OpenAPI file.
enum InitCommand {
    private static let contract = Positional(
        "OPENAPI",
        .file(endings: TextFormat.endings),
        "An OpenAPI 3.0 or 3.1 file"
    )
    private static let folder = Positional(
        optional: "FOLDER",
        .folder,
        "Where the scenario goes; Scenarios and the contract's title if not said"
    )
    private static let force = Option(flag: "force", "Write into a folder that has something in it already")
    private static let seed = Option(
        "seed",
        "N",
        .integer(in: 0...Int.max),
        default: 0,
        "Start the choice of made values from this number"
    )
    private static let root = Option("root", "FOLDER", .folder, "The folder that the contract may not leave")

    static let description = CommandDescription(
        "init",
        "Start a scenario from an OpenAPI file",
        discussion: """
            Writes a backend with a route for every operation, fixtures that the contract allows, and token rules \
            guessed from its security schemes. A $comment marks each guess. What is written is yours to change.
            """,
        examples: [
            "backlot init petstore.json": "Write Scenarios/petstore and what belongs into it",
            "backlot init petstore.json Scenarios/pets --force": "Write it again over what is there",
        ],
        options: [force, seed, root],
        positionals: [contract, folder]
    )

    static func run(_ arguments: ParsedArguments) -> ExitCode {
        let files = DiskFiles()
        let path = arguments[contract]
        let project =
            arguments[root].flatMap { ProjectRoot($0, files: files) } ?? ProjectRoot(enclosing: path, files: files)
        guard let project else { return refuse("there is no file \"\(path)\"") }
        do {
            let contract = try ContractLoader(files: files, project: project).load(path)
            return draft(contract, arguments, files)
        } catch {
            report(error.findings)
            return .misuse
        }
    }

    private static func draft(_ contract: Contract, _ arguments: ParsedArguments, _ files: DiskFiles) -> ExitCode {
        let folder = arguments[folder] ?? "Scenarios/\(ScenarioDraft.folderName(for: contract))"
        let target = DraftFolder(folder, files: files)
        if let problem = target.problem(overwriting: arguments[force]) { return refuse(problem) }
        let placement: ContractPlacement
        do {
            placement = try ContractPlacement(of: contract, in: target.resolved, files: files)
        } catch {
            return refuse(error.message)
        }
        let drafter = ScenarioDrafter(
            contract,
            at: placement.path,
            schemaPath: target.schemaPath,
            seed: UInt64(arguments[seed])
        )
        let draft = drafter.draft()
        report(contract.findings.filter { $0.severity > .note } + draft.findings)
        guard draft.routeCount > 0 else { return refuse("the contract has no operation that a route could stand for") }
        let written = draft.files + placement.copies
        if let problem = target.write(written) { return refuse(problem) }
        let isBroken = contract.findings.contains { $0.severity == .error }
        Terminal.output(DraftSummary(draft, files: written, folder: folder, isContractBroken: isBroken).text)
        return .success
    }

    private static func report(_ findings: [Finding]) {
        for finding in findings { Terminal.complain("\(finding)\n") }
    }

    private static func refuse(_ sentence: String) -> ExitCode {
        Terminal.complain("error: \(sentence.printable)\n")
        return .misuse
    }
}
