import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A resource refuses an access token that is not valid, and the client does not refresh although it could.
///
/// - Evidence: a resource refused an invalid access token, the client had a valid refresh token, and instead of
///   refreshing it sent another refused request, ended the session, or sent nothing.
///   An access token that the server does not know, such as a stored one from an earlier run, counts where the client
///   shows that it has the refresh token: this launch had received that before, or it is sent later.
///   So are a sign-in with a stored password and the revocation of the refresh token right after the refusal: that token
///   is there to renew the session (RFC 6749, section 1.5), and a daemon uses client credentials, which have none
///   (section 4.4.3).
/// - Excuses: a refresh failed before; the token came from a refresh and was never accepted; the request is itself the
///   replay; another process made the refresh or brought newer tokens; the session ended in between; the client had
///   no time.
/// - Undecided: whether the client knew of the refusal, where the server noticed the later request late; whether a
///   client with an unknown access token has the refresh token, where nothing shows that it does.
package enum NoRefreshAfter401: Rule {
    package static let profile = RuleProfile(
        rule: .noRefreshAfter401,
        reason: "the user is stuck or signed out although the client has a valid refresh token",
        advice: "when a resource refuses the access token, refresh once and send the request again",
        source: "RFC 6749, section 1.5; RFC 6750, section 3.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.firstRefusals.compactMap { refusal in
            let (refused, token) = (refusal.step, refusal.token)
            guard let remedy = refusal.remedy else { return nil }
            let certain = refusal.omission(instead: remedy)
            let doubtful = certain ?? refusal.omission(instead: remedy, countingUnclear: true)
            let dead = token.map { "\($0.id) (\(refused.access?.standing.words ?? ""))" } ?? "an unknown access token"
            return doubtful.map { words, other in
                RuleViolation(
                    "exchange \(refused.number) refused \(dead), and the client \(words), which was still valid",
                    [refused, other],
                    isUnclear: certain == nil
                )
            }
        }
    }
}

extension Episode {
    /// The refusal of each access token of which the client has learned first, in the order of the tokens' first refusals.
    ///
    /// Tokens that are not this session's are not distinguished, but by the refresh token that was there for them.
    fileprivate var firstRefusals: [TokenRefusal] {
        let refusals = complaints.compactMap {
            step -> (key: String, step: Step, end: MonotonicTime, token: HeldToken?)? in
            guard step.isRefused, let offer = step.access, offer.isAccepted == false, let end = step.end,
                // What is only not sent as it is, is B29.
                offer.token == nil
                    ? offer.standing == .unknown && flaw(of: offer.offered, in: step) == nil : offer.standing.isDead
            else { return nil }
            let key = offer.token?.id ?? "unknown \(refresh.newest(by: step.arrival)?.token.id ?? "")"
            return (key, step, end, offer.token)
        }
        let byToken = Dictionary(grouping: refusals, by: \.key)
        return refusals.map(\.key).unique.compactMap { key in
            byToken[key]?.min { $0.end < $1.end }.map { TokenRefusal(episode: self, step: $0.step, token: $0.token) }
        }
    }
}

/// The refusal of an access token that is not valid.
private struct TokenRefusal {
    let episode: Episode
    /// The request that was refused.
    let step: Step
    /// `nil` for a token that the server does not know.
    let token: HeldToken?

    /// The refresh token with which the client could have renewed the access token.
    var remedy: HeldToken? { if let token { remedy(for: token) } else { provenRemedy } }

    /// The refresh token with which the client could have renewed an access token that the server does not know.
    ///
    /// The tokens that the story gave it may not be the ones that it stored. One that continues with a good access token has another
    /// way.
    private var provenRemedy: HeldToken? {
        guard episode.history.roles.canRefresh, let held = episode.refresh.newest(by: step.arrival),
            held.token.isGood(before: step),
            !episode.steps.after(step).contains(where: { $0.access?.isAccepted == true && $0.access?.token != nil })
        else { return nil }
        // What an earlier launch received need not have been stored.
        let isReceived = held.source.map { $0.launch == episode.launch && $0.process == episode.process } ?? false
        let isShown = isReceived || episode.history.steps.after(step).contains { $0.exchange.brings(held.token.id) }
        return isShown ? held.token : nil
    }

