import Basics
import ClientTesting
import JSON
import Rules
import StoryRunning
import Testing

extension Clients {
    /// The stories of the bugs that two READMEs tell of, played to clients that report nothing.
    @Suite struct `A client as the README of kiwIT or RunwithU has it` {
        /// What each story finds: the ids of all checks that are open, by the story's id.
        private func open(in stories: [String], of adapter: some ClientAdapter) async throws -> [String: [String]] {
            var run = FlowRun()
            run.only = stories
            // Enough to see that there is no end.
            run.limits.requests = 60
            let outcome = await PlayedStories.play(adapter, in: run)
            try #require(outcome.problems.isEmpty && outcome.summary.problem == nil, "\(outcome.text)")
            #expect(outcome.summary.results.allSatisfy { $0.recording.evidence.clientFacts.members.isEmpty })
            let found = outcome.summary.results.map { ($0.story.id, $0.checks.filter(\.isOpen).map(\.id)) }
            return Dictionary(uniqueKeysWithValues: found)
        }

        @Test func `ends kiwIT's session everywhere, or fails`() async throws {
            // A child view alone finds the session over, and all tabs ask after a sign-in.
            let bugs = [
                "K2/documented": "B10 calls-after-invalid-refresh", "K11": "B10 calls-after-invalid-refresh",
                "K14/refused": "B10 calls-after-invalid-refresh", "K19": "expect/count",
            ]
            let about = bugs.keys.sorted() + ["K4", "K14/in-time", "K17"]
            let found = try await open(in: about, of: KiwITReadme(design: .bug))
            for (story, bug) in bugs { #expect(found[story]?.contains(bug) ?? false, "\(story): \(found)") }
            let fixed = try await open(in: about, of: KiwITReadme(design: .solution))
            #expect(fixed.count == about.count && fixed.values.allSatisfy(\.isEmpty), "\(fixed)")
            let other = KiwITReadme(design: .other)
            let all = try await open(in: other.flows.keys.sorted(), of: other)
            #expect(all.count >= other.flows.count && all.values.allSatisfy(\.isEmpty), "\(all)")
            // The solution is none for calls that are refused together.
            let together = try await open(in: ["K1"], of: KiwITReadme(design: .solution))
            #expect(together["K1"]?.contains("B2 refresh-storm") ?? false, "\(together)")
        }

        @Test func `hears that RunwithU's refresh has failed, or fails`() async throws {
            // Nobody hears that the refresh has failed.
            let bugs = ["W4": "B10 calls-after-invalid-refresh", "W7": "B3 refresh-loop"]
            let about = bugs.keys.sorted() + ["W3", "W5"]
            let found = try await open(in: about, of: RunwithUReadme(design: .bug))
            for (story, bug) in bugs { #expect(found[story]?.contains(bug) ?? false, "\(story): \(found)") }
            let fixed = try await open(in: about, of: RunwithUReadme(design: .solution))
            #expect(fixed.count == about.count && fixed.values.allSatisfy(\.isEmpty), "\(fixed)")
            let other = RunwithUReadme(design: .other)
            let all = try await open(in: other.flows.keys.sorted(), of: other)
            #expect(all.count >= other.flows.count && all.values.allSatisfy(\.isEmpty), "\(all)")
            // An actor does not keep calls from refreshing at the same time, whatever the README says.
            let together = try await open(in: ["W1"], of: RunwithUReadme(design: .solution))
            #expect(together["W1"]?.contains("B2 refresh-storm") ?? false, "\(together)")
        }
    }
}
