import ClientRegistration
import ContractRunner
import Findings
import ProjectFiles
import TestSupport
import Testing

@Suite struct `kiwIT in the sweep` {
    @Test func `reads what the contract allows, and nothing else`() async throws {
        let project = try #require(ProjectRoot(Project.folder, files: DiskFiles()))
        let result = try await Sweep(KiwITAdapter(), files: DiskFiles(), project: project).run()
        let findings = result.findings
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
        #expect(result.calls > 0)
    }
}
