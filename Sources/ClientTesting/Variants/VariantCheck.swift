package import Checking
package import JSONSchema
package import OpenAPI

/// Serves a client every variant of every documented response, and checks what it makes of them against the contract.
///
/// What the contract allows must come back as a value that is the same when it is encoded again; what it forbids must be
/// refused. All is served within the process, without sockets and without waiting.
package struct VariantCheck: Sendable {
    private let adapter: any ClientAdapter
    private let contract: Contract
    private let options: VariantCheckOptions
    private let variants: SchemaVariantCache?
    private let earlier: EarlierContract?

    /// - Parameters:
    ///   - variants: those of the same contract, seed and limits, for tests that share them.
    ///   - earlier: what the client was written for; then only what is new since is served.
    package init(
        _ adapter: any ClientAdapter,
        contract: Contract,
        _ options: VariantCheckOptions = VariantCheckOptions(),
        variants: SchemaVariantCache? = nil,
        since earlier: EarlierContract? = nil
    ) {
        self.adapter = adapter
        self.contract = contract
        self.options = options
        self.variants = variants
        self.earlier = earlier
    }

    /// Serves all variants.
    ///
    /// - Parameter progress: called with each operation before its responses are served.
    package func run(progress: @escaping @Sendable (_ operation: String) -> Void = { _ in }) async -> VariantCheckResult
    {
        await result(of: adapter, progress: progress)
    }

    private func result(
        of adapter: some ClientAdapter,
        progress: @escaping @Sendable (String) -> Void
    ) async -> VariantCheckResult {
        await VariantCheckRun(adapter, contract, options, variants, earlier).result(progress: progress)
    }
}

/// The options of a test of response variants.
package struct VariantCheckOptions: Sendable {
    /// Patterns for operations' ids; empty for all.
    package var operations: [String]
    /// Patterns for the ids of operations that are left out.
    package var exceptions: [String] = []
    /// Patterns for findings' ids, such as `variants/changed-*`; empty for all.
    package var checks: [String]
    /// Decides which random values are made and which values come together; the same seed makes the same variants.
    package var seed: UInt64
    package var limits: VariantLimits
    /// The most variants of a refusal's body that each operation gets; all of them are tried among all operations.
    package var refusalVariants: Int
    /// The number of clients that are called side by side.
    package var parallelRuns: Int
    /// A call that sends more requests than this never ends.
    package var requestLimit: Int

    package init(
        operations: [String] = [],
        checks: [String] = [],
        seed: UInt64 = 1,
        limits: VariantLimits = VariantLimits(),
        refusalVariants: Int = 12,
        parallelRuns: Int = 3,
        requestLimit: Int = 24
    ) {
        self.operations = operations
        self.checks = checks
        self.seed = seed
        self.limits = limits
        self.refusalVariants = refusalVariants
        self.parallelRuns = parallelRuns
        self.requestLimit = requestLimit
    }
}
