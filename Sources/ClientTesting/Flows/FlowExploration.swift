package import Basics
package import StoryRunning

/// Explores a client in this process: what the flows of its stories do, with one thing wrong at a time.
package struct FlowExploration: Sendable {
    /// The stories whose flows are explored, by id; all when empty.
    package var only: [String] = []
    /// The seed of each story; the story's own when `nil`.
    package var seed: UInt64?
    /// The maximum number of runs for each story; six per exchange, but at least 40, when `nil`.
    package var mostRuns: Int?
    package var parallel = 2
    package var limits = FlowLimits()
    /// The folder for the stories that are written; if `nil`, that of the explored story.
    package var folder: String?
    package var isInterrupted: @Sendable () -> Bool = { false }

    package init() {}

    /// Explores the flows of a client, one after the other; a story whose client sends nothing is skipped.
    ///
    /// - Parameter root: the folder that the adapter's paths start from.
    /// - Throws: ``ExploreProblem`` when the stories cannot be read, or none of them has a flow.
    package func explore(
        _ adapter: some ClientAdapter,
        from root: String = "",
        files: any FileReading = DiskFiles()
    ) async throws(ExploreProblem) -> [ExploreResult] {
        guard let stories = adapter.stories else { throw ExploreProblem("\(adapter.name) has no stories") }
        let path = root.isEmpty ? stories : FilePath.join(root, stories)
        let selection = StorySelection([path], only: only, files: files)
        guard selection.problems.isEmpty else { throw ExploreProblem(selection.problems) }
        var client = FlowClient(adapter)
        client.limits = limits
        var runner = StoryRunner(client)
        runner.isInterrupted = isInterrupted
        let chosen = selection.stories.filter {
            $0.variantName == nil && !$0.isSilent && client.absence(from: $0) == nil
        }
        guard !chosen.isEmpty else { throw ExploreProblem("\(adapter.name) has no flow for any of these stories") }
        var results: [ExploreResult] = []
        for story in chosen where !isInterrupted() {
            let base = try ExploreBase(story.file, storiesIn: folder, files: files)
            var exploration = Exploration(base, runner)
            exploration.seed = seed
            exploration.mostRuns = mostRuns
            exploration.parallel = parallel
            if adapter.isOnPlatform {
                exploration.abilities = [.lateDecision]
            } else {
                exploration.abilities.insert(.order)
                // Without a store of the world's there is nothing that could be put out of order, and nothing that
                // tells what a client had stored when it was killed.
                if adapter.makeStore([:]) == nil { exploration.abilities.subtract([.store, .processes]) }
            }
            results.append(try await exploration.run())
        }
        return results
    }
}
