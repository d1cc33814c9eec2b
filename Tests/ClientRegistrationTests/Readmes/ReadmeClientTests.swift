import Basics
import ClientTesting
import HTTPCodec
import JSON
import Rules
import Simulation
import StoryRunning
import Testing

extension Clients {
    /// The stories of a bug that an app's README tells of, played to clients that report nothing.
    @Suite struct `A client as the README of its app has it` {
        private func play(_ adapter: some ClientAdapter, _ ids: [String]) async -> FlowRun.Outcome {
            var run = FlowRun()
            run.only = ids
            return await PlayedStories.play(adapter, in: run)
        }

        @Test(arguments: ReadmeDesign.allCases) func `leaves Smeem's splash screen, or fails`(_ design: ReadmeDesign)
            async
        {
            judge(await play(SmeemReadme(design: design), ["SM-03"]), design, ["SM-03/opened-again": "B10"])
        }

        @Test(arguments: ReadmeDesign.allCases) func `gets WhipIt's new token and newcomer through, or fails`(
            _ design: ReadmeDesign
        ) async {
            let outcome = await play(WhipItReadme(design: design), ["WI-02", "WI-25"])
            let statuses = outcome.summary.results.flatMap(\.recording.evidence.exchanges).map(\.response.status.code)
            #expect(statuses.contains(419) == (design != .other))
            judge(outcome, design, ["WI-02": "B1", "WI-25": "expect/count", "WI-25/server-error": "expect/count"])
        }

        @Test func `shows WhipIt's login when the session is over, and sends nothing more`() async {
            let outcome = await play(WhipItReadme(design: .solution), ["WI-05"])
            // The user's withdrawal, which is the story's variant, has no flow here.
            let played = outcome.summary.results.first { $0.story.id == "WI-05" }
            #expect(played?.outcome == .passed, "\(outcome.text)")
            #expect(played?.recording.evidence.exchanges.map(\.response.status.code) == [419, 418])
        }

        /// No run passes with the bug, and these are failed for it; without it, every run passes.
        private func judge(_ outcome: FlowRun.Outcome, _ design: ReadmeDesign, _ names: [String: String]) {
            #expect(outcome.problems.isEmpty, "\(outcome.text)")
            let results = outcome.summary.results
            #expect(results.allSatisfy { $0.recording.evidence.clientFacts.members.isEmpty })
            guard design == .bug else {
                #expect(outcome.isPassed, "\(outcome.text)")
                return
            }
            #expect(results.allSatisfy { $0.outcome != .passed }, "\(outcome.text)")
            for (story, name) in names {
                let failed = results.first { $0.story.id == story }?.checks.filter { $0.status == .failed }.map(\.id)
                #expect(
                    failed?.contains { $0 == name || $0.hasPrefix(name + " ") } == true,
                    "\(story) does not name \(name): \(outcome.text)"
                )
            }
        }
    }
}
