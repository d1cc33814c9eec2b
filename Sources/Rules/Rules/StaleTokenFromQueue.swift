import ScenarioFormat
import Simulation

/// A request that has waited in the client goes out with a token that was replaced meanwhile.
///
/// What counts is that the client had the newer token when it sent the request: ``TokenHistory/follows(_:from:)``, or
/// that the request is its only reaction to its own refusal. What may have waited in the platform's pool is not judged.
package enum StaleTokenFromQueue: Rule {
    package static let profile = RuleProfile(
        "B15",
        "stale-token-from-queue",
        reason: "requests from a queue fail, or make the app refresh again, although a good token is there",
        advice: "read the token when a request is sent, not when it is made",
        source: "RFC 6750, section 3.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        let grants = history.grants
        var violations = RepeatedViolations()
        for (device, launch) in history.launches { find(in: launch, of: device, history, grants, &violations) }
        return violations.list
    }

    private static func find(
        in launch: [Exchange],
        of device: DeviceHistory,
        _ history: TokenHistory,
        _ grants: TokenGrants,
        _ violations: inout RepeatedViolations
    ) {
        let received = ReceivedTokens(.access, among: launch, of: history)
        guard !received.isEmpty else { return }
        var attempts = Attempts()
        var candidates: [Candidate] = []
        for exchange in launch where history.purpose(of: exchange) != .refresh {
            guard let offered = history.offered(.access, in: exchange), let id = offered.id else { continue }
            let request = RequestEssence(exchange, history.evidence.ledger)
            defer { attempts.note(request, id, exchange, isRefused: offered.isAccepted == false) }
            guard
                offered.isAccepted == false, offered.standing.isDead,
                let token = history.evidence.ledger.token(id: id),
                let newer = received.newest(by: exchange.arrival), newer.token.id != id,
                newer.token.kind == token.kind, newer.token.account == token.account,
                grants[id] ?? 0 < newer.exchange.number
            else { continue }
            // What waits in the platform's pool has its header already.
            let waiting = history.mayHaveWaited(exchange, for: newer.exchange)
            guard waiting != .yes else { continue }
            let following = received.last(4, by: exchange.arrival)
                .filter { grants[id] ?? 0 < $0.exchange.number && $0.token.kind == token.kind }
                .map { history.follows(exchange, from: $0.exchange) }
            let isClear = following.contains(.yes)
            let isUnclear = following.contains(.unclear)
            guard isClear || isUnclear || attempts.wasRefused(request, id, before: exchange) else { continue }
            candidates.append(
                Candidate(
                    request: request,
                    token: offered,
                    id: id,
                    exchange: exchange,
                    newer: newer,
                    isClear: isClear,
                    isUnclear: isUnclear,
                    mayHaveWaited: waiting == .unclear
                )
            )
        }
        for candidate in candidates {
            let isCertain =
                candidate.isClear || attempts.isProof(candidate.request, candidate.id, before: candidate.exchange)
            guard isCertain || candidate.isUnclear else { continue }
            let isUnclear = !isCertain || candidate.mayHaveWaited
            violations.add(
                "\(candidate.id) \(candidate.exchange.launch) \(device.name)\(isUnclear ? " unclear" : "")",
                by: candidate.exchange.number,
                RuleViolation(
                    "\(candidate.exchange.subject) brought \(candidate.id), which \(candidate.token.standing.pastWords), although "
                        + "\(candidate.newer.token.id) had come with exchange \(candidate.newer.exchange.number)",
                    exchanges: [candidate.exchange.number, candidate.newer.exchange.number],
                    device: device.name,
                    isUnclear: isUnclear
                )
            )
        }
    }

    /// A request with a token that was replaced.
    private struct Candidate {
        var request: RequestEssence
        var token: OfferedToken
        var id: String
        var exchange: Exchange
        var newer: ReceivedTokens.Entry
        /// Whether it was sent after the newer one had come, whatever else there was.
        var isClear: Bool
        /// Whether it only seems so, because the server was late.
        var isUnclear: Bool
        /// Whether it may have waited in the platform's pool, because the server was late.
        var mayHaveWaited: Bool
    }

    /// How often each request was sent with which token.
    private struct Attempts {
        private struct Key: Hashable {
            var request: RequestEssence
            var token: String
        }

        private var firstRefusals: [Key: RealTime] = [:]
        private var refusals: [Key: Int] = [:]
        private var all: [RequestEssence: Int] = [:]

        mutating func note(_ request: RequestEssence, _ token: String, _ exchange: Exchange, isRefused: Bool) {
            // A copy that the client gave up itself proves nothing, since another one may have brought the response.
            guard exchange.outcome != .clientGone else { return }
            all[request, default: 0] += 1
            guard isRefused else { return }
            let key = Key(request: request, token: token)
            refusals[key, default: 0] += 1
            if firstRefusals[key] == nil { firstRefusals[key] = exchange.end }
        }

        /// Whether the client knew already that the token is not valid for this.
        func wasRefused(_ request: RequestEssence, _ token: String, before exchange: Exchange) -> Bool {
            firstRefusals[Key(request: request, token: token)].map { $0 <= exchange.arrival } ?? false
        }

        /// Whether the client has sent it again with a token that it knew to be refused, and with no better one.
        func isProof(_ request: RequestEssence, _ token: String, before exchange: Exchange) -> Bool {
            wasRefused(request, token, before: exchange) && lacksReplay(request, token)
        }

        /// Whether it was sent with other tokens less often than it was refused with this one.
        ///
        /// So it was not sent several times at once: those would all have been sent again.
        func lacksReplay(_ request: RequestEssence, _ token: String) -> Bool {
            let refused = refusals[Key(request: request, token: token)] ?? 0
            return (all[request] ?? 0) - refused < refused
        }
    }
}
