import Basics
import ScenarioFormat
import Simulation

/// A request that is sent after a refresh is not the one that was refused.
///
/// - Evidence: right after the refresh, and in place of a refused request, comes that request without its query, another
///   one that the screen had loaded already, or one of the refused ones once too often.
/// - Excuses: those of B7. Another method, an added query or another item of a list is no replay: the user wanted it.
/// - Undecided: nothing; a request that is only missing is B7.
package enum DifferentRequestReplayed: Rule {
    package static let profile = RuleProfile(
        .differentRequestReplayed,
        reason: "what the user did is lost, and something else is done in its place",
        advice: "keep the refused request as it is and send that one again",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let substitutions = Recovery.all(in: episode).flatMap(\.substitutions)
        guard !substitutions.isEmpty else { return [] }
        let missing = episode.renewedRequests.filter { $0.replay == nil }
        return substitutions.filter { substitution in
            missing.contains {
                $0.refused === substitution.lost && !episode.isExcused($0, countingLeaving: !substitution.isSurplus)
            }
        }.map { substitution in
            let (lost, sent) = (substitution.lost, substitution.sent)
            let origin = substitution.original.map { ", a repetition of exchange \($0.number)," } ?? ""
            return RuleViolation(
                "\(sent.exchange.subject)\(origin) came where \(lost.exchange.subject), which had been refused, was to "
                    + "come again",
                [sent, lost, substitution.original]
            )
        }
    }
}
