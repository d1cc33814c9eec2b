import Basics
import ScenarioFormat
import Simulation

/// A request that has waited in the client is sent with a token that has been replaced.
///
/// What counts is that the client had the newer token when it sent the request: ``Step/follows(_:)``, or that the
/// request is its only reaction to its own refusal. What may have waited in the platform's pool is not judged.
///
/// - Evidence: a refused request sends an invalid access token although the client had a newer one, or had been refused
///   with that token before and never sent the request with the new one.
/// - Excuses: the request may have waited in the platform's pool, it signs out, the session was given up while the
///   newer token was on its way, or the newer token belongs to another account.
/// - Undecided: whether the client had the newer token, where the server noticed the request late.
package enum StaleTokenFromQueue: Rule {
    package static let profile = RuleProfile(
        .staleTokenFromQueue,
        reason: "queued requests fail, or trigger another refresh, although the client has a valid token",
        advice: "read the token when a request is sent, not when it is created",
        source: "RFC 6750, section 3.1"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for episode in history.episodes { find(in: episode, &violations) }
        return violations.list
    }

    private static func find(in episode: Episode, _ violations: inout RepeatedViolations) {
        let received = HeldTokens(.access, among: episode.steps)
        guard !received.isEmpty else { return }
        var attempts = Attempts()
        var candidates: [Candidate] = []
        // A sign-out names the session that is to end.
        for step in episode.steps where !step.isRefresh && step.purpose != .signOut {
            guard let offer = step.access, offer.id != nil else { continue }
            defer { attempts.note(step, offer) }
            guard
                offer.isAccepted == false, offer.standing.isDead, let token = offer.token,
                let newer = received.newest(by: step.arrival), let source = newer.source, newer.token !== token,
                newer.token.kind == token.kind, newer.token.account == token.account,
                token.sourceNumber < source.number, !episode.wasGivenUp(during: source)
            else { continue }
            // What waits in the platform's pool has its header already.
            let waiting = step.mayHaveWaited(for: source)
            guard waiting != .yes else { continue }
            let following = received.last(4, by: step.arrival)
                .filter { token.sourceNumber < $0.number && $0.token.kind == token.kind }
                .compactMap { $0.source.map(step.follows) }
            let isClear = following.contains(.yes)
            let isUnclear = following.contains(.unclear)
            guard isClear || isUnclear || attempts.wasRefused(step, token.id) else { continue }
            candidates.append(
                Candidate(
                    step: step,
                    offer: offer,
                    token: token,
                    newer: newer.token,
                    source: source,
                    isClear: isClear,
                    isUnclear: isUnclear,
                    mayHaveWaited: waiting == .unclear
                )
            )
        }
        for candidate in candidates {
            let (step, token) = (candidate.step, candidate.token)
            let isCertain = candidate.isClear || attempts.isProof(step, token.id)
            guard isCertain || candidate.isUnclear else { continue }
            let isUnclear = !isCertain || candidate.mayHaveWaited
            violations.add(
                "\(token.id) \(step.launch) \(episode.device)\(isUnclear ? " unclear" : "")",
                by: step,
                RuleViolation(
                    "\(step.exchange.subject) sent \(token.id), which \(candidate.offer.standing.pastWords), although "
                        + "exchange \(candidate.source.number) had returned \(candidate.newer.id)",
                    [step, candidate.source],
                    in: episode,
                    isUnclear: isUnclear
                )
            )
        }
    }

    /// A request with a token that was replaced.
    private struct Candidate {
        var step: Step
        var offer: Offer
        var token: HeldToken
        var newer: HeldToken
        /// The step that brought the newer one.
        var source: Step
        /// A Boolean value that indicates whether something shows that it was sent after the newer one had come.
        var isClear: Bool
        /// A Boolean value that indicates whether it only seems so, because the server was late.
        var isUnclear: Bool
        /// A Boolean value that indicates whether it may have waited in the platform's pool, because the server was
        /// late.
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

        mutating func note(_ step: Step, _ offer: Offer) {
            // A copy that the client gave up itself proves nothing, since another one may have brought the response.
            guard step.outcome != .clientGone, let id = offer.id else { return }
            all[step.essence, default: 0] += 1
            guard offer.isAccepted == false else { return }
            let key = Key(request: step.essence, token: id)
            refusals[key, default: 0] += 1
            if firstRefusals[key] == nil { firstRefusals[key] = step.end }
        }

        /// Returns whether the client knew already that the token is not valid for this.
        func wasRefused(_ step: Step, _ token: String) -> Bool {
            firstRefusals[Key(request: step.essence, token: token)].map { $0 <= step.arrival } ?? false
        }

        /// Returns whether the client has sent it again with a token that it knew to be refused, and with no better
        /// one.
        func isProof(_ step: Step, _ token: String) -> Bool {
            wasRefused(step, token) && lacksReplay(step.essence, token)
        }

        /// Returns whether it was sent with other tokens less often than it was refused with this one.
        ///
        /// So it was not sent several times at once: those would all have been sent again.
        private func lacksReplay(_ request: RequestEssence, _ token: String) -> Bool {
            let refused = refusals[Key(request: request, token: token)] ?? 0
            return (all[request] ?? 0) - refused < refused
        }
    }
}

extension Episode {
    /// Whether the client had given its session up before a step brought new tokens, so that it did not take them.
    fileprivate func wasGivenUp(during step: Step) -> Bool {
        guard let end = step.end else { return false }
        return sessionEnds.contains { $0.step?.purpose != .signIn && step.arrival <= $0.moment && $0.moment <= end }
    }
}
