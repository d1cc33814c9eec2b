import Basics
import Checking
import Reports
import Testing

@Suite struct `Known failures of operations` {
    private static func baseline(_ entries: [Baseline.Entry]) -> Baseline {
        var baseline = Baseline(newFile: "known.json")
        baseline.entries = entries
        return baseline
    }

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
        #expect(report.failures == [Baseline.Entry("GET /a", ["x", "y"])])
    }

    @Test func `fail nothing any more`() {
        var report = report
        report.accept(Self.baseline([Baseline.Entry("GET /a", ["x", "y"])]))
        #expect(report.verdict == .held)
        #expect(report.allFindings.map(\.severity) == [.note, .note, .note])
    }

    @Test func `leave others as they are`() {
        var report = report
        report.accept(Self.baseline([Baseline.Entry("GET /a", ["x"])]))
        #expect(report.verdict == .failed)
        #expect(report.failures == [Baseline.Entry("GET /a", ["y"])])
    }

    @Test func `are reported when they no longer fail`() {
        var report = report
        report.accept(Self.baseline([Baseline.Entry("GET /b", ["x"])]))
        #expect(report.checks[1].findings.map(\.id) == ["baseline/no-longer-fails"])
        #expect(report.checks[1].findings.first?.place == Place(file: "known.json"))
    }

    @Test func `stay as they are where nothing was judged`() {
        var report = report
        let known = [Baseline.Entry("GET /c", ["x"]), Baseline.Entry("GET /b", ["x"])]
        report.accept(Self.baseline([known[0]]))
        #expect(report.checks[2].findings.isEmpty)
        #expect(Self.baseline(known).updated(by: report).entries == [known[0], Baseline.Entry("GET /a", ["x", "y"])])
    }
}
