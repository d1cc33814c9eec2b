import Basics
@_exported public import ClientTesting
public import Foundation
import Reports
import StoryRunning
import Testing

/// An API client, adapted once for all tests.
///
/// The contract documents the API. The stories describe the server's behavior over time.
public struct ClientUnderTest<Client: Sendable>: Sendable {
    /// The client's name.
    public let name: String
    var paths: ProjectPaths
    var tokens: [String: String]
    var makeClient: @Sendable (TestSetting) async throws -> Client
    var session: @Sendable (Client) async -> ObservedSession
    var calls: [Call<Client>]
    var flows: [Flow<Client>]
    var omissions: [String: String] = [:]
    var encoder: @Sendable () -> JSONEncoder = { JSONEncoder() }
    // OAuth 2 refuses an invalid refresh token with 400 (RFC 6749, section 5.2).
    var refusals = SessionRefusals(endingRefresh: [400, 401, 403, 418, 419, 440])
    var nameOfError: @Sendable (any Error) -> String = { $0.shortName }
    var decodingError: @Sendable (any Error) -> DecodingError? = { $0 as? DecodingError }
    var isOnURLSession = false

    /// Adapts a client for tests.
    ///
    /// Relative paths are resolved against the folder of the calling file and all its parent folders, so the tests do
    /// not depend on the working directory.
    ///
    /// - Parameters:
    ///   - name: The client's name in reports.
    ///   - contract: The path of an OpenAPI file, relative to the package's folder, or `nil` for a client that has only
    ///     stories.
    ///   - stories: The path of a folder with scenarios, relative to the package's folder, or `nil` for a client
    ///     without stories.
    ///   - tokens: The tokens that a signed-in client has stored before its calls, by kind. Use the kinds of the
    ///     scenario, such as `["session": "stored"]`, or an empty dictionary for an API without sign-in.
    ///   - file: The calling file.
    ///   - makeClient: A closure that creates a client with the stored tokens, like a new launch of the app.
    ///   - session: A closure that returns the state of the client's session.
    ///   - calls: The client's calls, one for each operation of the contract.
    ///   - flows: The user's actions in each story.
    public init(
        _ name: String,
        contract: String? = nil,
        stories: String? = nil,
        tokens: [String: String] = ["access": "stored-access", "refresh": "stored-refresh"],
        from file: String = #filePath,
        client makeClient: @escaping @Sendable (TestSetting) async throws -> Client,
        session: @escaping @Sendable (Client) async -> ObservedSession,
        @ListBuilder<Call<Client>> calls: () -> [Call<Client>] = { [] },
        @ListBuilder<Flow<Client>> flows: () -> [Flow<Client>] = { [] }
    ) {
        self.name = name
        self.paths = ProjectPaths(contract: contract, stories: stories, file: file)
        self.tokens = tokens
        self.makeClient = makeClient
        self.session = session
        self.calls = calls()
        self.flows = flows()
    }
}

extension ClientUnderTest {
    /// Tests every call with each response that the contract documents, and with failing connections.
    ///
    /// Each client request is checked against the contract. The client must return a value for a documented success and
    /// throw an error for an error response. The client must keep the session unless the response ends the session.
    ///
    /// - Parameters:
    ///   - operations: The `operationId` of each call to test, where `*` matches any characters. If the list is empty,
    ///     all calls are tested.
    ///   - exceptions: The `operationId` of each call to skip, where `*` matches any characters.
    /// - Throws: ``TestProblem`` if the contract cannot be found or used, or does not contain a selected operation.
    public func testDocumentedResponses(
        of operations: String...,
        except exceptions: [String] = []
    ) async throws -> CheckReport {
        let adapted = try AdaptedClient(self)
        var options = ResponseCheckOptions(operations: operations)
        options.exceptions = exceptions
        if isOnURLSession { options.network = .urlSession }
        let matrix = ResponseCheck(adapted, contract: try adapted.loadContract(with: operations + exceptions), options)
        var report = try await matrix.run().report
        report.title = "documented responses of \(name)"
        return CheckReport(report: report, locations: locations)
    }
}