    /// The refresh token with which the client could have renewed a refused one at once.
    private func remedy(for token: HeldToken) -> HeldToken? {
        guard let end = step.end, episode.history.roles.canRefresh else { return nil }
        if let newest = episode.access.newest(by: end), newest.number > 0, newest.token !== token { return nil }
        guard !isStillborn(token), !isRepeated(with: token),
            let remedy = episode.refresh.newest(by: end)?.token, remedy.family == token.family,
            remedy.isGood(before: step)
        else { return nil }
        // Another process may have used it up by the time this one learned of the refusal.
        if let spender = remedy.spender, spender.process != episode.process, spender.arrival <= end { return nil }
        return remedy
    }

    /// Returns whether a refresh of this launch brought the token and it was never accepted: a client that stops then
    /// is right.
    private func isStillborn(_ token: HeldToken) -> Bool {
        guard let source = token.source, source.number < step.number, source.isRefresh,
            episode.refreshes.from(source.number).first === source
        else { return false }
        return !episode.uses(of: token).before(step.number).contains { use in
            use.offered.contains { $0.id == token.id && $0.isAccepted == true }
        }
    }

    /// Returns whether the request was refused before with the token's predecessor, and this is its replay with the
    /// token that a refresh brought: a client that does not refresh twice for one request is right.
    ///
    /// A request that has already succeeded with the new token has had its replay, so this is another one.
    private func isRepeated(with token: HeldToken) -> Bool {
        guard let source = token.source else { return false }
        let same = episode.requests(like: step).before(step.number).suffix(Episode.memory).filter {
            $0.essence == step.essence
        }
        guard let last = episode.complaints.before(source.number).last?.access?.id,
            same.contains(where: { $0.number < source.number && $0.isComplaint && $0.access?.id == last })
        else { return false }
        return !same.contains { $0.number > source.number && $0.access?.isAccepted == true }
    }

    /// The client's next action, as the end of a sentence; `nil` if the client did nothing wrong or could not have refreshed.
    ///
    /// - Parameter isUnclearCounted: whether a request counts as a later one too that would be, had the server not been
    ///   late itself.
    func omission(instead remedy: HeldToken, countingUnclear isUnclearCounted: Bool = false) -> (String, Step?)? {
        let token = token ?? remedy
        // One that failed before is a reason to wait with the next.
        let isTried =
            episode.refresh(for: step) != nil || hasAdoptedAnother(than: token)
            || episode.refreshes.contains { !$0.isRenewal }
        guard !isTried, !hasLeft(with: token), episode.hadTime(after: step, countingUnclear: isUnclearCounted) else {
            return nil
        }
        let next = episode.complaints.after(step).first {
            $0.isAfter(step, countingUnclear: isUnclearCounted) && $0.isRefused
        }
        if let end = episode.sessionEnd(since: step.end ?? step.arrival), next.map({ end.number < $0.number }) ?? true {
            return ("\(end.words) instead of refreshing with \(remedy.id)", end.step)
        }
        if let next { return ("continued with exchange \(next.number) instead of refreshing with \(remedy.id)", next) }
        return ("never refreshed with \(remedy.id)", nil)
    }

    /// Returns whether a process continued with a token that another process had received.
    private func hasAdoptedAnother(than token: HeldToken) -> Bool {
        guard episode.process != nil else { return false }
        return episode.steps.after(step).contains { later in
            later.access?.token?.source.map { $0.process != episode.process && $0.number > token.sourceNumber } ?? false
        }
    }

    /// Returns whether the session was given up while the request was under way, so that there was nothing left to
    /// renew.
    ///
    /// The sign-in that brought the refused token, and all before it, ended other sessions.
    private func hasLeft(with token: HeldToken) -> Bool {
        guard let end = step.end else { return false }
        let start = step.arrival.advanced(by: .zero - TimeLimit.transit.value)
        let last = end.advanced(by: TimeLimit.stillAtWork.value)
        let ends = episode.sessionEnds
        return ends[ends.place { $0.moment < start }...].prefix { $0.moment <= last }.contains {
            // One after the refusal is the user's, before the client had the time to refresh.
            $0.number >= token.sourceNumber && ($0.moment <= end || episode.isUsers($0))
        }
    }
}
