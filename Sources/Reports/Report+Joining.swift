extension Report {
    /// Takes everything of another report, which keeps its order behind what is here.
    package mutating func add(_ other: Report) {
        checks += other.checks
        findings += other.findings
        coverage += other.coverage
        clients += other.clients
        stories += other.stories
        summary += other.summary
    }
}
