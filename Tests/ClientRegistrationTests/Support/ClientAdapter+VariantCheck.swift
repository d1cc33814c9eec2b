import Basics
import ClientTesting
import TestSupport
import Testing

extension ClientAdapter {
    /// Sweeps the client by the contract of this package that the adapter names.
    ///
    /// Use it as `let result = try await MyAdapter().variants()` and `#expect(result.findings == [], "\(result)")`; while
    /// mending a client, `VariantCheckOptions(operations: ["get*"], checks: ["variants/changed-*"])` takes less of it.
    func variants(_ options: VariantCheckOptions = VariantCheckOptions()) async throws -> VariantCheckResult {
        let files = DiskFiles()
        let project = try #require(ProjectRoot(Project.folder, files: files))
        return await VariantCheck(self, contract: try readContract(in: project, files: files), options).run()
    }
}
