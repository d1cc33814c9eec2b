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
        episode.firstRefusals.compactMap { refused, token in
            let remedy = token.map { episode.remedy(for: refused, $0) } ?? episode.provenRemedy(for: refused)
            guard let remedy else { return nil }
            let certain = episode.omission(after: refused, token ?? remedy, remedy)
            let doubtful = certain ?? episode.omission(after: refused, token ?? remedy, remedy, countingUnclear: true)
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
    fileprivate var firstRefusals: [(step: Step, token: HeldToken?)] {
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
            byToken[key]?.min { $0.end < $1.end }.map { ($0.step, $0.token) }
        }
    }

    /// The refresh token with which the client could have renewed an access token that the server does not know.
    ///
    /// The tokens that the story gave it may not be the ones that it stored. One that continues with a good access token has another
    /// way.
    fileprivate func provenRemedy(for refused: Step) -> HeldToken? {
        guard history.roles.canRefresh, let held = refresh.newest(by: refused.arrival),
            held.token.isGood(before: refused),
            !steps.after(refused).contains(where: { $0.access?.isAccepted == true && $0.access?.token != nil })
        else { return nil }
        // What an earlier launch received need not have been stored.
        let isReceived = held.source.map { $0.launch == launch && $0.process == process } ?? false
        let isShown = isReceived || history.steps.after(refused).contains { $0.exchange.brings(held.token.id) }
        return isShown ? held.token : nil
    }

    /// The refresh token with which the client could have renewed a refused one at once.
    fileprivate func remedy(for refused: Step, _ token: HeldToken) -> HeldToken? {
        guard let end = refused.end, history.roles.canRefresh else { return nil }
        if let newest = access.newest(by: end), newest.number > 0, newest.token !== token { return nil }
        guard !isStillborn(token, before: refused), !isRepeated(refused, with: token),
            let remedy = refresh.newest(by: end)?.token, remedy.family == token.family, remedy.isGood(before: refused)
        else { return nil }
        // Another process may have used it up by the time this one learned of the refusal.
        if let spender = remedy.spender, spender.process != process, spender.arrival <= end { return nil }
        return remedy
    }

    /// Returns whether a refresh of this launch brought the token and it was never accepted: a client that stops then
    /// is right.
    private func isStillborn(_ token: HeldToken, before refused: Step) -> Bool {
        guard let source = token.source, source.number < refused.number, source.isRefresh,
            refreshes.from(source.number).first === source
        else { return false }
        return !uses(of: token).before(refused.number).contains { use in
            use.offered.contains { $0.id == token.id && $0.isAccepted == true }
        }
    }

    /// Returns whether the request was refused before with the token's predecessor, and this is its replay with the
    /// token that a refresh brought: a client that does not refresh twice for one request is right.
    ///
    /// A request that has already succeeded with the new token has had its replay, so this is another one.
    private func isRepeated(_ refused: Step, with token: HeldToken) -> Bool {
        guard let source = token.source else { return false }
        let same = requests(like: refused).before(refused.number).suffix(Self.memory).filter {
            $0.essence == refused.essence
        }
        guard let last = complaints.before(source.number).last?.access?.id,
            same.contains(where: { $0.number < source.number && $0.isComplaint && $0.access?.id == last })
        else { return false }
        return !same.contains { $0.number > source.number && $0.access?.isAccepted == true }
    }

    /// The client's next action, as the end of a sentence; `nil` if the client did nothing wrong or could not have refreshed.
    ///
    /// - Parameter isUnclearCounted: whether a request counts as a later one too that would be, had the server not been
    ///   late itself.
    fileprivate func omission(
        after refused: Step,
        _ token: HeldToken,
        _ remedy: HeldToken,
        countingUnclear isUnclearCounted: Bool = false
    ) -> (String, Step?)? {
        // One that failed before is a reason to wait with the next.
        let isTried =
            refresh(for: refused) != nil || hasAdoptedAnother(than: token, after: refused)
            || refreshes.contains { !$0.isRenewal }
        guard !isTried, !hasLeft(during: refused, with: token),
            hadTime(after: refused, countingUnclear: isUnclearCounted)
        else {
            return nil
        }
        let next = complaints.after(refused).first {
            $0.isAfter(refused, countingUnclear: isUnclearCounted) && $0.isRefused
        }
        if let end = sessionEnd(since: refused.end ?? refused.arrival), next.map({ end.number < $0.number }) ?? true {
            return ("\(end.words) instead of refreshing with \(remedy.id)", end.step)
        }
        if let next { return ("continued with exchange \(next.number) instead of refreshing with \(remedy.id)", next) }
        return ("never refreshed with \(remedy.id)", nil)
    }

    /// Returns whether a process continued with a token that another process had received.
    private func hasAdoptedAnother(than token: HeldToken, after refused: Step) -> Bool {
        guard process != nil else { return false }
        return steps.after(refused).contains { step in
            step.access?.token?.source.map { $0.process != process && $0.number > token.sourceNumber } ?? false
        }
    }

    /// Returns whether the session was given up while the request was under way, so that there was nothing left to
    /// renew.
    ///
    /// The sign-in that brought the refused token, and all before it, ended other sessions.
    private func hasLeft(during refused: Step, with token: HeldToken) -> Bool {
        guard let end = refused.end else { return false }
        let start = refused.arrival.advanced(by: .zero - TimeLimit.transit.value)
        let last = end.advanced(by: TimeLimit.stillAtWork.value)
        return sessionEnds[sessionEnds.place { $0.moment < start }...].prefix { $0.moment <= last }.contains {
            // One after the refusal is the user's, before the client had the time to refresh.
            $0.number >= token.sourceNumber && ($0.moment <= end || isUsers($0))
        }
    }
}
