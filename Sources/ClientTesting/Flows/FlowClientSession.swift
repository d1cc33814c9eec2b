import Basics
import EventLoops
import HTTPServing
import JSON
import ScenarioFormat
import Simulation
package import StoryRunning
package import StubServing

/// A client in this process in one run of a story, with what its devices have stored between the launches.
///
/// A class, because it holds the state of one run.
final class FlowClientSession<Adapter: ClientAdapter>: StoryClientSession {
    private struct Memory {
        /// The device that the story begins with.
        var device: String?
        /// The transport of the requests; `nil` for sockets.
        var network: SimulatedNetwork?
        var threads: ClientThreads?
        var quiescence = World.Quiescence.outside
        var hasToBePlayedAgain = false
        /// A Boolean value that indicates whether a process was killed whose client had asked its store for nothing, so
        /// that what it had is not known.
        var hasLostTokens = false
    }

    /// The result of one launch.
    private struct Run {
        var end: World.End
        var requests: UInt64
        /// A Boolean value that indicates whether the latest requests were all refused, as often as they may be.
        var isRefused: Bool
        var isStoreAsked: Bool
        /// The part of the story that requires a store that the client has not used; `nil` without one.
        var lack: StoreLack?
    }

    /// A part of a story that requires a store that the client has not used.
    private enum StoreLack: String {
        case tokensOfKilled = "starts the client again, but the client has not used the store"
        case disorder = "breaks the client's store, but the client has not used the store"
    }

    private let adapter: Adapter
    private let flow: StoryFlow<Adapter.Client>
    let world: World
    let stores: FlowStores
    private let limits: FlowLimits
    private let memory = Lock(Memory())

    init(
        _ adapter: Adapter,
        _ flow: @escaping StoryFlow<Adapter.Client>,
        in world: World,
        _ limits: FlowLimits
    ) {
        self.adapter = adapter
        self.flow = flow
        self.world = world
        self.limits = limits
        stores = FlowStores(adapter)
    }

    /// Has requests carried by a network in the world; set before the first launch.
    func carry(over network: SimulatedNetwork, _ threads: ClientThreads, _ quiescence: World.Quiescence) {
        memory.withLock { memory in
            memory.network = network
            memory.threads = threads
            memory.quiescence = quiescence
        }
    }

    var hasToBePlayedAgain: Bool { memory.withLock { $0.hasToBePlayedAgain } }

    func launch(_ launch: StoryLaunch) async throws(PlayProblem) -> ClientLaunch {
        let start = ContinuousClock.now
        let context = context(of: launch)
        let run = try await run(launch) { try await self.play(context) }
        return self.launch(launch, run, run.end, context, ContinuousClock.now - start)
    }

    func launchProcesses(_ launch: StoryLaunch) async throws(PlayProblem) -> [ClientLaunch] {
        guard network != nil else {
            throw PlayProblem(
                sentence: "a story with processes requires a client that sends its requests with TestSetting.send"
            )
        }
        let start = ContinuousClock.now
        let before = StoredTokens(launch.server.tokens).devices.map(\.tokens)
        let processes = FlowProcesses(self, launch)
        launch.server.onProcessAction { processes.act($0) }
        defer { launch.server.onProcessAction(nil) }
        var run = try await run(launch) {
            processes.endFrozen()
        } _: {
            await processes.run()
        }
        let ends = processes.ends
        // Processes keep for the next launch only what is in the store.
        let hasNewTokens = StoredTokens(launch.server.tokens).devices.map(\.tokens) != before
        if !run.isStoreAsked, hasNewTokens || ends.contains(where: \.isKilled) {
            memory.withLock { $0.hasLostTokens = true }
        }
        for (place, process) in ends.enumerated() where process.isKilled && !run.isStoreAsked {
            if ends[(place + 1)...].contains(where: { $0.name == process.name }) { run.lack = .tokensOfKilled }
        }
        return ends.map { process in
            var launched = self.launch(
                launch,
                run,
                process.end ?? run.end,
                process.context,
                ContinuousClock.now - start
            )
            if process.isKilled {
                launched = ClientLaunch(.killed(signal: 9), duration: launched.duration)
                launched.isEndedByStory = true
            }
            launched.process = process.name
            return launched
        }
    }

