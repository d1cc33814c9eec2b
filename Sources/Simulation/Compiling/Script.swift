import ScenarioFormat

/// Everything of a scenario that a request may need, looked up and numbered beforehand.
///
/// A class, because sessions, routes and exchanges only refer to it; it never changes.
final class Script: Sendable {
    let tree: RouteTree
    let routes: [CompiledRoute]
    private let routesByKey: [String: Int]
    let earlyGuards: [CompiledGuard]
    let lateGuards: [CompiledGuard]
    let unmatched: CompiledReply?
    let wrongMethod: CompiledReply?
    let invalidRequest: CompiledReply?
    /// Every place where a token travels, each once; ``CompiledRequirement`` refers to them by number.
    let places: [TokenPlace]
    let stateScopes: [String: StateDeclaration]
    let hasUploadRates: Bool

    init(
        tree: RouteTree,
        routes: [CompiledRoute],
        guards: (early: [CompiledGuard], late: [CompiledGuard]),
        unmatched: CompiledReply?,
        wrongMethod: CompiledReply?,
        invalidRequest: CompiledReply?,
        places: [TokenPlace],
        states: [StateDeclaration]
    ) {
        self.tree = tree
        self.routes = routes
        routesByKey = Dictionary(
            routes.enumerated().map { ($1.key, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        (earlyGuards, lateGuards) = guards
        self.unmatched = unmatched
        self.wrongMethod = wrongMethod
        self.invalidRequest = invalidRequest
        self.places = places
        stateScopes = Dictionary(states.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        hasUploadRates = routes.contains { $0.uploadRate != nil }
    }

    func hasRoute(_ key: String) -> Bool {
        routesByKey[key] != nil
    }

    func number(ofRoute key: String) -> Int? {
        routesByKey[key]
    }
}

/// A place in requests where tokens travel.
struct TokenPlace: Sendable {
    var carrier: TokenCarrier
    /// The kind that travels there.
    var kind: String
    /// Whether it is the kind's place on every route, so that a token there is noticed wherever it is sent.
    var isEverywhere: Bool
}

/// A guard whose reply is compiled.
struct CompiledGuard: Sendable {
    var name: String
    var condition: Condition
    var reply: CompiledReply
}
