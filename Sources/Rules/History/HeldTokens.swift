import ScenarioFormat
import Simulation

/// The tokens of one role that a device's client has come to hold, for the question which it held when.
struct HeldTokens {
    struct Entry {
        var token: Token
        /// The exchange that brought it; `nil` for one from before the story's first request.
        var source: Exchange?
    }

    /// What the client had before its first request.
    private let initial: Entry?
    private let later: ReceivedTokens

    init(_ role: TokenRoles.Role, of device: DeviceHistory, in history: TokenHistory) {
        let ledger = history.evidence.ledger
        let all = ledger.device(named: device.name).map { ledger.tokens(of: $0) } ?? []
        initial = all.last { token in
            history.roles.role(of: token.kind) == role && token.issued <= history.evidence.start
                && history.grants[token.id] == nil
        }.map { Entry(token: $0) }
        later = ReceivedTokens(role, among: device.exchanges, of: history, isRepetitionCounted: true)
    }

    /// The newest one that had reached the client by a moment.
    func newest(by moment: RealTime) -> Entry? {
        later.newest(by: moment).map(Entry.init) ?? initial
    }

    /// Those that responses have brought, in the order in which they arrived.
    var received: [Entry] { later.newest.map(Entry.init) }
}

extension HeldTokens.Entry {
    init(_ received: ReceivedTokens.Entry) {
        self.init(token: received.token, source: received.exchange)
    }

    /// The number of the exchange that brought it; zero for one from before the story's first request.
    var number: UInt64 { source?.number ?? 0 }

    /// Whether so much of its life is left that nobody renews it out of foresight.
    func isYoung(at time: VirtualTime, in roles: TokenRoles) -> Bool {
        let lifetime = roles.kind(named: token.kind)?.lifetime ?? (token.expires - token.issued)
        guard token.expires - time > lifetime / 2 else { return false }
        guard let source, let announced = LifetimePromise(in: source, of: token)?.announced else { return true }
        return token.issued + announced - time > min(announced, lifetime) / 2
    }
}
