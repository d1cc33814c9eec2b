package import Reports

extension SweepResult {
    /// The result as reports want it: a check for each documented answer.
    package var report: Report {
        var report = Report(title: "test")
        report.checks = answers.map { answer in
            Report.Check(
                group: client,
                name: "\(answer.operation) \(answer.status) variants",
                findings: answer.findings,
                skipped: answer.skipped,
                place: answer.place
            )
        }
        report.summary = [size]
        return report
    }

    /// How many variants there were, as a sentence without a closing full stop.
    private var size: String {
        let legal = answers.reduce(0) { $0 + $1.legal }
        let evolution = answers.reduce(0) { $0 + $1.evolution }
        let illegal = answers.reduce(0) { $0 + $1.illegal }
        return "\(client) was served \(legal) legal variants, \(evolution) that a later server may send, and "
            + "\(illegal) that no server may"
    }
}
