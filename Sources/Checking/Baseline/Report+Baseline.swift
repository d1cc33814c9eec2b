import Basics
package import Reports

extension Report {
    /// The ids of the failures, each once, in the order of the checks.
    package var failures: [Baseline.Entry] {
        checks.map { Baseline.Entry($0.name, $0.findings.filter(fails).map(\.id).unique) }.filter { !$0.rules.isEmpty }
    }

    /// Turns known failures into notes, and reports those that no longer fail.
    ///
    /// The entries of an operation that was not judged remain.
    package mutating func accept(_ baseline: Baseline) {
        for number in checks.indices {
            let (name, findings) = (checks[number].name, checks[number].findings)
            let known = baseline.takesAll ? findings.filter(fails).map(\.id).unique : baseline.rules(of: name)
            let isJudged = checks[number].skipped == nil
            for id in known {
                let meant = findings.indices.filter { findings[$0].id == id }
                for index in meant { checks[number].findings[index].severity = .note }
                if meant.isEmpty, isJudged { checks[number].findings.append(baseline.fixed(id, of: name)) }
            }
        }
    }
}

extension Baseline {
    /// The known failures after this run: those of operations that were not judged stay.
    package func updated(by report: Report) -> Baseline {
        let failures = report.failures
        let judged = report.checks.filter { $0.skipped == nil }.map(\.name) + failures.map(\.subject)
        return updated(by: failures, judged: judged)
    }
}
