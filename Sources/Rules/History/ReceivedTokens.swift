import Simulation

/// The tokens of one role that exchanges have brought, for the question which the client knew when.
struct ReceivedTokens {
    struct Entry {
        var token: Token
        /// The exchange that brought it.
        var exchange: Exchange
        var end: RealTime
    }

    /// By when they were received, and each the newest of those up to there.
    private(set) var newest: [Entry] = []

    /// - Parameter isRepetitionCounted: whether a token that was handed out again is one that was received then.
    init(
        _ role: TokenRoles.Role,
        among exchanges: [Exchange],
        of history: TokenHistory,
        isRepetitionCounted: Bool = false
    ) {
        var entries: [Entry] = []
        for exchange in exchanges where history.wasReceived(exchange) {
            let tokens = history.granted(role, by: exchange, isRepetitionCounted: isRepetitionCounted)
            guard let end = exchange.end, let token = tokens.last else { continue }
            entries.append(Entry(token: token, exchange: exchange, end: end))
        }
        for entry in entries.sorted(by: { ($0.end, $0.exchange.number) < ($1.end, $1.exchange.number) }) {
            if let last = newest.last, last.exchange.number > entry.exchange.number {
                newest.append(Entry(token: last.token, exchange: last.exchange, end: entry.end))
            } else {
                newest.append(entry)
            }
        }
    }

    var isEmpty: Bool { newest.isEmpty }

    /// The newest one that the client had by a moment.
    func newest(by moment: RealTime) -> Entry? {
        let place = newest.place { $0.end <= moment }
        return place > 0 ? newest[place - 1] : nil
    }

    /// The last few that had been sent by a moment, newest first.
    func last(_ count: Int, by moment: RealTime) -> [Entry] {
        newest[..<newest.place { $0.end <= moment }].suffix(count).reversed()
    }
}
