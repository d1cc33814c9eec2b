import Basics
import Reports
import Testing

@Suite
struct `A verdict` {
    private func report(_ severity: Finding.Severity, isStrict: Bool = false) -> Report {
        var report = Report(
            title: "check",
            checks: [Report.Check(group: "a", name: "b", findings: [Finding(severity, id: "x/y", "something")])]
        )
        report.isStrict = isStrict
        return report
    }

    @Test func `fails for an error, and for a warning when strict`() {
        #expect(report(.error).verdict == .failed)
        #expect(report(.warning).verdict == .held)
        #expect(report(.warning, isStrict: true).verdict == .failed)
        #expect(report(.note, isStrict: true).verdict == .held)
    }

    @Test func `is no success when nothing was judged`() {
        #expect(Report(title: "check").verdict == .nothingChecked)
        let skipped = Report.Check(group: "a", name: "b", skipped: "it has no contract")
        #expect(Report(title: "check", checks: [skipped]).verdict == .nothingChecked)
        #expect(Report(title: "check", findings: [Finding(.error, id: "x/y", "broken")]).verdict == .failed)
    }

    @Test func `counts everything once`() {
        let counts = SampleReport.full.counts
        #expect(counts.errors == 2)
        #expect(counts.warnings == 2)
        #expect(counts.notes == 1)
        #expect((counts.passed, counts.failed, counts.skipped) == (2, 2, 1))
    }
}
