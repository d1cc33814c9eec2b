import Basics
import HTTPCodec
import JSON
package import ScenarioFormat

/// A scenario made ready for playing.
///
/// A class, because every session and every request of it refers to one; it is never changed.
package final class CompiledScenario: Sendable {
    package let scenario: Scenario
    let script: CompiledRoutes
    /// Derived values that were requested, by type.
    private let derived = Lock<[ObjectIdentifier: any Sendable]>([:])

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        var compiler = RouteCompiler(scenario)
        script = compiler.compile()
    }

    /// Values derived from the scenario at first use: one value of each type.
    ///
    /// - Parameter make: called without the lock; of two calls at the same time the last one's value stays.
    package func derivedValue<Value: Sendable>(_ make: () -> Value) -> Value {
        let key = ObjectIdentifier(Value.self)
        if let known = derived.withLock({ $0[key] }) as? Value { return known }
        let new = make()
        derived.withLock { $0[key] = new }
        return new
    }
}
