package import Basics

/// What a run found, for every kind of report.
package struct Report: Sendable {
    /// One thing that was checked, and what was found about it.
    package struct Check: Sendable {
        /// What it belongs to: a contract, a scenario, an operation.
        package var group: String
        /// What was checked, such as `GET /pets/{id} 200`.
        package var name: String
        package var findings: [Finding]
        /// Why it was not judged, when it was not.
        package var skipped: String?
        /// The file that it is about, for reports that want one.
        package var place: Place?

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
    /// What belongs to no single check, such as a contract's lint.
    package var findings: [Finding]
    /// Which documented answers something stands for.
    package var coverage: [Coverage] = []
    /// What clients make of the answers to each operation.
    package var clients: [ClientCoverage] = []
    /// Whether the text for people lists all of them, and not only what is not as it should be.
    package var listsClients = false
    /// The stories that were played; each has its checks among ``checks``, too.
    package var stories: [PlayedStory] = []
    /// Closing lines for people.
    package var summary: [String]
    /// Whether a warning fails a check.
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
