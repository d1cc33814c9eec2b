package import JSON
import ScenarioFormat

/// The values of a scenario's states: one of the session, or one of each account or device.
struct StateValues: Sendable {
    /// A state, and its owner.
    private struct Key: Hashable, Sendable {
        var name: String
        /// The account or device; empty for the session's.
        var owner: String
    }

    private var declarations: [String: StateDeclaration]
    /// The values that were set.
    private var values: [Key: String] = [:]

    init(_ declarations: [String: StateDeclaration]) {
        self.declarations = declarations
    }

    /// Continues with another version of the scenario, and keeps the values that it declares.
    mutating func replace(_ declarations: [String: StateDeclaration]) {
        self.declarations = declarations
        values = values.filter { key, value in declarations[key.name]?.values.contains(value) ?? false }
    }

    /// The value of a state; `nil` when no such state is declared.
    func value(of name: String, device: String?, account: String?) -> String? {
        guard let declaration = declarations[name] else { return nil }
        let owner =
            switch declaration.scope {
            case .session: ""
            case .account: account ?? ""
            case .device: device ?? ""
            }
        return values[Key(name: name, owner: owner)] ?? declaration.values.first
    }

    /// Returns whether a value differs from another session's, which may not have set it.
    func differ(from former: StateValues) -> Bool {
        values.contains { key, value in
            value != former.values[key] ?? declarations[key.name]?.values.first
        }
    }

    /// Changes states of the session, or of devices and their accounts.
    ///
    /// - Parameters:
    ///   - ledger: the devices that there are, and their accounts.
    ///   - accounts: every account, also without a device; asked for only where the change is about every device.
    mutating func change(
        _ changes: [Event.StateChange],
        devices: DeviceSet,
        caller: (device: String?, account: String?),
        _ ledger: TokenLedger,
        accounts: [String]
    ) {
        for change in changes {
            let owners: [String]
            switch (declarations[change.name]?.scope, devices) {
            case (nil, _): continue
            case (.session, _): owners = [""]
            case (.device, .one(let device)): owners = [device]
            case (.account, .one(let device)) where device == caller.device && caller.account != nil:
                owners = [caller.account ?? ""]
            case (.account, .one(let device)): owners = [ledger.device(named: device)?.account ?? ""]
            case (.device, .several(let devices)): owners = devices
            case (.account, .several(let devices)): owners = devices.compactMap { ledger.device(named: $0)?.account }
            case (.account, .none): owners = [caller.account ?? ""]
            case (.device, .none): owners = [""]
            case (.device, .every): owners = [""] + ledger.devices.map(\.name)
            case (.account, .every): owners = [""] + ledger.devices.map(\.account) + accounts
            }
            for owner in owners { values[Key(name: change.name, owner: owner)] = change.value }
        }
    }

    /// The values of some states, sorted by owner after the common one; an owner without its own value is not listed.
    func list(_ declarations: [StateDeclaration]) -> [FinalState] {
        declarations.flatMap { declaration -> [FinalState] in
            let own = values.filter { $0.key.name == declaration.name && !$0.key.owner.isEmpty }
                .sorted { $0.key.owner < $1.key.owner }
                .map { FinalState(name: declaration.name, owner: $0.key.owner, value: $0.value) }
            let common = values[Key(name: declaration.name, owner: "")] ?? declaration.values.first ?? ""
            return [FinalState(name: declaration.name, value: common)] + own
        }
    }

    /// The values of some states with every owner that there is; a user who has signed in has each of its scope, changed
    /// or not.
    func finalList(_ declarations: [StateDeclaration], _ ledger: TokenLedger) -> [FinalState] {
        let values = list(declarations)
        return declarations.flatMap { declaration -> [FinalState] in
            let own = values.filter { $0.name == declaration.name }
            let told = own.filter { $0.owner != nil }
            let owners = Set(told.compactMap(\.owner))
            let others = ledger.owners(of: declaration.scope).filter { !owners.contains($0) }
                .map { FinalState(name: declaration.name, owner: $0, value: declaration.values.first ?? "") }
            return told.isEmpty && others.isEmpty ? own : told + others
        }
    }
}

extension TokenLedger {
    fileprivate func owners(of scope: StateDeclaration.Scope) -> [String] {
        switch scope {
        case .session: return []
        case .device: return devices.map(\.name)
        case .account:
            var seen = Set<String>()
            return devices.map(\.account).filter { seen.insert($0).inserted }
        }
    }
}

/// The named states and the counters.
extension MockBackend {
    /// Every state's value, sorted by name and owner; an owner without its own value is not listed.
    var stateValues: [FinalState] { states.list(played.scenario.states) }

    /// The counters and their numbers, in the order of the file.
    var counterValues: [(name: String, value: Int)] {
        played.scenario.counters.map { ($0.name, counters[$0.name] ?? $0.start) }
    }
}

extension Session {
    package var stateValues: [FinalState] { backend.stateValues }

    /// Every state with every owner that there is; a user who has signed in has each of its scope, changed or not.
    package var finalStates: [FinalState] { backend.states.finalList(played.scenario.states, backend.ledger) }

    package var counterValues: [(name: String, value: Int)] { backend.counterValues }

    package var statesJSON: JSONValue {
        [
            "states": .object(JSONObject(stateValues.map { ($0.label, .string($0.value)) })),
            "counters": .object(JSONObject(counterValues.map { ($0.name, .number(JSONNumber($0.value))) })),
        ]
    }
}
