import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A refresh follows an error that is unrelated to the token.
///
/// - Evidence: a refresh follows soon after an error of a resource that had accepted the token, and the newest access
///   token is valid and has most of its lifetime left.
/// - Excuses: the token was refused elsewhere, a refused request has not been sent again yet, or the refresh came too
///   late to follow from the error.
/// - Undecided: nothing; an error whose response was lost does not count.
package enum RefreshOnOtherError: Rule {
    package static let profile = RuleProfile(
        rule: .refreshOnOtherError,
        reason: "every server error triggers a refresh, so an outage also hits the token endpoint",
        advice: "refresh only when the response refuses the token",
        source: "RFC 9110, sections 15.5.4 and 15.6; RFC 6750, section 3.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.refreshes.compactMap { refresh in
            guard let held = episode.access.newest(by: refresh.arrival), held.token.isGood(before: refresh),
                held.isYoung(at: refresh.time), held.token.audience == refresh.audience
            else { return nil }
            let uses = episode.uses(of: held.token).between(held.number, refresh.number)
            let last = uses.suffix(Episode.memory).last { use in
                use.isOtherError && use.end.map { $0 <= refresh.arrival } ?? false
            }
            guard let error = last, let end = error.end, refresh.arrival.since(end) < TimeLimit.ownRefresh.value,
                !uses.contains(where: \.isComplaint), !episode.hasUnresolved(before: refresh)
            else { return nil }
            return RuleViolation(
                "exchange \(refresh.number) refreshed because exchange \(error.number) received status \(error.status), although "
                    + "\(held.token.id) was still valid and had been accepted",
                [refresh, error]
            )
        }
    }
}

extension Episode {
    /// Returns whether one of the last refusals is a reason to refresh, because no request has tried again since.
    fileprivate func hasUnresolved(before refresh: Step) -> Bool {
        requestedRefreshes[refresh.number] != nil
            || complaints.before(refresh.number).suffix(Self.memory).contains { complaint in
                requests(like: complaint).between(complaint, refresh).isEmpty
            }
    }
}

extension Step {
    /// A Boolean value that indicates whether the response says that something other than the token is wrong.
    fileprivate var isOtherError: Bool {
        purpose == .resource && isReceived && status >= 400 && !isComplaint
            && exchange.offered.contains { $0.isAccepted == true }
    }
}
