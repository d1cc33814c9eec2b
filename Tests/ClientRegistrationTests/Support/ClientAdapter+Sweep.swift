import Basics
import ClientTesting
import TestSupport
import Testing

extension ClientAdapter {
    /// Sweeps the client by the contract of this package that the adapter names.
    ///
    /// Use it as `let result = try await MyAdapter().sweep()` and `#expect(result.findings == [], "\(result)")`; while
    /// mending a client, `SweepOptions(operations: ["get*"], checks: ["sweep/changed-*"])` takes less of it.
    func sweep(_ options: SweepOptions = SweepOptions()) async throws -> SweepResult {
        let files = DiskFiles()
        let project = try #require(ProjectRoot(Project.folder, files: files))
        return await Sweep(self, contract: try readContract(in: project, files: files), options).run()
    }
}
