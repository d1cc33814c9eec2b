import ScenarioFormat
import Simulation

/// The value that a state has at the end, for the session or for one account or device.
package struct FinalState: Sendable, Hashable {
    package var name: String
    /// The account or device; `nil` for the session's.
    package var owner: String?
    package var value: String
}

extension FinalState {
    /// Every state of a session with every owner that there is.
    static func all(of session: Session) -> [FinalState] {
        let values = session.stateValues
        return session.stage.scenario.states.flatMap { declaration -> [FinalState] in
            let own = values.filter { $0.name == declaration.name }
                .map { FinalState(name: $0.name, owner: $0.owner, value: $0.value) }
            let told = own.filter { $0.owner != nil }
            let owners = Set(told.compactMap(\.owner))
            let others = self.owners(of: declaration, in: session)
                .filter { !owners.contains($0) }
                .map { FinalState(name: declaration.name, owner: $0, value: declaration.values.first ?? "") }
            let owned = told + others
            return owned.isEmpty ? own : owned
        }
    }

    /// Whoever has signed in has every state of its scope, changed or not.
    private static func owners(of declaration: StateDeclaration, in session: Session) -> [String] {
        switch declaration.scope {
        case .session: return []
        case .device: return session.ledger.devices.map(\.name)
        case .account:
            var seen = Set<String>()
            return session.ledger.devices.map(\.account).filter { seen.insert($0).inserted }
        }
    }
}
