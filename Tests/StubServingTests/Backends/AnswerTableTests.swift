import JSON
import StubServing
import TestSupport
import Testing

/// The four backends respond as their servers do; each table lists requests that real clients send.
@Suite(.timeLimit(.minutes(15)))
struct AnswerTableTests {
    @Test(arguments: ["smeem", "whipit", "kiwit", "runwithu"])
    func `The backend responds as its server does`(name: String) async throws {
        let table = try AnswerTable(name)
        let library = try ScenarioLibrary("\(Project.scenarios)/\(table.backend)/backend.json")
        try await withStub(library) { stub in
            for (index, row) in table.rows.enumerated() {
                for difference in try table.differences(of: row, in: "row-\(index + 1)", of: stub) {
                    Issue.record("\(difference)")
                }
            }
        }
        #expect(table.rows.count >= 60)
    }

    @Test(arguments: ["smeem", "whipit", "kiwit", "runwithu"])
    func `Each row names its source`(name: String) throws {
        for row in try AnswerTable(name).rows {
            #expect(row["source"]?.string?.isEmpty == false, "line \(row.position.line)")
        }
    }
}
