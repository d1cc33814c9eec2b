import Basics
import Reports
import TestSupport
import Testing

@testable import ClientTesting

/// What falls to which client, before anything is called or played.
@Suite struct `A test of several clients` {
    /// The parts for each client, with what is expected of it.
    private func shares(
        in files: MemoryFiles = ToyClients.files,
        _ change: (inout ClientTest) throws -> Void
    ) throws -> [String] {
        var test = try ToyClients.test(in: files)
        try change(&test)
        return try test.assignments(for: ToyClients.all).map { share in
            ([share.adapter.name + ":"] + share.parts.map(\.rawValue) + share.operations + share.stories)
                .joined(separator: " ")
        }
    }

    /// Why nothing is tested; `nil` when something is.
    private func problem(of test: ClientTest, _ clients: [any ClientAdapter]) async -> TestChoiceProblem? {
        do throws(TestChoiceProblem) {
            _ = try await test.run(clients)
            return nil
        } catch {
            return error
        }
    }

    private static let everything = "responses variants urlsession stories"

    @Test func `puts each client through everything`() throws {
        #expect(try shares { _ in } == ["Bird: \(Self.everything)", "Cat: \(Self.everything)"])
    }

    @Test func `plays a story to the client whose it is, and nothing else`() throws {
        #expect(try shares { $0.stories = ["CA-1"] } == ["Bird:", "Cat: stories CA-1"])
        #expect(try shares { $0.stories = ["CA-1", "BI-1"] } == ["Bird: stories BI-1", "Cat: stories CA-1"])
    }

    @Test(arguments: ["CA-2", "CA-2/late"])
    func `plays a story's variants, all or one`(id: String) throws {
        #expect(try shares { $0.stories = [id] } == ["Bird:", "Cat: stories \(id)"])
    }

    @Test func `calls an operation of the clients that have it, and plays no stories`() throws {
        let calls = "responses variants urlsession"
        #expect(try shares { $0.operations = ["getCat"] } == ["Bird:", "Cat: \(calls) getCat"])
        #expect(try shares { $0.operations = ["*Bird"] } == ["Bird: \(calls) *Bird", "Cat:"])
        #expect(
            try shares { $0.operations = ["get*", "listAll"] } == [
                "Bird: \(calls) get* listAll", "Cat: \(calls) get* listAll",
            ]
        )
    }

    @Test func `leaves out the parts that nobody wants`() throws {
        let shares = try shares { $0.checks = try WantedChecks(["variants/*", "stories"]) }
        #expect(shares == ["Bird: variants stories", "Cat: variants stories"])
    }

    @Test(arguments: [
        (["CA-11"], [], "no client has the story \"CA-11\"; did you mean CA-1?"),
        (["ca-1"], [], "no client has the story \"ca-1\"; did you mean CA-1?"),
        (["CA-1", "SM-99"], [], "no client has the story \"SM-99\""),
        (["CA-2/lat"], [], "no client has the story \"CA-2/lat\"; did you mean CA-2/late?"),
        ([], ["getBrid"], "no client has the operation \"getBrid\"; did you mean getBird?"),
        ([], ["get*", "remove*"], "no client has the operation \"remove*\""),
        ([], ["get\u{1B}Bird"], "no client has the operation \"get\\u{1B}Bird\"; did you mean getBird?"),
    ])
    func `is refused where no client has what is wanted`(
        stories: [String],
        operations: [String],
        sentence: String
    ) async throws {
        var test = try ToyClients.test()
        test.stories = stories
        test.operations = operations
        #expect(await problem(of: test, ToyClients.all)?.sentence == sentence)
    }

    @Test func `names the client where there is only one`() async throws {
        var test = try ToyClients.test()
        test.stories = ["BI-1"]
        #expect(await problem(of: test, [ToyClients.all[1]])?.sentence == "Cat has no story \"BI-1\"")
    }

    @Test func `tells what begins, and what is over`() async throws {
        let files = NotesStories.files
        var test = ClientTest(in: try #require(ProjectRoot("/project", files: files)), files: files)
        test.stories = ["open"]
        let told = Lock<[String]>([])
        let report = try await test.run([NotesAdapter()]) { progress in
            let line =
                switch progress {
                case .began(let what): what
                case .finished(let client, let part, let summary, let failures, _):
                    "\(client) \(part.rawValue): \(summary), \(failures) failures"
                }
            told.withLock { $0.append(line) }
        }
        #expect(told.withLock { $0 } == ["notes open", "notes stories: 1 story, 0 failures"])
        #expect(report.verdict == .held)
    }

    @Test func `lets a client whose files cannot be read say so itself`() async throws {
        let files = ToyClients.files.replacing("Contracts/cat.json", by: "{")
            .replacing("Scenarios/bird/backend.json", by: "{")
        let calls = "responses variants urlsession"
        #expect(try shares(in: files) { $0.operations = ["getCat"] } == ["Bird:", "Cat: \(calls) getCat"])
        #expect(
            try shares(in: files) { $0.stories = ["BI-1", "CA-1"] } == ["Bird: stories BI-1", "Cat: stories CA-1"]
        )
        var test = try ToyClients.test(in: files)
        test.operations = ["getCat"]
        let report = try await test.run(ToyClients.all)
        #expect(report.verdict == .failed)
        #expect(report.findings.allSatisfy { $0.place?.file?.hasSuffix("Contracts/cat.json") == true })
    }
}

