import JSONText
import ScenarioFormat
import Simulation

/// What one device did in one launch of the client.
struct Episode {
    let history: TokenHistory
    let device: String
    let launch: Int
    /// Oldest first; never empty.
    let exchanges: [Exchange]
    /// What the client has told in this launch, where no other device can have told it.
    let statements: [ClientStatement]
    let access: HeldTokens
    let refresh: HeldTokens
    /// Whether the client was started again afterwards.
    let hasSuccessor: Bool

    var roles: TokenRoles { history.roles }

    var refreshes: [Exchange] { exchanges.filter(history.isRefresh) }

    /// Whether the client had the time to do what it had to do after an exchange.
    ///
    /// One that was started again may have been killed at once; what it did afterwards shows that it was not.
    func hadTime(after exchange: Exchange) -> Bool {
        if statements.contains(where: { $0.afterExchange >= exchange.number }) { return true }
        if exchanges.last.map({ history.isClearlyBefore(exchange, $0) }) ?? false { return true }
        if history.evidence.exits.indices.contains(launch - 1), history.evidence.exits[launch - 1] == 0 { return true }
        guard !hasSuccessor else { return false }
        guard history.evidence.isProvisional, let end = exchange.end else { return true }
        return history.evidence.moment.since(end) > Self.patience
    }

    /// How long nothing has to come from a client that may still be at work.
    private static let patience = Duration.milliseconds(200)
}

extension TokenHistory {
    /// What each device did in each launch, in the order of the devices and of the launches.
    var episodes: [Episode] {
        let handedOut = Set(evidence.exchanges.flatMap { $0.granted.compactMap(\.id) })
        let lastLaunch = evidence.exchanges.last?.launch ?? 1
        let isAlone = devices.count { !$0.exchanges.isEmpty } == 1
        return devices.flatMap { device -> [Episode] in
            let access = HeldTokens(.access, of: device, in: self, handedOut: handedOut)
            let refresh = HeldTokens(.refresh, of: device, in: self, handedOut: handedOut)
            return device.exchanges.chunked { $0.launch == $1.launch }.map { exchanges in
                let launch = exchanges.first?.launch ?? 1
                return Episode(
                    history: self,
                    device: device.name,
                    launch: launch,
                    exchanges: exchanges,
                    statements: isAlone ? evidence.statements.filter { $0.launch == launch } : [],
                    access: access,
                    refresh: refresh,
                    hasSuccessor: launch < lastLaunch
                )
            }
        }
    }
}

extension Array {
    /// The runs of elements whose neighbours belong together.
    func chunked(_ belongTogether: (Element, Element) -> Bool) -> [[Element]] {
        var chunks: [[Element]] = []
        for element in self {
            if let last = chunks.last?.last, belongTogether(last, element) {
                chunks[chunks.count - 1].append(element)
            } else {
                chunks.append([element])
            }
        }
        return chunks
    }
}
