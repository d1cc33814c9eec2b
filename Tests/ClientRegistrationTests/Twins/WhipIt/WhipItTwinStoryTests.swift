import Basics
import ClientTesting
import Rules
import StoryRunning
import TestSupport
import Testing

extension Clients {
    @Suite struct `A client of WhipIt in stories` {
        @Test func `passes without a bug`() async {
            let outcome = await PlayedStories.play(WhipItTwinAdapter())
            let isPassed = outcome.isPassed
            #expect(isPassed, "\(outcome.text)")
        }

        @Test(
            arguments: [
                (WhipItBug.w1, "WI-03", ["B2"]), (.w1, "WI-04", ["B2"]), (.w1, "WI-06", ["expect"]),
                (.w2, "WI-07", ["B3"]),
                (.w3, "WI-08", ["expect"]), (.w4, "WI-10", ["B23"]), (.w5, "WI-09", ["B9"]), (.w5, "WI-21", ["expect"]),
                (.w6, "WI-05", ["expect"]), (.w6, "WI-06", ["expect"]), (.w7, "WI-14", ["expect"]),
                (.w8, "WI-05/on-withdraw", ["expect"]), (.w9, "WI-11", ["expect"]), (.w10, "WI-15", ["B7"]),
                (.w11, "WI-17", ["expect"]), (.w12, "WI-19", ["expect"]), (.w13, "WI-02", ["B15"]),
                (.w15, "WI-01", ["expect"]), (.w15, "WI-20", ["expect"]), (.w16, "WI-20/second-appearance", ["expect"]),
                (.n1, "WI-12", ["expect"]), (.n1, "WI-13", ["expect"]), (.n2, "WI-12/no-text", ["expect"]),
                (.n3, "WI-13", ["expect"]), (.n5, "WI-12/comment-of-nobody", ["expect"]), (.n8, "WI-16", ["expect"]),
                (.w9, "WI-11/logs-in", ["expect"]), (.r1, "WI-25", ["expect"]), (.r2, "WI-02", ["B1"]),
                (.r3, "WI-26", ["expect"]), (.r3, "WI-26/in-pieces", ["expect"]),
                (.n9, "WI-18", ["expect"]), (.n11, "WI-01/bookmarks", ["expect"]), (.n13, "WI-18/profile", ["expect"]),
            ]
        )
        func `is found out by its bug`(bug: WhipItBug, story: String, rules: [String]) async throws {
            var run = FlowRun()
            run.only = [story]
            // What a race comes to is not always the same; one seed that shows the bug is enough.
            run.schedules = 10
            let adapter = WhipItTwinAdapter(bugs: [bug])
            let outcome = await PlayedStories.play(adapter, in: run)
            #expect(outcome.problems.isEmpty, "\(outcome.text)")
            let broken = outcome.summary.results.flatMap(\.checks).filter { $0.status == .failed }.map(\.id)
            for rule in rules {
                #expect(
                    broken.contains { $0.hasPrefix(rule + " ") || $0.hasPrefix(rule + "/") },
                    "whipit/\(bug.rawValue.uppercased()) breaks \(broken)"
                )
            }
        }

        @Test func `loses its call to whipit/N10 when its refresh comes second`() async throws {
            var run = FlowRun()
            run.only = ["WI-03"]
            let outcome = await PlayedStories.play(WhipItTwinAdapter(bugs: [.w1, .w4]), in: run)
            let broken = outcome.summary.results.flatMap(\.checks).filter { $0.status == .failed }.map(\.id)
            #expect(broken.contains { $0.hasPrefix("B7 ") }, "\(broken)")
        }
    }
}