    var network: SimulatedNetwork? { memory.withLock { $0.network } }

    /// A launch as its flow sees it, or one of its processes.
    ///
    /// - Parameter process: with the number that its first client has on the network.
    func context(
        of launch: StoryLaunch,
        as process: (name: String, url: String, number: Int)? = nil
    ) -> FlowLaunch<Adapter> {
        let given = StoredTokens(launch.server.tokens)
        let (device, network) = memory.withLock { memory in
            memory.device = memory.device ?? given.devices.first?.name
            return (memory.device ?? "", memory.network)
        }
        let time: any ClientTime =
            network == nil
            ? SocketFlowTime(server: launch.server) : FlowTime(world: world, server: launch.server)
        let clients = ClientInstances(
            adapter,
            launch,
            in: time,
            over: network,
            first: device,
            stores: stores,
            given: given,
            as: process
        )
        return FlowLaunch(launch, clients, in: time, as: process?.name)
    }

    /// Does what the user does, and notes what is stored then.
    func play(_ context: FlowLaunch<Adapter>) async throws {
        let client = try await context.clients.client(on: nil)
        let result = await Result { try await flow(client, context) }
        stores.keep(await context.clients.sessions())
        try result.get()
    }

    /// Runs a launch, with its stores as the story has them.
    ///
    /// - Parameter wake: resumes something if nothing else would continue.
    private func run(
        _ launch: StoryLaunch,
        otherwise wake: @escaping @Sendable () -> Bool = { false },
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws(PlayProblem) -> Run {
        let network = network
        let before = network?.requestCount ?? 0
        let mostRequests = before + UInt64(limits.requests)
        let mostRefusals = (network?.refusalCount ?? 0) + limits.refusals
        for store in stores.all { store.begin(with: launch.store) }
        let unlocking: UInt64? =
            launch.store == .locked
            ? world.schedule(at: world.now().advanced(by: .seconds(60))) { [stores] in
                for store in stores.all { store.becomeAvailable() }
                _ = launch.server.report([ClientRecord.storeFact: .string(ClientRecord.noStoreFault)])
            } : nil
        let end: World.End
        do throws(SystemError) {
            end = try await world.run {
                (network?.requestCount ?? 0) > mostRequests || (network?.refusalCount ?? 0) > mostRefusals
                    || launch.isInterrupted()
            } otherwise: {
                wake()
            } _: {
                try await work()
            }
        } catch {
            throw PlayProblem(sentence: "the system cannot create another thread for a client (\(error))")
        }
        // The app has ended, with all that it has left under way.
        world.dropPauses()
        network?.dropClients()
        if let unlocking { world.cancel(unlocking) }
        let isAsked = stores.all.map { $0.end() }.contains(true)
        memory.withLock { memory in
            if memory.threads?.learn(from: world, memory.quiescence) == true { memory.hasToBePlayedAgain = true }
        }
        let requests = (network?.requestCount ?? 0) - before
        let isRefused = (network?.refusalCount ?? 0) > mostRefusals
        var lack: StoreLack?
        if !isAsked {
            lack = memory.withLock { $0.hasLostTokens } ? .tokensOfKilled : launch.store == nil ? nil : .disorder
        }
        return Run(end: end, requests: requests, isRefused: isRefused, isStoreAsked: isAsked, lack: lack)
    }

    func leave() async -> [String] {
        world.end()
        return []
    }

    /// The findings about a launch.
    private func launch(
        _ launch: StoryLaunch,
        _ run: Run,
        _ end: World.End,
        _ context: FlowLaunch<Adapter>,
        _ duration: Duration
    ) -> ClientLaunch {
        let suffix = launch.count > 1 ? " in launch \(launch.number)" : ""
        func failed(_ fault: ClientFault, _ message: String, advice: String) -> ClientLaunch {
            let finding = Finding(.error, id: fault.rawValue, message + suffix, at: launch.story.place, advice: advice)
            return ClientLaunch(.failed, duration: duration, isOverdue: fault == .hung, finding: finding)
        }
        switch end {
        case .threw(let error) where run.lack != .tokensOfKilled:
            return failed(
                .threw,
                "the flow ended with the error \(adapter.name(of: error).printable)",
                advice: "catch errors that the story expects with FlowContext.outcome(of:)"
            )
        case .returned, .threw:
            if let lack = run.lack {
                return failed(
                    .noStore,
                    "the story \(lack.rawValue)",
                    advice: "store the client's tokens in the vault of the client's TestSetting"
                )
            }
            guard let refusal = context.refusal else { return ClientLaunch(.returned, duration: duration) }
            return failed(.badFact, refusal, advice: "facts are Boolean values, numbers and short strings")
        case .stuck:
            return failed(
                .hung,
                "the client never finished, although no request or pause was pending",
                advice: "look for a completion that is never called, or a continuation that is never resumed"
            )
        case .blocked:
            return failed(
                .hung,
                "the client blocks its thread, because an async function waits synchronously",
                advice: "look for a semaphore, a group, a lock or an endless loop in an async function"
            )
        case .interrupted where launch.isInterrupted():
            return ClientLaunch(.failed, duration: duration, isInterrupted: true)
        case .endless, .interrupted:
            return failed(
                .hung,
                "the client was stopped after \(run.requests) requests"
                    + (run.isRefused ? ", because the last \(limits.refusals) were all refused" : ""),
                advice: run.isRefused
                    ? "look for an unlimited retry"
                    : "look for an unlimited retry, or for a list that is loaded page after page without end"
            )
        }
    }
}

/// The story's time as a client in a world sees it: its calendar is the story's own.
struct FlowTime: ClientTime {
    let world: World
    let server: StubServer

