package import HTTPWire
package import ScenarioFormat

/// A scenario made ready for playing.
///
/// It is never changed, so every session of it shares one.
package struct CompiledScenario: Sendable {
    package let scenario: Scenario
    let tree: RouteTree
    private let routeIndexes: [String: Int]
    /// The places where tokens travel, each once, in the order of the kinds.
    let carriers: [(kind: String, carrier: TokenCarrier)]
    let stateScopes: [String: StateDeclaration]
    private let hasUploadRates: Bool

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        tree = RouteTree(scenario.routes)
        routeIndexes = Dictionary(
            scenario.routes.enumerated().map { ($1.key.text, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var seen: Set<TokenCarrier> = []
        carriers = scenario.tokens.kinds.flatMap { kind in
            kind.carriers.filter { seen.insert($0).inserted }.map { (kind.name, $0) }
        }
        hasUploadRates = scenario.routes.contains { $0.uploadRate != nil }
        stateScopes = Dictionary(scenario.states.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func hasRoute(_ key: String) -> Bool {
        routeIndexes[key] != nil
    }
}

extension CompiledScenario {
    /// How fast the body of a request is to be read, in bytes a second; `nil` for as fast as it comes.
    package func uploadRate(for head: HTTPRequest) -> Int? {
        guard hasUploadRates, case .route(let index, _) = tree.match(head) else { return nil }
        return scenario.routes[index].uploadRate
    }
}
