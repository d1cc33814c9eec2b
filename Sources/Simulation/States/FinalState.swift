import ScenarioFormat

/// The value that a state has at a moment, for the session or for one account or device.
package struct FinalState: Sendable, Hashable {
    package var name: String
    /// The account or device; `nil` for the session's.
    package var owner: String?
    package var value: String
}

extension FinalState: RecordedObject {
    package init() { self.init(name: "", value: "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("name", &name)
        form.member("owner", &owner)
        form.member("value", &value)
    }
}

extension Session {
    /// Every state's value, sorted by name and owner; an owner without its own value is not listed.
    package var stateValues: [FinalState] {
        played.scenario.states.flatMap { declaration -> [FinalState] in
            let own = states.filter { $0.key.name == declaration.name && !$0.key.owner.isEmpty }
                .sorted { $0.key.owner < $1.key.owner }
                .map { FinalState(name: declaration.name, owner: $0.key.owner, value: $0.value) }
            let common = states[StateKey(name: declaration.name, owner: "")] ?? declaration.values.first ?? ""
            return [FinalState(name: declaration.name, value: common)] + own
        }
    }

    /// Every state with every owner that there is; a user who has signed in has each of its scope, changed or not.
    package var finalStates: [FinalState] {
        let values = stateValues
        return played.scenario.states.flatMap { declaration -> [FinalState] in
            let own = values.filter { $0.name == declaration.name }
            let told = own.filter { $0.owner != nil }
            let owners = Set(told.compactMap(\.owner))
            let others = self.owners(of: declaration).filter { !owners.contains($0) }
                .map { FinalState(name: declaration.name, owner: $0, value: declaration.values.first ?? "") }
            return told.isEmpty && others.isEmpty ? own : told + others
        }
    }

    private func owners(of declaration: StateDeclaration) -> [String] {
        switch declaration.scope {
        case .session: return []
        case .device: return ledger.devices.map(\.name)
        case .account:
            var seen = Set<String>()
            return ledger.devices.map(\.account).filter { seen.insert($0).inserted }
        }
    }
}
