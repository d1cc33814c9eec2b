import Basics
package import HTTPCodec
package import ScenarioFormat

/// A scenario made ready for playing.
///
/// It is never changed, so every session of it shares one.
package struct CompiledScenario: Sendable {
    package let scenario: Scenario
    let script: CompiledRoutes
    /// What others have found out about the scenario.
    package let derived = DerivedValues()

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        var compiler = RouteCompiler(scenario)
        script = compiler.compile()
    }

    /// How fast the body of a request is to be read, in bytes a second; `nil` for as fast as it comes.
    ///
    /// - Parameter origin: the other server that is asked; `nil` for the backend itself.
    package func uploadRate(for head: HTTPRequest, origin: String? = nil) -> Int? {
        guard script.hasUploadRates else { return nil }
        let (tree, routes): (RouteTree, [CompiledRoute])
        if let origin {
            guard let other = script.origin(named: origin) else { return nil }
            (tree, routes) = (other.tree, other.routes)
        } else {
            (tree, routes) = (script.tree, script.routes)
        }
        guard case .route(let index, _) = tree.match(head) else { return nil }
        return routes[index].uploadRate
    }
}

/// What follows from something that never changes, found out when it is first asked for: one value of each type.
///
/// A class, because all copies of a scenario mean the same values.
package final class DerivedValues: Sendable {
    private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

    /// - Parameter make: called without the lock; of two calls at the same time the last one's value stays.
    package func value<Value: Sendable>(_ make: () -> Value) -> Value {
        let key = ObjectIdentifier(Value.self)
        if let known = values.withLock({ $0[key] }) as? Value { return known }
        let new = make()
        values.withLock { $0[key] = new }
        return new
    }
}
