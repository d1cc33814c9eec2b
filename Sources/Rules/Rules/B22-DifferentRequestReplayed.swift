import Basics
import ScenarioFormat
import Simulation

/// What is sent after a refresh is not the request that was refused.
///
/// A request that never comes again is not enough: something else has to come in its place, at once, that
/// the user cannot have wanted then.
package enum DifferentRequestReplayed: Rule {
    package static let profile = RuleProfile(
        .differentRequestReplayed,
        reason: "what the user did is lost, and something else is done in its place",
        advice: "keep the refused request as it is and send that one again",
        source: "RFC 6750, section 3.1; RFC 9110, section 9.2.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        Recovery.all(in: episode).flatMap(\.substitutions).map { lost, sent, original in
            let origin = original.map { ", a repetition of exchange \($0.number)," } ?? ""
            return RuleViolation(
                "\(sent.exchange.subject)\(origin) came where \(lost.exchange.subject), which had been refused, was to "
                    + "come again",
                [sent, lost, original]
            )
        }
    }
}
