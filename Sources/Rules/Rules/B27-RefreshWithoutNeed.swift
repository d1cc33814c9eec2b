import Basics
import ScenarioFormat
import Simulation

/// The client refreshes before every call, because its margin is as long as the token's lifetime.
///
/// - Evidence: three refreshes each replaced a young and valid access token that had served one call, and more such
///   tokens than others. Calls that overlap, or follow each other without a pause, as on one connection, have waited for
///   the same refresh and count as one.
/// - Excuses: a request was refused between them, or before, and had not been sent again; a refresh failed; the token was
///   about to end; or the device's clock is wrong (B11).
/// - Undecided: nothing; one or two such refreshes may be on purpose, such as for new claims.
package enum RefreshWithoutNeed: Rule {
    package static let profile = RuleProfile(
        rule: .refreshWithoutNeed,
        reason: "a margin longer than the lifetime doubles the traffic and hits the server's rate limits",
        advice: "use a fraction of the announced lifetime, such as a tenth, as the margin",
        source: "RFC 6749, section 5.1"
    )

    /// The number of refreshes in a row that cannot be a single wish, such as one for new claims.
    private static let fewest = 3

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let run = episode.needlessRun
        guard run.count >= fewest, !episode.hasWrongClock(at: run[run.count - 1].refresh) else { return [] }
        let isSingle = run.allSatisfy { episode.uses(of: $0.token).count == 1 }
        let moment = isSingle ? " before each call" : " before each group of calls"
        return [RuleViolation(Sentences.needless(run, moment), run.map(\.refresh))]
    }
}

extension Episode {
    /// The refreshes that each replaced a young token which had served one call, where they are most of those that had no
    /// other reason.
    ///
    /// A refused request is a reason for a refresh until it is sent again, and so is a token that has ended or is about to. A token that served
    /// several calls shows that not every call gets a refresh.
    fileprivate var needlessRun: [(refresh: Step, token: HeldToken)] {
        guard refreshes.allSatisfy(\.isRenewal) else { return [] }
        var run: [(refresh: Step, token: HeldToken)] = []
        var usefulTokens = 0
        var previous: UInt64 = 0
        for (earlier, later) in zip(refreshes, refreshes.dropFirst()) {
            // After refusals their requests come again, at the same time or not.
            let replays = complaints.between(previous, earlier.number).count
            previous = earlier.number
            guard let token = earlier.granted(.access).last, earlier.breaks == nil, !earlier.overlaps(later),
                earlier.audience == later.audience,
                complaints.between(earlier, later).isEmpty, requestedRefreshes[later.number] == nil,
                token.isGood(before: later), token.isYoung(at: later.time, broughtBy: earlier)
            else { continue }
            let uses = uses(of: token)
            guard let first = uses.first, first.number > earlier.number else { continue }
            if uses.count <= replays || areTogether(uses) {
                run.append((later, token))
            } else {
                usefulTokens += 1
            }
        }
        return run.count > usefulTokens ? run : []
    }

    /// Returns whether no pause between calls shows that one was made when the refresh was long over.
    private func areTogether(_ calls: [Step]) -> Bool {
        var end = calls[0].end ?? MonotonicTime(nanoseconds: .max)
        return calls.allSatisfy { call in
            defer { end = max(end, call.end ?? MonotonicTime(nanoseconds: .max)) }
            return call.arrival.since(end) <= TimeLimit.replayGap.value
        }
    }
}
