package import Checking
package import OpenAPI

/// Serves a client every variant of every documented answer, and holds what it makes of them against the contract.
///
/// What the contract allows must come back as a value that is the same when it is encoded again; what it forbids must be
/// refused. All is served within the process, without sockets and without waiting.
package struct VariantCheck: Sendable {
    private let adapter: any ClientAdapter
    private let contract: Contract
    private let options: VariantCheckOptions
    private let variants: SchemaVariantCache?

    /// - Parameter variants: those of the same contract, seed and limits, for sweeps that share them.
    package init(
        _ adapter: any ClientAdapter,
        contract: Contract,
        _ options: VariantCheckOptions = VariantCheckOptions(),
        variants: SchemaVariantCache? = nil
    ) {
        self.adapter = adapter
        self.contract = contract
        self.options = options
        self.variants = variants
    }

    /// Serves all variants.
    ///
    /// - Parameter progress: told of each operation before its answers are served.
    package func run(progress: @escaping @Sendable (_ operation: String) -> Void = { _ in }) async -> VariantCheckResult
    {
        await result(of: adapter, progress: progress)
    }

    private func result(
        of adapter: some ClientAdapter,
        progress: @escaping @Sendable (String) -> Void
    ) async -> VariantCheckResult {
        await VariantCheckRun(adapter, contract, options, variants).result(progress: progress)
    }
}
