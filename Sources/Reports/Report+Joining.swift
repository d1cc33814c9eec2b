extension Report {
    /// Takes everything of another report, which keeps its order behind what is here.
    ///
    /// A closing line that is here already is not repeated.
    package mutating func add(_ other: Report) {
        checks += other.checks
        findings += other.findings
        coverage += other.coverage
        clients += other.clients
        stories += other.stories
        for line in other.summary where !summary.contains(line) { summary.append(line) }
    }
}
