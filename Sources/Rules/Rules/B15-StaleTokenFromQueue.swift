import HTTPCodec
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
///   newer token was on its way, or the newer token belongs to another account or audience.
/// - Undecided: whether the client had the newer token, where the server noticed the request late.
package enum StaleTokenFromQueue: Rule {
    package static let profile = RuleProfile(
        rule: .staleTokenFromQueue,
        reason: "queued requests fail or trigger another refresh although the client has a valid token",
        advice: "read the token when a request is sent, not when the request is created",
        source: "RFC 6750, section 3.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let received = HeldTokens(.access, among: episode.steps)
        // A sign-out names the session that is to end.
        return episode.steps.filter { !$0.isRefresh && $0.purpose != .signOut }.compactMap { step in
            guard
                let offer = step.access, offer.isAccepted == false, offer.standing.isDead, let token = offer.token,
                let newer = received.newest(by: step.arrival), let source = newer.source, newer.token !== token,
                newer.token.kind == token.kind, newer.token.account == token.account,
                newer.token.audience == token.audience,
                token.sourceNumber < source.number, !episode.wasGivenUp(during: source)
            else { return nil }
            // What waits in the platform's pool has its header already.
            let waiting = step.mayHaveWaited(for: source)
            guard waiting != .yes else { return nil }
            let following = received.last(4, by: step.arrival)
                .filter { token.sourceNumber < $0.number && $0.token.kind == token.kind }
                .compactMap { $0.source.map(step.follows) }
            let isCertain = following.contains(.yes) || episode.neverSendsNewer(step, than: token)
            guard isCertain || following.contains(.unclear) else { return nil }
            return RuleViolation(
                "\(step.exchange.subject) sent \(token.id), which \(offer.standing.pastWords), although exchange "
                    + "\(source.number) had returned \(newer.token.id)",
                [step, source],
                isUnclear: !isCertain || waiting == .unclear,
                group: "\(token.id) \(step.launch)"
            )
        }
    }
}

extension Episode {
    /// Returns whether the client has sent a request again with a token that it knew to be refused, and with no better one:
    /// it was sent with other tokens less often than it was refused with this one.
    ///
    /// So it was not sent several times at once: those would all have been sent again.
    fileprivate func neverSendsNewer(_ step: Step, than token: HeldToken) -> Bool {
        // A copy that the client gave up itself proves nothing, since another one may have brought the response.
        let copies = requests(onPathOf: step).filter {
            $0.essence == step.essence && $0.access?.id != nil && !$0.isRefresh && $0.purpose != .signOut
                && $0.outcome != .clientGone
        }
        let refused = copies.filter { $0.access?.id == token.id && $0.access?.isAccepted == false }
        guard let known = refused.lazy.compactMap(\.end).first, known <= step.arrival else { return false }
        return copies.count - refused.count < refused.count
    }

    /// Returns whether the client had given its session up before a step brought new tokens, so that it did not take
    /// them.
    fileprivate func wasGivenUp(during step: Step) -> Bool {
        guard let end = step.end else { return false }
        return sessionEnds.contains { $0.step?.purpose != .signIn && step.arrival <= $0.moment && $0.moment <= end }
    }
}
