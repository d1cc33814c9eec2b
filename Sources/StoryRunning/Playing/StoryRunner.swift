import Basics
import Checking
import Rules
import ScenarioFormat
import Simulation
package import StubServing

/// Runs a client with stories, each on a separate server.
package struct StoryRunner: Sendable {
    /// The client that is run with the stories.
    package var client: any StoryClient
    /// The configuration of every server; host, port and story are set for each.
    package var configuration = StubServer.Configuration.readingContracts
    /// A Boolean value that indicates whether the whole run is to end.
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
            let finding = error.findings.first
            let sentence = finding.map { ([$0.message] + ($0.advice.map { [$0] } ?? [])).joined(separator: "; ") }
            let place = finding?.shownPlace.map { " (\($0))" } ?? ""
            throw PlayProblem(sentence: "\(sentence ?? "the story can no longer be loaded")\(place)")
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
        let chosen = seed ?? story.seed
        var configuration = configuration(of: story)
        configuration.seed = chosen
        let scenario = if let scenario { scenario } else { try prepare(story) }
        let advice = "run the story with --tls"
        let lack = configuration.certificates == nil ? story.loaded.findingOnPlainHTTP(advice: advice) : nil
        if let absence = client.absence(from: story) ?? lack.map({ .impossible($0) }) {
            var play = StoryPlay(of: story, by: self, on: StubServer(scenario, configuration, log: .silent))
            play.absence = absence
            return play
        }
        let guest = try client.enter(story, &configuration, keepingOutputIn: folder)
        let server = StubServer(scenario, configuration, log: .silent)
        let result = await Result { () async throws(PlayProblem) in
            try await self.play(story, seed: chosen, on: server, to: guest)
        }
        await server.stop(within: .zero)
        let lost = await guest.leave()
        if guest.hasToBePlayedAgain, !isInterrupted() {
            return try await self.play(story, as: scenario, seed: seed, into: folder)
        }
        var play = try result.get()
        play.lost = lost
        return play
    }

    private func play(
        _ story: RunnableStory,
        seed: UInt64,
        on server: StubServer,
        to guest: any StoryClientSession
    ) async throws(PlayProblem) -> StoryPlay {
        let port: UInt16
        let processes: [(name: String, url: String)]
        do throws(ListeningProblem) {
            port = try await server.start()
            let own = server.processes.map(\.name)
            processes = try server.open(processes: own.isEmpty ? client.processes : own)
        } catch {
            throw PlayProblem(sentence: error.sentence)
        }
        let start = ContinuousClock.now
        var launches: [ClientLaunch] = []
        let numbers = server.launches
        for number in numbers {
            server.begin(launch: number)
            let launch = StoryLaunch(
                story: story,
                number: number,
                count: numbers.count,
                seed: seed,
                server: server,
                url: server.url(port: port),
                processes: processes,
                store: server.storeFault(of: number),
                isInterrupted: isInterrupted
            )
            let ended =
                processes.isEmpty ? [try await guest.launch(launch)] : try await guest.launchProcesses(launch)
            launches += ended
            // Otherwise the last response could be judged as one that the client has not received.
            await server.settle()
            if ended.contains(where: { $0.isOverdue || $0.isInterrupted }) { break }
        }
        return StoryPlay(of: story, by: self, on: server, launches, lasting: ContinuousClock.now - start)
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
}

extension StubServer.Configuration {
    /// The default configuration of a story's server.
    package static var readingContracts: StubServer.Configuration {
        StubServer.Configuration(contractReader: OpenAPIReader())
    }
}
