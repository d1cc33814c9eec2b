import Basics
import HTTPCodec
import JSON

extension ScenarioBuilder {
    /// Reads the gates: first those that stand by themselves, then those of single routes.
    mutating func gates(of routes: [Route]) -> [Gate] {
        let trees = root["hold"]?.array ?? [root["hold"]].compactMap(\.self)
        var gates: [Gate] = []
        for (index, tree) in trees.enumerated() {
            let held = heldRoutes(tree["requests"])
            let parameters = held.map { key in routes.first { $0.key.text.hasSameUTF8(as: key) } }
                .map { $0?.key.template.parameterNames ?? [] }
            scope.pathParameters = (parameters.first ?? []).filter { name in
                parameters.allSatisfy { $0.containsExactly(name) }
            }
            if let gate = gate(tree, named: "gate \(index + 1)", routes: held) { gates.append(gate) }
        }
        for route in routes {
            guard let tree = root["routes"]?[route.key.text]?["hold"] else { continue }
            scope.pathParameters = route.key.template.parameterNames
            if let gate = gate(tree, named: route.key.text, routes: [route.key.text]) { gates.append(gate) }
        }
        scope.pathParameters = []
        checkNamesDiffer(gates)
        return gates
    }

    private mutating func heldRoutes(_ tree: JSONValue?) -> [String] {
        (tree?.array ?? [tree].compactMap(\.self)).compactMap { tree in
            guard let key = tree.string else { return nil }
            expectRoute(key, at: tree.position)
            return key
        }
    }

    private mutating func gate(_ tree: JSONValue, named name: String, routes: [String]) -> Gate? {
        guard let opening = opening(tree["until"], routes: routes) else { return nil }
        return Gate(
            name: tree["name"]?.string ?? name,
            routes: routes,
            condition: tree["when"].map { condition($0) },
            opening: opening,
            order: tree["order"]?.string.flatMap(Gate.Order.init) ?? .seeded,
            moment: tree["decide"]?.string.flatMap(Gate.Moment.init) ?? .arrival,
            quiet: quietTime(tree["quiet"]) ?? Gate.defaultQuiet,
            times: tree["times"]?.number?.int ?? 1,
            isOptional: tree["optional"]?.bool ?? false,
            position: tree.position
        )
    }

    private mutating func opening(_ tree: JSONValue?, routes: [String]) -> Gate.Opening? {
        if let count = tree?.number?.int { return .inFlight(count) }
        if tree?.string == "released" { return .released }
        guard let answered = tree?["answered"], let route = answered.string else { return nil }
        expectRoute(route, at: answered.position)
        if routes.containsExactly(route) {
            report(
                "scenario/held-answer",
                "the requests wait for an answer of \"\(route.shortened)\", and are held back from giving it",
                at: answered.position,
                advice: "name the other routes alone in \"requests\""
            )
        }
        return .answered(route: route, statuses: statuses(tree?["status"]))
    }

    private mutating func quietTime(_ tree: JSONValue?) -> Duration? {
        guard let tree, let quiet = tree.string.flatMap(DurationText.parse) else { return nil }
        if quiet == .zero {
            report(
                "scenario/bad-range",
                "\"quiet\" must be longer than 0s, or no request would wait for another",
                at: tree.position
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
