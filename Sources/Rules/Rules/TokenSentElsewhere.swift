import Basics
import HTTPCodec
import Simulation

/// A token arrives at a server that it is not for.
package enum TokenSentElsewhere: Rule {
    package static let profile = RuleProfile(
        "B18",
        "token-sent-elsewhere",
        reason: "the operator of the other server can act as the user",
        advice: "add the token only to requests for the backend's own origin, and drop it on redirects to others",
        source: "RFC 6750, section 5.3; RFC 9110, section 15.4"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        var latestRedirect: Exchange?
        let exchanges = history.evidence.exchanges
        for index in exchanges.indices where exchanges[index].origin != nil || exchanges[index].location != nil {
            let exchange = exchanges[index]
            defer { if exchange.location != nil { latestRedirect = exchange } }
            guard let origin = exchange.origin else { continue }
            let accepted = history.roles.acceptedElsewhere[origin] ?? []
            for token in history.tokens(in: exchange) {
                guard !accepted.contains(where: { $0.utf8.elementsEqual(token.kind.utf8) }) else { continue }
                let redirect = latestRedirect.flatMap { $0.leads(to: exchange) ? $0 : nil }
                let cause = redirect.map { ", after exchange \($0.number) had redirected there" } ?? ""
                violations.add(
                    "\(origin) \(token.id)",
                    by: exchange.number,
                    RuleViolation(
                        "\(exchange.subject) took \(token.id) to \(origin.printable), which it is not for\(cause)",
                        exchanges: [exchange.number] + (redirect.map { [$0.number] } ?? []),
                        device: exchange.device ?? token.device
                    )
                )
            }
        }
        return violations.list
    }
}

extension TokenHistory {
    /// Every token of the session in a request, also where no token of the backend belongs.
    fileprivate func tokens(in exchange: Exchange) -> [Token] {
        var tokens: [Token] = []
        func note(_ token: Token?) {
            if let token, !tokens.contains(where: { $0.id == token.id }) { tokens.append(token) }
        }
        for id in exchange.offered.compactMap(\.id) { note(evidence.ledger.token(id: id)) }
        for field in exchange.request.fields {
            note(evidence.ledger.token(value: field.value))
            // What follows a scheme (RFC 9110, section 11.4).
            let last = field.value.utf8.split(separator: UInt8(ascii: " ")).last
            if let last { note(evidence.ledger.token(value: String(Substring(last)))) }
        }
        for item in exchange.request.query.map({ QueryItems(parsing: $0).items }) ?? [] {
            note(evidence.ledger.token(value: item.value))
        }
        return tokens
    }
}

extension Exchange {
    /// Where the response sends the client.
    fileprivate var location: String? {
        300..<400 ~= response.status.code ? response.fields["Location"] : nil
    }

    /// Whether the response sends the client to this request.
    fileprivate func leads(to request: Exchange) -> Bool {
        guard let location, launch == request.launch else { return false }
        let target = request.request.target.utf8
        return location.utf8.count >= target.count && location.utf8.suffix(target.count).elementsEqual(target)
    }
}
