import Basics
import Testing

@testable import Reports

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

    @Test func `counts what has one name, and names the rest`() {
        func check(_ name: String, _ kind: String? = nil, fails: Bool = true) -> Report.Check {
            let findings = fails ? [Finding(.error, id: "x/y", "something")] : []
            var check = Report.Check(group: "a", name: name, findings: findings)
            check.kind = kind
            return check
        }
        let files = [check("scenario", "scenarios"), check("scenario", "scenarios"), check("contract", "contracts")]
        #expect(Report(title: "check", checks: files).headline == "3 of 3 checks failed: 2 in scenarios, contract")
        let held = [check("GET /a 200", fails: false), check("scenario", "scenarios", fails: false)]
        #expect(Report(title: "check", checks: held + [files[0]]).headline == "1 of 3 checks failed: scenario")
        let rules = ["B2", "B1", "B2", "B3", "B4", "B4"].map { check($0) }
        #expect(Report(title: "run", checks: rules).headline == "6 of 6 checks failed: B2 (2 times), B1, B3 and 2 more")
    }
}