@Suite struct `The checks that are wanted` {
    private func texts(_ names: [String]) throws -> [String] {
        let checks = try WantedChecks(names)
        return checks.parts.map { ([$0.rawValue] + checks.findings(of: $0)).joined(separator: " ") }
    }

    @Test(arguments: [
        ([], ["responses", "variants", "urlsession", "stories"]),
        (["stories", "responses"], ["responses", "stories"]),
        (["variants/changed-value"], ["variants variants/changed-value"]),
        (
            ["responses/session-*", "responses/hang"],
            [
                "responses responses/session-* responses/hang", "urlsession responses/session-* responses/hang",
            ]
        ),
        (["responses", "variants/idle-drop"], ["responses", "variants variants/idle-drop"]),
        (["variants", "variants/idle-drop"], ["variants"]),
        (["variants/idle-drop", "variants"], ["variants"]),
        (["*/no-*"], ["responses */no-*", "urlsession */no-*"]),
    ])
    func `are whole parts, and the parts that can find something`(names: [String], parts: [String]) throws {
        #expect(try texts(names) == parts)
    }

    @Test(arguments: [
        ("respnses", "unknown check \"respnses\"; did you mean responses?"),
        ("Variants", "unknown check \"Variants\"; did you mean variants?"),
        ("variants/change-value", "unknown check \"variants/change-value\"; did you mean variants/changed-value?"),
        (
            "variants/nothing*",
            "unknown check \"variants/nothing*\"; use responses, variants, urlsession, stories or "
                + "the ID of a finding"
        ),
    ])
    func `are refused where nothing is called so`(name: String, sentence: String) {
        #expect(throws: TestChoiceProblem(sentence: sentence)) { try WantedChecks(["stories", name]) }
    }
}

@Suite struct `Clients that are wanted` {
    @Test func `are found by their names in any case, in their own order`() throws {
        #expect(try ToyClients.all.named([]).map(\.name) == ["Bird", "Cat"])
        #expect(try ToyClients.all.named(["cat", "BIRD", "Cat"]).map(\.name) == ["Bird", "Cat"])
        #expect(try ToyClients.all.named(["cat"]).map(\.name) == ["Cat"])
    }

    @Test(arguments: [
        ("Brid", "unknown client \"Brid\"; did you mean \"Bird\"?"),
        ("elephant", "unknown client \"elephant\"; use Bird or Cat"),
    ])
    func `are refused with the name that was meant`(name: String, sentence: String) {
        #expect(throws: TestChoiceProblem(sentence: sentence)) { try ToyClients.all.named(["cat", name]) }
    }
}
