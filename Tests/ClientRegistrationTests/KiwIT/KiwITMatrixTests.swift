import ClientRegistration
import ContractRunner
import Findings
import ProjectFiles
import TestSupport
import Testing

@Suite struct `kiwIT in the matrix` {
    @Test func `takes every answer for what it is`() async throws {
        let project = try #require(ProjectRoot(Project.folder, files: DiskFiles()))
        let result = try await Matrix(KiwITAdapter(), files: DiskFiles(), project: project).run()
        #expect(result.findings.isEmpty, "\(result)")
    }
}
