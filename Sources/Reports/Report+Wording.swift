extension Report {
    /// The first sentence: what came of the run, as a colleague would say it, without a closing full stop.
    var headline: String {
        let counts = counts
        switch verdict {
        case .nothingChecked:
            return counts.skipped > 0 ? "Nothing was checked, and \(counts.skipped) skipped" : "Nothing was checked"
        case .held:
            let skipped = counts.skipped > 0 ? ", \(counts.skipped) skipped" : ""
            return (counts.passed == 1 ? "The only check held" : "All \(counts.passed) checks held") + skipped
        case .failed where counts.failed == 0:
            return "\(plural(findings.count { fails($0) }, "thing")) must be fixed before anything else"
        case .failed:
            let names = checks.lazy.filter { outcome(of: $0) == .failed }.map(\.name).prefix(3)
            let further = counts.failed - names.count
            let list = names.joined(separator: ", ") + (further > 0 ? " and \(further) more" : "")
            return "\(counts.failed) of \(plural(counts.checks, "check")) failed: \(list)"
        }
    }

    /// The last line: how many of everything.
    var tally: String {
        let counts = counts
        let findings = [
            plural(counts.errors, "error"), plural(counts.warnings, "warning"), plural(counts.notes, "note"),
        ]
        var checks = ["\(counts.passed) passed", "\(counts.failed) failed"]
        if counts.skipped > 0 { checks.append("\(counts.skipped) skipped") }
        let all = plural(counts.checks, "check")
        return "\(title): \(findings.joined(separator: ", ")); \(all): \(checks.joined(separator: ", "))"
    }
}

/// A number and what it counts.
func plural(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
