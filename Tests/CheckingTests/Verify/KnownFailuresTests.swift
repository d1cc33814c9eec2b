import Basics
import Checking
import Reports
import Testing

@Suite struct `Known failures of operations` {
    private static func check(_ name: String, _ ids: [String], skipped: String? = nil) -> Report.Check {
        Report.Check(
            group: "api.json",
            name: name,
            findings: ids.map { Finding(.error, id: $0, "wrong") },
            skipped: skipped
        )
    }

    private let report = Report(
        title: "verify",
        checks: [check("GET /a", ["x", "y", "x"]), check("GET /b", []), check("GET /c", [], skipped: "not judged")]
    )

    @Test func `are what fails each check, each once`() {
        #expect(report.failures == [KnownFailures(check: "GET /a", ids: ["x", "y"])])
    }

    @Test func `fail nothing any more`() {
        var report = report
        report.accept([KnownFailures(check: "GET /a", ids: ["x", "y"])], from: "known.json")
        #expect(report.verdict == .held)
        #expect(report.allFindings.map(\.severity) == [.note, .note, .note])
    }

    @Test func `leave others as they are`() {
        var report = report
        report.accept([KnownFailures(check: "GET /a", ids: ["x"])], from: "known.json")
        #expect(report.verdict == .failed)
        #expect(report.failures == [KnownFailures(check: "GET /a", ids: ["y"])])
    }

    @Test func `are reported when they no longer fail`() {
        var report = report
        report.accept([KnownFailures(check: "GET /b", ids: ["x"])], from: "known.json")
        #expect(report.checks[1].findings.map(\.id) == ["baseline/no-longer-fails"])
        #expect(report.checks[1].findings.first?.place == Place(file: "known.json"))
    }

    @Test func `stay as they are where nothing was judged`() {
        var report = report
        let known = [KnownFailures(check: "GET /c", ids: ["x"]), KnownFailures(check: "GET /b", ids: ["x"])]
        report.accept([known[0]], from: "known.json")
        #expect(report.checks[2].findings.isEmpty)
        #expect(report.updated(known) == [known[0], KnownFailures(check: "GET /a", ids: ["x", "y"])])
    }
}
