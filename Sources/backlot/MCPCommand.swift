import Basics
import CommandLineInterface
import EventLoops
import ProgramInterface
import StoryRunning

/// `backlot mcp`: an MCP server on standard input and output.
enum MCPCommand {
    private static let root = Option(
        "root",
        "FOLDER",
        .folder,
        default: ".",
        "The project's folder; no tool reads or writes a file outside it"
    )
    private static let clients = Option(
        repeated: "client",
        "NAME=COMMAND",
        ValueKind<(name: String, command: String)>(expected: "a name, \"=\" and a shell command") { text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
            let command = String(text[text.index(after: equals)...])
            return command.isEmpty ? nil : (String(text[..<equals]), command)
        },
        "A client that the tools run, explore and prove may start; repeat the option for several"
    )

    static let description = CommandDescription(
        "mcp",
        "Serve the commands to a program over the Model Context Protocol",
        discussion: """
            Reads JSON-RPC messages from standard input, one per line, and writes responses to standard output. The tools \
            are commands of this program and return the documents that --json prints. Resources are the guides, the \
            project's stories and contracts, and the last results. When standard input ends, every server and client that \
            a tool has started ends as well.
            """,
        examples: [
            "backlot mcp --client 'app=python3 client.py {url}'":
                "Serve the project in the current folder, with one client"
        ],
        options: [root, clients],
        otherNames: ["agent"]
    )

    static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitCode {
        guard !Terminal.printsJSON else { throw arguments.misuse("mcp prints JSON already; remove --json") }
        let files = DiskFiles()
        guard let root = files.resolve(arguments[root]), files.isFolder(root) else {
            throw arguments.misuse("there is no folder \"\(arguments[root].printable)\"")
        }
        // The commands read the whole project around a file.
        if let project = ProjectRoot(enclosing: root, files: files)?.path, project.exact != root.exact {
            throw arguments.misuse(
                "the tools would read the whole project around \(root.printable); use --root \(project.shellWord)"
            )
        }
        guard let program = Platform.executablePath else {
            return Terminal.refuse("the path of this program cannot be determined")
        }
        // Before the folder is created, which a signal would otherwise leave behind.
        StopSignals.hold()
        return Terminal.withTemporaryFolder { scratch in
            let server = ModelContextServer(
                Backlot.description,
                program: program,
                root: root,
                clients: Dictionary(arguments[clients].map { ($0.name, $0.command) }) { $1 },
                scratch: scratch
            ) { Terminal.output($0) }
            do throws(SystemError) {
                try LoopThread.start {
                    StopSignals.wait()
                    server.end()
                    DiskFiles().removeFolder(scratch)
                    Terminal.exit(.interrupted)
                }
            } catch {
                return Terminal.refuse("a thread cannot be started: \(error)")
            }
            var input = StandardInput()
            while let line = input.next() {
                switch line {
                case .text(let bytes): server.take(bytes)
                case .tooLong: server.refuseLongLine()
                }
            }
            server.end()
            return .success
        }
    }
}
