import Basics
package import JSON

extension LoadedScenario {
    /// Reads one event in the words of this scenario, as the admin API receives it.
    ///
    /// - Throws: ``ScenarioError`` with everything that is wrong with it.
    package func event(from tree: JSONValue) throws(ScenarioError) -> Event {
        var checker = ShapeChecker(sources: SourceMap())
        checker.check(tree, against: .event(with: .nothing))
        var builder = ScenarioBuilder(namesOf: root)
        let event = builder.event(tree, inResponse: false)
        let findings = checker.findings + builder.findings
        guard let event, !findings.contains(where: { $0.severity == .error }) else { throw ScenarioError(findings) }
        return event
    }
}
