import ContractRunner
import Findings
import ProjectFiles
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A client of WhipIt in the matrix` {
    private func run(_ bugs: Set<WhipItBug>, _ operations: [String] = []) async throws -> MatrixResult {
        let files = DiskFiles()
        let project = try #require(ProjectRoot(Project.folder, files: files))
        let options = MatrixOptions(operations: operations)
        return try await Matrix(WhipItTwinAdapter(bugs: bugs), files: files, project: project, options).run()
    }

    @Test func `does well without a bug`() async throws {
        let result = try await run([])
        #expect(result.findings == [], "\(result)")
    }

    @Test(
        arguments: [
            (WhipItBug.w10, "getPostPicture", "matrix/not-replayed"), (.w11, "checkEmail", "matrix/wrong-success"),
            (.w13, "getPosts", "matrix/not-replayed"), (.n1, "getPost", "matrix/refused-answer"),
            (.n2, "getPost", "matrix/refused-answer"), (.n12, "withdraw", "matrix/request"),
            (.n15, "getProfilePicture", "matrix/request"), (.w2, "getMyProfile", "matrix/loop"),
        ]
    )
    func `is found out by its bug`(bug: WhipItBug, operation: String, id: String) async throws {
        let result = try await run([bug], [operation])
        #expect(result.findings.contains { $0.id == id }, "whipit/\(bug.rawValue.uppercased()): \(result)")
    }
}
