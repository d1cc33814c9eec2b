import Basics
import ScenarioFormat
import Simulation

/// One device refreshes twice although one refresh would have been enough.
///
/// - Evidence: two refreshes of one session overlap; or the later one follows although the earlier one had brought an
///   access token that is valid, has most of its lifetime left, and was not refused.
/// - Excuses: the two name different audiences or scopes; the client gave the earlier one up, or its response was lost;
///   a sign-in came between; a refused request that had not been sent again may have caused the later one; the device's
///   clock is wrong (B11).
/// - Undecided: nothing; where requests do not show their access tokens, only overlapping refreshes count.
package enum RefreshStorm: Rule {
    package static let profile = RuleProfile(
        rule: .refreshStorm,
        reason: "each unnecessary refresh delays the user and adds work for the server",
        advice: "share one refresh among all waiting and later requests",
        source: "RFC 6749, section 6; RFC 9700, section 4.14.2"
    )

    package static func reason(in roles: TokenRoles) -> String {
        roles.kinds.contains { $0.role == .refresh && $0.rotates }
            ? "refresh tokens rotate, so the second refresh sends a used token, and the server ends the session"
            : profile.reason
    }

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.storms.map { RuleViolation(episode.sentence($0), $0) }
    }
}

extension Episode {
    /// Refreshes that one would have served, two or more together, in the order of the first of each.
    fileprivate var storms: [[Step]] {
        var storms: [[Step]] = []
        for refresh in refreshes {
            // Only the last few matter: what is needless is needless after the newest success too.
            let recent = storms.last?.suffix(8) ?? []
            if recent.contains(where: { isNeedless(refresh, after: $0) }) {
                storms[storms.count - 1].append(refresh)
            } else {
                storms.append([refresh])
            }
        }
        return storms.filter { $0.count > 1 }
    }

    private func isNeedless(_ later: Step, after earlier: Step) -> Bool {
        guard later.refresh?.token?.family == earlier.refresh?.token?.family, later.audience == earlier.audience,
            signIns.between(earlier, later).isEmpty
        else { return false }
        return later.overlaps(earlier) ? !isRetry(later, of: earlier) : isRenewed(later, by: earlier)
    }

    /// Returns whether the client may have given the first one up before it sent the second.
    ///
    /// A server notices only after a while that a client has gone away.
    private func isRetry(_ later: Step, of earlier: Step) -> Bool {
        guard let end = earlier.end, earlier.fault != .never else { return true }
        return !earlier.isReceived && end.since(later.arrival) < TimeLimit.abandonment.value
    }

    /// Returns whether the first one had brought an access token that there was no reason to renew.
    private func isRenewed(_ later: Step, by earlier: Step) -> Bool {
        guard earlier.isRenewal, earlier.breaks == nil, let token = earlier.granted(.access).last,
            token.isGood(before: later), token.isYoung(at: later.time, broughtBy: earlier)
        else { return false }
        // Where no request shows its token, nothing shows that none asked for the second refresh.
        guard !hidesAccessTokens else { return false }
        let uses = uses(of: token).between(earlier, later)
        guard !uses.contains(where: \.isComplaint) else { return false }
        // A clock that is wrong makes every new token look old: B11 says so.
        if uses.isEmpty { return !hasWrongClock(at: later) }
        // A call that was refused before, and has not tried again, may have asked for the second one.
        if let oldest = requestedRefreshes[later.number], oldest < earlier.number { return true }
        let last = complaints.before(later.number).last { !$0.exchange.brings(token.id) }
        guard let dead = last?.access?.token else { return false }
        let served = Set(uses.map(\.request))
        return self.uses(of: dead).before(later.number).contains { use in
            use.isComplaint && !use.exchange.brings(token.id) && !served.contains(use.request)
        }
    }

    fileprivate func sentence(_ storm: [Step]) -> String {
        let isTogether = zip(storm, storm.dropFirst()).allSatisfy { $0.overlaps($1) }
        let tokens = storm.compactMap { $0.refresh?.id }.unique
        let with = tokens.isEmpty ? "" : " with \(Sentences.list(tokens, "and"))"
        var sentence = "\(Sentences.exchanges(storm.map(\.number))) refreshed "
        sentence += isTogether ? "at the same time\(with)" : "one after the other\(with)"
        let refused = complaints.before(storm[storm.count - 1].number).last(where: \.isRefused)
        let isRequested = storm.contains { requestedRefreshes[$0.number] != nil }
        if isRequested, let dead = refused?.access?.token {
            let deaths = uses(of: dead).before(storm[storm.count - 1].number).filter(\.isRefused)
            sentence += ", because \(Sentences.exchanges(deaths.map(\.number))) had refused \(dead.id)"
        } else if !isTogether, let token = storm[0].granted(.access).last {
            sentence += ", although \(token.id) was still valid"
        }
        return sentence + "; one refresh would have been enough"
    }
}
