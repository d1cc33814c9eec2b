package import HTTPWire
package import ScenarioFormat

/// A scenario made ready for playing.
///
/// It is never changed, so every session of it shares one.
package struct CompiledScenario: Sendable {
    package let scenario: Scenario
    let script: Script

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        var compiler = ScriptCompiler(scenario)
        script = compiler.compile()
    }

    /// How fast the body of a request is to be read, in bytes a second; `nil` for as fast as it comes.
    package func uploadRate(for head: HTTPRequest) -> Int? {
        guard script.hasUploadRates, case .route(let index, _) = script.tree.match(head) else { return nil }
        return script.routes[index].uploadRate
    }
}
