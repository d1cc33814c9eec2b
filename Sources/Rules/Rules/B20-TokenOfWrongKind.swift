import Basics
import ScenarioFormat
import Simulation

/// A token of one kind is sent where another kind is required.
///
/// - Evidence: a token of one kind is in the place of another kind, whether or not the server accepted it.
/// - Excuses: the route did not look at the token.
/// - Undecided: nothing; a text that holds no known token is B29 or a token of another issuer.
package enum TokenOfWrongKind: Rule {
    package static let profile = RuleProfile(
        .tokenOfWrongKind,
        reason: "the server refuses the request, or every request exposes the refresh token",
        advice: "give each kind of token a type in the code, not only a name",
        source: "RFC 6749, section 1.5"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for step in history.steps where step.origin == nil {
            for token in step.offered {
                guard
                    token.isAccepted != nil, let kind = token.kind, let id = token.id,
                    !kind.hasSameUTF8(as: token.wanted)
                else { continue }
                let known = history.token(id: id)
                violations.add(
                    "\(kind) \(token.wanted) \(step.device ?? "")",
                    by: step,
                    RuleViolation(
                        "\(step.exchange.subject) sent \(id.printable), "
                            + (known?.sourceWords ?? "which was issued before the first request")
                            + ", where \(Sentences.article(token.wanted.printable)) token is required",
                        [step, known?.source],
                        device: step.device
                    )
                )
            }
        }
        return violations.list
    }
}

extension Sentences {
    /// A word with the article that goes before it: `an access`.
    fileprivate static func article(_ word: String) -> String {
        let isVowel = word.utf8.first.map { "aeiouAEIOU".utf8.contains($0) } ?? false
        return "\(isVowel ? "an" : "a") \(word)"
    }
}
