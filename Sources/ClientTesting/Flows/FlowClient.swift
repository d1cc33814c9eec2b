import Basics
import HTTPServing
import ScenarioFormat
package import StoryRunning
package import StubServing

/// A client in this process that plays stories as its adapter's flows say.
package struct FlowClient<Adapter: ClientAdapter>: StoryClient {
    package var adapter: Adapter
    package var limits = FlowLimits()
    /// What the plays so far have shown of the client's threads.
    private let threads = ClientThreads()

    package init(_ adapter: Adapter) {
        self.adapter = adapter
    }

    package var adviceOnSilence: String { "let its flow do what the user does in the story" }

    package func absence(from story: RunnableStory) -> ClientAbsence? {
        guard flow(for: story) == nil else { return nil }
        if let reason = adapter.omissions[story.id] ?? adapter.omissions[story.storyID] { return .explained(reason) }
        return .unexplained(
            Finding(
                .error,
                id: "story/no-flow",
                "\(adapter.name) has no flow for the story \(story.id), so nobody knows whether it plays it well",
                at: story.place,
                advice: "give the adapter a flow for it, or name it among the omissions with the reason"
            )
        )
    }

    package func enter(
        _ story: RunnableStory,
        _ configuration: inout StubServer.Configuration,
        keepingOutputIn folder: String?
    ) throws(PlayProblem) -> any StoryClientSession {
        guard let flow = flow(for: story) else { throw PlayProblem(sentence: "there is no flow for \(story.id)") }
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
        adapter.command(playing: story.id, seed: seed)
    }

    /// A flow of its own for a variant, or the story's.
    private func flow(for story: RunnableStory) -> StoryFlow<Adapter.Client>? {
        adapter.flows[story.id] ?? adapter.flows[story.storyID]
    }
}
