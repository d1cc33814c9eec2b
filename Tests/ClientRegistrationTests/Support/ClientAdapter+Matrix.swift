import Basics
import ClientTesting
import TestSupport
import Testing

extension ClientAdapter {
    /// Runs the client's matrix on the contract of this package that the adapter names.
    ///
    /// Use it as `let result = try await MyAdapter().matrix()` and `#expect(result.findings == [], "\(result)")`; while
    /// mending a client, `MatrixOptions(operations: ["get*"], checks: ["matrix/request"])` takes less of it.
    func matrix(_ options: MatrixOptions = MatrixOptions()) async throws -> MatrixResult {
        let files = DiskFiles()
        let project = try #require(ProjectRoot(Project.folder, files: files))
        return try await Matrix(self, contract: readContract(in: project, files: files), options).run()
    }
}
