import Basics
import EventLoops
import ScenarioFormat
import Simulation

extension LiveSession.Setup {
    /// A session at its beginning.
    func begin(_ name: String, _ configuration: StubServer.Configuration) -> Session {
        var session = Session(
            played,
            name: name,
            seed: seed,
            start: start ?? played.scenario.clock.start ?? configuration.calendar(),
            at: configuration.time.now(),
            journal: configuration.journal
        )
        session.refusalHold = configuration.refusalHold(in: played.scenario)
        session.upstream.allowsSignOut = configuration.allowsSignOut
        session.upstream.replacesTokens = configuration.forwarder?.replacesTokens ?? false
        return session
    }
}

extension StubServer.Configuration {
    /// A backend without a story is for trying things out, and nothing is judged there.
    func refusalHold(in scenario: Scenario) -> Duration {
        refusalHold ?? scenario.refusalHold ?? (scenario.story == nil ? .zero : usualRefusalHold)
    }
}

extension CompiledScenario {
    convenience init(_ scenario: Scenario, clock: ClockOption) {
        var scenario = scenario
        scenario.clock = clock.over(scenario.clock)
        self.init(scenario)
    }
}
