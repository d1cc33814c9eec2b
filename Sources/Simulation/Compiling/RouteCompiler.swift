import Basics
import JSON
import ScenarioFormat

/// Makes a ``CompiledRoutes`` of a scenario, and gives its responses and token places their numbers.
struct RouteCompiler {
    private let scenario: Scenario
    private let purposes: RoutePurposes
    private var responseCount = 0
    private var places: [TokenPlace] = []
    /// The kinds' own responses, each compiled once and shared by every route that requires the kind.
    private var rejections: [String: [CompiledRejection]] = [:]

    /// The parts of the story by the responses that play them.
    private let parts: [JSONPosition: [StoryPart]]

    private typealias CompiledRejection = (standing: TokenStanding?, response: CompiledResponse)

    init(_ scenario: Scenario) {
        self.scenario = scenario
        parts = Dictionary(scenario.parts.flatMap { part in part.responses.map { ($0, [part]) } }, uniquingKeysWith: +)
        purposes = RoutePurposes(scenario)
    }

    mutating func compile() -> CompiledRoutes {
        for kind in scenario.tokens.kinds {
            // Anything could be a foreign token, so one is looked for only where a route requires it.
            if !kind.isForeign {
                for carrier in kind.carriers { _ = place(carrier, of: kind.name, isEverywhere: true) }
            }
            rejections[kind.name] = kind.rejections.map { compile($0) }
        }
        return CompiledRoutes(
            backend: CompiledServer(nil, RouteTree(scenario.routes), scenario.routes.map { compile($0) }),
            origins: scenario.origins.map { origin in
                CompiledServer(
                    origin.name,
                    RouteTree(origin.routes),
                    origin.routes.map { compile($0, of: origin.name) }
                )
            },
            guards: (scenario.earlyGuards.map { compile($0) }, scenario.lateGuards.map { compile($0) }),
            unmatched: scenario.unmatched.map { compile($0, as: "unmatched") },
            wrongMethod: scenario.wrongMethod.map { compile($0, as: "wrongMethod") },
            invalidRequest: scenario.invalidRequest.map { compile($0) },
            rejections: rejections.mapValues { own in
                TokenStanding.allCases.reduce(into: [:]) { $0[$1] = Self.answer(to: $1, in: own) }
            },
            places: places,
            parts: Dictionary(scenario.parts.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first }),
            states: scenario.states
        )
    }

    /// - Parameter origin: the other server whose route it is; the timeline and faults speak of the backend's only.
    private mutating func compile(_ route: Route, of origin: String? = nil) -> CompiledRoute {
        CompiledRoute(
            key: route.key.text,
            origin: origin,
            requirements: route.requirements.compactMap { compile($0) },
            finds: route.finds,
            cases: route.cases.map { compile($0) },
            responses: compile(route.responses),
            listsFirst: route.listsFirst,
            uploadRate: route.uploadRate,
            rate: route.rate.map { CompiledRate(limit: $0, exceeded: $0.exceeded.map { compile($0) }) },
            purposes: purposes.purposes(of: route),
            consequences: scenario.timeline.compactMap { entry in
                guard origin == nil, case .after(let awaited, let delay) = entry.trigger,
                    awaited.contains(where: { $0.route.exact == route.key.text.exact })
                else { return nil }
                return CompiledRoute.Consequence(awaited: awaited, delay: delay, event: entry.event)
            }
        )
    }

    /// - Parameter key: the file's key for it, which no route can have.
    private mutating func compile(_ fallback: Fallback, as key: String) -> CompiledRoute {
        CompiledRoute(
            key: key,
            origin: nil,
            requirements: fallback.requirements.compactMap { compile($0) },
            cases: fallback.cases.map { compile($0) },
            responses: compile(fallback.responses),
            listsFirst: fallback.listsFirst,
            uploadRate: nil,
            purposes: RoutePurposeTable(common: .open),
            consequences: []
        )
    }

    private mutating func compile(_ branch: Branch) -> CompiledBranch {
        CompiledBranch(
            condition: branch.condition,
            requirements: branch.requirements.compactMap { compile($0) },
            responses: compile(branch.responses)
        )
    }

    private mutating func compile(_ sequence: ResponseSequence) -> CompiledSequence {
        CompiledSequence(
            own: sequence.own.map { compile($0) },
            listed: sequence.listed.map { compile($0) },
            afterLast: sequence.afterLast
        )
    }

    private mutating func compile(_ rule: Guard) -> CompiledGuard {
        CompiledGuard(name: rule.name, condition: rule.condition, response: compile(rule.response))
    }

    private mutating func compile(_ response: StubResponse) -> CompiledResponse {
        responseCount += 1
        return CompiledResponse(response, number: responseCount, parts: parts[response.position] ?? [])
    }

    // MARK: Tokens

    private mutating func compile(_ rejection: Rejection) -> CompiledRejection {
        (rejection.standing, compile(rejection.response))
    }

    private mutating func compile(_ requirement: TokenRequirement) -> CompiledRequirement? {
        guard let kind = scenario.tokens.kind(named: requirement.kind) else { return nil }
        let own = requirement.rejections.map { compile($0) }
        let common = rejections[kind.name] ?? []
        var answers: [TokenStanding: CompiledResponse] = [:]
        for standing in TokenStanding.allCases {
            answers[standing] = Self.answer(to: standing, in: own) ?? Self.answer(to: standing, in: common)
        }
        return CompiledRequirement(
            kind: kind,
            places: (requirement.carriers ?? kind.carriers).map { place($0, of: kind.name, isEverywhere: false) },
            accepted: requirement.accepted,
            rejections: answers
        )
    }

    /// The answer to a standing: its own, else that of a more general standing, else the one for every other.
    private static func answer(to standing: TokenStanding, in rejections: [CompiledRejection]) -> CompiledResponse? {
        var candidate: TokenStanding? = standing
        while let wanted = candidate {
            if let rejection = rejections.first(where: { $0.standing == wanted }) { return rejection.response }
            candidate = wanted.general
        }
        return rejections.first { $0.standing == nil }?.response
    }

    private mutating func place(_ carrier: TokenCarrier, of kind: String, isEverywhere: Bool) -> Int {
        if let known = places.firstIndex(where: { $0.carrier == carrier }) { return known }
        places.append(TokenPlace(carrier: carrier, kind: kind, isEverywhere: isEverywhere))
        return places.count - 1
    }
}
