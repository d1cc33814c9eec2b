import Reports
import Testing

@Suite
struct `Somebody else's reader` {
    @Test(.installed(.junitparser), arguments: SampleReport.named.map(\.name))
    func `accepts the JUnit file`(name: String) async throws {
        try await expectNoComplaint(of: .junitparser, about: .junit, name)
    }

    @Test(.installed(.sarifTools), arguments: SampleReport.named.map(\.name))
    func `accepts the SARIF file`(name: String) async throws {
        try await expectNoComplaint(of: .sarifTools, about: .sarif, name)
    }

    @Test(.installed(.sarifPydantic), arguments: SampleReport.named.map(\.name))
    func `finds the SARIF file true to its model`(name: String) async throws {
        try await expectNoComplaint(of: .sarifPydantic, about: .sarif, name)
    }

    private func expectNoComplaint(of reader: IndependentReader, about format: ReportFormat, _ name: String)
        async throws
    {
        let report = try #require(SampleReport.named.first { $0.name == name }).report
        #expect(try await reader.complaint(about: format.text(of: report)) == nil)
    }
}