extension ClientUnderTest {
    /// Tests every call with all kinds of responses that the schema allows, and with some responses that the schema
    /// forbids.
    ///
    /// The responses contain absent and null properties, empty and long lists, numbers at their limits and strings in
    /// many scripts. For every response that the contract allows, the client must return a value that is equal to the
    /// response when encoded. The client must reject a response without a required property.
    ///
    /// - Parameters:
    ///   - operations: The `operationId` of each call to test, where `*` matches any characters. If the list is empty,
    ///     all calls are tested.
    ///   - exceptions: The `operationId` of each call to skip, where `*` matches any characters.
    ///   - seed: The seed for random choices. The same seed produces the same responses.
    /// - Throws: ``TestProblem`` if the contract cannot be found or used, or does not contain a selected operation.
    public func testResponseVariants(
        of operations: String...,
        except exceptions: [String] = [],
        seed: UInt64 = 1
    ) async throws -> CheckReport {
        guard !isOnURLSession else {
            throw TestProblem("response variants cannot be tested over URLSession, because the test would take minutes")
        }
        let adapted = try AdaptedClient(self)
        var options = VariantCheckOptions(operations: operations, seed: seed)
        options.exceptions = exceptions
        let check = VariantCheck(adapted, contract: try adapted.loadContract(with: operations + exceptions), options)
        var report = await check.run().report
        report.title = "response variants of \(name)"
        return CheckReport(report: report, locations: locations)
    }
}

extension ClientUnderTest {
    /// Tests the calls with responses that are new since an earlier revision of the contract, to check whether the
    /// change breaks this client.
    ///
    /// A response is new if the contract allows it but the earlier revision does not. The client must decode the
    /// response, or throw an error if the status is unknown, but it can ignore new properties. Failures that also occur
    /// with the earlier revision are not reported. Requests are checked against both revisions, and a request that has
    /// become invalid is reported as a failure. A change that can break a client but is not covered by a call is
    /// reported as a warning.
    ///
    /// - Parameters:
    ///   - operations: The `operationId` of each call to test, where `*` matches any characters. If the list is empty,
    ///     all calls are tested.
    ///   - exceptions: The `operationId` of each call to skip, where `*` matches any characters.
    ///   - revision: The path of a file, which is resolved in the same way as the contract's path, or a Git revision of
    ///     the contract.
    ///   - seed: The seed for random choices. The same seed produces the same responses.
    /// - Throws: ``TestProblem`` if one of the contracts cannot be found or used, or does not contain a selected
    ///   operation.
    public func testResponseVariants(
        of operations: String...,
        except exceptions: [String] = [],
        since revision: String,
        seed: UInt64 = 1
    ) async throws -> CheckReport {
        guard !isOnURLSession else {
            throw TestProblem("response variants cannot be tested over URLSession, because the test would take minutes")
        }
        let adapted = try AdaptedClient(self)
        var options = VariantCheckOptions(operations: operations, seed: seed)
        options.exceptions = exceptions
        let contract = try adapted.loadContract(with: operations + exceptions)
        let earlier = try adapted.loadContract(since: revision, before: contract, seed: seed)
        let check = VariantCheck(adapted, contract: contract, options, since: earlier)
        var report = await check.run().report(on: earlier, contract: contract)
        report.title = "changes since \(revision), with \(name)"
        return CheckReport(report: report, locations: locations)
    }
}

extension ClientUnderTest {
    /// Runs the stories and checks the client's behavior.
    ///
    /// - Parameters:
    ///   - ids: The IDs of the stories to run, such as `PET-01`, or `PET-01/offline` for a variant. If the list is
    ///     empty, all stories are run.
    ///   - schedules: The number of times that each story is run, unless a run fails earlier. The first run executes the
    ///     client's jobs in the order in which they become ready. Later runs use seed-dependent orders, which are random
    ///     or contain few preemptions.
    ///   - processes: The number of copies of the client that are started at the same time and share a session and a
    ///     ``TestSetting/vault``. If `nil`, the story's own processes are started, or one client if the story defines
    ///     no processes.
    ///   - seed: The seed for random choices, or `nil` to use each story's own seed.
    /// - Throws: ``TestProblem`` if the stories cannot be found or used, or if a story has two flows.
    public func testStories(
        _ ids: String...,
        schedules: Int = 1,
        processes: Int? = nil,
        seed: UInt64? = nil
    ) async throws -> CheckReport {
        let adapted = try AdaptedClient(self)
        guard adapted.stories != nil else {
            throw TestProblem(
                "\(name) has no stories; set the path of the story folder, such as stories: \"Scenarios\""
            )
        }
        if let twice = repeatedFlow {
            let place = "\(twice.location.fileName):\(twice.location.line)"
            throw TestProblem(
                "\(place): \(name) has more than one flow for the story \"\(twice.story)\"; keep only one"
            )
        }
        var run = FlowRun()
        run.only = ids
        run.schedules = max(1, schedules)
        run.processes = processes.map { (1..<max(1, $0) + 1).map { "process-\($0)" } } ?? []
        run.seed = seed
        let outcome = await run.play(adapted)
        if let problem = outcome.summary.problem { throw TestProblem(problem) }
        guard outcome.problems.isEmpty else {
            throw TestProblem(outcome.problems.map(\.description).joined(separator: "\n"))
        }
        var report = outcome.summary.report
        report.findings += outcome.strayFlows
        report.title = "stories of \(name)"
        return CheckReport(report: report, locations: locations)
    }

