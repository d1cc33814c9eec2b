import JSON

/// The guesses as a scenario says them.
extension TokenGuesses {
    /// The value of `tokens`; `nil` without any kind.
    func rules(refusing refusals: RefusalGuesses, on shelf: inout DraftFixtures) -> JSONValue? {
        guard !kinds.isEmpty else { return nil }
        var json: JSONObject = [:]
        for kind in kinds {
            json[kind.name] = kind.json(rejecting: refusals.usual(ofKind: kind.name)?.response(on: &shelf))
        }
        return ["kinds": .object(json)]
    }

    /// The value of a route's `requires`; `nil` when it wants no token.
    func requirement(
        of route: DraftedRoute,
        refusing refusals: RefusalGuesses,
        on shelf: inout DraftFixtures
    ) -> JSONValue? {
        let kinds = kinds(wantedBy: route.operation)
        guard !kinds.isEmpty else { return nil }
        let own = refusals.own(of: route.operation)?.response(on: &shelf)
        if own == nil, kinds.allSatisfy({ $0.grantedBy != nil }) {
            return kinds.count == 1 ? .string(kinds[0].name) : .array(kinds.map { .string($0.name) })
        }
        let members = kinds.map { kind in
            let accepted = kind.accepted.map(JSONValue.string)
            let standings = accepted.count == 1 ? accepted[0] : .array(accepted)
            return (kind.name, own.map { ["is": standings, "reject": ["*": $0]] } ?? standings)
        }
        return .object(JSONObject(members))
    }
}
