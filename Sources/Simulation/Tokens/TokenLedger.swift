import Basics
import JSON
import ScenarioFormat

/// Every token of a session, for the one question what a token is now.
///
/// Nothing here looks through all tokens for the sake of one, so thousands of sign-ins cost each the same.
package struct TokenLedger: Sendable {
    /// A device and the tokens that the server keeps for it.
    package struct Device: Sendable {
        package var name: String
        package var account: String
        /// The number of times that it has signed in.
        package var family: Int
        /// The stored copy of each kind, by token id.
        var stored: [String: String] = [:]
        /// The indexes of its tokens.
        var tokens: [Int] = []
    }

    package private(set) var tokens: [Token] = []
    /// The size of what the tokens remember, in bytes; tokens of one response count separately.
    private(set) var memoryBytes = 0
    /// A ledger with more tokens gets none from requests: a hundred megabytes, and far more than a test has.
    package static let mostTokens = 100_000
    /// The number of bytes from which no response gives tokens anything to remember: 64 MB.
    static let mostMemory = 64 << 20
    /// In the order of their first sign-in.
    package private(set) var devices: [Device] = []
    // A client's texts are compared byte by byte: text that only looks like a token is not one.
    private var indexByDevice: [ExactText: Int] = [:]
    private var indexByID: [String: Int] = [:]
    /// The newest token with each value.
    private var indexByValue: [ExactText: Int] = [:]
    /// The token before it with the same value: twins of one second have the same.
    private var olderTwin: [Int: Int] = [:]
    private var serials: [String: Int] = [:]
    private var storedByAccount: [ExactText: [String: String]] = [:]
    /// The tokens that were live when one of their kind and owner was last issued.
    private var rivals: [RivalKey: [Int]] = [:]
    private var unnamedDevices = 0
    /// A Boolean value that indicates whether tokens have stand-ins for values.
    private(set) var isRecorded = false

    private struct RivalKey: Hashable {
        var kind: String
        var owner: TokenOwner
        var name: ExactText
    }

    package init() {}

    /// Creates a ledger from a session's recorded tokens, in the order of issue, for past states.
    ///
    /// Stored copies are unknown, and values are replaced, so no client can continue with it.
    package init(recorded devices: [(name: String, account: String, family: Int)], _ tokens: [Token]) {
        isRecorded = true
        for device in devices where indexByDevice[device.name.exact] == nil {
            indexByDevice[device.name.exact] = self.devices.count
            self.devices.append(Device(name: device.name, account: device.account, family: device.family))
        }
        for token in tokens { append(token) }
    }

    // MARK: Asking

    package func token(id: String) -> Token? {
        indexByID[id].map { tokens[$0] }
    }

    /// The newest token with a value, or the newest of a kind with it, if there is one.
    package func token(value: String, preferring kind: String? = nil) -> Token? {
        let key = isRecorded ? Token.standIn(for: value) : value
        guard let newest = indexByValue[key.exact] else { return nil }
        guard let kind, tokens[newest].kind != kind else { return tokens[newest] }
        var twin = olderTwin[newest]
        while let index = twin {
            if tokens[index].kind == kind { return tokens[index] }
            twin = olderTwin[index]
        }
        return tokens[newest]
    }

    package func device(named name: String) -> Device? {
        indexByDevice[name.exact].map { devices[$0] }
    }

    /// The tokens of a device, oldest first; the newest of them where there is a limit.
    package func tokens(of device: Device, newest limit: Int = .max) -> [Token] {
        device.tokens.suffix(limit).map { tokens[$0] }
    }

    func storedToken(of kind: String, device: String, owner: TokenOwner) -> Token? {
        guard let device = self.device(named: device) else { return nil }
        let id =
            switch owner {
            case .device: device.stored[kind]
            case .account: storedByAccount[device.account.exact]?[kind]
            }
        return id.flatMap(token(id:))
    }

    // MARK: Devices

    /// A name for a device that has given none.
    mutating func nextUnnamedDevice() -> String {
        repeat { unnamedDevices += 1 } while indexByDevice[ExactText("device-\(unnamedDevices)")] != nil
        return "device-\(unnamedDevices)"
    }

    /// Starts a new token family for a device.
    mutating func signIn(device name: String, account: String) {
        if let index = indexByDevice[name.exact] {
            devices[index].account = account
            devices[index].family += 1
        } else {
            indexByDevice[name.exact] = devices.count
            devices.append(Device(name: name, account: account, family: 1))
        }
    }

    // MARK: Issuing

    mutating func nextID(of kind: String) -> String {
        let serial = serials[kind, default: 0] + 1
        serials[kind] = serial
        return "\(kind)-\(serial)"
    }

    /// Makes a new token without its text, which is to be entered.
    mutating func begin(
        _ kind: TokenKind,
        of owner: Device,
        parent: String?,
        _ memory: JSONObject,
        at time: VirtualTime
    ) -> Token {
        // A JWT tells whole seconds, and the server goes by what the token tells.
        let issued = kind.format == .jwt ? VirtualTime(seconds: time.seconds) : time
        return Token(
            id: nextID(of: kind.name),
            kind: kind.name,
            value: "",
            device: owner.name,
            account: owner.account,
            family: owner.family,
            issued: issued,
            expires: issued + kind.lifetime,
            parent: parent,
            memory: memory
        )
    }

    /// Enters a new token, and stores it as its owner's current one.
    mutating func enter(
        _ token: Token,
        owner: TokenOwner,
        multiplicity: TokenKind.Multiplicity,
        at now: VirtualTime
    ) {
        displaceRivals(of: token, multiplicity, at: now)
        append(token)
        store(token, owner)
    }

    /// Enters a token from an earlier life, which replaces no other.
    ///
    /// - Parameter device: the device; one of the account's, or a new one, if `nil`.
    mutating func adopt(
        _ text: String,
        _ kind: String,
        account: String,
        device: String?,
        issued: VirtualTime,
        expires: VirtualTime,
        owner: TokenOwner
    ) -> Token {
        let device =
            device ?? devices.first { $0.account.exact == account.exact }?.name ?? nextUnnamedDevice()
        if self.device(named: device) == nil { signIn(device: device, account: account) }
        let token = Token(
            id: nextID(of: kind),
            kind: kind,
            value: text,
            device: device,
            account: account,
            family: self.device(named: device)?.family ?? 1,
            issued: issued,
            expires: expires
        )
        enter(adopted: token, owner: owner)
        return token
    }

    private mutating func enter(adopted token: Token, owner: TokenOwner) {
        append(token)
        if storedToken(of: token.kind, device: token.device, owner: owner) == nil { store(token, owner) }
    }

    private mutating func append(_ token: Token) {
        let index = tokens.count
        tokens.append(token)
        if !token.memory.isEmpty { memoryBytes += JSONValue.object(token.memory).storedSize ?? 0 }
        indexByID[token.id] = index
        if let twin = indexByValue.updateValue(index, forKey: token.value.exact) { olderTwin[index] = twin }
        if let device = indexByDevice[token.device.exact] { devices[device].tokens.append(index) }
        for key in rivalKeys(of: token) { rivals[key, default: []].append(index) }
    }

    private mutating func store(_ token: Token, _ owner: TokenOwner) {
        switch owner {
        case .account: storedByAccount[token.account.exact, default: [:]][token.kind] = token.id
        case .device:
            if let device = indexByDevice[token.device.exact] { devices[device].stored[token.kind] = token.id }
        }
    }

    private func rivalKeys(of token: Token) -> [RivalKey] {
        [
            RivalKey(kind: token.kind, owner: .device, name: token.device.exact),
            RivalKey(kind: token.kind, owner: .account, name: token.account.exact),
        ]
    }

    private mutating func displaceRivals(
        of token: Token,
        _ multiplicity: TokenKind.Multiplicity,
        at now: VirtualTime
    ) {
        let key: RivalKey
        switch multiplicity {
        case .many: return
        case .device: key = RivalKey(kind: token.kind, owner: .device, name: token.device.exact)
        case .account: key = RivalKey(kind: token.kind, owner: .account, name: token.account.exact)
        }
        for index in rivals.removeValue(forKey: key) ?? [] { tokens[index].undergo(.displaced, at: now) }
    }

    // MARK: Changing

    /// Notes that a newer token was handed out for this one.
    mutating func exchange(_ id: String, at now: VirtualTime) {
        change(id) { $0.undergo(.exchanged, at: now) }
    }

    /// Supersedes the used tokens that can be used once.
    mutating func spend(_ used: [Token], by rules: TokenRules, at now: VirtualTime) {
        for token in used where rules.kind(named: token.kind)?.isSingleUse == true { exchange(token.id, at: now) }
    }

    /// Supersedes the used tokens of a kind that is being replaced, where the kind rotates.
    mutating func rotate(_ kind: String, _ used: [Token], by rules: TokenRules, at now: VirtualTime) {
        guard rules.kind(named: kind)?.rotation != nil else { return }
        for token in used where token.kind == kind { exchange(token.id, at: now) }
    }

    /// Notes that another server has refused a token.
    mutating func refuse(_ id: String, at now: VirtualTime) {
        change(id) { $0.undergo(.revoked, at: now) }
    }

    /// Notes that another server has handed out a token again, so that it is valid.
    mutating func revive(_ id: String, to end: VirtualTime) {
        change(id) { $0.revive(until: end) }
    }

    /// The effect on the server when a superseded token was sent again and refused.
    mutating func noteReuse(of id: String, by rules: TokenRules, at now: VirtualTime) {
        change(id) { $0.undergo(.reused, at: now) }
        guard let token = token(id: id), token.isExchanged else { return }
        if rules.kind(named: token.kind)?.rotation?.reuse == .revokeDevice {
            revoke(.every, devices: .one(token.device), except: id, at: now)
        }
    }

    private mutating func change(_ id: String, _ body: (inout Token) -> Void) {
        if let index = indexByID[id] { body(&tokens[index]) }
    }

    mutating func revoke(
        _ kinds: Event.KindSelection,
        devices: DeviceSet,
        except id: String? = nil,
        at now: VirtualTime
    ) {
        changeAll(kinds, devices) { if $0.id != id { $0.undergo(.revoked, at: now) } }
    }

    mutating func expire(_ kinds: Event.KindSelection, devices: DeviceSet, at now: VirtualTime) {
        changeAll(kinds, devices) { $0.expires = min($0.expires, now) }
    }

    private mutating func changeAll(
        _ kinds: Event.KindSelection,
        _ set: DeviceSet,
        _ body: (inout Token) -> Void
    ) {
        for device in indexes(of: set) {
            for index in devices[device].tokens where kinds.contains(tokens[index].kind) { body(&tokens[index]) }
        }
    }

    private func indexes(of set: DeviceSet) -> [Int] {
        switch set {
        case .every: Array(devices.indices)
        case .one(let name): indexByDevice[name.exact].map { [$0] } ?? []
        case .several(let names): names.compactMap { indexByDevice[$0.exact] }
        case .none: []
        }
    }

    /// Returns whether a token is something else to the server than it was in a former state of the ledger, or is stored
    /// somewhere else.
    func differs(from former: TokenLedger, by rules: TokenRules, at time: VirtualTime) -> Bool {
        tokens.count != former.tokens.count || storedByAccount != former.storedByAccount
            || devices.map(\.stored) != former.devices.map(\.stored)
            || zip(tokens, former.tokens).contains { new, old in
                new.standing(as: new.kind, by: rules, at: time) != old.standing(as: old.kind, by: rules, at: time)
            }
    }

    /// Does what the sign-out of devices does to their tokens.
    mutating func signOut(_ set: DeviceSet, by rule: SignOutRule, at now: VirtualTime) {
        if let revoked = rule.revoked {
            for kind in revoked { revoke(.kind(kind), devices: set, at: now) }
        } else {
            revoke(.every, devices: set, at: now)
        }
        for kind in rule.forgotten { forget(.kind(kind), devices: set) }
    }

    /// The devices that an event is about.
    func devices(_ selection: Event.DeviceSelection, of caller: (device: String?, account: String?)) -> DeviceSet {
        switch selection {
        case .named(let name): .one(name)
        case .caller: caller.device.map(DeviceSet.one) ?? .none
        case .every: .every
        case .account(let name):
            (name ?? caller.account).map { account in
                .several(devices.filter { $0.account.exact == account.exact }.map(\.name))
            } ?? .none
        }
    }

    /// Drops stored copies; the tokens stay valid.
    mutating func forget(_ kinds: Event.KindSelection, devices set: DeviceSet) {
        for index in indexes(of: set) {
            devices[index].stored = devices[index].stored.filter { !kinds.contains($0.key) }
            let account = ExactText(devices[index].account)
            storedByAccount[account] = storedByAccount[account]?.filter { !kinds.contains($0.key) }
        }
    }
}

/// The devices that a change is about.
package enum DeviceSet: Sendable, Hashable {
    case every
    case one(String)
    case several([String])
    /// A caller without a device.
    case none

    func contains(_ name: String) -> Bool {
        switch self {
        case .every: true
        case .one(let device): device.exact == name.exact
        case .several(let devices): devices.contains { $0.exact == name.exact }
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
