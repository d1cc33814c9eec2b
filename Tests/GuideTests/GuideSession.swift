import EventLoops
import Foundation
import TestSupport

/// The commands of a page in one shell, as a reader types them: `backlot` is the one that was built with the tests.
///
/// A server that a page starts takes a free port and stays until the next one is started or the page ends; the address
/// `http://127.0.0.1:9847` of the page stands for its address. What it prints is looked at when it has ended.
struct GuideSession {
    struct Command {
        var text: String
        var line: Int
        /// What the page shows after it, with the line of each; `nil` where it shows nothing because it is no transcript.
        var shown: [(text: String, line: Int)]?
        /// The code that the block's comment announces.
        var exit: Int32 = 0
        /// The number of its block.
        var block: Int
    }

    struct Result {
        var command: Command
        var output: [String]
        var status: Int32?
    }

    private(set) var commands: [Command] = []
    private var script = ""
    private let page: GuidePage

    init(_ page: GuidePage) {
        self.page = page
        let blocks = page.blocks.enumerated().filter { $0.element.comments["not run"] == nil }
        for (number, block) in blocks.filter({ $0.element.comments["last"] == nil }) { add(block, number) }
        for (number, block) in blocks.filter({ $0.element.comments["last"] != nil }) { add(block, number) }
        let hasScenarios = blocks.contains { $0.element.comments["file"]?.hasPrefix("Scenarios/") == true }
        if hasScenarios, !page.usesRepository {
            // Whatever the page itself does with its files, they are valid.
            run(Command(text: "backlot check Scenarios", line: blocks[0].element.line, block: -1))
        }
    }

    private mutating func add(_ block: GuidePage.Block, _ number: Int) {
        if let file = block.comments["file"] {
            let text = block.lines.joined(separator: "\n")
            script += "mkdir -p \"$(dirname '\(file)')\"; cat > '\(file)' <<'@@end'\n\(text)\n@@end\n"
            return
        }
        let isWorkflow = block.comments["workflow"] != nil
        guard isWorkflow || ["sh", "console"].contains(block.language) else { return }
        let exit = block.comments["exit"].flatMap { Int32($0) } ?? 0
        if let folder = block.comments["folder"] { script += "mkdir -p '\(folder)'; cd '\(folder)'\n" }
        if let setup = block.comments["setup"] { script += "number=setup\n\(setup)\n" }
        if isWorkflow {
            for (index, step) in block.steps {
                run(Command(text: step, line: block.line + index, exit: exit, block: number))
            }
            if block.comments["folder"] != nil { script += "cd \"$home\"\n" }
            return
        }
        var found: [Command] = []
        for (index, line) in block.lines.enumerated() {
            let number = (line: block.line + index, block: number)
            if let last = found.last, last.text.hasSuffix("\\") {
                found[found.count - 1].text += "\n" + line
            } else if block.language == "sh" {
                found.append(Command(text: line, line: number.line, exit: exit, block: number.block))
            } else if line.hasPrefix("$ ") {
                let text = String(line.dropFirst(2))
                found.append(Command(text: text, line: number.line, shown: [], exit: exit, block: number.block))
            } else if !found.isEmpty {
                found[found.count - 1].shown?.append((line, number.line))
            }
        }
        for command in found { run(command) }
        if block.comments["folder"] != nil { script += "cd \"$home\"\n" }
    }

    private mutating func run(_ command: Command) {
        let text = command.text.replacingOccurrences(of: "http://127.0.0.1:9847", with: "$BACKLOT_URL")
        script += "number=\(commands.count); printf '\\n@@begin %s\\n' $number\n\(text)\nprintf '\\n@@end %s\\n' $?\n"
        commands.append(command)
    }

    /// What the commands of a page stand on.
    static let tools = ["bash", "curl", "jq", "python3", "awk", "sed"]
    static let missingTools = tools.filter { tool in
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return !path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
    }

    /// What a page with `<!-- folder: repository -->` has of this repository; `.ci/plain-debian` copies the same.
    private static let repositoryFolders = [
        "Scenarios", "Contracts", "Tests/StoryRunningTests/Clients", "Tests/BacklotTestServerTests/Guide",
    ]

    func results() async throws -> [Result] {
        let folder = try TemporaryFolder()
        let logs = try TemporaryFolder()
        if page.usesRepository {
            for name in Self.repositoryFolders {
                let place = URL(filePath: "\(folder.path)/\(name)")
                let parent = place.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                let source = URL(filePath: "\(Project.folder)/\(name)").resolvingSymlinksInPath()
                try FileManager.default.copyItem(at: source, to: place)
            }
        }
        guard let executable = SpawnedCommand.executable else { throw SystemError("start backlot", .noSuchFile) }
        var environment = ProcessInfo.processInfo.environment
        for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI", "FORCE_COLOR", "BUG"] { environment[name] = nil }
        environment["BACKLOT_PORT"] = "0"
        // Nothing listens there.
        environment["BACKLOT_URL"] = "http://127.0.0.1:1"
        environment["BACKLOT_EXECUTABLE"] = executable
        environment["BACKLOT_LOGS"] = logs.path
        let end = try await SpawnedProgram(
            "/usr/bin/env",
            ["bash"],
            input: Self.prelude + script + "stop_server\n",
            joinsErrors: true,
            environment: environment,
            in: folder.path
        ).end()
        return results(in: end.output, logs: logs.path)
    }

    private func results(in output: String, logs: String) -> [Result] {
        let parts = output.components(separatedBy: "\n@@begin ").dropFirst()
        return zip(commands, parts).enumerated().map { index, pair in
            let lines = pair.1.components(separatedBy: "\n").dropFirst()
            let end = lines.lastIndex { $0.hasPrefix("@@end ") }
            let status = end.flatMap { Int32(lines[$0].dropFirst(6)) }
            let log = FileManager.default.contents(atPath: "\(logs)/\(index)")
            let printed = log.map { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n") }
            return Result(
                command: pair.0,
                output: (printed ?? Array(lines[..<(end ?? lines.endIndex)])).withoutEmptyEnd,
                status: status
            )
        }
    }

    /// What makes the commands of a page those of a test.
    private static let prelude = #"""
        home=$PWD
        server=
        staging=
        number=setup
        stop_server() {
            [ -z "$server" ] || { kill -INT "$server"; wait "$server"; server=; } 2>/dev/null
            [ -z "$staging" ] || { kill -INT "$staging"; wait "$staging"; staging=; } 2>/dev/null
        }
        trap stop_server EXIT
        backlot() {
            if [ "$1" = proxy ]; then
                # The server that the page has started is the one behind the proxy.
                staging=$server
                set -- proxy "$BACKLOT_URL" "${@:3}"
            elif [ "$1" = serve ]; then
                stop_server
            else
                "$BACKLOT_EXECUTABLE" "$@"
                return
            fi
            local ready=$BACKLOT_LOGS/ready
            rm -f "$ready"
            "$BACKLOT_EXECUTABLE" "$@" --ready-file "$ready" > "$BACKLOT_LOGS/$number" 2>&1 &
            server=$!
            until [ -s "$ready" ] || ! kill -0 "$server" 2>/dev/null; do sleep 0.01; done
            if [ -s "$ready" ]; then
                export BACKLOT_URL=$(cat "$ready")
            else
                local process=$server
                server=
                wait "$process"
            fi
        }
        swift() {
            if [ "$1 $2" = "run backlot" ]; then shift 2; backlot "$@"; else command swift "$@"; fi
        }

        """#
}

extension [String] {
    fileprivate var withoutEmptyEnd: [String] {
        var lines = self
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
