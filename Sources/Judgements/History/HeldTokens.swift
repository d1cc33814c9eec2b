import HTTPWire
import JSONText
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
    /// By when they were received, and each the newest of those up to there.
    private var entries: [(end: RealTime, entry: Entry)] = []

    init(_ role: TokenRoles.Role, of device: DeviceHistory, in history: TokenHistory) {
        let ledger = history.evidence.ledger
        let all = ledger.device(named: device.name).map { ledger.tokens(of: $0) } ?? []
        initial = all.last { token in
            history.roles.role(of: token.kind) == role && token.issued <= history.evidence.start
                && history.handouts[token.id] == nil
        }.map { Entry(token: $0) }
        var received: [(end: RealTime, entry: Entry)] = []
        for exchange in device.exchanges where history.wasReceived(exchange) {
            guard let end = exchange.end else { continue }
            let ids = exchange.granted.filter { history.roles.role(of: $0.kind) == role }.compactMap(\.id)
            guard let token = ids.last.flatMap(ledger.token(id:)) else { continue }
            received.append((end, Entry(token: token, source: exchange)))
        }
        for item in received.sorted(by: { $0.end < $1.end }) {
            let isLate = entries.last.map { $0.entry.number > item.entry.number } ?? false
            entries.append((item.end, isLate ? entries[entries.count - 1].entry : item.entry))
        }
    }

    /// The newest one that had reached the client by a moment.
    func newest(by moment: RealTime) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].end <= moment { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1].entry : initial
    }

    /// Those that replies have brought, in the order in which they arrived.
    var received: [Entry] { entries.map(\.entry) }
}

extension HeldTokens.Entry {
    /// The number of the exchange that brought it; zero for one from before the story's first request.
    var number: UInt64 { source?.number ?? 0 }

    /// Whether so much of its life is left that nobody renews it out of foresight.
    func isYoung(at time: VirtualTime, in roles: TokenRoles) -> Bool {
        let lifetime = roles.kind(named: token.kind)?.lifetime ?? (token.expires - token.issued)
        guard token.expires - time > lifetime / 2 else { return false }
        guard let announced else { return true }
        return token.issued + announced - time > min(announced, lifetime) / 2
    }

    /// The lifetime that the reply told, where it told a number of seconds (RFC 6749, section 5.1).
    private var announced: Duration? {
        guard let source, let root = (try? JSONParser().parse(source.response.body))?.root else { return nil }
        var found: Duration?
        var open = [root]
        while let value = open.popLast(), found == nil {
            for member in value.object?.members ?? [] {
                let name = member.name.lowercased().filter { $0 != "_" && $0 != "-" }
                if name.hasPrefix("expiresin") || name.hasSuffix("expiresin"), let seconds = member.value.number?.int {
                    found = .seconds(min(max(0, seconds), 1 << 40))
                } else {
                    open.append(member.value)
                }
            }
        }
        return found
    }
}
