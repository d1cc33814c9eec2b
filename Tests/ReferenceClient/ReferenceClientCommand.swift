import CommandLineInterface
import EventLoops
import ReferenceClients

/// The command `reference-client`: plays one of the reference clients in a story, or proves by all of them that the
/// rules find what they are for and nothing else.
@main
enum ReferenceClientCommand {
    private static let design = Positional(
        "DESIGN",
        .choice(of: ClientDesign.allCases.map(\.word) + ["habit", "prove"]),
        "How the client is built; \"habit\" is one of a table, and \"prove\" plays all of them"
    )
    private static let bug = Option(
        "bug",
        "RULE",
        .choice(of: Bug.allCases.map(\.number)),
        "The bug that the client has; none when left out"
    )
    private static let connections = Option(
        "connections",
        "MANNER",
        .choice(of: Connections.allCases.map(\.rawValue)),
        "How it connects; all for prove"
    )
    private static let schedules = Option(
        "schedules",
        "N",
        .integer(in: 0...1_000_000),
        default: 1_000,
        "How many schedules each correct client plays in each manner"
    )
    private static let schedulesWithBug = Option(
        "schedules-with-bug",
        "N",
        .integer(in: 0...1_000_000),
        default: 20,
        "The same for each bug"
    )
    private static let parallel = Option(
        "parallel",
        "N",
        .integer(in: 1...1_000),
        default: 32,
        "How many are played at the same time"
    )
    private static let seed = Option(
        "seed",
        "N",
        .integer(in: 1...Int.max),
        default: 1,
        "The seed of the first schedule"
    )
    private static let only = Option(
        repeated: "only",
        "DESIGN",
        .choice(of: ClientDesign.allCases.map(\.word)),
        "Prove it of these designs"
    )

    private static let habit = Option(
        "habit",
        "N",
        .integer(in: 1...10_000),
        default: 1,
        "Which habit of the table it is"
    )
    private static let habits = Option(flag: "habits", "Prove it of the habits instead, one schedule each")

    private static let description = CommandDescription(
        "reference-client",
        "A client with the bug of one's choice",
        discussion: """
            Plays the scenes of the proof matrix when backlot run has started it. With "prove" it starts itself, once \
            for each launch of each schedule, and prints what was found.

            Exits with 0 when no correct client was blamed, every bug was found, and at most 1 % of the schedules \
            were inconclusive; with 1 otherwise, and with 2 when nothing could be played.
            """,
        examples: [
            "reference-client prove --schedules 1000": "Prove it for all designs in all manners of connecting",
            "reference-client prove --habits": "Prove it for the table of habits",
            "backlot run story.json -- reference-client queue --bug B7": "Play a story to one client",
        ],
        options: [bug, connections, schedules, schedulesWithBug, parallel, seed, only, habit, habits],
        positionals: [design]
    )

    static func main() async {
        Terminal.openStandardStreams()
        let code: ExitCode
        do throws(UsageError) {
            switch try description.parse(Terminal.arguments, environment: [:]) {
            case .help(let text), .version(let text): code = Terminal.output(text) ? .success : .misuse
            case .command(let arguments): code = await run(arguments)
            }
        } catch {
            Terminal.complain(error.text)
            code = error.exitCode
        }
        Terminal.exit(code)
    }

    private static func run(_ arguments: ParsedArguments) async -> ExitCode {
        let manner = arguments[connections].flatMap { Connections(rawValue: $0) }
        if arguments[design] == "habit" { return await play(arguments[habit], manner ?? .pool) }
        guard let design = ClientDesign.allCases.first(where: { $0.word == arguments[design] }) else {
            return arguments[habits] ? await proveHabits(arguments, manner) : await prove(arguments, manner)
        }
        let wanted = arguments[bug]
        do throws(ClientProgram.Obstacle) {
            try await ClientProgram(design, bug: Bug.allCases.first { $0.number == wanted }, manner ?? .pool).play(
                Terminal.environment
            )
            return .success
        } catch {
            Terminal.complain("error: \(error.sentence)\n")
            return .misuse
        }
    }

    private static func prove(_ arguments: ParsedArguments, _ manner: Connections?) async -> ExitCode {
        await report { (program) async throws(ProcessProof.Obstacle) in
            var proof = ProcessProof(program: program, environment: Terminal.environment)
            proof.schedules = arguments[schedules]
            proof.schedulesWithBug = arguments[schedulesWithBug]
            proof.parallel = arguments[parallel]
            proof.firstSeed = UInt64(arguments[seed])
            if let manner { proof.connections = [manner] }
            let wanted = arguments[only]
            if !wanted.isEmpty { proof.designs = ClientDesign.allCases.filter { wanted.contains($0.word) } }
            if let bug = arguments[bug] { proof.bugs = Bug.allCases.filter { $0.number == bug } }
            let rows = try await proof.run { Terminal.complain($0 + "\n") }
            return (rows.text, rows.isProof)
        }
    }

    private static func proveHabits(_ arguments: ParsedArguments, _ manner: Connections?) async -> ExitCode {
        await report { (program) async throws(ProcessProof.Obstacle) in
            var proof = HabitProof(program: program, environment: Terminal.environment)
            proof.parallel = arguments[parallel]
            proof.firstSeed = UInt64(arguments[seed])
            if let manner { proof.connections = [manner] }
            let rows = try await proof.run { Terminal.complain($0 + "\n") }
            return (rows.text, rows.isProof)
        }
    }

    /// Prints the table of a proof, which starts this program as its clients.
    private static func report(
        _ proof: (_ program: String) async throws(ProcessProof.Obstacle) -> (text: String, isProof: Bool)
    ) async -> ExitCode {
        guard let program = Platform.executablePath else {
            Terminal.complain("error: the path of this program cannot be determined\n")
            return .misuse
        }
        do throws(ProcessProof.Obstacle) {
            let (text, isProof) = try await proof(program)
            guard Terminal.output(text) else { return .misuse }
            return isProof ? .success : .failed
        } catch {
            Terminal.complain("error: \(error.sentence)\n")
            return .misuse
        }
    }

    /// Plays one habit of the table.
    private static func play(_ number: Int, _ manner: Connections) async -> ExitCode {
        do {
            let habits = try HabitProof.habits()
            guard habits.indices.contains(number - 1) else {
                Terminal.complain("error: there are \(habits.count) habits\n")
                return .misuse
            }
            let problems = try await HabitProgram(habits[number - 1], manner).play(Terminal.environment)
            for problem in problems { Terminal.complain("\(problem)\n") }
            return problems.isEmpty ? .success : .failed
        } catch {
            let obstacle = error as? ClientProgram.Obstacle
            Terminal.complain("error: \(obstacle?.sentence ?? "\(error)")\n")
            return .misuse
        }
    }
}