    func now() -> Double { server.moment }

    func sleep(seconds: Double) async throws { try await world.sleep(for: .pause(seconds)) }

    func betweenJobs(_ body: () -> Void) { world.betweenJobs(body) }

    var isOver: Bool { world.isOver }
}

/// The same where the server's time is real: a pause of the client's moves the story's clock instead.
struct SocketFlowTime: ClientTime {
    let server: StubServer

    func now() -> Double { server.moment }

    func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        server.advance(by: .pause(seconds))
        await Task.yield()
    }
}

/// A launch of a story as its flow sees it.
///
/// A class, because all reports of its flow are kept in one place.
final class FlowLaunch<Adapter: ClientAdapter>: StoryContext {
    typealias Client = Adapter.Client

    let story: String
    let variant: String?
    let launch: Int
    let process: String?
    let clients: ClientInstances<Adapter>
    private let server: StubServer
    private let time: any ClientTime
    private let firstRefusal = Lock<String?>(nil)

    init(
        _ launch: StoryLaunch,
        _ clients: ClientInstances<Adapter>,
        in time: any ClientTime,
        as process: String? = nil
    ) {
        story = launch.story.storyID
        variant = launch.story.variantName
        self.launch = launch.number
        self.process = process
        server = launch.server
        self.clients = clients
        self.time = time
    }

    /// The reason why a fact could not be taken in, as a sentence; `nil` when all were.
    var refusal: String? { firstRefusal.withLock { $0 } }

    func report(_ fact: String, _ value: JSONValue) async {
        var facts = JSONObject()
        facts[fact] = value
        let refusal = server.report(facts, by: process)
        if let refusal { firstRefusal.withLock { $0 = $0 ?? refusal } }
    }

