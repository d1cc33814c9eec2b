package import Basics
package import JSON

/// A scenario as it was loaded, with the files that it came from.
package struct LoadedScenario: Sendable {
    package var scenario: Scenario
    /// The merged tree that it was built from.
    package private(set) var root: JSONValue
    /// The path that was asked for.
    package var path: String
    /// The variant of the story that was asked for.
    package var variant: String?
    /// Warnings and notes; what is an error has been thrown.
    package var findings: [Finding] = []
    /// Every file whose change would change the scenario.
    package var watched: [String] = []
    package var sources: SourceMap
}

extension LoadedScenario {
    /// That its story expects nothing of the client, so that no client can pass it; `nil` where it does, for a story in
    /// which a correct client sends nothing, and for a backend.
    ///
    /// - Parameter id: that of the finding, by which commands name it.
    package func findingOnNoExpectation(_ severity: Finding.Severity, id: String) -> Finding? {
        guard let story = scenario.story, !story.isSilent, scenario.expectations.isEmpty else { return nil }
        return Finding(
            severity,
            id: id,
            "the story \(story.id) expects nothing from the client, so it never passes".printable,
            at: sources.place(of: root["id"]?.position ?? root.position),
            advice: "add \"expect\" with the behavior of a correct client"
        )
    }
}

extension LoadedScenario {
    /// A backend without routes, whose every response comes from a contract.
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
    /// Copies the responses and tokens of another backend, and keeps its own name and contract.
    package mutating func take(_ other: LoadedScenario) {
        var scenario = other.scenario
        scenario.backend = self.scenario.backend
        scenario.contract = self.scenario.contract
        scenario.fill = self.scenario.fill
        self.scenario = scenario
        root = other.root
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

    /// - Throws: ``ScenarioError`` if the scenario does not have a route.
    package func check(route: String) throws(ScenarioError) {
        var builder = ScenarioBuilder(namesOf: root)
        builder.expectRoute(route, at: JSONValue.string(route).position)
        guard builder.findings.isEmpty else { throw ScenarioError(builder.findings) }
    }
}

/// A scenario that cannot be played, with everything that is wrong in it.
package struct ScenarioError: Error {
    package var findings: [Finding]
    /// The files that were read nevertheless, so that a fixed file is noticed.
    package var watched: [String]

    package init(_ findings: [Finding], watched: [String] = []) {
        self.findings = findings
        self.watched = watched
    }
}
