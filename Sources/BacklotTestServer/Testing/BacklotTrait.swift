public import Testing

/// A trait that provides each test with its own server and judges the client when the test ends.
///
/// ```swift
/// @Test(.backlot("Scenarios/pets/expired.json")) func signsInAgain() async throws {
///     let server = try BacklotServer.current
///     …
/// }
/// ```
///
/// Each case of a parameterized test has its own server. If a suite has the trait, every test in the suite and in
/// nested suites has its own server. If a test and its suites have several traits, only the trait closest to the test
/// starts a server.
///
/// When the test ends, each failed expectation, violation and undecided check is recorded as an issue at the trait's
/// source location. The report page and the journal are attached only if the test fails.
public struct BacklotTrait: TestTrait, SuiteTrait, TestScoping {
    let story: BacklotServer.Story
    let contracts: BacklotServer.Contracts?
    let transport: BacklotServer.Transport
    let refusalHold: Duration?
    let isJudged: Bool
    private let place: SourceLocation
    /// The trait that it is, of several equal ones.
    private let identity = Identity()

    /// A class, so that two can be distinguished.
    private final class Identity: Sendable {}

    init(
        _ story: BacklotServer.Story,
        _ contracts: BacklotServer.Contracts?,
        _ transport: BacklotServer.Transport,
        refusalHold: Duration?,
        isJudged: Bool,
        at place: SourceLocation
    ) {
        self.place = place
        self.story = story
        self.contracts = contracts
        self.transport = transport
        self.refusalHold = refusalHold
        self.isJudged = isJudged
    }

    /// A Boolean value, which is always `true`, that indicates whether a suite's tests inherit the trait.
    public var isRecursive: Bool { true }

    /// Records an issue if a test or suite has two of these traits.
    public func prepare(for test: Test) async throws {
        let traits = Self.all(of: test)
        guard traits.last?.identity === identity, let mistake = Self.mistake(in: traits, of: test) else { return }
        throw mistake
    }

    /// The mistake in the traits of a test; inherited traits are written before the test, at its suite.
    static func mistake(in traits: [BacklotTrait], of test: Test) -> ServerProblem? {
        let start = test.sourceLocation
        let count = traits.count { trait in
            trait.place.fileID == start.fileID && (trait.place.line, trait.place.column) >= (start.line, start.column)
        }
        guard count > 1 else { return nil }
        return ServerProblem(
            description: "\(start): \(test.name) has \(count) .backlot traits, but a test has only one server; "
                + "remove all but one"
        )
    }

    private static func all(of test: Test) -> [BacklotTrait] { test.traits.compactMap { $0 as? BacklotTrait } }

    /// Runs a test or a test case with a server.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard Self.all(of: test).last?.identity === identity else { return try await function() }
        let location = test.sourceLocation
        let server: BacklotServer
        do {
            server = try await BacklotServer(
                story: story,
                contracts: contracts,
                transport: transport,
                refusalHold: refusalHold,
                filePath: location.filePath
            )
        } catch {
            Issue.record("\(error)", sourceLocation: location)
            return
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await BacklotServer.$running.withValue(server, operation: function))
        } catch {
            result = .failure(error)
        }
        if isJudged { await server.recordIssues(at: location) }
        await server.stop()
        try result.get()
    }
}

extension Trait where Self == BacklotTrait {
    /// Creates a trait that provides each test with a server for a story.
    ///
    /// See ``BacklotTrait``.
    ///
    /// - Parameters:
    ///   - story: The path of a scenario file, or another ``BacklotServer/Story``. A relative path is resolved against
    ///     the folder of the test's source file, then against each of its parent folders.
    ///   - contracts: The use of the story's contract. If `nil`, the story is played without its contract, and the
    ///     verdict contains a note.
    ///   - transport: The transport for requests.
    ///   - refusalHold: The hold of token refusals and refresh responses. See
    ///     ``BacklotServer/init(story:contracts:transport:seed:refusalHold:filePath:)``.
    ///   - judging: A Boolean value that indicates whether to judge the client. Because a client that does not send
    ///     requests fails, use `false` for a test that uses only the clock or judges the client itself.
    ///   - sourceLocation: The source location of the trait.
    public static func backlot(
        _ story: BacklotServer.Story,
        contracts: BacklotServer.Contracts? = nil,
        transport: BacklotServer.Transport = .socket,
        refusalHold: Duration? = nil,
        judging: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> BacklotTrait {
        BacklotTrait(story, contracts, transport, refusalHold: refusalHold, isJudged: judging, at: sourceLocation)
    }

    /// Unavailable; this declaration only provides a compiler message for a trait without a story.
    @available(*, unavailable, message: "name the story, as in .backlot(\"Scenarios/app/expired.json\")")
    public static var backlot: BacklotTrait {
        BacklotTrait("", nil, .socket, refusalHold: nil, isJudged: false, at: #_sourceLocation)
    }
}

extension BacklotServer {
    @TaskLocal static var running: BacklotServer?

    /// The running test's server.
    ///
    /// - Throws: ``ServerProblem`` if the test has no `.backlot` trait, or if the property is accessed in a detached
    ///   task.
    public static var current: BacklotServer {
        get throws {
            if let running { return running }
            throw ServerProblem(
                description: "this test has no server; add the trait .backlot(\"path/of/story.json\"), "
                    + "and use the server in the test's own task, because detached tasks do not inherit it"
            )
        }
    }

    /// Records the client's failures, one issue for each, and attaches the page and the journal.
    ///
    /// The trait calls this method at the end of each test. Tests that start a server themselves can also call this
    /// method.
    public func recordIssues(at location: SourceLocation = #_sourceLocation) async {
        let verdict = await verdict()
        for failure in verdict.failures { Issue.record("\(failure)", sourceLocation: location) }
        if !verdict.failures.isEmpty {
            Attachment.record(Array(verdict.page.utf8), named: .attachment("page.html"), sourceLocation: location)
            Attachment.record(Array(verdict.journal.utf8), named: .attachment("journal.json"), sourceLocation: location)
        }
        #if compiler(>=6.3)
            for note in verdict.notes { Issue.record("\(note)", severity: .warning, sourceLocation: location) }
            let open = journal.filter(\.isOpen)
            if !open.isEmpty {
                let subject = open.count == 1 ? "a request was" : "\(open.count) requests were"
                let list = open.map(\.description).joined(separator: "; ")
                Issue.record(
                    "the test ended while \(subject) in progress: \(list); wait for the response or cancel the task",
                    severity: .warning,
                    sourceLocation: location
                )
            }
        #endif
    }
}

extension BacklotServer {
    /// Starts a server, runs a closure, judges the client and stops the server.
    ///
    /// This method works with any test library.
    ///
    /// - Parameters:
    ///   - story: The story to serve. See ``init(story:contracts:transport:seed:refusalHold:filePath:)``.
    ///   - body: A closure with the client's actions.
    /// - Throws: An error thrown by the closure, or otherwise ``VerdictFailure`` if the client failed.
    public static func judging<Result: Sendable>(
        _ story: Story,
        contracts: Contracts? = nil,
        transport: Transport = .socket,
        refusalHold: Duration? = nil,
        filePath: String = #filePath,
        _ body: (BacklotServer) async throws -> Result
    ) async throws -> Result {
        let server = try await BacklotServer(
            story: story,
            contracts: contracts,
            transport: transport,
            refusalHold: refusalHold,
            filePath: filePath
        )
        do {
            let result = try await body(server)
            let verdict = await server.verdict()
            if !verdict.failures.isEmpty { throw VerdictFailure(verdict: verdict) }
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}
