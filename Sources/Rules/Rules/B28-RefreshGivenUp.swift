import Basics
import ScenarioFormat
import Simulation

/// A refresh fails temporarily, and the client never retries.
///
/// - Evidence: the last refresh failed temporarily, its refresh token stayed valid, and at least three later calls were
///   refused with an expired access token.
/// - Excuses: the calls came before a cool-down was over, the session ended, or the client had no time after the last
///   call.
/// - Undecided: nothing; a call that may have been sent before the failure does not count.
package enum RefreshGivenUp: Rule {
    package static let profile = RuleProfile(
        rule: .refreshGivenUp,
        reason: "after a short outage, every call is refused until the app is restarted",
        advice: "retry a failed refresh when the next call needs a token, and increase the delay each time",
        source: "RFC 9110, section 15.6.4"
    )

    /// The number of refused calls that cannot be a single one that came too early.
    private static let fewest = 3

    package static func violations(in episode: Episode) -> [RuleViolation] {
        guard let failed = episode.refreshes.last, failed.result == .passing, let end = failed.end,
            let token = failed.refresh?.token, episode.sessionEnd(since: failed.arrival) == nil
        else { return [] }
        // The calls that were refused when the client should have tried again.
        let calls = episode.complaints.after(failed).filter { call in
            call.isRefused && call.isAfter(failed) && call.access?.standing == .expired
                && (call.begin.since(end) >= TimeLimit.coolDown.value
                    || episode.isOver(coolDownAfter: failed, before: call))
        }
        guard calls.count >= fewest, let last = calls.last, episode.hadTime(after: last), token.isGood(before: last)
        else {
            return []
        }
        return [
            RuleViolation(
                "the refresh in exchange \(failed.number) failed temporarily, and the client never retried, so "
                    + "\(Sentences.exchanges(calls.map(\.number))) were refused, although \(token.id) was still valid",
                [failed] + calls
            )
        ]
    }
}

extension Episode {
    /// Returns whether the story's time has passed the cool-down, and the client has reported by its clock that it
    /// knows.
    fileprivate func isOver(coolDownAfter failed: Step, before call: Step) -> Bool {
        let over = failed.time + TimeLimit.coolDown.value
        return statements.contains { statement in
            statement.moment <= call.begin && statement.time >= over && statement.deviceTime.map { $0 >= over } ?? false
        }
    }
}
