import Basics
import JSON
import ScenarioFormat
package import StubServing

/// A command in one run of a story, with a folder for what it stores between its launches.
///
/// A class, because what could not be written is gathered over all launches.
final class CommandClientSession: StoryClientSession {
    private let client: CommandClient
    /// Where its output is kept; `nil` where it is not needed.
    private let output: String?
    /// A folder that exists as long as the run.
    private let scratch: String
    private let files = DiskFiles()
    private let lost = Lock<[String]>([])
    /// The process that runs.
    private let running = Lock<ClientProcess?>(nil)
    /// The tokens with which the first launch began: what came later, the client has to store by itself.
    private let firstTokens = Lock<JSONValue?>(nil)

    init(_ client: CommandClient, output: String?) throws(PlayProblem) {
        self.client = client
        self.output = output
        let parent = client.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        do {
            scratch = try files.makeTemporaryFolder(in: parent)
            try files.makeFolder("\(scratch)/state")
        } catch {
            throw PlayProblem(sentence: "no folder can be made in \"\(parent)\": \(error.reason)")
        }
    }

    func launch(_ launch: StoryLaunch) async throws(PlayProblem) -> ClientLaunch {
        let words = client.command.words { placeholder in
            switch placeholder {
            case .url: launch.url
            case .admin: launch.url + "/__backlot"
            case .story: launch.story.id
            }
        }
        let streams = streams(of: launch.number)
        let process: ClientProcess
        do {
            process = try ClientProcess(words, environment: environment(of: launch), streams)
        } catch {
            throw PlayProblem(sentence: error.sentence)
        }
        running.withLock { $0 = process }
        defer { running.withLock { $0 = nil } }
        let sight = await client.watch(isInterrupted: launch.isInterrupted).see(process)
        return ClientLaunch(sight, lastWords: ClientLaunch.lastLine(of: streams.errors))
    }

    /// Whether the client, or whatever it has started, has something to do at this moment, as far as the system tells.
    var isAtWork: Bool { running.withLock { $0 }?.isAtWork ?? false }

    func leave() async -> [String] {
        files.removeFolder(scratch)
        return lost.withLock { $0 }
    }

    /// Where a launch's output goes: into the folder that is kept, where it can be written.
    private func streams(of launch: Int) -> ClientStreams {
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

    private func environment(of launch: StoryLaunch) -> [String] {
        var values = ClientEnvironment()
        values.set("URL", launch.url)
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
        values.set("ADMIN", launch.url + "/__backlot")
        values.set("STATE_DIR", "\(scratch)/state")
        for (name, url) in launch.server.originURLs.sorted(by: { $0.key < $1.key }) { values.set(origin: name, url) }
        return values.entries(over: client.environment)
    }
}

/// A client that is a command, started anew for each launch.
package struct CommandClient: StoryClient {
    package var command: ClientCommand
    /// The variables of our own process, over which the story's are laid.
    package var environment: [String: String]
    /// How long each launch of the client may take, in real time.
    package var timeLimit = Duration.seconds(60)
    /// How long a process that was told to end may take to do so.
    package var grace = Duration.seconds(2)
    /// How long the children of a client that has ended may take to end as well.
    package var settling = Duration.milliseconds(100)
    /// Whether an interrupt of the run does not wait until the client has ended by itself.
    package var isImpatient: @Sendable () -> Bool = { false }

    package init(_ command: ClientCommand, environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    package var adviceOnSilence: String { "let it take its base URL from BACKLOT_URL, or put {url} into the command" }

    package func enter(
        _ story: RunnableStory,
        _ configuration: inout StubServer.Configuration,
        keepingOutputIn folder: String?
    ) throws(PlayProblem) -> any StoryClientSession {
        let stage = try CommandClientSession(self, output: folder)
        configuration.isClientAtWork = { [weak stage] in stage?.isAtWork ?? false }
        return stage
    }

    package func repetition(
        of story: RunnableStory,
        seed: UInt64,
        under configuration: StubServer.Configuration
    ) -> String {
        var words = ["backlot", "run", story.file]
        if let variant = story.variant { words += ["--story", variant] }
        words += ["--seed", "\(seed)"]
        if let contract = configuration.contract { words += ["--contract", contract.rawValue] }
        if let hold = configuration.refusalHold { words += ["--hold-refusals", DurationText.text(hold)] }
        return (words + ["--"]).map(\.shellWord).joined(separator: " ") + " " + command.shellLine
    }

    /// Who waits for it.
    func watch(isInterrupted: @escaping @Sendable () -> Bool) -> ClientWatch {
        ClientWatch(
            limit: timeLimit,
            grace: grace,
            settling: settling,
            isInterrupted: isInterrupted,
            isImpatient: isImpatient
        )
    }
}