    /// Runs the flows repeatedly, with one injected failure at a time, and reports each rule that the client violates.
    ///
    /// If no failure can be injected into a story, for example because no access token was accepted, the report
    /// contains a failure with the ID `explore/nothing-tried`. If `ids` is empty and at least one other story was
    /// explored, the report contains a note instead of the failure.
    ///
    /// The runs inject tokens that expire before a request, sessions that end, refreshes and responses that fail or are
    /// lost, different token lifetimes, and different orders of the client's jobs. The stories' expectations and errors
    /// thrown by flows are not checked.
    ///
    /// - Parameters:
    ///   - ids: The IDs of the stories to explore, such as `PET-01`. If the list is empty, all stories with a flow are
    ///     explored.
    ///   - runs: The number of runs for each story. If `nil`, each story is run six times for each request, but at
    ///     least 40 times.
    ///   - seed: The seed for random choices, or `nil` to use each story's own seed.
    ///   - folder: An existing folder of the project in which to save a story for each violation, or `nil` to save no
    ///     stories.
    /// - Throws: ``TestProblem`` if the stories cannot be found or used, if no story has a flow, if a flow does not
    ///   send a request, or if a file cannot be written.
    public func explore(
        _ ids: String...,
        runs: Int? = nil,
        seed: UInt64? = nil,
        writingTo folder: String? = nil
    ) async throws -> CheckReport {
        let adapted = try AdaptedClient(self)
        var exploration = FlowExploration()
        exploration.only = ids
        exploration.mostRuns = runs
        exploration.seed = seed
        exploration.folder = folder
        var report = Report(title: "")
        do throws(ExploreProblem) {
            let results = try await exploration.explore(adapted)
            let isAnyTried = results.contains { $0.obstacle == nil }
            for result in results {
                if folder != nil, let problem = result.writeStories() { throw ExploreProblem(problem) }
                var part = result.report
                if ids.isEmpty, isAnyTried {
                    for index in part.findings.indices { part.findings[index].severity = .note }
                }
                report.add(part)
            }
        } catch {
            throw TestProblem(error.text)
        }
        report.title = "exploration of \(name)"
        return CheckReport(report: report, locations: locations)
    }

    /// The place of each call and each flow in the source, by the name that reports have for the call, or by the story's id.
    private var locations: [String: SourceLocation] {
        let names = (try? AdaptedClient(self))?.operationNames ?? calls.map(\.operationID)
        let all = zip(names, calls).map { ($0, $1.location) } + flows.map { ($0.story, $0.location) }
        return Dictionary(all) { first, _ in first }
    }

    private var repeatedFlow: Flow<Client>? {
        var stories: Set<[String?]> = []
        return flows.first { !stories.insert([$0.story, $0.process]).inserted }
    }
}

extension ClientUnderTest {
    /// Declares that the client does not use an operation of the contract, or that the client has no flow for a story.
    ///
    /// Operations without a call or a reason are listed in a note.
    public func omitting(_ id: String, because reason: String) -> Self {
        var copy = self
        copy.omissions[id] = reason
        return copy
    }

    /// Sets the encoder for the values that calls return, for example to use the API's date format.
    public func encoding(with encoder: @escaping @Sendable () -> JSONEncoder) -> Self {
        var copy = self
        copy.encoder = encoder
        return copy
    }

