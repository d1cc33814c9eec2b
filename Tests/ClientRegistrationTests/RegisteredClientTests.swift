import ClientRegistration
import ClientTesting
import Foundation
import StoryRunning
import TestSupport
import Testing

extension Clients {
    /// Every client of this package: all that its contract documents, and every story of its backend.
    @Suite struct `A registered client` {
        private static let names = RegisteredClients.all.map(\.name)

        /// One of the stories that have a flow of their own.
        private static func story(of adapter: some ClientAdapter) -> String? {
            adapter.flows.keys.sorted().first { !$0.contains("/") }
        }

        private func adapter(_ name: String) throws -> any ClientAdapter {
            try #require(RegisteredClients.all.first { $0.name == name })
        }

        /// Every second or fourth operation, or all of them with `BACKLOT_SCHEDULES`: `backlot test` of all is a step of
        /// `.ci/run`.
        private func sample(of adapter: some ClientAdapter, every step: Int) -> [String] {
            adapter.operations.map(\.id).enumerated().filter { Breadth.factor > 1 || $0.offset % step == 0 }.map(
                \.element
            )
        }

        @Test(arguments: names) func `has every operation of its contract`(name: String) throws {
            #expect(try adapter(name).omissions.isEmpty)
        }

        @Test(arguments: names)
        func `does well by every documented answer and every fault`(name: String) async throws {
            let result = try await adapter(name).responses()
            #expect(result.findings == [], "\(result)")
            #expect(result.cells.count > 100)
        }

        @Test(arguments: names)
        func `does as well over the platform's networking`(name: String) async throws {
            let adapter = try adapter(name)
            let options = ResponseCheckOptions(operations: sample(of: adapter, every: 4), network: .urlSession)
            let result = try await adapter.responses(options)
            #expect(result.findings == [], "\(result)")
            #expect(result.cells.contains { $0.skipped != nil && $0.answer == "never" })
        }

        @Test(arguments: names)
        func `reads what its contract allows, and nothing else`(name: String) async throws {
            let adapter = try adapter(name)
            let result = try await adapter.variants(VariantCheckOptions(operations: sample(of: adapter, every: 2)))
            #expect(result.findings == [], "\(result)")
            #expect(result.calls > 500)
        }

        @Test(arguments: names)
        func `serves its user well in every story`(name: String) async throws {
            let adapter = try adapter(name)
            guard !PlayedStories.isLeftOut(adapter) else { return }
            let outcome = await PlayedStories.outcome(of: adapter)
            #expect(outcome.isPassed, "\(outcome.text)")
        }

        /// `BACKLOT_EXPLORE=all` explores every story to its end, which takes minutes, and prints how much that was.
        @Test(arguments: names)
        func `violates no rule when something goes wrong that no story tells of`(name: String) async throws {
            let adapter = try adapter(name)
            var exploration = FlowExploration()
            let isSample = ProcessInfo.processInfo.environment["BACKLOT_EXPLORE"] == nil
            if isSample {
                let story = Self.story(of: adapter)
                exploration.only = [try #require(story)]
                exploration.mostRuns = 12
            }
            let folder = try #require(adapter.stories)
            do throws(ExploreProblem) {
                let results = try await exploration.explore(adapter, from: Project.folder)
                for result in results {
                    let text = result.lines().joined(separator: "\n")
                    #expect(result.found.isEmpty, "\(name), \(folder), \(result.base.file)\n\(text)")
                }
                // Some stories end the session from the start, and leave nothing to disturb.
                #expect(results.contains { $0.obstacle == nil }, "\(results.map(\.closing))")
                guard !isSample else { return }
                let (steps, runs) = results.reduce((0, 0)) { ($0.0 + $1.steps.count, $0.1 + $1.plays) }
                print("\(name): \(results.count) stories, \(steps) exchanges, \(runs) runs")
            } catch {
                Issue.record("\(error.text)")
            }
        }
    }
}
