import Basics
package import JSON

extension LoadedScenario {
    /// A backend without a route of its own, whose every answer comes from a contract.
    ///
    /// - Parameter path: the OpenAPI file, as the user wrote it.
    package init(playing path: String, watched: [String]) {
        var sources = SourceMap()
        let position = JSONPosition(document: sources.add(path), line: 0, column: 0)
        var scenario = Scenario(backend: FilePath.name(of: path))
        scenario.contract = ContractReference(path: path, position: position)
        scenario.fill = .examples
        self.init(
            scenario: scenario,
            root: ["backend": .string(scenario.backend)],
            path: path,
            findings: [],
            watched: watched,
            sources: sources
        )
    }
}

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