    /// Sets the error names in reports; the names should be short and identical for the same cause, such as
    /// `server(503)`.
    public func naming(_ name: @escaping @Sendable (any Error) -> String) -> Self {
        var copy = self
        copy.nameOfError = name
        return copy
    }

    /// Sets a closure that extracts the decoding error from the client's error, so reports can show where decoding
    /// failed.
    ///
    /// An error that is a `DecodingError` itself needs no closure.
    public func findingDecodingError(_ find: @escaping @Sendable (any Error) -> DecodingError?) -> Self {
        var copy = self
        copy.decodingError = find
        return copy
    }

    /// Sets the statuses that indicate a change in the session instead of a problem with the request.
    ///
    /// - Parameters:
    ///   - expired: The statuses of a response to an expired access token, with the most specific status first.
    ///   - ending: The statuses that end the session if they are returned for a request with a token.
    ///   - endingRefresh: The statuses that end the session if they are returned for a refresh. OAuth 2 uses 400 (RFC
    ///     6749, section 5.2).
    public func sessionStatuses(
        expired: [Int] = [401],
        ending: Set<Int> = [401],
        endingRefresh: Set<Int> = [400, 401, 403, 418, 419, 440]
    ) -> Self {
        var copy = self
        copy.refusals = SessionRefusals(expired: expired, ending: ending, endingRefresh: endingRefresh)
        return copy
    }

    /// Declares that the client sends its requests over `URLSession` instead of ``TestSetting/send(_:)``.
    ///
    /// The client then waits for timeouts in real time, so the client is not tested with missing responses. The
    /// platform's behavior is not reported as a failure.
    public func overURLSession() -> Self {
        var copy = self
        copy.isOnURLSession = true
        return copy
    }
}

extension Error {
    /// The default name of an error in a table: the error itself if it is short, or else its case or type.
    var shortName: String {
        if let error = self as? URLError { return "URLError(\(error.code.rawValue))\(error.otherHostWords)" }
        if self is DecodingError { return "DecodingError" }
        let line = "\(self)".prefix { !$0.isNewline }
        guard line.count > 60 else { return String(line) }
        let mirror = Mirror(reflecting: self)
        return mirror.displayStyle == .enum ? mirror.children.first?.label ?? "\(type(of: self))" : "\(type(of: self))"
    }
}

/// The paths of a client's contract and stories, searched for from the file that adapts the client.
struct ProjectPaths: Sendable {
    let contract: String?
    let stories: String?
    /// The file that adapts the client.
    let file: String

    func findContract(_ files: any FileReading = DiskFiles()) throws(TestProblem) -> String? {
        guard let contract else { return nil }
        return try find(contract, "contract", isFolder: false, files)
    }

    func findStories(_ files: any FileReading = DiskFiles()) throws(TestProblem) -> String? {
        guard let stories else { return nil }
        return try find(stories, "folder of stories", isFolder: true, files)
    }

    /// A file that a text names, searched for like the contract; `nil` if missing.
    func findFile(_ path: String, _ files: any FileReading = DiskFiles()) -> String? {
        candidates(path).first { files.resolve($0) != nil && !files.isFolder($0) }.map { files.shown($0) }
    }

    private func candidates(_ path: String) -> [String] {
        guard !FilePath.isAbsolute(path) else { return [path] }
        return FilePath.folders(from: FilePath.folder(of: file)).map { FilePath.join($0, path) }
    }

    private func find(
        _ path: String,
        _ what: String,
        isFolder: Bool,
        _ files: any FileReading
    ) throws(TestProblem) -> String {
        let candidates = candidates(path)
        guard let found = candidates.first(where: { files.resolve($0) != nil }) else {
            let places = candidates.map { "\n  \($0)" }.joined()
            throw TestProblem("the \(what) \"\(path)\" does not exist; searched for\(places)")
        }
        guard files.isFolder(found) == isFolder else {
            throw TestProblem("the \(what) \(found) is \(isFolder ? "a file, not a folder" : "a folder, not a file")")
        }
        return files.shown(found)
    }
}

/// An error thrown when a test cannot run.
public struct TestProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem and the expected state.
    public let description: String

    init(_ sentence: String) {
        description = sentence
    }
}
