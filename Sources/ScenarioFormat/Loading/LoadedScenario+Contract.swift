import Basics
import JSON

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
