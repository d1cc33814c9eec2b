import Simulation

/// A request that has waited in the client goes out with a token that was replaced meanwhile.
///
/// What counts is when the client had the newer token: a request that left before, or about then, is no offence.
package enum StaleTokenFromQueue: Judgement {
    package static let profile = JudgementProfile(
        "B15",
        "stale-token-from-queue",
        reason: "requests from a queue fail, or make the app refresh again, although a good token is there",
        advice: "read the token when a request is sent, not when it is made",
        source: "RFC 6750, section 3.1"
    )

    package static func offences(in history: TokenHistory) -> [Offence] {
        let handouts = Handouts(history)
        var offences = RepeatedOffences()
        for device in history.devices {
            for launch in history.launches(of: device) {
                let received = ReceivedTokens(.access, among: launch, of: history)
                guard !received.isEmpty else { continue }
                for exchange in launch where history.purpose(of: exchange) != .refresh {
                    guard
                        let offered = history.offered(.access, in: exchange), let id = offered.id,
                        offered.isAccepted == false, offered.standing.isPast,
                        let token = history.evidence.ledger.token(id: id),
                        let newer = received.newest(before: exchange), newer.token.id != id,
                        newer.token.kind == token.kind, newer.token.account == token.account,
                        handouts[id] ?? 0 < newer.exchange.number
                    else { continue }
                    offences.add(
                        "\(id) \(exchange.launch) \(device.name)",
                        by: exchange.number,
                        Offence(
                            "\(exchange.subject) brought \(id), which \(offered.standing.history), although "
                                + "\(newer.token.id) had come with exchange \(newer.exchange.number)",
                            exchanges: [exchange.number, newer.exchange.number],
                            device: device.name
                        )
                    )
                }
            }
        }
        return offences.list
    }
}
