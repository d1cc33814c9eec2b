import Basics
import ClientTesting
import Rules
import Simulation
import StoryRunning
import Testing

/// A client in this process before the stories of a small backend.
@Suite
struct `A client in this process` {
    /// Plays one story to a client.
    private func played(
        _ id: String,
        _ adapter: NotesAdapter = NotesAdapter(),
        change: (inout FlowRun) -> Void = { _ in }
    ) async throws -> StoryResult {
        var run = FlowRun()
        run.only = [id]
        change(&run)
        let outcome = await run.play(adapter, files: NotesStories.files)
        try #require(outcome.problems.isEmpty && outcome.summary.problem == nil, "\(outcome.text)")
        return try #require(outcome.summary.results.first)
    }

    private func open(_ result: StoryResult) -> [String] { result.checks.filter(\.isOpen).map(\.id) }

    @Test func `passes every story when it does what is expected`() async throws {
        let outcome = await FlowRun().play(NotesAdapter(), files: NotesStories.files)
        #expect(outcome.isPassed, "\(outcome.text)")
        #expect(
            outcome.summary.results.map(\.story.id) == [
                "busy", "late", "open", "race", "silent-server", "slow", "twice", "two-devices", "variants",
                "variants/twice",
            ]
        )
    }

    @Test func `fails what the story expects`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = { client, _ in
            try await client.get("/notes")
            try await client.get("/notes")
        }
        #expect(open(try await played("open", adapter)) == ["expect/count"])
    }

    @Test func `that gives up at once is refused`() async throws {
        var adapter = NotesAdapter(bugs: [.givesUp])
        adapter.flows["late"] = { client, context in
            _ = await context.outcome { try await client.get("/mine") }
        }
        let ids = open(try await played("late", adapter))
        #expect(ids.contains { $0.hasPrefix("B1 ") }, "\(ids)")
    }

    @Test func `that refreshes for each of several requests is refused`() async throws {
        let result = try await played("race", NotesAdapter(bugs: [.refreshesForEach]))
        #expect(open(result).contains { $0.hasPrefix("B2 ") }, "\(open(result))")
    }

    @Test func `2.3 begins a launch with what the one before has stored`() async throws {
        #expect(open(try await played("twice")).isEmpty)
        let forgetful = open(try await played("twice", NotesAdapter(bugs: [.storesNothing])))
        #expect(!forgetful.isEmpty)
    }

    @Test func `without a flow for a story has failed it, unless it says why`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = nil
        let missing = try await played("open", adapter)
        #expect(open(missing) == ["story/no-flow"])
        #expect(missing.outcome == .failed)
        adapter.omissions["open"] = "the app has no such screen"
        let omitted = try await played("open", adapter)
        #expect(omitted.outcome == .passed)
        #expect(omitted.checks.map(\.sentence) == ["the app has no such screen"])
    }

    @Test func `that throws has failed`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = { client, _ in
            try await client.get("/notes")
            throw NotesClient.Failure.status(7)
        }
        let result = try await played("open", adapter)
        #expect(open(result) == ["client/threw"])
        #expect(result.checks.compactMap(\.finding).contains { $0.message.contains("status(7)") })
    }

    @Test(arguments: [true, false]) func `that throws gets the advice to correct the broken rule first`(isBroken: Bool)
        async throws
    {
        var adapter = NotesAdapter(bugs: isBroken ? [.givesUp] : [])
        adapter.flows["late"] = { client, _ in
            try await client.get("/mine")
            throw NotesClient.Failure.status(7)
        }
        let findings = try await played("late", adapter).checks.compactMap(\.finding)
        let advice = findings.first { $0.id == "client/threw" }?.advice ?? ""
        let expected = isBroken ? "correct B1 first, from which the error may follow" : "catch errors"
        #expect(advice.hasPrefix(expected), "\(findings)")
    }

    @Test func `that throws gets the advice not to cancel a refresh`() async throws {
        var adapter = NotesAdapter(bugs: [.cancelsRefresh])
        adapter.flows["slow"] = { client, _ in
            let call = Task { try await client.get("/mine") }
            try await client.pause(seconds: 5)
            call.cancel()
            try await call.value
        }
        let findings = try await played("slow", adapter).checks.compactMap(\.finding)
        let advice = findings.first { $0.id == "client/threw" }?.advice ?? ""
        #expect(advice.hasPrefix("the client closed the connection of exchange 2 before the granted"), "\(findings)")
    }

    /// On a thread of a `URLSession`, a killed client may go on until it sends a request.
    @Test func `that was killed sends no more requests`() async throws {
        let killed = Lock<NotesClient?>(nil)
        var adapter = NotesAdapter()
        adapter.flows["killed"] = { client, _ in
            if let old = killed.withLock({ $0 }) { Task { try? await old.get("/tags") } }
            killed.withLock { $0 = client }
            try await client.get("/notes")
        }
        let outcome = await FlowRun().play(adapter, files: NotesStories.files(of: NotesStories.killed))
        let result = try #require(outcome.summary.results.first)
        #expect(!open(result).contains { $0.hasPrefix("expect/") }, "\(result.checks.map(\.sentence))")
    }

    @Test func `that throws is not also blamed for the facts that it could not report`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["silent-server"] = { client, _ in
            try? await client.get("/notes")
            throw NotesClient.Failure.status(7)
        }
        let result = try await played("silent-server", adapter)
        #expect(result.checks.filter { $0.isOpen && $0.severity == .error }.map(\.id) == ["client/threw"])
        #expect(result.checks.contains { $0.id == "expect/unknown-fact" && $0.severity == .note })
    }

    @Test func `that hangs is ended`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = { client, _ in
            try await client.get("/notes")
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        let result = try await played("open", adapter) { $0.limits.world.outside = .milliseconds(20) }
        #expect(open(result) == ["client/hung"])
    }

    @Test func `that goes on and on is ended`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = { client, _ in
            while true { try? await client.get("/notes") }
        }
        let result = try await played("open", adapter) { $0.limits.requests = 50 }
        #expect(open(result).first == "client/hung")
    }

    @Test func `that repeats what is refused is ended earlier, and many requests at once are not`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = { client, _ in
            while true { try? await client.get("/nothing") }
        }
        let endless = try await played("open", adapter)
        let hung = endless.checks.first { $0.id == "client/hung" }
        #expect(hung?.sentence == "the client was stopped after 201 requests, because the last 200 were all refused")
        adapter.flows["open"] = { client, _ in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<300 { group.addTask { try? await client.get("/nothing") } }
            }
            try await client.get("/notes")
        }
        #expect(try await !open(played("open", adapter)).contains("client/hung"))
    }

    @Test func `that pauses for ever is ended`() async throws {
        var adapter = NotesAdapter()
        adapter.flows["open"] = { client, context in
            try await client.get("/notes")
            while true { try await context.wait(seconds: 3_600) }
        }
        let result = try await played("open", adapter) { $0.limits.world.jumps = 20 }
        #expect(open(result) == ["client/hung"])
    }

    @Test(arguments: ["busy", "silent-server", "race", "twice"])
    func `passes where the server is busy, silent or asked by several`(story: String) async throws {
        #expect(try await played(story).outcome == .passed)
    }

    @Test func `waits as long as it is told to, on the server's clock`() async throws {
        let result = try await played("busy")
        let arrivals = result.recording.evidence.exchanges.map(\.arrival)
        let wait = try #require(arrivals.last).since(try #require(arrivals.first))
        #expect(wait >= .seconds(120) && wait < .seconds(121), "\(wait)")
    }

    @Test func `plays a story with many seeds`() async throws {
        let race = try await played("race") { $0.schedules = 50 }
        #expect(race.outcome == .passed, "\(open(race))")
        #expect(race.plays == 50)
        #expect(try await played("open") { $0.schedules = 50 }.plays == 50)
    }

    @Test func `is told how to see the first seed again that failed`() async throws {
        let result = try await played("race", NotesAdapter(bugs: [.refreshesForEach])) {
            $0.schedules = 5
            $0.seed = 40
        }
        #expect(result.plays == 1)
        #expect(result.play.command == "backlot test notes --story race --seed 40")
    }

    @Test func `is not disturbed by others that play at the same time`() async throws {
        var run = FlowRun()
        run.schedules = 5
        run.parallel = 8
        var told: [String] = []
        let outcome = await run.play(NotesAdapter(), files: NotesStories.files) { progress in
            if case .ended(let result) = progress { told.append(result.story.id) }
        }
        #expect(outcome.isPassed, "\(outcome.text)")
        #expect(told == outcome.summary.results.map(\.story.id))
    }
}
