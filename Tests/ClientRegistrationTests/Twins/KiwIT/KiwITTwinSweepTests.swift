import ContractRunner
import Findings
import ProjectFiles
import TestSupport
import Testing

@Suite("A twin of kiwIT in the sweep") struct KiwITTwinSweepTests {
    private func findings(_ adapter: KiwITTwinAdapter, _ operations: [String]) async throws -> [Finding] {
        let project = try #require(ProjectRoot(Project.folder, files: DiskFiles()))
        let options = SweepOptions(operations: operations)
        return try await Sweep(adapter, files: DiskFiles(), project: project, options).run().findings
    }

    /// The row of the facts that tells of a mismatch, an operation that shows it, and what it is called.
    static let cases: [(row: String, bug: KiwITBug, operation: String, id: String)] = [
        ("kiwit/M1", .wantsAnswer, "toggleLectureKept", "sweep/refused-variant"),
        ("kiwit/M2", .wantsTextualResult, "getKeptQuizzes", "sweep/refused-variant"),
        ("kiwit/M4", .wantsPicture, "getTrophies", "sweep/refused-variant"),
        ("kiwit/M6", .wantsLevel, "getLecturesOfLevel", "sweep/refused-variant"),
        ("kiwit/M11", .wantsEmail, "signIn", "sweep/refused-variant"),
        ("kiwit/M14", .knowsAllWords, "getTrophies", "sweep/evolution"),
    ]

    @Test(arguments: cases)
    func `is found with a bug`(_ row: String, _ bug: KiwITBug, _ operation: String, _ id: String) async throws {
        let found = try await findings(KiwITTwinAdapter([bug]), [operation])
        #expect(found.contains { $0.id == id }, "\(row): \(found.map(\.description))")
        let without = try await findings(KiwITTwinAdapter(), [operation])
        #expect(without.isEmpty, "\(row): \(without.map(\.description))")
    }
}
