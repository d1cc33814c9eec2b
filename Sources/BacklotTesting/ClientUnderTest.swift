import Basics
import ClientTesting
public import Foundation
import Reports
import StoryRunning
import Testing

/// A client of an API, adapted once for all tests.
///
/// Its contract documents the API; its stories describe a server's behavior over time.
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

    /// Adapts a client.
    ///
    /// Paths are searched in the folder of the adapting file and in all folders above it, so the tests run from
    /// anywhere.
    ///
    /// - Parameters:
    ///   - name: the client's name in reports.
    ///   - contract: the path of an OpenAPI file, from the package's folder; `nil` for a client with stories only.
    ///   - stories: the path of a folder with scenarios, from the package's folder; `nil` for none.
    ///   - tokens: the tokens that a signed-in client has stored before its calls, by kind; use the kinds of
    ///     the scenario, such as `["session": "stored"]`. Empty for an API without sign-in.
    ///   - file: the file that adapts.
    ///   - makeClient: creates a client like a fresh launch of the app, with the stored tokens.
    ///   - session: reads the client's session.
    ///   - calls: the client's calls, one for each operation of the contract.
    ///   - flows: the actions of the client's user in each story.
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
    /// Makes every call with every response that the contract documents for it, and with connections that fail.
    ///
    /// Each request that the client sends is checked against the contract; so is what it makes of the response: a
    /// documented success must be a value, a refusal an error, and only the end of the session may end the
    /// session.
    ///
    /// - Parameters:
    ///   - operations: the selected calls, by `operationId`, where `*` matches anything; all when there is
    ///     none.
    ///   - exceptions: the calls to skip, in the same way.
    /// - Throws: ``TestProblem`` when the contract cannot be found or used, or has no such operation.
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
    /// Makes every call with every form of response that its schema allows, and with some that it forbids.
    ///
    /// Absent and null members, empty and long lists, numbers at their bounds, texts of every script: every value that the
    /// contract allows must come back as a value that is the same when it is encoded again. A response without a required
    /// member must be refused.
    ///
    /// - Parameters:
    ///   - operations: the selected calls, by `operationId`, where `*` matches anything; all when there is
    ///     none.
    ///   - exceptions: the calls to skip, in the same way.
    ///   - seed: the seed of random choices; the same seed makes the same responses.
    /// - Throws: ``TestProblem`` when the contract cannot be found or used, or has no such operation.
    public func testResponseVariants(
        of operations: String...,
        except exceptions: [String] = [],
        seed: UInt64 = 1
    ) async throws -> CheckReport {
        guard !isOnURLSession else {
            throw TestProblem("response variants are not tested over the platform's networking, which takes minutes")
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
    /// Makes the calls with responses that are new since an earlier revision of the contract, and checks whether the
    /// change breaks this client.
    ///
    /// A response is new if the contract allows it and the earlier revision does not. The client must decode it, or refuse
    /// an unknown status; it need not keep a new member. Failures that also occur with the earlier revision are not
    /// reported. Requests are judged by both revisions: one that has become invalid is a failure. A change that can
    /// break a client and that no call covers is a warning.
    ///
    /// - Parameters:
    ///   - operations: the selected calls, by `operationId`, where `*` matches anything; all when there is
    ///     none.
    ///   - exceptions: the calls to skip, in the same way.
    ///   - revision: a file, searched for as the contract is, or a git revision of the contract.
    ///   - seed: the seed of random choices; the same seed makes the same responses.
    /// - Throws: ``TestProblem`` when one of the contracts cannot be found or used, or has no such operation.
    public func testResponseVariants(
        of operations: String...,
        except exceptions: [String] = [],
        since revision: String,
        seed: UInt64 = 1
    ) async throws -> CheckReport {
        guard !isOnURLSession else {
            throw TestProblem("response variants are not tested over the platform's networking, which takes minutes")
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
    /// Runs the client with its stories and judges it.
    ///
    /// - Parameters:
    ///   - ids: the selected stories, such as `PET-01`, or `PET-01/offline` for a variant; all when there is
    ///     none.
    ///   - schedules: how many times each story is run: first with the client's jobs in the order in which they become
    ///     ready, then in orders that a seed decides, random ones and ones with few preemptions.
    ///   - processes: how many copies of the client are started at once, which share a session and a
    ///     ``TestSetting/vault``; the processes of a story of its own, or one client, when `nil`.
    ///   - seed: the seed of random choices; each story's own when `nil`.
    /// - Throws: ``TestProblem`` when the stories cannot be found or used, and when one of them has two flows.
    public func testStories(
        _ ids: String...,
        schedules: Int = 1,
        processes: Int? = nil,
        seed: UInt64? = nil
    ) async throws -> CheckReport {
        let adapted = try AdaptedClient(self)
        guard adapted.stories != nil else { throw TestProblem("\(name) has no folder of stories") }
        if let twice = storyWithTwoFlows {
            throw TestProblem("\(name) has more than one flow for the story \"\(twice)\"; leave one of them")
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
        report.title = "stories of \(name)"
        return CheckReport(report: report, locations: locations)
    }

    /// Runs the flows repeatedly, with one failure at a time, and reports each rule that the client
    /// violates then.
    ///
    /// If nothing could be tried, for example in a story without an accepted access token, that is a failure with the
    /// ID `explore/nothing-tried`; without explicit `ids`, it is only a note as long as another story was explored.
    ///
    /// The token expires before each request, the session ends, refreshes and responses fail or are lost, tokens have other
    /// lifetimes, and the client's jobs run in other orders. Expectations of stories and errors of
    /// flows are not judged.
    ///
    /// - Parameters:
    ///   - ids: the stories whose flows are explored, such as `PET-01`; all that have one if empty.
    ///   - runs: the number of runs for each story; six for each of its requests, and at least 40, when `nil`.
    ///   - seed: the seed of random choices; each story's own when `nil`.
    ///   - folder: a folder of the project, which must be there, for a story of each violation; none is written when
    ///     `nil`.
    /// - Throws: ``TestProblem`` when the stories cannot be found or used, when none of them has a flow, when a flow sends
    ///   nothing, and when a file cannot be written.
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

    private var storyWithTwoFlows: String? {
        var stories: Set<[String?]> = []
        return flows.first { !stories.insert([$0.story, $0.process]).inserted }?.story
    }
}

extension ClientUnderTest {
    /// Declares that the client does not use an operation of the contract.
    ///
    /// Operations that have neither a call nor a reason are listed in a note.
    public func omitting(_ operationID: String, because reason: String) -> Self {
        var copy = self
        copy.omissions[operationID] = reason
        return copy
    }

    /// Sets the encoder for results of calls, such as one with the API's date format.
    public func encoding(with encoder: @escaping @Sendable () -> JSONEncoder) -> Self {
        var copy = self
        copy.encoder = encoder
        return copy
    }

    /// Sets the names of errors in reports: short, and equal for the same cause, such as `server(503)`.
    public func naming(_ name: @escaping @Sendable (any Error) -> String) -> Self {
        var copy = self
        copy.nameOfError = name
        return copy
    }

    /// Extracts the decoder's error from the client's, so that reports can name the place in a response where decoding
    /// failed.
    public func findingDecodingError(_ find: @escaping @Sendable (any Error) -> DecodingError?) -> Self {
        var copy = self
        copy.decodingError = find
        return copy
    }

    /// Sets the statuses that concern the session instead of the request.
    ///
    /// - Parameters:
    ///   - expired: the access token has expired, and a new one would help; the clearest one first.
    ///   - ending: the session has ended, in the response to a request with a token.
    ///   - endingRefresh: the session has ended, in the response to a refresh; OAuth 2 uses 400
    ///     (RFC 6749, section 5.2).
    public func sessionStatuses(
        expired: [Int] = [401],
        ending: Set<Int> = [401],
        endingRefresh: Set<Int> = [400, 401, 403]
    ) -> Self {
        var copy = self
        copy.refusals = SessionRefusals(expired: expired, ending: ending, endingRefresh: endingRefresh)
        return copy
    }

    /// Declares that the client sends its requests over `URLSession` instead of ``TestSetting/send(_:)``.
    ///
    /// Such a client waits for its time-outs in real time. So it is not put into the situations in which a response
    /// never comes, and what the platform does by itself is not counted against it.
    public func overURLSession() -> Self {
        var copy = self
        copy.isOnURLSession = true
        return copy
    }
}

extension Error {
    /// The default name of an error in a table.
    var shortName: String {
        if let error = self as? URLError { return "URLError(\(error.code.rawValue))" }
        if self is DecodingError { return "DecodingError" }
        let line = "\(self)".prefix { !$0.isNewline }
        return line.count > 60 ? "\(type(of: self))" : String(line)
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
            throw TestProblem("there is no \(what) \"\(path)\"; looked for\(places)")
        }
        guard files.isFolder(found) == isFolder else {
            throw TestProblem("the \(what) \(found) is \(isFolder ? "a file, not a folder" : "a folder, not a file")")
        }
        return files.shown(found)
    }
}

/// An error for a test that could not run.
public struct TestProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The finding and what was expected.
    public let description: String

    init(_ sentence: String) {
        description = sentence
    }
}
