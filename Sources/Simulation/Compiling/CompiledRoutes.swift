import Basics
import JSON
import ScenarioFormat

/// Everything of a scenario that a request may need, looked up and numbered beforehand.
///
/// A class, because sessions, routes and exchanges only refer to it; it never changes.
final class CompiledRoutes: Sendable {
    let backend: CompiledServer
    private let origins: [CompiledServer]
    private let routesByKey: [String: Int]
    /// Those of other servers and the responses without a route among them.
    private let routeIDs: Set<String>
    let earlyGuards: [CompiledGuard]
    let lateGuards: [CompiledGuard]
    let unmatched: CompiledRoute?
    let wrongMethod: CompiledRoute?
    let invalidRequest: CompiledResponse?
    /// The kinds' own responses to tokens that are not accepted.
    let rejections: [String: [TokenStanding: CompiledResponse]]
    /// Every place where a token travels, each once; ``CompiledRequirement`` refers to them by number.
    let places: [TokenPlace]
    /// The parts that must be played, by position.
    let parts: [JSONPosition: StoryPart]
    let stateScopes: [String: StateDeclaration]

    init(
        backend: CompiledServer,
        origins: [CompiledServer],
        guards: (early: [CompiledGuard], late: [CompiledGuard]),
        unmatched: CompiledRoute?,
        wrongMethod: CompiledRoute?,
        invalidRequest: CompiledResponse?,
        rejections: [String: [TokenStanding: CompiledResponse]],
        places: [TokenPlace],
        parts: [JSONPosition: StoryPart],
        states: [StateDeclaration]
    ) {
        self.backend = backend
        self.origins = origins
        routesByKey = Dictionary(
            backend.routes.enumerated().map { ($1.key, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let all = backend.routes + origins.flatMap(\.routes)
        routeIDs = Set((all + [unmatched, wrongMethod].compactMap(\.self)).map(\.id))
        (earlyGuards, lateGuards) = guards
        self.unmatched = unmatched
        self.wrongMethod = wrongMethod
        self.invalidRequest = invalidRequest
        self.rejections = rejections
        self.places = places
        self.parts = parts
        stateScopes = Dictionary(states.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func hasRoute(_ id: String) -> Bool {
        routeIDs.contains(id)
    }

    /// The other server of a name; the backend itself for `nil`.
    func server(named name: String?) -> CompiledServer? {
        guard let name else { return backend }
        return origins.first { $0.name?.exact == name.exact }
    }

    func number(ofRoute key: String) -> Int? {
        routesByKey[key]
    }
}

/// The routes of the backend or of another server of the story.
///
/// A class, because each request refers to one; it never changes.
final class CompiledServer: Sendable {
    /// `nil` for the backend itself.
    let name: String?
    let tree: RouteTree
    let routes: [CompiledRoute]

    init(_ name: String?, _ tree: RouteTree, _ routes: [CompiledRoute]) {
        (self.name, self.tree, self.routes) = (name, tree, routes)
    }
}

/// A guard whose response is compiled.
struct CompiledGuard: Sendable {
    var name: String
    var condition: Condition
    var response: CompiledResponse
}
