import ClientRegistration
import ContractRunner
import Findings
import ProjectFiles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Smeem's service` {
    @Test func `does well by every documented answer and every fault`() async throws {
        let result = try await SmeemAdapter().matrix()
        #expect(result.findings.map(\.description) == [])
        #expect(result.cells.count > 200)
    }

    @Test func `keeps what the contract allows, and refuses what it forbids`() async throws {
        let files = DiskFiles()
        let project = try #require(ProjectRoot(Project.folder, files: files))
        let result = try await Sweep(SmeemAdapter(), files: files, project: project).run()
        #expect(result.findings.map(\.description) == [])
        #expect(result.calls > 1000)
    }

    @Test func `passes every story`() async {
        let outcome = await FlowRun().play(SmeemAdapter(), from: Project.folder)
        #expect(outcome.isPassed, "\(outcome.text)")
    }
}
