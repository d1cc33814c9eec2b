package import Basics
import Checking
package import OpenAPI

/// Calls every operation of a client with every documented response, and with connections that fail.
///
/// Each call is made by a fresh client with stored tokens, in a separate world; none of it takes real time except what
/// the client computes.
package struct ResponseCheck: Sendable {
    private let adapter: any ClientAdapter
    private let contract: Contract
    private let options: ResponseCheckOptions

    package init(
        _ adapter: any ClientAdapter,
        contract: Contract,
        _ options: ResponseCheckOptions = ResponseCheckOptions()
    ) {
        self.adapter = adapter
        self.contract = contract
        self.options = options
    }

    /// Makes all calls.
    ///
    /// - Parameter progress: called with each call before it is made, so that a crash can be attributed to it.
    package func run(
        progress: @escaping @Sendable (_ operation: String, _ answer: String) -> Void = { _, _ in }
    ) async throws -> ResponseCheckResult {
        try await run(adapter, progress)
    }

    private func run(
        _ adapter: some ClientAdapter,
        _ progress: @escaping @Sendable (String, String) -> Void
    ) async throws -> ResponseCheckResult {
        try await ResponseCheckRun(adapter, contract, options).result(progress: progress)
    }
}

/// The options of a response check.
package struct ResponseCheckOptions: Sendable {
    /// The network of the client's requests.
    package enum Network: String, Sendable, Hashable, CaseIterable {
        /// Over the raw client of this package.
        case raw
        /// Over the platform's own networking.
        case urlSession = "urlsession"
    }

    /// Patterns for operations' ids; empty for all.
    package var operations: [String]
    /// Patterns for the ids of operations that are left out.
    package var exceptions: [String] = []
    /// Patterns for findings' ids, such as `responses/session-*`; empty for all.
    package var checks: [String]
    package var network: Network
    /// The number of clients that are called side by side.
    package var parallelRuns: Int
    /// A call of which nothing is under way for this real time hangs.
    package var quietTime: Duration
    /// A call that sends more requests than this never ends.
    package var requestLimit: Int

    package init(
        operations: [String] = [],
        checks: [String] = [],
        network: Network = .raw,
        parallelRuns: Int = 4,
        quietTime: Duration = .seconds(1),
        requestLimit: Int = 24
    ) {
        self.operations = operations
        self.checks = checks
        self.network = network
        self.parallelRuns = parallelRuns
        self.quietTime = quietTime
        self.requestLimit = requestLimit
    }
}

extension [String] {
    /// Returns whether a name fits one of the patterns, or there are none, and fits none of the exceptions.
    func fit(_ name: String, except exceptions: [String]) -> Bool {
        fit(name) && !exceptions.contains { NamePattern($0).fits(name) }
    }

    /// Returns whether a name fits one of the patterns; no patterns fit everything.
    func fit(_ name: String) -> Bool {
        isEmpty || contains { NamePattern($0).fits(name) }
    }
}

/// The planned response of one cell of a response check.
struct ResponseCheckResponse: Sendable {
    enum Kind: Sendable, Hashable {
        case success(Int)
        case refusal(Int)
        /// 304 to a second call, if the client makes its request conditional by the response to the first one (RFC 9110,
        /// section 15.4.5).
        case notModified
        /// None of these: a redirection, for one.
        case other(Int)
        case fault(ConnectionFault)
        /// Refused because the token has expired, and served once there are new ones; the refresh token may stay the same.
        case expiredOnce(Int, keepingRefreshToken: Bool = false)
        /// Refused because the token has expired, and there are no new ones for this reason.
        case refreshTrouble(String)
    }

    /// Such as `401`, `200 newcomer`, `reset` or `419 once`.
    var label: String
    var kind: Kind
    var script: ResponsePlan
    /// The documented response; `nil` for one that the contract does not document.
    var response: DocumentedResponse?
    /// The reason why it is not tried.
    var skipped: String?

    var isOffline: Bool { kind == .fault(.refused) }
}

extension ResponseCheckResponse {
    /// The response in the words of a finding.
    var words: String {
        switch kind {
        case .success, .refusal, .other: "answered with \(label)"
        case .notModified: "answered with 304 when it asks again"
        case .fault(.refused): "with no server listening"
        case .fault(.reset): "with the connection reset"
        case .fault(.empty): "with the connection closed before a response"
        case .fault(.cut): "with the connection closed during the body"
        case .fault(.malformed): "answered with bytes that are not HTTP"
        case .fault(.never): "without a response"
        case .expiredOnce(let status, let keeps):
            "answered once with \(status) and then successfully after a refresh"
                + (keeps ? " without a new refresh token" : "")
        case .refreshTrouble(let trouble): "with an expired token and the refresh \(trouble)"
        }
    }
}

/// One call of a response check: an operation, what the client was served, and what it made of that.
package struct ResponseCheckCell: Sendable {
    /// The operation's id.
    package var operation: String
    /// The operation's method and path.
    package var label: String
    /// Such as `401`, `200 newcomer`, `reset` or `419 once`.
    package var answer: String
    /// The name of the check, such as `getPets 401`.
    package var name: String { "\(operation) \(answer)" }
    /// `value`, the name of what was thrown, `hang` or `loop`; `nil` when the call was not made.
    package var outcome: String?
    /// The reason why the call was not made.
    package var skipped: String?
    package var findings: [Finding] = []
    /// Findings that are reported for an earlier call, and which this call shows as well.
    package var repeated: [Finding] = []
    /// The platform's own actions, which do not count as the client's.
    package var excuses: [PlatformFact] = []
    /// The client's requests.
    package var requests: [RecordedRequest] = []
    /// In real time.
    package var duration: Duration = .zero
    /// Where the contract documents the response, or the operation.
    package var place: Place
}
