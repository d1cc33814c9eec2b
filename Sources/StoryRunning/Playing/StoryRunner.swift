import Findings
import Judgements
import ProjectFiles
import ScenarioFormat
import Simulation
package import StubServing

/// Plays stories to a client, each on a server of its own.
package struct StoryRunner: Sendable {
    package var command: ClientCommand
    /// The variables of our own process, over which the story's are laid.
    package var environment: [String: String]
    /// How long each launch of the client may take, in real time.
    package var timeLimit = Duration.seconds(60)
    /// How long a process that was told to end may take to do so.
    package var grace = Duration.seconds(2)
    /// How long the children of a client that has ended may take to end as well.
    package var settling = Duration.milliseconds(100)
    /// What every server begins with; host, port and story are chosen for each.
    package var configuration = StubServer.Configuration()
    /// Whether the whole run is to end.
    package var isInterrupted: @Sendable () -> Bool = { false }
    /// Whether whoever interrupts the run does not wait until the client has ended in peace.
    package var isImpatient: @Sendable () -> Bool = { false }
    private let files = DiskFiles()

    package init(_ command: ClientCommand, environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    /// Reads a story for any number of plays.
    package func stage(_ story: RunnableStory) throws(PlayProblem) -> StagedScenario {
        var contracts = story.contracts
        do {
            return try StagedScenario(story.library, configuration(of: story), contracts: &contracts)
        } catch {
            throw PlayProblem(sentence: error.findings.first?.message ?? "the story can no longer be loaded")
        }
    }

    /// Plays a story once.
    ///
    /// - Parameters:
    ///   - scenario: the story as it was read before; it is read now when `nil`.
    ///   - seed: what every random choice begins with; the story's own when `nil`.
    ///   - folder: where the client's output is kept; it goes with the play when `nil`.
    /// - Throws: ``PlayProblem`` when no port is free, or the client cannot be started.
    package func play(
        _ story: RunnableStory,
        as scenario: StagedScenario? = nil,
        seed: UInt64? = nil,
        into folder: String? = nil
    ) async throws(PlayProblem) -> StoryPlay {
        let scratch = try makeScratch()
        defer { files.removeFolder(scratch) }
        let seed = seed ?? story.seed
        var configuration = configuration(of: story)
        configuration.seed = seed
        let scenario = if let scenario { scenario } else { try stage(story) }
        let server = StubServer(scenario, configuration, log: .silent)
        let port: UInt16
        do {
            port = try await server.start()
        } catch {
            throw PlayProblem(sentence: error.sentence)
        }
        let result: Result<StoryPlay, PlayProblem>
        do throws(PlayProblem) {
            result = .success(try await play(story, seed: seed, on: server, port, scratch: scratch, into: folder))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .zero)
        return try result.get()
    }

    /// A folder that lives as long as the play, with one in it for what the client stores between its launches.
    private func makeScratch() throws(PlayProblem) -> String {
        let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        do {
            let path = try files.makeTemporaryFolder(in: parent)
            try files.makeFolder("\(path)/state")
            return path
        } catch {
            throw PlayProblem(sentence: "no folder can be made in \"\(parent)\": \(error.reason)")
        }
    }

    private func configuration(of story: RunnableStory) -> StubServer.Configuration {
        var configuration = configuration
        configuration.host = "127.0.0.1"
        configuration.port = 0
        configuration.loops = 1
        configuration.story = story.variant
        configuration.watchesFiles = false
        configuration.logsExchanges = false
        // The only session there is may be larger than one of many.
        configuration.journal = Journal.Capacity(bytes: 256 * 1024 * 1024)
        return configuration
    }

    private func play(
        _ story: RunnableStory,
        seed: UInt64,
        on server: StubServer,
        _ port: UInt16,
        scratch: String,
        into folder: String?
    ) async throws(PlayProblem) -> StoryPlay {
        let url = server.url(port: port)
        let words = command.words { placeholder in
            switch placeholder {
            case .url: url
            case .admin: url + "/__backlot"
            case .story: story.id
            }
        }
        let watch = ClientWatch(
            limit: timeLimit,
            grace: grace,
            settling: settling,
            isInterrupted: isInterrupted,
            isImpatient: isImpatient
        )
        let start = ContinuousClock.now
        var launches: [ClientLaunch] = []
        var lost: [String] = []
        for number in server.launches {
            server.begin(launch: number)
            let environment = self.environment(of: story, seed: seed, on: server, url, launch: number, scratch: scratch)
            let streams = streams(of: number, in: folder, or: scratch, &lost)
            let process: ClientProcess
            do {
                process = try ClientProcess(words, environment: environment, streams)
            } catch {
                throw PlayProblem(sentence: error.sentence)
            }
            let sight = await watch.see(process)
            launches.append(ClientLaunch(sight, lastWords: ClientLaunch.lastLine(of: streams.errors)))
            if sight.isOverdue || sight.isInterrupted { break }
        }
        let duration = ContinuousClock.now - start
        let recording = server.recording(exits: launches.map(\.end.code))
        return StoryPlay(
            story: story,
            recording: recording,
            launches: launches,
            refusals: server.refusals,
            duration: duration,
            isHeldAgainstContract: server.contract != nil && configuration.contract != .off,
            command: repetition(of: story, seed: recording.seed),
            lost: lost
        )
    }

    /// Where a launch's output goes: into the folder that is kept, where it can be written.
    private func streams(
        of launch: Int,
        in folder: String?,
        or scratch: String,
        _ lost: inout [String]
    ) -> ClientStreams {
        func path(_ name: String) -> String {
            let file = "\(name)-\(launch).txt"
            guard let folder else { return "\(scratch)/\(file)" }
            let path = "\(folder)/\(file)"
            do {
                try files.write([], to: path)
                return path
            } catch {
                lost.append("\"\(path)\" cannot be written: \(error.reason)")
                return "\(scratch)/\(file)"
            }
        }
        return ClientStreams(output: path("stdout"), errors: path("stderr"))
    }

    /// The command that plays a story again as it was played.
    private func repetition(of story: RunnableStory, seed: UInt64) -> String {
        var words = ["backlot", "run", story.file]
        if let variant = story.variant { words += ["--story", variant] }
        words += ["--seed", "\(seed)"]
        if let mode = configuration.contract { words += ["--contract", mode.rawValue] }
        return (words + ["--"]).map(\.shellWord).joined(separator: " ") + " " + command.shellLine
    }

    private func environment(
        of story: RunnableStory,
        seed: UInt64,
        on server: StubServer,
        _ url: String,
        launch: Int,
        scratch: String
    ) -> [String] {
        var values = ClientEnvironment()
        values.set("URL", url)
        values.set("SESSION", "default")
        values.set("STORY", story.id)
        values.set("LAUNCH", "\(launch)")
        values.set("SEED", "\(seed)")
        values.set(tokens: server.tokens)
        values.set("ADMIN", url + "/__backlot")
        values.set("STATE_DIR", "\(scratch)/state")
        for (name, url) in server.originURLs.sorted(by: { $0.key < $1.key }) { values.set(origin: name, url) }
        return values.entries(over: environment)
    }
}
