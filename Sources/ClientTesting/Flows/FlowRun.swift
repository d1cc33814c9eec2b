package import Basics
import Rules
package import StoryRunning
import StubServing

/// Runs a client with the stories of its folder, in this process.
package struct FlowRun: Sendable {
    /// The only stories that are selected, by id; all when empty.
    ///
    /// The id of a story means all of its variants.
    package var only: [String] = []
    /// The seed of each story; the story's own when `nil`.
    package var seed: UInt64?
    /// The number of runs of each story: in the first one, jobs run in the order in which they become ready,
    /// then in orders that the seed decides.
    package var schedules = 1
    /// The number of stories that are run at the same time.
    package var parallel = 4
    package var limits = FlowLimits()
    /// The names of the processes that are started at once; empty for one that has no name.
    package var processes: [String] = []
    /// The folder for files about each story; none are written when `nil`.
    package var output: String?
    /// A Boolean value that indicates whether the whole run is to end.
    package var isInterrupted: @Sendable () -> Bool = { false }

    package init() {}

    /// The result of it.
    package struct Outcome: Sendable, CustomStringConvertible {
        package var summary = StoryRun.Summary()
        /// Problems that prevent stories from being run; with any of these, none was.
        package var problems: [Finding] = []
        /// The flows for stories that do not exist.
        package var strayFlows: [Finding] = []

        package init(_ summary: StoryRun.Summary = StoryRun.Summary(), problems: [Finding] = []) {
            self.summary = summary
            self.problems = problems
        }

        /// A Boolean value that indicates whether every story was run and has passed.
        package var isPassed: Bool {
            problems.isEmpty && strayFlows.isEmpty && summary.problem == nil && summary.leftOut == 0
                && summary.results.allSatisfy { $0.outcome == .passed }
        }

        /// A description of the failures; empty if everything passed.
        package var text: String {
            var lines = (problems + strayFlows).map(\.description)
            for result in summary.results where result.outcome != .passed {
                lines += StoryText(result, Paint(isColoured: false)).lines
            }
            if let problem = summary.problem { lines.append(problem) }
            return lines.joined(separator: "\n")
        }

        package var description: String { text.isEmpty ? "passed" : text }
    }

    /// The ids of the stories in a client's folder, variants included; `nil` where the folder cannot be read.
    static func ids(of adapter: any ClientAdapter, from root: String, files: any FileReading) -> [String]? {
        guard let folder = adapter.stories else { return [] }
        let path = root.isEmpty ? folder : FilePath.join(root, folder)
        return (try? ScenarioLibrary(path, files: files))?.stories().map(\.id)
    }

    /// Runs the stories of the client's folder.
    ///
    /// - Parameters:
    ///   - root: the folder that the adapter's paths start from.
    ///   - tell: called with the progress; stories end in their order.
    package func play(
        _ adapter: some ClientAdapter,
        from root: String = "",
        files: any FileReading = DiskFiles(),
        telling tell: (StoryRun.Progress) -> Void = { _ in }
    ) async -> Outcome {
        guard let folder = adapter.stories else { return Outcome() }
        let path = root.isEmpty ? folder : FilePath.join(root, folder)
        var outcome = await play(StorySelection([path], only: only, files: files), to: adapter, telling: tell)
        if only.isEmpty { outcome.strayFlows = strayFlows(of: adapter, in: path, files) }
        return outcome
    }

    private func strayFlows(of adapter: some ClientAdapter, in folder: String, _ files: any FileReading) -> [Finding] {
        guard let stories = try? ScenarioLibrary(folder, files: files).stories() else { return [] }
        let known = stories.map(\.id)
        return adapter.flows.keys.sorted().filter { !known.contains($0) }.map { id in
            Finding(
                .error,
                id: "story/unknown",
                "\(id) has a flow but is not a story of this folder",
                at: Place(file: folder),
                advice: Suggestion.nearest(to: id, among: known).map { "did you mean \($0)?" }
            )
        }
    }

    /// Runs stories that were read before.
    package func play(
        _ selection: StorySelection,
        to adapter: some ClientAdapter,
        telling tell: (StoryRun.Progress) -> Void = { _ in }
    ) async -> Outcome {
        let selection = selection.only(only)
        guard selection.problems.isEmpty else { return Outcome(problems: selection.problems) }
        var client = FlowClient(adapter)
        client.limits = limits
        client.processes = processes
        var runner = StoryRunner(client)
        runner.isInterrupted = isInterrupted
        var run = StoryRun(runner)
        run.seed = seed
        run.schedules = schedules
        run.parallel = parallel
        run.output = output.map { OutputFolder($0, for: selection.stories) }
        return Outcome(await run.play(selection.stories, telling: tell))
    }
}
