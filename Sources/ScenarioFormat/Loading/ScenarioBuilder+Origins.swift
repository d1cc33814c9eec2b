import Basics
import JSON

extension ScenarioBuilder {
    /// Reads the story's other servers, whose routes are as those of the backend.
    mutating func origins() -> [Origin] {
        root["origins"].members.map { member in
            expectNoGates(in: member.value["routes"])
            return Origin(
                name: member.name,
                routes: routes(member.value["routes"]),
                acceptedKinds: member.value["accepts"].map { kindList($0) } ?? [],
                position: member.namePosition
            )
        }
    }

    private mutating func expectNoGates(in routes: JSONValue?) {
        for route in routes.members {
            guard let gate = route.value.object?.member(named: "hold") else { continue }
            report(
                "scenario/idle-key",
                "\"hold\" means nothing here, because only requests to the backend wait for each other",
                at: gate.namePosition
            )
        }
    }

    /// The origin that a pattern is about, and whether its route is one of the origin's.
    mutating func origin(of tree: JSONValue, asking route: String, at position: JSONPosition) -> String? {
        guard let written = tree["origin"], let name = written.string else {
            expectRoute(route, at: position)
            return nil
        }
        if expect(name, among: originNames, as: "origin", at: written.position) {
            let routes = root["origins"]?[name]?["routes"].memberNames ?? []
            expect(
                route,
                among: routes,
                as: "route",
                at: position,
                message: "the origin \"\(name.shortened)\" has no route \"\(route.shortened)\""
            )
        }
        return name
    }
}
