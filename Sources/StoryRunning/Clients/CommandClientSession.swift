import Basics
import JSON
import ScenarioFormat
import Simulation
package import StubServing

/// A command in one run of a story, with a folder for what it stores between its launches.
///
/// A class, because what could not be written is gathered over all launches.
final class CommandClientSession: StoryClientSession {
    private let client: CommandClient
    /// The folder of its output; `nil` if the output is not kept.
    private let output: String?
    /// A folder that exists as long as the run.
    private let scratch: String
    private let files = DiskFiles()
    private let lost = Lock<[String]>([])
    /// The processes that run.
    private let running = Lock<[ClientProcess]>([])
    private let state: Lock<StateFolder>
    /// The tokens with which the first launch began: what came later, the client has to store by itself.
    private let firstTokens = Lock<JSONValue?>(nil)

    init(_ client: CommandClient, output: String?) throws(PlayProblem) {
        self.client = client
        self.output = output
        let parent = client.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        do {
            scratch = try files.makeTemporaryFolder(in: parent)
            state = Lock(try StateFolder("\(scratch)/state"))
        } catch {
            throw PlayProblem(sentence: "a folder cannot be created in \"\(parent)\": \(error.reason)")
        }
    }

    func launch(_ launch: StoryLaunch) async throws(PlayProblem) -> ClientLaunch {
        try prepareStore(for: launch)
        defer { releaseStore() }
        return await wait(for: try start(launch), in: launch)
    }

    func launchProcesses(_ launch: StoryLaunch) async throws(PlayProblem) -> [ClientLaunch] {
        try prepareStore(for: launch)
        defer { releaseStore() }
        let group = ProcessGroup()
        let later = launch.server.processes.filter { $0.beginning == .later }.map(\.name)
        launch.server.onProcessAction { [self] action in
            guard action.kind == .start else { return group.act(action) }
            guard let process = launch.processes.first(where: { $0.name == action.process }) else { return }
            begin(process, of: launch, in: group)
        }
        defer { launch.server.onProcessAction(nil) }
        for process in launch.processes where !later.contains(process.name) { begin(process, of: launch, in: group) }
        guard launch.processes.contains(where: { !later.contains($0.name) }) else {
            throw PlayProblem(sentence: "no process in the story runs from the start")
        }
        var launches: [(order: Int, launch: ClientLaunch)] = []
        var (problem, count): (PlayProblem?, Int) = (nil, 0)
        for await happening in group.notifications {
            switch happening {
            case .failed(let failure): problem = failure
            case .started(let order, let started):
                count += 1
                Task { [self] in group.end(order, await wait(for: started, in: launch)) }
            case .ended(let order, let ended):
                launches.append((order, ended))
                if launches.count < count { Task { await group.endFrozen() } }
            }
            if launches.count == count { break }
        }
        if let problem { throw problem }
        return launches.sorted { $0.order < $1.order }.map(\.launch)
    }

    private func begin(_ process: (name: String, url: String), of launch: StoryLaunch, in group: ProcessGroup) {
        guard !group.isRunning(process.name) else { return }
        launch.server.begin(process: process.name)
        do throws(PlayProblem) {
            group.add(try start(launch, as: process))
        } catch {
            group.fail(error)
        }
    }

    /// A process that runs.
    struct Started: Sendable {
        var child: ClientProcess
        var name: String?
        var streams: ClientStreams
    }

    private func start(
        _ launch: StoryLaunch,
        as process: (name: String, url: String)? = nil
    ) throws(PlayProblem) -> Started {
        let url = process?.url ?? launch.url
        let words = client.command.words { placeholder in
            switch placeholder {
            case .url: url
            case .admin: url + "/__backlot"
            case .story: launch.story.id
            }
        }
        let streams = streams(of: process.map { "\(launch.number)-\($0.name)" } ?? "\(launch.number)")
        do {
            let child = try ClientProcess(words, environment: environment(of: launch, as: process), streams)
            running.withLock { $0.append(child) }
            return Started(child: child, name: process?.name, streams: streams)
        } catch {
            throw PlayProblem(sentence: error.sentence)
        }
    }

    private func wait(for process: Started, in launch: StoryLaunch) async -> ClientLaunch {
        let sight = await client.watch(isInterrupted: launch.isInterrupted).see(
            process.child,
            writingTo: process.streams
        )
        running.withLock { $0.removeAll { $0.number == process.child.number } }
        return ClientLaunch(
            sight,
            lastWords: ClientLaunch.lastLine(of: process.streams.errors),
            process: process.name
        )
    }

    private func prepareStore(for launch: StoryLaunch) throws(PlayProblem) {
        // The launch before may have deleted the folder.
        try? files.makeFolder("\(scratch)/state")
        // A store may be large, and is looked at only where a launch of the story does something to it.
        guard (1...max(launch.count, 1)).contains(where: { launch.server.storeFault(of: $0) != nil }) else { return }
        do throws(FileProblem) {
            try state.withLock { state throws(FileProblem) in try state.begin(with: launch.store) }
        } catch {
            throw PlayProblem(
                sentence: "the client's store cannot be prepared for launch \(launch.number): \(error.reason)"
            )
        }
    }

