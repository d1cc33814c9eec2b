import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The client keeps using tokens after they were permanently refused.
///
/// - Evidence: a refresh was permanently refused, and before any sign-in the client sent that refresh token again, in
///   the same launch or a later one, or sent an access token of the ended session.
/// - Excuses: the request was sent before the refusal arrived or may have waited in the platform's pool; the launch
///   ended before the client could delete the token, or the store did not work.
/// - Undecided: whether the client knew of the refusal, where the server noticed the request late.
package enum CallsAfterInvalidRefresh: Rule {
    package static let profile = RuleProfile(
        rule: .callsAfterInvalidRefresh,
        reason: "the user keeps seeing errors instead of the sign-in screen",
        advice: "when a refresh is permanently refused, delete the tokens, cancel waiting requests, and show the "
            + "sign-in screen",
        source: "RFC 6749, section 5.2"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap(continuedUses) + history.episodes.flatMap(revivals)
    }

    /// Finds requests that a launch of the client sent after a refresh that was refused permanently.
    private static func continuedUses(in episode: Episode) -> [RuleViolation] {
        // A sign-in or new tokens begin another session.
        let sessions = episode.steps.chunked { $1.purpose != .signIn && !($1.isRefresh && $1.isRenewal) }
        return sessions.compactMap { steps in
            guard let refused = steps.first(where: { $0.isRefresh && $0.result == .terminal }) else { return nil }
            let later = steps.after(refused).filter { $0.isRefresh || $0.purpose == .resource }
            let known = Dictionary(grouping: later) { episode.knowledge(of: refused, in: $0) }
            guard let calls = known[.yes] ?? known[.unclear] else { return nil }
            let dead = calls.compactMap { ($0.isRefresh ? $0.refresh : $0.access)?.id }
            return RuleViolation(
                "exchange \(refused.number) permanently refused \(refused.refresh?.id ?? "the refresh token") "
                    + "with status \(refused.status), and the client still sent \(Sentences.exchanges(calls.map(\.number))) "
                    + "with \(Sentences.list(Array(dead.unique.prefix(4)), "and"))\(rate(of: calls, since: refused))",
                calls + [refused],
                isUnclear: known[.yes] == nil
            )
        }
    }

    /// Finds refresh tokens that a launch of the client offers although an earlier one knew that they were not valid.
    private static func revivals(in episode: Episode) -> [RuleViolation] {
        // What cannot be stored cannot be forgotten.
        guard !episode.refreshes.isEmpty, !episode.history.hasStoreFault(upTo: episode) else { return [] }
        let earlier = episode.history.episodes(of: episode.device).filter {
            $0.process == episode.process && $0.launch < episode.launch
        }
        let current = earlier[(earlier.lastIndex { !$0.signIns.isEmpty } ?? 0)...]
        return episode.refreshes.compactMap(\.refresh?.id).unique.compactMap { id in
            // A client that was killed at once could not forget it.
            let refused = current.reversed().lazy.compactMap { episode in
                episode.refreshes.first { $0.refresh?.id == id && $0.result == .terminal && episode.hadTime(after: $0) }
            }.first
            guard let refused, let refresh = episode.refreshes.first(where: { $0.refresh?.id == id }) else {
                return nil
            }
            return RuleViolation(
                "exchange \(refused.number) permanently refused \(id) with status \(refused.status) in launch "
                    + "\(refused.launch), and exchange \(refresh.number) sent the token again in launch"
                    + " \(refresh.launch)",
                [refresh, refused]
            )
        }
    }

    /// From this number of refreshes on their rate is reported.
    private static let manyRefreshes = 5

    /// The rate of refreshes, where they are many: `, about 8 refreshes a second`.
    private static func rate(of calls: [Step], since refused: Step) -> String {
        let refreshes = calls.filter(\.isRefresh)
        guard refreshes.count >= manyRefreshes, let last = refreshes.last else { return "" }
        let milliseconds = last.arrival.since(refused.arrival).wholeMicroseconds / 1_000
        guard milliseconds > 0 else { return "" }
        for (unit, length) in [("second", Int64(1_000)), ("minute", 60_000)] {
            let count = Int64(refreshes.count) * length / Int64(milliseconds)
            if count > 0 { return ", about \(count) refresh\(count == 1 ? "" : "es") a \(unit)" }
        }
        return ""
    }
}

extension Episode {
    /// Returns whether a request with invalid tokens was sent by a client that knew of the refusal.
    fileprivate func knowledge(of refused: Step, in step: Step) -> Following {
        if step.isRefresh { return repetition(of: refused, in: step) }
        guard step.isRefused, isOld(step, refused) else { return .no }
        return step.follows(refused).unless(waiting: step.mayHaveWaited(for: refused))
    }

    /// Returns whether an invalid refresh token is offered once more by a client that knows that it is not valid.
    ///
    /// A sibling that was sent at the same time knows nothing. A request that was made and refused in between shows that
    /// the client does, and so does the third offer: one refresh at a time makes only one.
    private func repetition(of refused: Step, in refresh: Step) -> Following {
        guard let id = refused.refresh?.id, refresh.exchange.brings(id), let end = refused.end, refresh.arrival >= end
        else { return .no }
        let following = refresh.reoffers(after: refused)
        guard following != .yes else { return .yes }
        let offers = refreshes.before(refresh.number).count { $0.exchange.brings(id) }
        let isKnown = complaints.between(refused, refresh).contains { complaint in
            complaint.begin >= end && complaint.end.map { $0 <= refresh.begin } ?? false
        }
        return offers >= 2 || isKnown ? .yes : following
    }

    /// Returns whether a request brings an access token from before the end of the session, and none is newer.
    private func isOld(_ step: Step, _ refused: Step) -> Bool {
        guard let offer = step.access, offer.standing.isDead, let id = offer.id, let end = refused.end else {
            return false
        }
        return access.newest(by: end).map { $0.token.id == id || $0.token.kind != offer.kind } ?? true
    }
}
