package import JSON
package import ScenarioFormat

/// A token that a session has issued, with its history.
package struct Token: Sendable {
    /// The server's last action on it.
    ///
    /// Expiry is no such thing: it comes by itself.
    package enum Fate: Sendable, Hashable {
        case live
        case revoked(at: VirtualTime)
        /// Exchanged for a newer one at this time.
        case exchanged(at: VirtualTime)
        /// Exchanged, and offered again since.
        case reused(exchangedAt: VirtualTime)
        /// Gave way to a newer one of the same owner, because only one may live.
        case displaced(at: VirtualTime)
    }

    /// The data that rarely changes, in one place: a token is copied for each request that carries it.
    private struct Identity: Sendable {
        let id, kind: String
        var value: String
        let device, account: String
        let family: Int
        let parent: String?
        let memory: JSONObject
    }

    private final class Box: Sendable {
        let identity: Identity

        init(_ identity: Identity) { self.identity = identity }
    }

    private var box: Box
    package var issued: VirtualTime
    /// From this moment on it is not accepted (RFC 7519, section 4.1.4).
    package var expires: VirtualTime
    /// The server's actions on it, oldest first; at most one of each kind.
    package private(set) var changes: [Change] = []

    /// - Parameters:
    ///   - parent: the token that it was exchanged for or with.
    ///   - memory: what the response that granted it has let it remember.
    package init(
        id: String,
        kind: String,
        value: String,
        device: String,
        account: String,
        family: Int,
        issued: VirtualTime,
        expires: VirtualTime,
        parent: String? = nil,
        memory: JSONObject = JSONObject(),
        changes: [Change] = []
    ) {
        box = Box(
            Identity(
                id: id,
                kind: kind,
                value: value,
                device: device,
                account: account,
                family: family,
                parent: parent,
                memory: memory
            )
        )
        self.issued = issued
        self.expires = expires
        for change in changes { undergo(change.kind, at: change.time) }
    }

    /// A name that people can say: the kind and a number, `refresh-2`.
    package var id: String { box.identity.id }
    package var kind: String { box.identity.kind }
    package var device: String { box.identity.device }
    package var account: String { box.identity.account }
    /// Counts the device's sign-ins: tokens of one sign-in and its refreshes are one family.
    package var family: Int { box.identity.family }
    /// The token that it was exchanged for or with.
    package var parent: String? { box.identity.parent }
    /// The data from `remember` of the response that granted it.
    package var memory: JSONObject { box.identity.memory }

    package var value: String {
        get { box.identity.value }
        set {
            var identity = box.identity
            identity.value = newValue
            box = Box(identity)
        }
    }

    /// Lets the server do something to it; what cannot happen any more has no effect.
    package mutating func undergo(_ kind: Change.Kind, at time: VirtualTime) {
        if Self.canUndergo(kind, after: changes.last?.kind) { changes.append(Change(kind, at: time)) }
    }

    /// Undoes what was done to it.
    mutating func revive(until end: VirtualTime) { (changes, expires) = ([], max(expires, end)) }

    /// The current state of the token: valid, expired, revoked, superseded or reused.
    ///
    /// Everything that was done to it counts, also where the clock was put back since.
    package func standing(now: VirtualTime) -> TokenStanding {
        standing(after: changes.last, at: now)
    }

    /// The state of the token at a past or the current time.
    package func standing(at moment: VirtualTime) -> TokenStanding {
        standing(after: changes.last { $0.time <= moment }, at: moment)
    }

    private func standing(after change: Change?, at moment: VirtualTime) -> TokenStanding {
        change?.kind.standing ?? (hasExpired(at: moment) ? .expired : .valid)
    }

    /// Returns whether the token has expired, regardless of what the server did to it.
    package func hasExpired(at moment: VirtualTime) -> Bool { moment >= expires }
}

extension Token {
    /// Something that the server did to a token, and when.
    package struct Change: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case exchanged
            case reused
            case displaced
            case revoked

            var standing: TokenStanding {
                switch self {
                case .exchanged, .displaced: .superseded
                case .reused: .reused
                case .revoked: .revoked
                }
            }
        }

        package var kind: Kind
        package var time: VirtualTime

        package init(_ kind: Kind, at time: VirtualTime) {
            self.kind = kind
            self.time = time
        }
    }

    package var fate: Fate {
        guard let last = changes.last else { return .live }
        switch last.kind {
        case .exchanged: return .exchanged(at: last.time)
        case .displaced: return .displaced(at: last.time)
        case .revoked: return .revoked(at: last.time)
        case .reused: return .reused(exchangedAt: changes.first { $0.kind == .exchanged }?.time ?? last.time)
        }
    }

    /// The time at which the server invalidated it; `nil` for one that only expires.
    package var ended: VirtualTime? { changes.first?.time }

    /// A Boolean value that indicates whether a newer one was handed out for it.
    var isExchanged: Bool {
        switch fate {
        case .exchanged, .reused: true
        case .live, .revoked, .displaced: false
        }
    }

    /// Returns whether a change can befall a token that has undergone these before.
    static func canUndergo(_ kind: Change.Kind, after last: Change.Kind?) -> Bool {
        switch (kind, last) {
        case (.exchanged, nil), (.displaced, nil), (.reused, .exchanged): true
        case (.revoked, let last): last != .revoked
        default: false
        }
    }
}

extension Token {
    /// Its data for placeholders of a scenario.
    var facts: JSONValue {
        var facts = memory
        facts["id"] = .string(id)
        facts["kind"] = .string(kind)
        if !account.isEmpty { facts["account"] = .string(account) }
        facts["device"] = .string(device)
        facts["issuedAt"] = .number(JSONNumber(Int(issued.seconds)))
        facts["expiresAt"] = .number(JSONNumber(Int(expires.seconds)))
        return .object(facts)
    }
}

extension Token {
    /// The state of a token for a route that requires a kind.
    func standing(as kind: String, by rules: TokenRules, at time: VirtualTime) -> TokenStanding {
        let own = standing(now: time)
        guard self.kind == kind else {
            guard rules.interchangeable.includes(self.kind) else { return .wrongKind }
            // A token that is taken for something else is not looked up, unless all kinds are one to the server.
            if case .revoked = fate, rules.interchangeable == .every { return own }
            return hasExpired(at: time) ? .expired : .valid
        }
        switch fate {
        case .live, .revoked, .displaced: return own
        case .exchanged(let since), .reused(let since):
            guard let rotation = rules.kind(named: self.kind)?.rotation else { return own }
            guard time - since < rotation.usability else { return own }
            return hasExpired(at: time) ? .expired : .valid
        }
    }
}

extension TokenRules {
    /// The state of a text for a route.
    ///
    /// - Parameter token: the session's own that it is, if it is one; every other text is another server's token.
    func standing(of token: Token?, as kind: String, isForeign: Bool, at time: VirtualTime) -> TokenStanding {
        if isForeign { return token == nil ? .valid : .wrongKind }
        return token.map { $0.standing(as: kind, by: self, at: time) } ?? .unknown
    }
}

extension Token {
    /// A part of a token that a response grants.
    func value(of aspect: Placeholder.TokenAspect) -> JSONValue {
        switch aspect {
        case .value: .string(value)
        case .id: .string(id)
        case .lifetime: .number(JSONNumber(Int((expires - issued).components.seconds)))
        case .issuedAt: .number(JSONNumber(Int(issued.seconds)))
        case .expiresAt: .number(JSONNumber(Int(expires.seconds)))
        }
    }
}
