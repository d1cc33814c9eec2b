import BacklotTesting
import Basics
import Foundation
import Testing

@testable import BacklotTestServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Expects that a test records issues, in this order, and nothing else; stands before the trait whose issues it means.
///
/// On a suite it holds for each of its tests.
struct RecordsIssues: TestTrait, SuiteTrait, TestScoping {
    var messages: [String]

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let recorded = Lock<[String]>([])
        try await withKnownIssue {
            try await function()
        } matching: { issue in
            recorded.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return issue.sourceLocation?.line == test.sourceLocation.line
        }
        let found = recorded.withLock { $0 }
        #expect(found.count == messages.count, "\(found)", sourceLocation: test.sourceLocation)
        for (message, found) in zip(messages, found) {
            #expect(found.contains(message), "\(found)", sourceLocation: test.sourceLocation)
        }
    }
}

extension Trait where Self == RecordsIssues {
    static func records(_ messages: String...) -> RecordsIssues { RecordsIssues(messages: messages) }
}

/// The trait that gives each test a server.
@Suite(.backlot("Guide/Scenarios/pets/expired.json", judging: false)) struct TraitTests {
    @Suite struct Nested {
        @Test func `a nested suite has the trait of its suite`() throws {
            #expect(try BacklotServer.current.title == "Back after lunch")
        }

        @Test(.backlot(ServerTests.pets, judging: false)) func `the trait closest to the test counts`() throws {
            #expect(try BacklotServer.current.title == "Written in the test")
        }
    }

    private static let names = Lock<Set<String>>([])

    @Test(arguments: 1...20) func `each case has a session of its own`(number: Int) throws {
        let name = try BacklotServer.current.name
        #expect(Self.names.withLock { $0.insert(name).inserted })
        #expect(try BacklotServer.current.journal.isEmpty)
    }

    @Test func `a detached task is told that it has no server`() async throws {
        let error = await Task.detached { #expect(throws: ServerProblem.self) { try BacklotServer.current } }.value
        #expect(error?.description.contains("detached tasks do not inherit it") == true)
    }
}

/// What the trait records when a test ends.
@Suite struct TraitVerdictTests {
    @Test(
        .records(
            "follows from it: expected POST /refresh once with status 200, but it never arrived"
        ),
        .backlot("Guide/Scenarios/pets/expired.json")
    )
    func `each mistake is one issue, with what follows from it`() async throws {
        let server = try BacklotServer.current
        _ = try await URLSession.patient.get("pets", of: server)
    }

    @Test(.records("no request arrived"), .backlot("Guide/Scenarios/pets/expired.json"))
    func `a client that sends nothing has not passed`() {}

    @Test(.records("no request arrived"), .backlot("Guide/Scenarios/pets/backend.json"))
    func `a client that sends nothing to a backend has not passed`() {}

    @Test(.backlot("Guide/Scenarios/pets/backend.json", judging: false))
    func `a test that sends nothing on purpose says so`() throws {
        try BacklotServer.current.advance(by: .minutes(15))
    }

    private static let idle = #"""
        {"backend": "B", "id": "idle", "title": "Nothing is expected", "routes": {"GET /pets": {"json": []}}}
        """#

    @Test(.records("the story idle expects nothing from the client, so it never passes"), .backlot(.text(idle)))
    func `a story that expects nothing has not passed`() async throws {
        _ = try await URLSession.patient.get("pets", of: try BacklotServer.current)
    }

    @Test(.backlot(.scenario("B", [.route("GET /pets", .json([])), .signedIn("phone", ago: .zero)])))
    func `a story in Swift leaves it to the test what it expects`() async throws {
        _ = try await URLSession.patient.get("pets", of: try BacklotServer.current)
    }

    @Test(
        .records(
            "the story played the fault \"truncated\" of GET /pets (event 1 of the timeline) only once instead of twice"
        ),
        .backlot(.file("Guide/Scenarios/pets/backend.json").with([.fault(.truncated, on: "GET /pets", times: 2)]))
    )
    func `a story whose faults were not all met has not passed`() async throws {
        let session = URLSession.patient
        _ = try? await session.get("pets", of: try BacklotServer.current)
    }

    @Test(
        .records("`name` has 0 characters, but the contract requires at least 1"),
        .backlot(ServerTests.documentedPets, contracts: .openAPI)
    )
    func `what the contract does not allow is an issue`() async throws {
        _ = try await PetsClient(of: .current).add("")
    }

    @Test(.records("there is no file"), .backlot("Guide/Scenarios/cats/expired.json"))
    func `a story that does not exist is one issue, and the test does not run`() {
        Issue.record("it ran")
    }

    @Test(.records("the test ended while a request was in progress: 1 GET /pets never"), .backlot(ServerTests.pets))
    func `a request under way is a warning, and is let go`() async throws {
        let server = try BacklotServer.current
        try server.arm(.never, on: "GET /pets")
        Task.detached { try await URLSession.patient.get("pets", of: server) }
        try await server.waitForRequest(to: "GET /pets")
    }

    @Test func `two traits on one test are a mistake`() async throws {
        let test = try #require(Test.current)
        let place = test.sourceLocation
        let traits = [0, 1].map { _ in BacklotTrait("a.json", nil, .socket, refusalHold: nil, isJudged: true, at: place)
        }
        #expect(BacklotTrait.mistake(in: traits, of: test)?.description.contains("has 2 .backlot traits") == true)
        #expect(BacklotTrait.mistake(in: [traits[0]], of: test) == nil)
        var inherited = traits
        let above = SourceLocation(fileID: place.fileID, filePath: place.filePath, line: 1, column: 1)
        inherited[0] = BacklotTrait("a.json", nil, .socket, refusalHold: nil, isJudged: true, at: above)
        #expect(BacklotTrait.mistake(in: inherited, of: test) == nil)
    }

    @Test func `judging throws what is wrong`() async throws {
        let error = await #expect(throws: VerdictFailure.self) {
            try await BacklotServer.judging("Guide/Scenarios/pets/expired.json") { server in
                _ = try await URLSession.patient.get("pets", of: server)
            }
        }
        #expect(error?.verdict.outcome == .failed)
        #expect(error?.description.contains("follows from it: expected POST /refresh once") == true)
    }

    @Test func `a verdict shows what happened`() async throws {
        let server = try await BacklotServer(story: "Guide/Scenarios/pets/expired.json")
        #expect(try await PetsClient(of: server).pets().count == 2)
        let verdict = await server.verdict()
        #expect(verdict.outcome == .passed)
        #expect(verdict.description == "2 expectations held")
        #expect(verdict.page.contains("Back after lunch"))
        #expect(verdict.journal.contains(#""target": "/pets""#))
    }

    @Test func `hundreds of servers leave nothing behind`() async throws {
        for _ in 1...300 {
            let server = try await BacklotServer(story: ServerTests.pets, transport: .inProcess)
            server.connectInProcess()
            let url = server.url.absoluteString
            #expect(InProcessOrigins.shared.sender(for: URL(string: url)) != nil)
            await server.stop()
            #expect(InProcessOrigins.shared.sender(for: URL(string: url)) == nil)
            #expect(try ServerHost.running().hasSession(named: server.name) == false)
        }
    }
}

/// Expects that a test throws because a key is missing.
struct DecodingFails: TestTrait, TestScoping {
    var key: String

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await #expect(sourceLocation: test.sourceLocation) {
            try await function()
        } throws: { error in
            guard case DecodingError.keyNotFound(let key, _) = error else { return false }
            return key.stringValue == self.key
        }
    }
}

extension Trait where Self == DecodingFails {
    static func decodingFails(_ key: String) -> DecodingFails { DecodingFails(key: key) }
}
