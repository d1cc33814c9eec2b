import Basics
import HTTPCodec
import JSON

/// The keys of every gate.
private enum GateKeys {
    static let until = Key(
        "until",
        .json(.choice([.integer(2...10_000), .text(.oneOf(["released"])), .object(AnsweredKeys.self)])),
        """
        The condition that releases the held requests: their number, a response on another route, or an admin API \
        call.
        """,
        required: true,
        example: 3
    )
    static let when = Key(
        "when",
        .object(ConditionKeys.self),
        "The condition under which a request is held. Other requests pass.",
        example: ["header": ["X-Device": "phone"]]
    )
    static let order = Key(
        "order",
        .word(Gate.Order.self),
        default: .seeded,
        "The order in which the requests are released. \"seeded\" depends on the seed."
    )
    static let decide = Key(
        "decide",
        .word(Gate.Moment.self),
        default: .arrival,
        "The moment whose server state determines the response to a held request: the request's arrival or its release."
    )
    static let quiet = Key(
        "quiet",
        .longDuration,
        default: Gate.defaultQuiet,
        "The real time that must pass without another request before the held requests are released anyway."
    )
    static let times = Key(
        "times",
        .integer(1...1_000_000),
        default: 1,
        "The number of times that the gate holds requests. Later requests pass."
    )
    static let name = Key(
        "name",
        .text(.filled),
        "The gate's name in the verdict and the admin API.",
        otherwise: "gate 1, …, or the route",
        example: "both at once"
    )
    static let optional = Key(
        "optional",
        .boolean,
        default: false,
        "If true, the story is judged even if its race was not reached."
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
        "a gate at which requests wait for each other",
        [requests] + GateKeys.all,
        discussion: """
            A gate makes a race happen in every run: with `"hold": {"requests": "GET /diaries", "until": 3}`, three \
            requests are in progress before the first one is answered.

            On a busy machine, a quiet period proves nothing. Backlot therefore extends the quiet period by four times \
            the lag of the server's timers, and `run` measures the period from the last time that a thread in the \
            client's process group ran or waited for a processor. The extension is at most 500 ms. Backlot extends the \
            5 ms after which an automatic clock jumps in the same way.
            """
    )
}

enum RouteHoldKeys: FormatObject {
    static let shape = ObjectShape(
        "routeHold",
        "\"hold\"",
        "a gate at which a route's requests wait for each other",
        GateKeys.all
    )
}

enum AnsweredKeys: FormatObject {
    static let answered = Key("answered", .json(.text(.route)), "The route that must respond first.", required: true)
    static let status = Key("status", list: .statuses, "The matching status codes.", otherwise: "any", example: 200)

    static let shape = ObjectShape(
        "answered",
        "\"until\"",
        "the response that releases held requests",
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
            quiet: tree[GateKeys.quiet],
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
                "the requests wait for a response from \"\(route.shortened)\", whose requests are also held",
                at: answered.position,
                advice: "list only the other routes in \"requests\""
            )
        }
        return .answered(route: route, statuses: tree[AnsweredKeys.status])
    }

    private mutating func checkNamesDiffer(_ gates: [Gate]) {
        var names: Set<ExactText> = []
        for gate in gates where !names.insert(ExactText(gate.name)).inserted {
            report(
                "scenario/same-name",
                "another \"hold\" has the name \"\(gate.name.shortened)\"",
                at: gate.position,
                advice: "choose a unique name; the admin API identifies the gate by its name"
            )
        }
    }
}
