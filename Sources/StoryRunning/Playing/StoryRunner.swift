import Basics
import Checking
import Rules
import ScenarioFormat
import Simulation
package import StubServing

/// Runs a client with stories, each on a server of its own.
package struct StoryRunner: Sendable {
    /// The client that is run with the stories.
    package var client: any StoryClient
    /// What every server begins with; host, port and story are chosen for each.
    package var configuration = StubServer.Configuration.readingContracts
    /// Whether the whole run is to end.
    package var isInterrupted: @Sendable () -> Bool = { false }

    package init(_ client: any StoryClient) {
        self.client = client
    }

    /// Reads a story for any number of runs.
    package func prepare(_ story: RunnableStory) throws(PlayProblem) -> PreparedScenario {
        var contracts = story.contracts
        do {
            return try PreparedScenario(story.library, story.loaded, configuration(of: story), contracts: &contracts)
        } catch {
            throw PlayProblem(sentence: error.findings.first?.message ?? "the story can no longer be loaded")
        }
    }

    /// Runs a story once.
    ///
    /// - Parameters:
    ///   - scenario: the story as it was read before; it is read now when `nil`.
    ///   - seed: the seed of every random choice; the story's own when `nil`.
    ///   - folder: where the client's output is kept; it is removed after the run when `nil`.
    /// - Throws: ``PlayProblem`` when no port is free, or the client cannot be started.
    package func play(
        _ story: RunnableStory,
        as scenario: PreparedScenario? = nil,
        seed: UInt64? = nil,
        into folder: String? = nil
    ) async throws(PlayProblem) -> StoryPlay {
        let seed = seed ?? story.seed
        var configuration = configuration(of: story)
        configuration.seed = seed
        let scenario = if let scenario { scenario } else { try prepare(story) }
        if let absence = client.absence(from: story) {
            let server = StubServer(scenario, configuration, log: .silent)
            var play = self.play(of: story, on: server, launches: [], duration: .zero)
            play.absence = absence
            return play
        }
        let guest = try client.enter(story, &configuration, keepingOutputIn: folder)
        let result: Result<StoryPlay, PlayProblem>
        do throws(PlayProblem) {
            result = .success(try await play(story, seed: seed, scenario, configuration, to: guest))
        } catch {
            result = .failure(error)
        }
        let lost = await guest.leave()
        if guest.hasToBePlayedAgain, !isInterrupted() {
            return try await self.play(story, as: scenario, seed: seed, into: folder)
        }
        var play = try result.get()
        play.lost = lost
        return play
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
        _ scenario: PreparedScenario,
        _ configuration: StubServer.Configuration,
        to guest: any StoryClientSession
    ) async throws(PlayProblem) -> StoryPlay {
        let server = StubServer(scenario, configuration, log: .silent)
        let port: UInt16
        do {
            port = try await server.start()
        } catch {
            throw PlayProblem(sentence: error.sentence)
        }
        let result: Result<StoryPlay, PlayProblem>
        do throws(PlayProblem) {
            result = .success(try await play(story, seed: seed, on: server, url: server.url(port: port), to: guest))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .zero)
        return try result.get()
    }

    private func play(
        _ story: RunnableStory,
        seed: UInt64,
        on server: StubServer,
        url: String,
        to guest: any StoryClientSession
    ) async throws(PlayProblem) -> StoryPlay {
        let start = ContinuousClock.now
        var launches: [ClientLaunch] = []
        let numbers = server.launches
        let processes: [(name: String, url: String)]
        do throws(ListeningProblem) {
            let own = server.processes.map(\.name)
            processes = try server.open(processes: own.isEmpty ? client.processes : own)
        } catch {
            throw PlayProblem(sentence: error.sentence)
        }
        for number in numbers {
            server.begin(launch: number)
            let launch = StoryLaunch(
                story: story,
                number: number,
                count: numbers.count,
                seed: seed,
                server: server,
                url: url,
                processes: processes,
                store: server.storeFault(of: number),
                isInterrupted: isInterrupted
            )
            let ended =
                processes.isEmpty ? [try await guest.launch(launch)] : try await guest.launchProcesses(launch)
            launches += ended
            if ended.contains(where: { $0.isOverdue || $0.isInterrupted }) { break }
        }
        return play(of: story, on: server, launches: launches, duration: ContinuousClock.now - start)
    }

    private func play(
        of story: RunnableStory,
        on server: StubServer,
        launches: [ClientLaunch],
        duration: Duration
    ) -> StoryPlay {
        let processExits = Dictionary(grouping: launches.filter { $0.process != nil }) { $0.process ?? "" }
        let recording = server.recording(
            exits: launches.filter { $0.process == nil }.map(\.exitCode),
            processExits: processExits.mapValues { $0.map(\.exitCode) }
        )
        return StoryPlay(
            story: story,
            recording: recording,
            launches: launches,
            refusals: server.refusals,
            duration: duration,
            isHeldAgainstContract: server.contract != nil && configuration.contract != .off,
            command: client.repetition(of: story, seed: recording.seed, under: configuration),
            adviceOnSilence: client.adviceOnSilence
        )
    }
}

extension StubServer.Configuration {
    /// What the server of a story begins with, unless its caller says otherwise.
    package static var readingContracts: StubServer.Configuration {
        StubServer.Configuration(contractReader: OpenAPIReader())
    }
}