    private func releaseStore() {
        do throws(FileProblem) {
            try state.withLock { state throws(FileProblem) in try state.end() }
        } catch {
            lost.withLock { $0.append("the client's store cannot be restored: \(error.reason)") }
        }
    }

    /// A Boolean value that indicates whether the client, or a process that it started, has something to do at this
    /// moment, as far as the system shows.
    var isAtWork: Bool { running.withLock { $0 }.contains { $0.isAtWork ?? false } }

    func leave() async -> [String] {
        files.removeFolder(scratch)
        return lost.withLock { $0 }
    }

    /// Where a launch's output goes: into the folder that is kept, where it can be written.
    private func streams(of launch: String) -> ClientStreams {
        func path(_ name: String) -> String {
            let file = "\(name)-\(launch).txt"
            guard let output else { return "\(scratch)/\(file)" }
            let path = "\(output)/\(file)"
            do {
                try files.write([], to: path)
                return path
            } catch {
                lost.withLock { $0.append("\"\(path)\" cannot be written: \(error.reason)") }
                return "\(scratch)/\(file)"
            }
        }
        return ClientStreams(output: path("stdout"), errors: path("stderr"))
    }

    private func environment(of launch: StoryLaunch, as process: (name: String, url: String)?) -> [String] {
        var values = ClientEnvironment()
        let url = process?.url ?? launch.url
        values.set("URL", url)
        if let process { values.set("PROCESS", process.name) }
        values.set("SESSION", "default")
        values.set("STORY", launch.story.id)
        values.set("LAUNCH", "\(launch.number)")
        values.set("SEED", "\(launch.seed)")
        let present = launch.server.tokens
        let tokens = firstTokens.withLock { first in
            first = first ?? present
            return first ?? present
        }
        values.set(tokens: tokens)
        if let now = present["now"]?.string { values.set("NOW", now) }
        values.set("ADMIN", url + "/__backlot")
        values.set("STATE_DIR", "\(scratch)/state")
        if let file = launch.server.authorityFile { values.set("CA", file) }
        for (name, url) in launch.server.originURLs.sorted(by: { $0.key < $1.key }) { values.set(origin: name, url) }
        return values.entries(over: client.environment)
    }
}

/// A client that is a command, started again for each launch.
package struct CommandClient: StoryClient {
    package var command: ClientCommand
    /// The variables of our own process and those of the command, over which the story's are laid.
    package var environment: [String: String]
    /// The names of the processes that are started at once; empty for one that has no name.
    package var processes: [String] = []
    /// The time limit of each launch, in real time.
    package var timeLimit = Duration.seconds(60)
    /// The maximum size of each of a launch's two output files, in bytes: a client in an endless loop must not fill the
    /// disk.
    package var mostOutput = 256 << 20
    /// The time that a process has to end after SIGTERM.
    package var grace = Duration.seconds(2)
    /// The time that the children of a client have to end after it.
    package var settling = Duration.milliseconds(100)
    /// A Boolean value that indicates whether an interrupt of the run does not wait until the client has ended by
    /// itself.
    package var endsAtOnce: @Sendable () -> Bool = { false }

    package init(_ command: ClientCommand, environment: [String: String]) {
        self.command = command
        self.environment = environment.merging(command.variables.map { ($0.name, $0.value) }) { $1 }
    }

    package var adviceOnFacts: String? { nil }

    package var adviceOnSilence: String {
        "make the client use the base URL in BACKLOT_URL, or put {url} into the command"
    }

    package func enter(
        _ story: RunnableStory,
        _ configuration: inout StubServer.Configuration,
        keepingOutputIn folder: String?
    ) throws(PlayProblem) -> any StoryClientSession {
        let played = try CommandClientSession(self, output: folder)
        configuration.isClientAtWork = { [weak played] in played?.isAtWork ?? false }
        return played
    }

    package func repetition(
        of story: RunnableStory,
        seed: UInt64,
        under configuration: StubServer.Configuration
    ) -> String {
        var words = ["backlot", "run", story.file]
        if let variant = story.variant { words += ["--story", variant] }
        words += ["--seed", "\(seed)"]
        if !processes.isEmpty { words += ["--processes", "\(processes.count)"] }
        words += configuration.options
        return (words.map(\.shellWord) + command.options + ["--", command.shellLine]).joined(separator: " ")
    }

    /// The object that waits for the process.
    func watch(isInterrupted: @escaping @Sendable () -> Bool) -> ClientWatch {
        ClientWatch(
            limit: timeLimit,
            mostOutput: mostOutput,
            grace: grace,
            settling: settling,
            isInterrupted: isInterrupted,
            endsAtOnce: endsAtOnce
        )
    }
}

extension StubServer.Configuration {
    /// The options of a command that serves scenarios in the same way.
    var options: [String] {
        (contract.map { ["--contract", $0.rawValue] } ?? []) + overlays.flatMap { ["--overlay", $0] }
            + (contractReader?.options ?? []) + tlsOptions
            + (refusalHold.map { ["--hold-refusals", DurationText.text($0)] } ?? [])
    }
}
