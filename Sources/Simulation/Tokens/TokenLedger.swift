import ScenarioFormat

/// Every token of a session, for the one question what a token is now.
package struct TokenLedger: Sendable {
    /// A device and the tokens that the server keeps for it.
    package struct Device: Sendable {
        package var name: String
        package var account: String
        /// How often it has signed in.
        package var family: Int
        /// The stored copy of each kind, by token id.
        var stored: [String: String] = [:]
    }

    package private(set) var tokens: [Token] = []
    /// In the order of their first sign-in.
    package private(set) var devices: [Device] = []
    private var indexByDevice: [String: Int] = [:]
    private var indexByID: [String: Int] = [:]
    /// The newest token with each value: twins of one second have the same.
    private var indexByValue: [String: Int] = [:]
    private var serials: [String: Int] = [:]
    private var storedByAccount: [String: [String: String]] = [:]
    private var unnamedDevices = 0

    package init() {}

    // MARK: Asking

    package func token(id: String) -> Token? {
        indexByID[id].map { tokens[$0] }
    }

    package func token(value: String) -> Token? {
        indexByValue[value].map { tokens[$0] }
    }

    package func device(named name: String) -> Device? {
        indexByDevice[name].map { devices[$0] }
    }

    func storedToken(of kind: String, device: String, owner: TokenOwner) -> Token? {
        guard let device = self.device(named: device) else { return nil }
        let id =
            switch owner {
            case .device: device.stored[kind]
            case .account: storedByAccount[device.account]?[kind]
            }
        return id.flatMap(token(id:))
    }

    // MARK: Devices

    /// A name for a device that has given none.
    mutating func nextUnnamedDevice() -> String {
        repeat { unnamedDevices += 1 } while device(named: "device-\(unnamedDevices)") != nil
        return "device-\(unnamedDevices)"
    }

    /// Starts a new token family for a device.
    mutating func signIn(device name: String, account: String) {
        if let index = indexByDevice[name] {
            devices[index].account = account
            devices[index].family += 1
        } else {
            indexByDevice[name] = devices.count
            devices.append(Device(name: name, account: account, family: 1))
        }
    }

    // MARK: Issuing

    mutating func nextID(of kind: String) -> String {
        serials[kind, default: 0] += 1
        return "\(kind)-\(serials[kind, default: 1])"
    }

    /// Enters a token, and stores it as its owner's current one.
    mutating func enter(_ token: Token, owner: TokenOwner, multiplicity: TokenKind.Multiplicity) {
        supersedeRivals(of: token, multiplicity)
        let index = tokens.count
        tokens.append(token)
        indexByID[token.id] = index
        indexByValue[token.value] = index
        switch owner {
        case .account: storedByAccount[token.account, default: [:]][token.kind] = token.id
        case .device:
            if let device = indexByDevice[token.device] {
                devices[device].stored[token.kind] = token.id
            }
        }
    }

    private mutating func supersedeRivals(of token: Token, _ multiplicity: TokenKind.Multiplicity) {
        guard multiplicity != .many else { return }
        for index in tokens.indices where tokens[index].kind == token.kind && tokens[index].fate == .live {
            let isRival =
                multiplicity == .account
                ? tokens[index].account == token.account : tokens[index].device == token.device
            if isRival { tokens[index].fate = .superseded(at: token.issued) }
        }
    }

    // MARK: Changing

    mutating func supersede(_ id: String, at now: VirtualTime) {
        change(id) { if $0.fate == .live { $0.fate = .superseded(at: now) } }
    }

    mutating func noteReuse(of id: String) {
        change(id) { if case .superseded(let time) = $0.fate { $0.fate = .reused(supersededAt: time) } }
    }

    private mutating func change(_ id: String, _ body: (inout Token) -> Void) {
        if let index = indexByID[id] { body(&tokens[index]) }
    }

    mutating func revoke(_ kinds: Event.KindSelection, devices: DeviceSet) {
        changeAll(kinds, devices) { if $0.fate != .revoked { $0.fate = .revoked } }
    }

    mutating func expire(_ kinds: Event.KindSelection, devices: DeviceSet, at now: VirtualTime) {
        changeAll(kinds, devices) { $0.expires = min($0.expires, now) }
    }

    private mutating func changeAll(
        _ kinds: Event.KindSelection,
        _ devices: DeviceSet,
        _ body: (inout Token) -> Void
    ) {
        for index in tokens.indices
        where kinds.contains(tokens[index].kind) && devices.contains(tokens[index].device) {
            body(&tokens[index])
        }
    }

    /// Drops stored copies; the tokens themselves go on as they are.
    mutating func forget(_ kinds: Event.KindSelection, devices set: DeviceSet) {
        for index in devices.indices where set.contains(devices[index].name) {
            devices[index].stored = devices[index].stored.filter { !kinds.contains($0.key) }
            let account = devices[index].account
            storedByAccount[account] = storedByAccount[account]?.filter { !kinds.contains($0.key) }
        }
    }
}

/// The devices that a change is about.
package enum DeviceSet: Sendable, Hashable {
    case every
    case one(String)
    /// A caller that is nobody's device.
    case none

    func contains(_ name: String) -> Bool {
        switch self {
        case .every: true
        case .one(let device): device == name
        case .none: false
        }
    }
}

extension Event.KindSelection {
    func contains(_ kind: String) -> Bool {
        switch self {
        case .every: true
        case .kind(let name): name == kind
        }
    }
}
