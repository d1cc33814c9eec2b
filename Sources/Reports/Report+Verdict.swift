package import Basics

extension Report {
    /// What came of a run.
    package enum Verdict: String, Sendable, Hashable {
        case held
        case failed
        /// Every check was skipped, or there was none: no success.
        case nothingChecked
    }

    /// What came of one check.
    package enum Outcome: String, Sendable, Hashable {
        case passed
        case failed
        case skipped
    }

    package var verdict: Verdict {
        if allFindings.contains(where: fails) { return .failed }
        // A story whose every failure is known has passed, although none of its checks has.
        let isAnythingChecked = checks.contains { $0.skipped == nil } || stories.contains { $0.outcome == .passed }
        return isAnythingChecked ? .held : .nothingChecked
    }

    package func outcome(of check: Check) -> Outcome {
        if check.findings.contains(where: fails) { return .failed }
        return check.skipped == nil ? .passed : .skipped
    }

    /// Whether a finding fails what it was found about.
    package func fails(_ finding: Finding) -> Bool {
        finding.severity >= (isStrict ? .warning : .error)
    }

    /// How many of everything there were.
    package struct Counts: Sendable, Hashable {
        package var errors = 0
        package var warnings = 0
        package var notes = 0
        package var passed = 0
        package var failed = 0
        package var skipped = 0

        package var checks: Int { passed + failed + skipped }
        package var findings: Int { errors + warnings + notes }
    }

    package var counts: Counts {
        var counts = Counts()
        for finding in allFindings {
            switch finding.severity {
            case .error: counts.errors += 1
            case .warning: counts.warnings += 1
            case .note: counts.notes += 1
            }
        }
        for check in checks {
            switch outcome(of: check) {
            case .passed: counts.passed += 1
            case .failed: counts.failed += 1
            case .skipped: counts.skipped += 1
            }
        }
        return counts
    }
}
