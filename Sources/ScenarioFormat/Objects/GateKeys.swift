import Basics
import HTTPCodec
import JSON

/// The keys of every gate.
private enum GateKeys {
    static let until = Key(
        "until",
        .json(.choice([.integer(2...10_000), .text(.oneOf(["released"])), .object(AnsweredKeys.self)])),
        "What lets them go: so many held at once, a response on another route, or a call of the admin API.",
        required: true,
        example: 3
    )
    static let when = Key(
        "when",
        .object(ConditionKeys.self),
        "What a request must be like to be held; others pass.",
        example: ["header": ["X-Device": "phone"]]
    )
    static let order = Key(
        "order",
        .word(Gate.Order.self),
        default: .seeded,
        "The order in which they go on; with seeded, another seed is another order."
    )
    static let decide = Key(
        "decide",
        .word(Gate.Moment.self),
        default: .arrival,
        "Whether a held request is answered by what held when it came, or when it goes on."
    )
    static let quiet = Key(
        "quiet",
        .duration,
        default: Gate.defaultQuiet,
        "They also go after so much real time without another."
    )
    static let times = Key(
        "times",
        .integer(1...1_000_000),
        default: 1,
        "How often requests are held; afterwards they pass."
    )
    static let name = Key(
        "name",
        .text(.filled),
        "What the verdict and the admin API call it.",
        otherwise: "gate 1, …, or the route",
        example: "both at once"
    )
    static let optional = Key(
        "optional",
        .boolean,
        default: false,
        "true: the story is judged even if its race was not reached."
    )
    static let all: [any FormatKey] = [until, when, order, decide, quiet, times, name, optional]
}

enum HoldKeys: FormatObject {
    static let requests = Key(
        "requests",
        list: .oneOrMore(.json(.text(.route))),
        "The routes whose requests are held.",
        otherwise: "every route",
        example: ["GET /notes", "POST /notes"]
    )

    static let shape = ObjectShape(
        "hold",
        "\"hold\"",
        "a place where requests wait for each other",
        [requests] + GateKeys.all,
        discussion: """
            It makes a race a fact and not luck: with `"hold": {"requests": "GET /diaries", "until": 3}` three of them \
            are under way before the first is answered.

            Quiet proves nothing on a machine that is busy. So it lasts longer by four times the lag that the server \
            measures in its own timers, and under `run` it counts from the last moment at which a thread of the \
            client's process group ran or waited for a processor; by 500 ms more at most. The same holds for the 5 ms \
            after which an automatic clock jumps.
            """
    )
}

enum RouteHoldKeys: FormatObject {
    static let shape = ObjectShape(
        "routeHold",
        "\"hold\"",
        "a place where a route's requests wait for each other",
        GateKeys.all
    )
}

enum AnsweredKeys: FormatObject {
    static let answered = Key("answered", .json(.text(.route)), "The route that must have answered.", required: true)
    static let status = Key("status", list: .statuses, "The statuses that count.", otherwise: "any", example: 200)

    static let shape = ObjectShape(
        "answered",
        "\"until\"",
        "the response that lets held requests go",
        [answered, status]
    )
}

extension ValueType<[Int]> {
    static var statuses: Self {
        let written = oneOrMore(.integer(100...999))
        return Self(shape: .shared("statuses", written.shape), read: written.read)
    }
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads the gates: first those that stand by themselves, then those of single routes.
    mutating func gates(of routes: [Route]) -> [Gate] {
        var gates: [Gate] = []
        for (index, tree) in root[ScenarioKeys.hold].enumerated() {
            let held = heldRoutes(of: tree)
            let parameters = held.map { key in routes.first { $0.key.text.hasSameUTF8(as: key) } }
                .map { $0?.key.template.parameterNames ?? [] }
            scope.pathParameters = (parameters.first ?? []).filter { name in
                parameters.allSatisfy { $0.containsExactly(name) }
            }
            if let gate = gate(tree, named: "gate \(index + 1)", routes: held) { gates.append(gate) }
        }
        for route in routes {
            guard let tree = root.written(ScenarioKeys.routes)?[route.key.text]?[RouteKeys.hold] else { continue }
            scope.pathParameters = route.key.template.parameterNames
            if let gate = gate(tree, named: route.key.text, routes: [route.key.text]) { gates.append(gate) }
        }
        scope.pathParameters = []
        checkNamesDiffer(gates)
        return gates
    }

    private mutating func heldRoutes(of tree: JSONValue) -> [String] {
        tree[HoldKeys.requests].compactMap { tree in
            guard let key = tree.string else { return nil }
            expectRoute(key, at: tree.position)
            return key
        }
    }

    private mutating func gate(_ tree: JSONValue, named name: String, routes: [String]) -> Gate? {
        guard let opening = opening(tree[GateKeys.until], routes: routes) else { return nil }
        return Gate(
            name: tree[GateKeys.name] ?? name,
            routes: routes,
            condition: tree[GateKeys.when].map { condition($0) },
            opening: opening,
            order: tree[GateKeys.order],
            moment: tree[GateKeys.decide],
            quiet: quietTime(of: tree),
            times: tree[GateKeys.times],
            isOptional: tree[GateKeys.optional],
            position: tree.position
        )
    }

    private mutating func opening(_ tree: JSONValue?, routes: [String]) -> Gate.Opening? {
        guard let tree else { return nil }
        if let count = tree.number?.int { return .inFlight(count) }
        if tree.string == "released" { return .released }
        guard let answered = tree[AnsweredKeys.answered], let route = answered.string else { return nil }
        expectRoute(route, at: answered.position)
        if routes.containsExactly(route) {
            report(
                "scenario/held-response",
                "the requests wait for a response of \"\(route.shortened)\", and are held back from giving it",
                at: answered.position,
                advice: "name the other routes alone in \"requests\""
            )
        }
        return .answered(route: route, statuses: tree[AnsweredKeys.status])
    }

    private mutating func quietTime(of tree: JSONValue) -> Duration {
        let quiet = tree[GateKeys.quiet]
        if quiet == .zero, let written = tree.written(GateKeys.quiet) {
            report(
                "scenario/bad-range",
                "\"quiet\" must be longer than 0s, or no request would wait for another",
                at: written.position
            )
        }
        return quiet
    }

    private mutating func checkNamesDiffer(_ gates: [Gate]) {
        var names: Set<ExactText> = []
        for gate in gates where !names.insert(ExactText(gate.name)).inserted {
            report(
                "scenario/same-name",
                "there is another \"hold\" with the name \"\(gate.name.shortened)\"",
                at: gate.position,
                advice: "give it a name of its own, because the admin API opens it by its name"
            )
        }
    }
}
