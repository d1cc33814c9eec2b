import Basics
import ClientTesting
import Foundation
import JSON
import Rules
import Simulation
import StoryRunning
import TestSupport
import Testing

extension Clients {
    /// The races of the apps, in their stories without the gates that would hold requests until they meet.
    @Suite struct `A race of an app` {
        @Test(arguments: [(RunwithUBug.b1, "W1"), (.b5, "W21")])
        func `of RunwithU is found without a gate, and its seed finds it again`(
            bug: RunwithUBug,
            story: String
        ) async throws {
            try await find(RunwithUTwinAdapter(bugs: [bug]), correct: RunwithUTwinAdapter(), in: story)
        }

        @Test func `of WhipIt is found without a gate, and its seed finds it again`() async throws {
            try await find(WhipItTwinAdapter(bugs: [.w1]), correct: WhipItTwinAdapter(), in: "WI-03")
        }

        private func find(_ wrong: some ClientAdapter, correct: some ClientAdapter, in story: String) async throws {
            // Without the bug a fifth of the seeds is enough by default, since each client does right in all stories elsewhere.
            #expect(try await played(correct, story, Breadth.factor > 1 ? 100 : 20).outcome == .passed)
            let found = try await played(wrong, story, 100)
            try #require(found.outcome == .failed)
            let first = trace(of: try await played(wrong, story, 1, seed: found.play.seed))
            let times = ProcessInfo.processInfo.environment["BACKLOT_SCHEDULES"].flatMap { Int($0) } ?? 3
            for _ in 0..<times {
                let again = try await played(wrong, story, 1, seed: found.play.seed)
                #expect(again.outcome == .failed)
                #expect(trace(of: again) == first)
            }
        }

        private func played(
            _ adapter: some ClientAdapter,
            _ story: String,
            _ schedules: Int,
            seed: UInt64? = nil
        ) async throws -> StoryResult {
            var run = FlowRun()
            run.only = [story]
            run.schedules = schedules
            run.seed = seed
            let outcome = await run.play(try Self.stories(of: adapter, story), to: adapter)
            try #require(outcome.problems.isEmpty && outcome.summary.problem == nil, "\(outcome.text)")
            return try #require(outcome.summary.results.first)
        }

        /// A story without its gates, read once.
        private static func stories(of adapter: some ClientAdapter, _ story: String) throws -> StorySelection {
            let folder = try #require(adapter.stories)
            return known.withLock { known in
                if let stories = known[story] { return stories }
                let files = StoriesWithoutGates()
                let stories = StorySelection(["\(Project.folder)/\(folder)"], only: [story], files: files)
                known[story] = stories
                return stories
            }
        }

        private static let known = Lock<[String: StorySelection]>([:])

        /// All that is said of a play, byte for byte.
        private func trace(of result: StoryResult) -> [String] {
            result.checks.flatMap { ["\($0.id)"] + [$0.finding?.description].compactMap { $0 } }
                + result.recording.evidence.exchanges.map { $0.json(canonical: true).description }
        }
    }
}
