import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A refresh that follows an error which has nothing to do with the token.
///
/// - Evidence: a refresh follows soon after an error of a resource that had accepted the token, and the newest access
///   token is valid and has most of its lifetime left.
/// - Excuses: the token was refused elsewhere, a refused request has not been sent again yet, or the refresh came too
///   late to follow from the error.
/// - Undecided: nothing; an error whose response was lost does not count.
package enum RefreshOnOtherError: Rule {
    package static let profile = RuleProfile(
        .refreshOnOtherError,
        reason: "every server error triggers a refresh, so an outage hits the token endpoint too",
        advice: "refresh only when the response refuses the token",
        source: "RFC 9110, sections 15.5.4 and 15.6; RFC 6750, section 3.1"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        episode.refreshes.compactMap { refresh in
            episode.error(before: refresh).map { error, token in
                RuleViolation(
                    "exchange \(refresh.number) refreshed because exchange \(error.number) got status "
                        + "\(error.status), although \(token.id) was still valid and had been accepted",
                    [refresh, error]
                )
            }
        }
    }
}

extension Episode {
    /// The error after which the client refreshes without need.
    fileprivate func error(before refresh: Step) -> (step: Step, token: HeldToken)? {
        guard let held = access.newest(by: refresh.arrival), held.token.isGood(before: refresh),
            held.isYoung(at: refresh.time)
        else { return nil }
        let uses = uses(of: held.token).between(held.number, refresh.number)
        let last = uses.suffix(Self.memory).last { use in
            use.isOtherError && use.end.map { $0 <= refresh.arrival } ?? false
        }
        guard let last, let end = last.end, refresh.arrival.since(end) < TimeLimit.ownRefresh.value,
            !uses.contains(where: \.isComplaint), !hasUnresolved(before: refresh)
        else { return nil }
        return (last, held.token)
    }

    /// Returns whether one of the last refusals is a reason to refresh, because no request has tried again since.
    private func hasUnresolved(before refresh: Step) -> Bool {
        complaints.before(refresh.number).suffix(Self.memory).contains { complaint in
            requests(like: complaint).between(complaint, refresh).isEmpty
        }
    }

    /// The number of exchanges that are searched for a reason.
    private static let memory = 64
}

extension Step {
    /// A Boolean value that indicates whether the response says that something other than the token is wrong.
    fileprivate var isOtherError: Bool {
        purpose == .resource && isReceived && status >= 400 && !isComplaint
            && exchange.offered.contains { $0.isAccepted == true }
    }
}
