import Basics
import ClientTesting
import Reports
import StoryRunning

extension ClientUnderTest {
    /// Plays the client's stories to it, and judges what it does in them.
    ///
    /// - Parameters:
    ///   - ids: the stories that are wanted, such as `PET-01`, or `PET-01/offline` for a variant; all when there is none.
    ///   - schedules: how many times each story is played: first with the client's jobs in the order in which they become
    ///     ready, then in orders that a seed decides, random ones and ones with few preemptions.
    ///   - seed: what chance begins with; each story's own when `nil`.
    /// - Throws: ``TestProblem`` when the stories cannot be found or used, and when one of them has two flows.
    public func testStories(_ ids: String..., schedules: Int = 1, seed: UInt64? = nil) async throws -> CheckReport {
        let adapted = try AdaptedClient(self)
        guard adapted.stories != nil else { throw TestProblem("\(name) has no folder of stories") }
        if let twice = storyWithTwoFlows {
            throw TestProblem("\(name) has more than one flow for the story \"\(twice)\"; leave one of them")
        }
        var run = FlowRun()
        run.only = ids
        run.schedules = max(1, schedules)
        run.seed = seed
        let outcome = await run.play(adapted)
        if let problem = outcome.summary.problem { throw TestProblem(problem) }
        guard outcome.problems.isEmpty else {
            throw TestProblem(outcome.problems.map(\.description).joined(separator: "\n"))
        }
        var report = outcome.summary.report
        report.title = "stories of \(name)"
        return CheckReport(report: report)
    }

    private var storyWithTwoFlows: String? {
        var stories: Set<String> = []
        return flows.first { !stories.insert($0.story).inserted }?.story
    }
}
