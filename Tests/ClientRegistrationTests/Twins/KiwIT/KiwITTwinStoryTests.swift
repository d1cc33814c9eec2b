import Basics
import ClientTesting
import StoryRunning
import TestSupport
import Testing

extension Clients {
    @Suite("A twin of kiwIT in its stories")
    struct KiwITTwinStoryTests {
        @Test func `does what a good client does without its bugs`() async {
            let outcome = await PlayedStories.play(KiwITTwinAdapter())
            let isPassed = outcome.isPassed
            #expect(isPassed, "\(outcome.text)")
        }

        /// The row of the facts that tells of it, the story that is about it, and what refuses it.
        struct Case: Sendable, CustomTestStringConvertible {
            var row: String
            var bugs: Set<KiwITBug>
            var story: String
            var reason: String

            init(_ row: String, _ bugs: Set<KiwITBug>, _ story: String, _ reason: String) {
                self.row = row
                self.bugs = bugs
                self.story = story
                self.reason = reason
            }

            var testDescription: String { "\(row) in \(story)" }
        }

        static let cases: [Case] = [
            Case("kiwit/T1", [.renewsAlone], "K1", "B2"), Case("kiwit/T2", [.renewsForever], "K3", "B3"),
            Case("kiwit/T3", [.swallowsFaults], "K8", "client/hung"),
            Case("kiwit/T4", [.forgetsWhatFollows], "K4", "expect/count"),
            Case("kiwit/T5", [.replaysAnother], "K5", "B7"),
            Case("kiwit/T6", [.staysWithoutToken, .outlivesItsTokens], "K14/broken", "expect/client"),
            Case("kiwit/T6", [.staysWithoutToken, .outlivesItsTokens], "K14/opened-again", "expect/count"),
            Case("kiwit/T7", [.letsInWithoutTokens], "K12", "expect/count"),
            Case("kiwit/M1", [.wantsAnswer], "K6", "expect/count"),
            Case("kiwit/M2", [.wantsTextualResult], "K7", "expect/count"),
            Case("kiwit/M2", [.wantsTextualResult], "K7/bookmark", "expect/count"),
            Case("kiwit/M3", [.wantsTrophies], "S-0702", "expect/client"),
            Case("kiwit/M7", [.looksNothingUp], "K8/server-error", "expect/client"),
            Case("kiwit/M9", [.outlivesItsTokens], "K2", "B10"),
            Case("kiwit/M11", [.wantsEmail], "K13", "expect/client"),
            Case("kiwit/M12", [.signsUpInACircle], "K13/banned", "expect/count"),
            Case("kiwit/M13", [.confirmsByNumber], "K18", "expect/count"),
            Case("kiwit/P1", [.missesMovedRow], "K10", "expect/client"),
            Case("kiwit/P2", [.sendsNoQuery], "K9", "expect/client"),
            Case("section C", [.opensAllTabs], "K19", "expect/count"),
            Case("section A", [.sendsEveryTap], "K20", "expect/count"),
            Case("kiwit/K15", [.starsWhatIsShown], "K15", "expect/client"),
            Case("kiwit/K16", [.wantsSixDigits], "K16", "expect/client"),
        ]

        /// All stories, each played by a twin with that story's bugs.
        private static let played = Task {
            var run = FlowRun()
            // Enough to see that there is no end.
            run.limits.requests = 60
            var adapter = KiwITTwinAdapter()
            adapter.storyBugs = Dictionary(cases.map { ($0.story, $0.bugs) }) { first, _ in first }
            return await PlayedStories.play(adapter, in: run)
        }

        @Test(arguments: cases)
        func `is refused with a bug`(_ wrong: Case) async throws {
            let outcome = await Self.played.value
            let result = try #require(outcome.summary.results.first { $0.story.id == wrong.story }, "\(outcome.text)")
            let found = result.checks.filter(\.isOpen).map(\.id)
            #expect(found.contains { $0 == wrong.reason || $0.hasPrefix(wrong.reason + " ") }, "\(found)")
        }

        @Test func `has no bug that nothing finds`() {
            let found = Self.cases.map(\.bugs) + KiwITTwinMatrixTests.cases.map { [$0.bug] }
            let bugs = found.reduce(Set(KiwITTwinSweepTests.cases.map(\.bug))) { $0.union($1) }
            #expect(bugs == Set(KiwITBug.allCases))
        }
    }
}
