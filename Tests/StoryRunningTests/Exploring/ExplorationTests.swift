import Basics
import JSON
import Reports
import TestSupport
import Testing

@testable import StoryRunning

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `An exploration` {
    private static let files = MemoryFiles(["Scenarios/notes/backend.json": Stories.backend])

    private func exploration(
        of script: String,
        counting count: Lock<Int> = Lock(0)
    ) throws -> Exploration {
        let runner = StoryRunner(script: script)
        let base = try ExploreBase("Scenarios/notes", files: Self.files)
        return Exploration(base) { story, seed throws(PlayProblem) in
            count.withLock { $0 += 1 }
            return ExploredRun(try await runner.play(story, seed: seed))
        }
    }

    @Test func `goes on where another one has stopped, with the same result`() async throws {
        let count = Lock(0)
        var first = try exploration(of: "curl -s $BACKLOT_URL/mine; curl -s $BACKLOT_URL/notes", counting: count)
        first.mostRuns = 4
        let stopped = try await first.run()
        #expect(stopped.plays == 4 && stopped.leftOut > 0)
        #expect(stopped.steps.map(\.address.text) == ["GET /mine", "GET /notes"])
        // As they are read from the file that the command keeps.
        first.known = try Dictionary(
            uniqueKeysWithValues: stopped.runs.map {
                ($0.perturbation.slug, try #require(ExploreOutcome($0.outcome.json)))
            }
        )
        let before = count.withLock { $0 }
        let resumed = try await first.run()
        // The ordinary run and its twin are run again.
        #expect(count.withLock { $0 } == before + 2)
        #expect(resumed.json["runs"] == stopped.json["runs"])
        let map = stopped.map
        #expect(map.rows.map(\.name) == ["GET /mine", "GET /notes"])
        #expect(map.columns.first == "token dies" && map.rows[0].cells[0].outcome != .untried)
        #expect(map.rows[1].cells[0].outcome == .untried)
        let page = ReportFormat.html.text(of: stopped.report)
        #expect(page.contains("<table class=\"map\">") && page.contains("<td>GET /notes</td>"))
    }

    @Test func `goes as far as a client does the same each time, and says where it does not`() async throws {
        let folder = try TemporaryFolder()
        let script = """
            curl -s $BACKLOT_URL/mine
            if mkdir \(folder.path)/seen 2>/dev/null; then curl -s $BACKLOT_URL/notes; else curl -s $BACKLOT_URL/mine; fi
            """
        var exploration = try exploration(of: script)
        exploration.mostRuns = 3
        let result = try await exploration.run()
        #expect(result.steps.map(\.address.text) == ["GET /mine"])
        let difference = try #require(result.difference)
        #expect(
            difference.contains("exchange 2 was GET /notes with 200 the first time, and GET /mine #2"),
            "\(difference)"
        )
    }

    @Test func `cannot be made of a client that sends nothing, or differs from its first request on`() async throws {
        let silent = try exploration(of: "exit 3")
        await #expect(throws: ExploreProblem.self) { try await silent.run() }
        let folder = try TemporaryFolder()
        let script =
            "if mkdir \(folder.path)/seen 2>/dev/null; then curl -s $BACKLOT_URL/notes; else curl -s $BACKLOT_URL/mine; fi"
        let random = try exploration(of: script)
        await #expect(throws: ExploreProblem.self) { try await random.run() }
    }

    @Test func `cannot be made of a client that never ends`() async throws {
        let runner = StoryRunner(script: "curl -s $BACKLOT_URL/mine; sleep 600") { $0.timeLimit = .milliseconds(300) }
        let exploration = Exploration(try ExploreBase("Scenarios/notes", files: Self.files), runner)
        let problem = await #expect(throws: ExploreProblem.self) { try await exploration.run() }
        #expect(problem?.text.contains("had not ended after 300ms") == true, "\(problem?.text ?? "")")
    }

    @Test func `writes stories that the loader takes, in 12 lines at most`() throws {
        let base = try ExploreBase("Scenarios/notes", files: Self.files)
        let steps = ["GET /mine", "GET /notes", "GET /mine"].enumerated().map { index, route in
            ExploredStep(
                address: ExchangeAddress(route: route, count: index == 2 ? 2 : 1),
                status: 200,
                launch: 1,
                isSecured: route == "GET /mine",
                isRefresh: false
            )
        }
        let plan = ExplorePlan(
            base,
            steps,
            ExploredWaves(count: steps.count),
            [.order, .lateDecision, .processes, .store]
        )
        let all = plan.first + plan.second(after: [])
        #expect(all.count > 20)
        #expect(Set(all.map(\.slug)).count == all.count)
        let texts: [(name: String, text: String)] = all.map { perturbation in
            (perturbation.slug, perturbation.storyText(on: base, breaking: "B1"))
        }
        #expect(try base.stories(texts).count == all.count)
        for (name, text) in texts { #expect(text.split(separator: "\n").count <= 12, "\(name)") }
    }

    @Test func `refuses an OpenAPI file, and a folder outside of the project`() throws {
        let contract = #"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}"#
        let files = MemoryFiles([
            "Scenarios/notes/backend.json": Stories.backend, "api.json": contract, "/elsewhere/file": "",
        ])
        #expect(throws: ExploreProblem.self) { try ExploreBase("api.json", files: files) }
        #expect(throws: ExploreProblem.self) {
            try ExploreBase("Scenarios/notes", storiesIn: "/elsewhere", files: files)
        }
    }
}
