import Basics
import Simulation

/// A token of one kind is offered where another is required, whether or not the server lets that pass.
package enum TokenOfWrongKind: Rule {
    package static let profile = RuleProfile(
        "B20",
        "token-of-wrong-kind",
        reason: "the server refuses the request, or the refresh token travels with every request",
        advice: "keep the kinds of token apart by type, not by name",
        source: "RFC 6749, section 1.5"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        let grants = history.grants
        var violations = RepeatedViolations()
        let exchanges = history.evidence.exchanges
        for index in exchanges.indices where exchanges[index].bringsWrongKind {
            let exchange = exchanges[index]
            for token in exchange.offered {
                guard
                    token.isAccepted != nil, let kind = token.kind, let id = token.id,
                    !kind.utf8.elementsEqual(token.wanted.utf8)
                else { continue }
                let route = exchange.route ?? exchange.line
                violations.add(
                    "\(kind) \(token.wanted) \(exchange.device ?? "") \(route)",
                    by: exchange.number,
                    RuleViolation(
                        "\(exchange.subject) brought \(id.printable) where \(Sentences.article(token.wanted.printable)) token "
                            + "belongs; \(grants.words(id).printable)",
                        exchanges: [exchange.number] + (grants[id].map { [$0] } ?? []),
                        device: exchange.device
                    )
                )
            }
        }
        return violations.list
    }
}

extension Exchange {
    /// Whether the backend has judged a token of another kind than it required.
    fileprivate var bringsWrongKind: Bool {
        origin == nil
            && offered.contains { token in
                token.isAccepted != nil && token.kind.map { !$0.utf8.elementsEqual(token.wanted.utf8) } ?? false
            }
    }
}

extension Sentences {
    /// A word with the article that goes before it: `an access`.
    fileprivate static func article(_ word: String) -> String {
        let isVowel = word.utf8.first.map { "aeiouAEIOU".utf8.contains($0) } ?? false
        return "\(isVowel ? "an" : "a") \(word)"
    }
}
