import HTTPCodec
import JSON
import ScenarioFormat
package import Simulation

/// What happened, as rules look at it: by device, with the part that every exchange played.
package struct TokenHistory: Sendable {
    package let evidence: Evidence
    /// In the order of their first sign-in.
    package let devices: [DeviceHistory]
    /// What each device did in each launch; empty in the history that an episode itself has.
    private(set) var episodes: [Episode] = []
    /// The exchange in which each token was used up for a newer one, by the token's id.
    let spenders: [String: UInt64]
    /// The exchange that handed each token out.
    let grants: TokenGrants
    /// The last exchange of each moment that may have ended tokens of a device.
    let enders: [Ending: UInt64]
    /// How the requests of each launch lay to each other.
    let traffic: [Int: LaunchTraffic]

    /// A moment of a device at which tokens may have ended.
    struct Ending: Hashable {
        var device: ExactText
        var time: VirtualTime
    }

    package init(_ evidence: Evidence) {
        self.evidence = evidence
        let names = evidence.ledger.devices.map(\.name)
        var byDevice: [ExactText: [Exchange]] = [:]
        let sole = names.count == 1 ? names.first : nil
        for exchange in evidence.exchanges {
            guard let name = exchange.device ?? sole else { continue }
            byDevice[ExactText(name), default: []].append(exchange)
        }
        devices = names.map { DeviceHistory(name: $0, exchanges: byDevice[ExactText($0)] ?? []) }
        grants = TokenGrants(evidence.exchanges)
        let roles = evidence.roles
        traffic = Dictionary(grouping: evidence.exchanges, by: \.launch)
            .mapValues { LaunchTraffic($0, roles.purpose) }
        var spenders: [String: UInt64] = [:]
        var enders: [Ending: UInt64] = [:]
        for exchange in evidence.exchanges {
            if let device = exchange.device ?? sole, evidence.roles.mayEndTokens(exchange) {
                enders[Ending(device: ExactText(device), time: exchange.time)] = exchange.number
            }
            guard exchange.isCommitted else { continue }
            let kinds = exchange.granted.filter { $0.source == .new }.map(\.kind)
            for token in exchange.offered where token.isAccepted == true && kinds.contains(token.wanted) {
                if let id = token.id, spenders[id] == nil { spenders[id] = exchange.number }
            }
        }
        (self.spenders, self.enders) = (spenders, enders)
        episodes = Episode.all(in: self)
    }

    package var roles: TokenRoles { evidence.roles }
}

extension TokenRoles {
    /// Whether an exchange may have ended other tokens than those that it used up.
    fileprivate func mayEndTokens(_ exchange: Exchange) -> Bool {
        switch purpose(of: exchange) {
        case .signOut, .signIn: true
        case .refresh: exchange.offered.contains { $0.standing == .superseded || $0.standing == .reused }
        case .resource, .open: false
        }
    }

    func purpose(of exchange: Exchange) -> Purpose {
        guard exchange.origin == nil else { return .open }
        return exchange.route.flatMap { purposes[$0] } ?? .open
    }
}

/// The exchanges of one device, oldest first; those of nobody's are a sole device's.
package struct DeviceHistory: Sendable {
    package let name: String
    package let exchanges: [Exchange]
    /// The same, apart by launch of the client.
    let launches: [[Exchange]]

    init(name: String, exchanges: [Exchange]) {
        self.name = name
        self.exchanges = exchanges
        launches = exchanges.chunked { $0.launch == $1.launch }
    }
}

extension TokenHistory {
    package func purpose(of exchange: Exchange) -> TokenRoles.Purpose {
        roles.purpose(of: exchange)
    }

    package func isRefresh(_ exchange: Exchange) -> Bool { purpose(of: exchange) == .refresh }

    /// Whether a resource has refused the request because of its token, whatever the status.
    package func isRefused(_ exchange: Exchange) -> Bool {
        purpose(of: exchange) == .resource && hasRefusedToken(exchange)
    }

    /// Whether a token of the backend's own was wanted and is not accepted; a foreign one is none.
    func hasRefusedToken(_ exchange: Exchange) -> Bool {
        exchange.offered.contains { $0.isAccepted == false && roles.kind(named: $0.wanted) != nil }
    }

    /// The token that the exchange brought for a role; the one that it judged comes before others.
    package func offered(_ role: TokenRoles.Role, in exchange: Exchange) -> OfferedToken? {
        let fitting = exchange.offered.filter { roles.role(of: $0.wanted) == role }
        return fitting.first { $0.isAccepted != nil } ?? fitting.first
    }

    /// The tokens of a role that the exchange handed out: the new ones, or those that it repeated, too.
    package func granted(
        _ role: TokenRoles.Role,
        by exchange: Exchange,
        isRepetitionCounted: Bool = false
    ) -> [Token] {
        exchange.granted
            .filter { (isRepetitionCounted || $0.source == .new) && roles.role(of: $0.kind) == role }
            .compactMap { $0.id.flatMap(evidence.ledger.token(id:)) }
    }

    /// Whether the response has reached the client whole.
    package func wasReceived(_ exchange: Exchange) -> Bool {
        exchange.outcome == .sent && exchange.fault == nil
    }

    /// Whether two exchanges were in flight at the same time.
    package func wereTogether(_ one: Exchange, _ other: Exchange) -> Bool {
        let (first, second) = one.arrival <= other.arrival ? (one, other) : (other, one)
        return first.end.map { second.arrival < $0 } ?? true
    }
}
