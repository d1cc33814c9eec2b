/// Whether a token is to be renewed before it is sent.
struct Freshness: Sendable {
    /// What a client goes by.
    enum Rule: Sendable {
        /// It waits until the server refuses the token.
        case none
        case serverTime
        /// The device's own clock, which may be wrong.
        case deviceClock
        /// The lifetime, counted from the moment at which the response arrived.
        case sinceAnswer
        /// As by the server's time, with the longer lifetime where two are told.
        case laterLifetime
        /// By the server's time, ten minutes ahead, however long a token lives.
        case longLead
    }

    let rule: Rule
    let device: Device
    let serverTime: ServerTime

    init(_ rule: Rule, _ bug: Bug?, _ device: Device, _ serverTime: ServerTime) {
        self.device = device
        self.serverTime = serverTime
        switch bug {
        case .refreshByDeviceClock: self.rule = .deviceClock
        case .lifetimeFromAnswer: self.rule = .sinceAnswer
        case .laterOfExpiresInAndExp: self.rule = .laterLifetime
        case .refreshWithoutNeed: self.rule = .longLead
        default: self.rule = rule
        }
    }

    func isOver(_ tokens: Tokens) -> Bool {
        let claimed = tokens.claimedLifetime ?? tokens.lifetime
        let lifetime = min(tokens.lifetime, claimed)
        switch rule {
        case .none: return false
        case .serverTime: return isOver(tokens, after: lifetime - margin(lifetime))
        case .laterLifetime:
            let later = max(tokens.lifetime, claimed)
            return isOver(tokens, after: later - margin(later))
        case .longLead: return isOver(tokens, after: lifetime - 600)
        case .deviceClock: return device.clock() >= tokens.issued + lifetime - margin(lifetime)
        case .sinceAnswer:
            guard let received = tokens.received else { return false }
            return device.uptime() - received >= .seconds(lifetime)
        }
    }

    private func isOver(_ tokens: Tokens, after age: Int64) -> Bool {
        guard let now = serverTime.now(device.uptime()) else { return false }
        return now >= tokens.issued + age
    }

    /// How long before its end a token is renewed, in seconds; one that lives no longer is used while it lasts.
    private func margin(_ lifetime: Int64) -> Int64 { min(30, lifetime / 10) }
}
