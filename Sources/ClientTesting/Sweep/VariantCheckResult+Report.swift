import Basics
package import Reports

extension VariantCheckResult {
    /// The result as reports want it: a check for each documented answer.
    package var report: Report {
        var report = Report(title: "test", findings: [])
        report.checks = answers.map { answer in
            Report.Check(
                group: client,
                name: "\(answer.operation) \(answer.status), swept",
                findings: answer.findings,
                skipped: answer.skipped,
                place: answer.place
            )
        }
        report.summary =
            drops.map { "\(client): \($0)" } + [
                "\(client): \(counted(calls, "variant")) of \(counted(answers.count, "answer"))"
            ]
        return report
    }

    private func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
