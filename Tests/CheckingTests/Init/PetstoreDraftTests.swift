import Basics
import Checking
import ClientTesting
import Reports
import ScenarioFormat
import TestSupport
import Testing

/// A small contract that has a bit of everything, and the whole scenario that is drafted from it.
@Suite
struct `The draft of a pet store` {
    private static let folder = Project.folder + "/Tests/CheckingTests/Init/Petstore"

    private func drafting() throws -> Drafting {
        try Drafting(try Golden.text(of: Self.folder + "/openapi.json"))
    }

    @Test
    func `is this, byte for byte`() throws {
        let draft = try drafting().draft
        var text = ""
        for file in draft.files { text += "=== \(file.path)\n\(String(decoding: file.bytes, as: UTF8.self))" }
        text += "=== findings\n" + draft.findings.map { "\($0)\n" }.joined()
        let path = Self.folder + "/draft.txt"
        if Golden.isUpdated { try Golden.update(path, to: text) }
        #expect(text == (try Golden.text(of: path)))
    }

    @Test
    func `loads without a finding`() throws {
        #expect(try drafting().load().findings.map(\.description) == [])
    }

    @Test
    func `passes its check`() throws {
        let report = try drafting().check()
        // The contract has faults of its own; they are there to be met.
        let told = report.allFindings.filter { $0.place?.file?.hasSuffix("openapi.json") != true }
        #expect(told.filter { $0.severity > .note }.map(\.description) == [])
        #expect(report.checks.count > 10)
    }

    @Test
    func `is the same every time`() throws {
        let (first, second) = (try drafting().draft, try drafting().draft)
        #expect(first.files.map(\.path) == second.files.map(\.path))
        #expect(first.files.map(\.bytes) == second.files.map(\.bytes))
    }

    @Test
    func `leaves out what cannot be answered, and says where`() throws {
        let findings = try drafting().draft.findings
        #expect(findings.contains { $0.id == "init/no-route" && $0.place?.operation == "GET /nothing" })
        #expect(findings.allSatisfy { $0.place?.position != nil })
    }
}
