import ClientTesting

extension ClientAdapter {
    /// Sweeps the client by the contract of this package that the adapter names.
    ///
    /// Use it as `let result = try await MyAdapter().variants()` and `#expect(result.findings == [], "\(result)")`; while
    /// fixing a client, `VariantCheckOptions(operations: ["get*"], checks: ["variants/changed-*"])` takes less of it.
    func variants(_ options: VariantCheckOptions = VariantCheckOptions()) async throws -> VariantCheckResult {
        let shared = try SharedContract.read(for: self)
        let usual = VariantCheckOptions()
        let isUsual = options.seed == usual.seed && options.limits == usual.limits
        return await VariantCheck(self, contract: shared.contract, options, variants: isUsual ? shared.variants : nil)
            .run()
    }
}
