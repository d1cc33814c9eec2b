package import Basics
import JSON

/// The results of a run, for every kind of report.
package struct Report: Sendable {
    /// One thing that was checked, and what was found about it.
    package struct Check: Sendable {
        /// Its group: a contract, a scenario, an operation.
        package var group: String
        /// The name of the check, such as `GET /pets/{id} 200`.
        package var name: String
        /// The subjects of several checks of this name, such as `scenarios`, if each is about a file as a whole.
        package var kind: String?
        package var findings: [Finding]
        /// Findings of another check that fail this one as well.
        package var repeated: [Finding] = []
        /// The reason why it was not judged, when it was not.
        package var skipped: String?
        /// The file that it is about, for reports that require one.
        package var place: Place?
        /// The real time that it took; `nil` if it was not measured.
        package var duration: Duration?

        package init(group: String, name: String, findings: [Finding] = [], skipped: String? = nil, place: Place? = nil)
        {
            self.group = group
            self.name = name
            self.findings = findings
            self.skipped = skipped
            self.place = place
        }
    }

    /// The command, such as `check` or `verify`.
    package var title: String
    /// The version of the program that reports; empty when it does not matter.
    package var version = ""
    package var checks: [Check]
    /// Findings without a single check, such as a contract's lint.
    package var findings: [Finding]
    /// The coverage of documented responses.
    package var coverage: [Coverage] = []
    /// The clients' results for the responses to each operation.
    package var clients: [ClientCoverage] = []
    /// A Boolean value that indicates whether the text report lists all of them, and not only what is wrong.
    package var listsClients = false
    /// The result of each exploration.
    package var maps: [ExplorationMap] = []
    /// The stories that were run; each has its checks among ``checks``, too.
    package var stories: [PlayedStory] = []
    /// Closing lines of the text report.
    package var summary: [String]
    /// A Boolean value that indicates whether a warning fails a check.
    package var isStrict = false

    package init(title: String, checks: [Check] = [], findings: [Finding] = [], summary: [String] = []) {
        self.title = title
        self.checks = checks
        self.findings = findings
        self.summary = summary
    }

    /// Every finding, those of checks after those of the whole.
    package var allFindings: [Finding] { findings + checks.flatMap(\.findings) }
}

extension Report {
    /// Takes everything of another report, which keeps its order behind what is here.
    ///
    /// A finding of the whole, or a closing line, that is here already is not repeated.
    package mutating func add(_ other: Report) {
        checks += other.checks
        var told = Set(findings)
        findings += other.findings.filter { told.insert($0).inserted }
        coverage += other.coverage
        clients += other.clients
        maps += other.maps
        stories += other.stories
        for line in other.summary where !summary.contains(line) { summary.append(line) }
    }
}

extension Report {
    /// The first sentence: the result of the run, as a colleague would say it, without a closing full stop.
    var headline: String {
        let counts = counts
        switch verdict {
        case .nothingChecked:
            return counts.skipped > 0 ? "Nothing was checked, \(counts.skipped) skipped" : "Nothing was checked"
        case .held:
            let skipped = counts.skipped > 0 ? ", \(counts.skipped) skipped" : ""
            return (counts.passed == 1 ? "The only check held" : "All \(counts.passed) checks held") + skipped
        case .failed where counts.failed == 0:
            return "\(plural(findings.count { fails($0) }, "problem")) must be fixed first"
        case .failed:
            let failed = checks.filter { outcome(of: $0) == .failed }.grouped(by: \.name).map(\.elements)
            let names = failed.prefix(3).map(Self.words)
            let further = counts.failed - failed.prefix(3).joined().count
            let list = names.joined(separator: ", ") + (further > 0 ? " and \(further) more" : "")
            return "\(counts.failed) of \(plural(counts.checks, "check")) failed: \(list)"
        }
    }

    /// Several checks of one name, which are counted where there is more than one.
    private static func words(_ checks: [Check]) -> String {
        guard checks.count > 1 else { return checks[0].name }
        return checks[0].kind.map { "\(checks.count) in \($0)" } ?? "\(checks[0].name) (\(checks.count) times)"
    }

    /// The last line: how many of everything.
    package var tally: String {
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

extension String {
    /// The text with another text for some scalars.
    ///
    /// - Parameter form: the replacement of a scalar; `nil` for itself.
    func replacing(_ form: (Unicode.Scalar) -> String?) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if let form = form(scalar) { text.append(contentsOf: form.unicodeScalars) } else { text.append(scalar) }
        }
        return String(text)
    }
}

extension Report {
    /// The result of a run.
    package enum Verdict: String, Sendable, Hashable {
        case held
        case failed
        /// Every check was skipped, or there was none: not a success.
        case nothingChecked
    }

    /// The result of one check.
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
        if (check.findings + check.repeated).contains(where: fails) { return .failed }
        return check.skipped == nil ? .passed : .skipped
    }

    /// Returns whether a finding fails what it was found about.
    package func fails(_ finding: Finding) -> Bool {
        finding.severity >= (isStrict ? .warning : .error)
    }

    /// The counts of all results.
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

extension Report {
    /// The result of the stories, without a closing full stop; `nil` if no story was run.
    var storyHeadline: String? {
        guard let first = stories.first else { return nil }
        let failed = stories.filter { $0.outcome == .failed }
        let incomplete = stories.filter { $0.outcome == .incomplete }
        guard stories.count > 1 else {
            return switch first.outcome {
            case .passed: "\(first.id) passed: \(first.title)"
            case .failed: "\(first.id) failed: \(first.title)"
            case .incomplete: "\(first.id) could not be judged: \(first.title)"
            }
        }
        let worse = failed.isEmpty ? incomplete : failed
        guard !worse.isEmpty else { return "All \(stories.count) stories passed" }
        let names = worse.prefix(3).map(\.id).joined(separator: ", ")
        let more = worse.count > 3 ? " and \(worse.count - 3) more" : ""
        return
            "\(worse.count) of \(stories.count) stories \(failed.isEmpty ? "could not be judged" : "failed"): \(names)\(more)"
    }

    /// The checks that no story shows already.
    var checksApart: [Check] {
        guard !stories.isEmpty else { return checks }
        let told = Set(stories.map { $0.id.exact })
        return checks.filter { !told.contains($0.group.exact) }
    }

    /// Returns the number of checks of each group by outcome, in the order of first mention.
    func tallies(of checks: [Check]) -> [(group: String, counts: [Outcome: Int])] {
        checks.grouped(by: \.group).map { group, checks in
            (group, checks.reduce(into: [:]) { $0[outcome(of: $1), default: 0] += 1 })
        }
    }
}

extension PlayedStory {
    /// `SM-03: The refresh token has expired at launch`.
    var heading: String { title.isEmpty || title.exact == id.exact ? id : "\(id): \(title)" }
}

extension Finding {
    /// The line that editors and build servers read: `file:line:column: error: …`, with nothing between.
    ///
    /// An operation is left out where a file says better what is meant.
    var line: String {
        guard place?.file != nil else { return description }
        var bare = self
        bare.place?.operation = nil
        return bare.description
    }
}
