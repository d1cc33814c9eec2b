package import JSON
import ScenarioFormat

/// The named states and the counters.
extension Session {
    /// The value of a state; `nil` when no such state is declared.
    func state(_ name: String, device: String?, account: String?) -> String? {
        guard let declaration = played.script.stateScopes[name] else { return nil }
        let key = StateKey(name: name, owner: owner(of: declaration, device: device, account: account))
        return states[key] ?? declaration.values.first
    }

    private func owner(of declaration: StateDeclaration, device: String?, account: String?) -> String {
        switch declaration.scope {
        case .session: ""
        case .account: account ?? ""
        case .device: device ?? ""
        }
    }

    mutating func changeStates(
        _ changes: [Event.StateChange],
        devices: DeviceSet,
        caller: (device: String?, account: String?)
    ) {
        for change in changes {
            guard let declaration = played.script.stateScopes[change.name] else { continue }
            for owner in owners(of: declaration, devices, caller: caller) {
                states[StateKey(name: change.name, owner: owner)] = change.value
            }
        }
    }

    private func owners(
        of declaration: StateDeclaration,
        _ devices: DeviceSet,
        caller: (device: String?, account: String?)
    ) -> [String] {
        switch (declaration.scope, devices) {
        case (.session, _): [""]
        case (.device, .one(let device)): [device]
        case (.account, .one(let device)) where device == caller.device && caller.account != nil:
            [caller.account ?? ""]
        case (.account, .one(let device)): [ledger.device(named: device)?.account ?? ""]
        case (.device, .several(let devices)): devices
        case (.account, .several(let devices)): devices.compactMap { ledger.device(named: $0)?.account }
        case (.account, .none): [caller.account ?? ""]
        case (.device, .none): [""]
        case (.device, .every): [""] + ledger.devices.map(\.name)
        case (.account, .every): [""] + ledger.devices.map(\.account) + store.accountNames
        }
    }

    /// The counters and their numbers, in the order of the file.
    package var counterValues: [(name: String, value: Int)] {
        played.scenario.counters.map { ($0.name, counters[$0.name] ?? $0.start) }
    }

    package var statesJSON: JSONValue {
        var states = JSONObject()
        for state in stateValues {
            states[state.owner.map { "\(state.name) of \($0)" } ?? state.name] = .string(state.value)
        }
        return [
            "states": .object(states),
            "counters": .object(JSONObject(counterValues.map { ($0.name, JSONValue.number(JSONNumber($0.value))) })),
        ]
    }
}
