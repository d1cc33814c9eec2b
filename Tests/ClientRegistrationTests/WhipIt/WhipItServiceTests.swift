import ClientRegistration
import ContractRunner
import ProjectFiles
import StoryRunning
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `WhipIt's service under test` {
    @Test func `does well by every documented answer and every fault`() async throws {
        let files = DiskFiles()
        let project = try #require(ProjectRoot(Project.folder, files: files))
        let result = try await Matrix(WhipItAdapter(), files: files, project: project).run()
        #expect(result.findings == [], "\(result)")
    }

    @Test func `passes every story`() async {
        let outcome = await FlowRun().play(WhipItAdapter(), from: Project.folder)
        #expect(outcome.isPassed, "\(outcome.text)")
        #expect(outcome.summary.results.count > 30)
    }
}