    func client(on device: String) async throws -> Client { try await clients.client(on: device) }

    func wait(seconds: Double) async throws { try await time.sleep(seconds: seconds) }

    func outcome(of work: @Sendable () async throws -> Void) async -> String? {
        do {
            try await work()
            return nil
        } catch {
            return clients.adapter.name(of: error)
        }
    }
}

/// The limits of a client in this process in one launch of a story.
package struct FlowLimits: Sendable {
    /// Jobs, pauses, and real time where parts of the client happen on other threads.
    package var world = World.Limits()
    /// A launch with more requests is taken for endless.
    package var requests = 2_000
    /// A launch with more responses in a row that have an error status is taken for endless: over a `URLSession`, each
    /// request takes a tenth of a second of real time.
    package var refusals = 200

    package init() {}
}

/// A client in this process that runs stories as its adapter's flows say.
package struct FlowClient<Adapter: ClientAdapter>: StoryClient {
    package var adapter: Adapter
    package var limits = FlowLimits()
    /// The names of the processes that are started at once; empty for one that has no name.
    package var processes: [String] = []
    /// The knowledge about the client's threads from the runs so far.
    private let threads = ClientThreads()

    package init(_ adapter: Adapter) {
        self.adapter = adapter
    }

    package var adviceOnSilence: String { "add the user's actions to the story's flow" }

    package var adviceOnFacts: String? {
        "report the fact in the flow with context.report(_:_:); if the client's requests show the same fact, add "
            + "\"shownBy\" or \"orUnknown\" to the story"
    }

    package func absence(from story: RunnableStory) -> ClientAbsence? {
        guard flow(for: story) == nil else { return nil }
        if let reason = adapter.omissions[story.id] ?? adapter.omissions[story.storyID] { return .explained(reason) }
        return .unexplained(
            Finding(
                .error,
                id: "story/no-flow",
                "\(adapter.name) has no flow for the story \(story.id), so the story is not tested",
                at: story.place,
                advice: "add a flow for the story, or leave the story out with omitting(_:because:)"
            )
        )
    }

    package func enter(
        _ story: RunnableStory,
        _ configuration: inout StubServer.Configuration,
        keepingOutputIn folder: String?
    ) throws(PlayProblem) -> any StoryClientSession {
        guard let flow = flow(for: story) else { throw PlayProblem(sentence: "the story \(story.id) has no flow") }
        // In a world it passes in the world's time and costs nothing.
        configuration.usualRefusalHold = StubServer.Configuration.judgingRefusalHold
        if adapter.isOnPlatform {
            return FlowClientSession(
                adapter,
                flow,
                in: World(.init(.firstInFirstOut, seed: 0), .outside, limits.world),
                limits
            )
        }
        let order = JobOrder(seed: configuration.seed ?? story.seed, usually: story.seed)
        let quiescence = threads.quiescence
        let world = World(order, quiescence, limits.world)
        let network = SimulatedNetwork(in: world) { [weak world] in world?.travelTime() ?? .zero }
        configuration.time = world
        configuration.network = network
        configuration.host = adapter.host()
        // The same in every run.
        configuration.calendar = { VirtualTime(seconds: Int64(WorldTime.start)) }
        let play = FlowClientSession(adapter, flow, in: world, limits)
        play.carry(over: network, threads, quiescence)
        return play
    }

    package func repetition(
        of story: RunnableStory,
        seed: UInt64,
        under configuration: StubServer.Configuration
    ) -> String {
        adapter.command(playing: story.id, seed: seed, processes: processes.count)
    }

    /// The variant's own flow, the story's, or that of the nearest story that it extends.
    private func flow(for story: RunnableStory) -> StoryFlow<Adapter.Client>? {
        adapter.flows[story.id] ?? adapter.flows[story.storyID]
            ?? story.extendedIDs.lazy.compactMap { adapter.flows[$0] }.first
    }
}
