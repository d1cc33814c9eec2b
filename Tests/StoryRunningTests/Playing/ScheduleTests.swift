import Basics
import Checking
import OpenAPI
import Reports
import Rules
import Simulation
import StubServing
import Testing

@testable import StoryRunning

/// Several stories, and several plays of one.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `A run` {
    private static let good = "curl -s $BACKLOT_URL/notes"

    private func selection(_ ids: [String]) -> [RunnableStory] {
        var texts: [String: String] = [:]
        for id in ids { texts["\(id).json"] = Stories.story(id) }
        return Stories.selection(ids.map { "\($0).json" }, of: texts).stories
    }

    @Test func `plays every story, and tells how it is getting on`() async throws {
        let run = StoryRun(StoryRunner(script: "test $BACKLOT_STORY = b || " + Self.good))
        var told: [String] = []
        let summary = await run.play(selection(["a", "b", "c"])) { progress in
            switch progress {
            case .began(let story, let done, let total, let failed):
                told.append("\(story.id) \(done)/\(total) \(failed)")
            case .ended(let result): told.append("\(result.outcome)")
            }
        }
        #expect(told == ["a 0/3 0", "passed", "b 1/3 0", "failed", "c 2/3 1", "passed"])
        #expect(summary.closing == "3 stories: 2 passed, 1 failed")
        #expect(summary.missingFacts == nil)
        #expect(summary.report.verdict == .failed)
        #expect(summary.report.checks.contains { $0.group == "b" && !$0.findings.isEmpty })
        #expect(summary.report.stories.map(\.outcome) == [.passed, .failed, .passed])
    }

    @Test func `says at its end which facts would have decided more`() async throws {
        let facts = #"""
            [
              { "client": { "screen": "home", "rows": 3 }, "orUnknown": true }, { "client": { "screen": "home" } },
              { "client": "saved", "shownBy": [{ "request": "GET /notes" }] }
            ]
            """#
        let texts = ["a.json": Stories.story("a", expecting: facts), "b.json": Stories.story("b", expecting: facts)]
        let stories = Stories.selection(["a.json", "b.json"], of: texts).stories
        let told = #"curl -s -d '{"screen":"home"}' -H 'Content-Type: application/json' $BACKLOT_ADMIN/client"#
        let run = StoryRun(StoryRunner(script: Self.good + " && { test $BACKLOT_STORY = b || \(told); }"))
        let summary = await run.play(stories) { _ in }
        #expect(summary.results.map(\.outcome) == [.passed, .incomplete])
        let sentence =
            "facts that would decide more checks if the client reported them: rows in 2 stories, screen in 1 story; "
            + "backlot stories lists their values"
        #expect(summary.missingFacts == sentence)
        #expect(summary.report.summary == [summary.closing, sentence])
    }

    @Test func `stops after as many failures as it may have`() async throws {
        var run = StoryRun(StoryRunner(script: "exit 0"))
        run.mostFailures = 1
        let summary = await run.play(selection(["a", "b", "c"])) { _ in }
        #expect(summary.closing == "3 stories: 0 passed, 1 failed, 2 not played")
    }

    @Test func `plays a story with one seed after the other`() async throws {
        var run = StoryRun(StoryRunner(script: Self.good))
        run.schedules = 3
        run.seed = 40
        let result = try #require(await run.play(selection(["a"])) { _ in }.results.first)
        #expect(result.plays == 3)
        #expect(result.outcome == .passed)
    }

    @Test func `counts seeds on only as far as a command line can say them`() async throws {
        var run = StoryRun(StoryRunner(script: "test $BACKLOT_SEED = 0 || " + Self.good))
        run.schedules = 9
        run.seed = UInt64(Int.max)
        let result = try #require(await run.play(selection(["a"])) { _ in }.results.first)
        #expect(result.plays == 2)
        #expect(result.play.seed == 0)
    }

    @Test func `stops at the first seed that fails, and says how to see it again`() async throws {
        var run = StoryRun(StoryRunner(script: "test $BACKLOT_SEED = 41 || " + Self.good))
        run.schedules = 9
        run.seed = 40
        let result = try #require(await run.play(selection(["a"])) { _ in }.results.first)
        #expect(result.plays == 2)
        #expect(result.play.seed == 41)
        #expect(result.play.command.hasPrefix("backlot run Scenarios/notes/a.json --seed 41 -- /bin/sh -c "))
        let text = StoryText(result, Paint(isColoured: false)).lines
        #expect(text.first?.hasPrefix("✗ a  A note  (0 exchanges, ") == true)
        #expect(text.last == "  again: \(result.play.command)")
    }

    @Test func `says how a story is played again as it was played`() async throws {
        var runner = StoryRunner(script: "exit 0")
        runner.configuration.contract = .enforce
        runner.configuration.refusalHold = .milliseconds(80)
        let mapping = try #require(URLMapping("https://a.example/x.json=shared/x y.json"))
        runner.configuration.contractReader = OpenAPIReader(mappings: [mapping])
        let result = try #require(await StoryRun(runner).play(selection(["a"])) { _ in }.results.first)
        let options = "--contract enforce --map 'https://a.example/x.json=shared/x y.json' --hold-refusals 80ms"
        #expect(result.play.command == "backlot run Scenarios/notes/a.json --seed 1 \(options) -- /bin/sh -c 'exit 0'")
    }

    @Test func `is not passed by a rule that is inconclusive where it is strict`() {
        let check = Judgement(.inconclusive, id: "B10", "the server was up to 3ms late")
        #expect(!check.isOpen)
        #expect(check.strict.isOpen)
        #expect(check.strict.finding?.severity == .error)
        let held = Judgement(.held, id: "B10", "")
        #expect(held.strict == held)
    }

    @Test func `lets a story pass that fails as the baseline says`() async throws {
        var run = StoryRun(StoryRunner(script: "curl -s $BACKLOT_URL/other"))
        run.baseline.entries = [Baseline.Entry("a", ["expect/count"])]
        let summary = await run.play(selection(["a"])) { _ in }
        #expect(summary.results.map(\.outcome) == [.passed])
        #expect(summary.report.verdict == .held)
        #expect(summary.report.checks.contains { $0.skipped == "a known failure, listed in the baseline" })
        #expect(summary.report.stories.first?.outcome == .passed)
    }

    @Test func `ends when it is interrupted, and keeps what there is`() async throws {
        let isInterrupted = Lock(false)
        var runner = StoryRunner(script: Self.good)
        runner.isInterrupted = { isInterrupted.withLock { $0 } }
        let summary = await StoryRun(runner).play(selection(["a", "b"])) { progress in
            if case .ended = progress { isInterrupted.withLock { $0 = true } }
        }
        #expect(summary.isInterrupted)
        #expect(summary.results.map(\.outcome) == [.passed])
        #expect(summary.leftOut == 1)
    }
}
