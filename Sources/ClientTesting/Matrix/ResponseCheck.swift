package import OpenAPI

/// Calls every operation of a client with every documented answer, and with connections that fail.
///
/// Each call is made by a fresh client with stored tokens, in a world of its own; nothing of it takes real time but what
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
    /// - Parameter progress: told of each call before it is made, so that whoever watches knows what crashed.
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
