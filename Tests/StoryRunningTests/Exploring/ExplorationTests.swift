import Basics
import JSON
import Reports
import TestSupport
import Testing

@testable import Rules
@testable import StoryRunning

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `An exploration` {
    private static let files = MemoryFiles([
        "Scenarios/notes/backend.json": Stories.backend,
        "Scenarios/notes/day.json": Stories.story("DAY", with: #", "given": [{ "signIn": "phone" }]"#),
    ])

    /// The head of a script that sends the access token which the story has given it.
    private static let signedIn = #"""
        token=${BACKLOT_TOKENS#*\"access\":\"}
        get() { curl -s -H "Authorization: Bearer ${token%%\"*}" $BACKLOT_URL$1; }

        """#

    private func exploration(
        of script: String,
        on base: String = "Scenarios/notes/day.json",
        counting count: Lock<Int> = Lock(0)
    ) throws -> Exploration {
        let runner = StoryRunner(script: script)
        let base = try ExploreBase(base, files: Self.files)
        return Exploration(base) { story, seed throws(PlayProblem) in
            count.withLock { $0 += 1 }
            return ExploredRun(try await runner.play(story, seed: seed))
        }
    }

    @Test func `goes on where another one has stopped, with the same result`() async throws {
        let count = Lock(0)
        var first = try exploration(of: Self.signedIn + "get /mine; get /notes", counting: count)
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
            difference.contains("exchange 2 was GET /notes with 200 in the first run and GET /mine #2"),
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

    /// Steps of routes that all require an access token.
    private func steps(_ routes: [String]) -> [ExploredStep] {
        routes.indices.map { index in
            ExploredStep(
                address: ExchangeAddress(route: routes[index], count: routes[...index].count { $0 == routes[index] }),
                status: 200,
                launch: 1,
                isSecured: true,
                isRefresh: false
            )
        }
    }

    @Test func `gives each story an id of its own, whatever its route is called`() throws {
        let files = MemoryFiles([
            "Scenarios/notes/backend.json": Stories.backend, "Scenarios/notes/story.json": Stories.story("N-1"),
        ])
        let routes = [
            "GET /a-b", "GET /a/b", "GET /a/{b}", "GET /A/b", "GET /a-b", "GET /\(String(repeating: "x", count: 400))",
        ]
        for (path, prefix) in [("Scenarios/notes", ""), ("Scenarios/notes/story.json", "N-1-")] {
            let base = try ExploreBase(path, files: files)
            let plan = ExplorePlan(base, steps(routes), ExploredWaves(count: routes.count), [.lateDecision])
            let all = plan.first + plan.second(after: [])
            let names = all.flatMap { perturbation in
                ["B2", "B7", "client/hung"].map { perturbation.name(on: base, breaking: $0) }
            }
            #expect(Set(names.map { $0.lowercased() }).count == 3 * all.count)
            #expect(names.allSatisfy { $0.utf8.count < 200 })
            #expect(names.first == "\(prefix)B2-token-dies-GET-a-b-1")
            #expect(names.contains("\(prefix)client-hung-token-dies-GET-a-b-2"))
            // The loader takes them as ids.
            let texts = all.map { perturbation in
                let name = perturbation.name(on: base, breaking: "B2")
                return (name: name, text: perturbation.storyText(on: base, breaking: "B2", named: name))
            }
            let known = texts.filter { !$0.text.contains("/a") && !$0.text.contains("/A") && !$0.text.contains("/x") }
            #expect(try base.stories(known).map(\.id) == known.map(\.name))
        }
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

    private static let refreshing = MemoryFiles([
        "Scenarios/app/backend.json": #"""
        {
          "backend": "App",
          "tokens": { "kinds": {
            "access": { "lifetime": "15m" }, "refresh": { "lifetime": "30d", "in": { "query": "token" } } } },
          "routes": {
            "POST /refresh": { "requires": "refresh", "grants": { "access": "new" }, "text": "{{token.access}}" },
            "GET /me": { "requires": "access", "json": {} } }
        }
        """#
    ])

    @Test(arguments: [
        (files, [], "no failure was injected in any run"),
        (files, [(true, [], 0)], nil),
        (files, [(false, [], 0), (false, [], 0)], "the client did not reach the injected failure in any of 2 runs"),
        (files, [(true, ["B3 refresh-loop"], 0)], "no run could be decided, because of B3 refresh-loop"),
        (files, [(true, ["B3 refresh-loop"], 0), (true, [], 0)], nil),
        (refreshing, [(true, [], 1)], nil),
        (
            refreshing, [(true, [], 0), (false, [], 0)],
            "the access token expired in 1 run, but the client never requested a new one, so no refresh could be disturbed"
        ),
    ])
    func `without a violation says something only where runs were decided and a refresh disturbed`(
        files: MemoryFiles,
        runs: [(isReached: Bool, unclear: [String], refreshes: Int)],
        sentence: String?
    ) throws {
        let base = try ExploreBase(files.isFolder("Scenarios/app") ? "Scenarios/app" : "Scenarios/notes", files: files)
        var result = ExploreResult(base, steps(["GET /me"]), stopped: false)
        result.runs = [(Perturbation(.ordinary, "", []), ExploreOutcome())]
        for run in runs {
            var outcome = ExploreOutcome()
            (outcome.isReached, outcome.unclear, outcome.refreshes) = run
            result.runs.append((Perturbation(.expired, "", []), outcome))
        }
        result.obstacle = ExploreObstacle(base).finding(in: result)
        #expect(result.obstacle?.message == sentence)
        let counts = result.counts
        #expect(counts.runs == runs.count + 1 && counts.passed + counts.failed + counts.skipped == counts.runs)
        #expect(result.report.checks.count == counts.runs)
        #expect(result.closing.contains(sentence == nil ? "; nothing found" : "; nothing tried"))
    }

    @Test func `says nothing where only what needs no token is the same each time`() throws {
        let base = try ExploreBase("Scenarios/notes", files: Self.files)
        var open = steps(["GET /notes"])
        open[0].isSecured = false
        var result = ExploreResult(base, open, stopped: false)
        result.difference = "it differs"
        result.runs = [(Perturbation(.clock, "ahead", []), ExploreOutcome())]
        let finding = ExploreObstacle(base).finding(in: result)
        #expect(finding?.message == "no exchange that is identical in every run requires an access token: it differs")
        // Something was decided, and in no run did the token expire.
        result = ExploreResult(base, steps(["GET /mine"]), stopped: false)
        result.runs = [(Perturbation(.clock, "ahead", []), ExploreOutcome())]
        let other = ExploreObstacle(base).finding(in: result)
        #expect(other?.message == "the client did not reach the expiry of its access token in any run")
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

    @Test func `lists the runs that were not decided, and what follows from a violation under it`() throws {
        let base = try ExploreBase("Scenarios/notes", files: Self.files)
        var result = ExploreResult(base, steps(["GET /me"]), stopped: false)
        let place = ExchangeAddress(route: "GET /me", count: 1)
        var open = ExploreOutcome()
        open.unclear = ["B17 retry-after-ignored"]
        var broken = ExploreOutcome()
        var violation = ExploreOutcome.Violation(
            rule: "B4 rotated-token-reused",
            route: "GET /me",
            message: "it is reused"
        )
        violation.consequences = ["follows from it: B2 refresh-storm: two refreshes"]
        broken.violations = [violation]
        #expect(ExploreOutcome(broken.json) == broken)
        let (late, dead) = (
            Perturbation(.responseFails, "503", at: place, []), Perturbation(.expired, "", at: place, [])
        )
        result.runs = [(late, open), (dead, broken)]
        result.found = [ExploreResult.Found(violation, dead)]
        let lines = result.lines()
        #expect(lines.contains("? not decided because of B17 retry-after-ignored: \(late.title)"), "\(lines)")
        #expect(result.counts.undecided == 1 && result.counts.failed == 1)
        let cause = try #require(lines.firstIndex { $0.hasPrefix("✗ B4") })
        #expect(lines[(cause + 1)...].contains("    follows from it: B2 refresh-storm: two refreshes"))
        let related = result.report.allFindings.flatMap(\.related)
        #expect(related.map(\.message) == violation.consequences)
    }

    @Test func `takes a violation that follows from another one for no violation of its own`() throws {
        var recording = try ReturningUser.recording()
        let cause = try #require(recording.verdict.rules.first { $0.status == .failed })
        var effect = Judgement(.failed, id: "B2 refresh-storm", "two refreshes", subject: "refresh-storm")
        effect.why = "it matters"
        recording.verdict.rules.append(effect.explained(by: cause))
        recording.verdict.listConsequences()
        let outcome = ExploreOutcome(ExploredRun(recording))
        #expect(outcome.violations.map(\.rule) == [cause.id])
        #expect(outcome.violations.first?.consequences == ["follows from it: B2 refresh-storm: two refreshes"])
    }
}
