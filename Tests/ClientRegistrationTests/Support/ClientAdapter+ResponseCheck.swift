import ClientTesting

extension ClientAdapter {
    /// Runs the client's matrix on the contract of this package that the adapter names.
    ///
    /// Use it as `let result = try await MyAdapter().responses()` and `#expect(result.findings == [], "\(result)")`; while
    /// fixing a client, `ResponseCheckOptions(operations: ["get*"], checks: ["responses/request"])` takes less of it.
    func responses(_ options: ResponseCheckOptions = ResponseCheckOptions()) async throws -> ResponseCheckResult {
        try await ResponseCheck(self, contract: SharedContract.read(for: self).contract, options).run()
    }
}
