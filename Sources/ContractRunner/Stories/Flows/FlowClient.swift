import Findings
package import StoryRunning
package import StubServing

/// A client in this process that plays stories as its adapter's flows say.
package struct FlowClient<Adapter: ClientAdapter>: StoryClient {
    package var adapter: Adapter
    package var patience = ClientPatience()

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
    ) throws(PlayProblem) -> any ClientOnStage {
        guard let flow = flow(for: story) else { throw PlayProblem(sentence: "there is no flow for \(story.id)") }
        let time = JumpingTime()
        configuration.time = time
        configuration.deadlines = JumpingTime.deadlines
        return FlowOnStage(adapter, flow, in: time, patience)
    }

    package func repetition(of story: RunnableStory, seed: UInt64, contract: ContractMode?) -> String {
        adapter.command(playing: story.id, seed: seed)
    }

    /// A flow of its own for a variant, or the story's.
    private func flow(for story: RunnableStory) -> StoryFlow<Adapter.Client>? {
        adapter.flows[story.id] ?? adapter.flows[story.storyID]
    }
}
