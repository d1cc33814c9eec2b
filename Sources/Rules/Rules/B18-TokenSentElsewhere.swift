import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A token is sent to a server that must not receive it.
///
/// - Evidence: a request to another origin has a token of the session in a header field or in its query.
/// - Excuses: the origin accepts that kind of token.
/// - Undecided: nothing; tokens in a body are not searched for.
package enum TokenSentElsewhere: Rule {
    package static let profile = RuleProfile(
        rule: .tokenSentElsewhere,
        reason: "the operator of the other server can act as the user",
        advice: "send the token only to the backend's origin, and remove it when a redirect leads to another origin",
        source: "RFC 6750, section 5.3; RFC 9110, section 15.4"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        var latestRedirect: Step?
        return history.steps.flatMap { step -> [RuleViolation] in
            defer { if step.location != nil { latestRedirect = step } }
            guard let origin = step.origin else { return [] }
            let accepted = history.roles.acceptedElsewhere[origin] ?? []
            let redirect = latestRedirect.flatMap { $0.leads(to: step) ? $0 : nil }
            let cause = redirect.map { ", after exchange \($0.number) had redirected there" } ?? ""
            return step.tokens.filter { !accepted.contains($0.kind.exact) }.map { token in
                var violation = RuleViolation(
                    "\(step.exchange.subject) sent \(token.id) to \(origin.printable), which must not receive it\(cause)",
                    [step, redirect],
                    group: "\(origin) \(token.id)"
                )
                violation.device = step.device ?? token.device
                return violation
            }
        }
    }
}

extension Step {
    /// Every token of the session in the request, also where no token of the backend belongs.
    fileprivate var tokens: [HeldToken] {
        var tokens = Array(offeredTokens)
        for field in exchange.request.fields {
            // What follows a scheme (RFC 9110, section 11.4).
            let last = field.value.utf8.split(separator: UInt8(ascii: " ")).last
            tokens += [field.value, last.map { String(Substring($0)) } ?? ""].compactMap(history.token(value:))
        }
        let items = exchange.request.query.map { QueryItems(parsing: $0).items } ?? []
        tokens += items.compactMap { history.token(value: $0.value) }
        return tokens.map(\.id).unique.compactMap(history.token(id:))
    }

    /// The target of a redirect.
    fileprivate var location: String? { 300..<400 ~= status ? exchange.response.fields["Location"] : nil }

    /// Returns whether the response sends the client to this request.
    fileprivate func leads(to request: Step) -> Bool {
        guard let location, exchange.launch == request.launch else { return false }
        let target = request.exchange.request.target.utf8
        return location.utf8.count >= target.count && location.utf8.suffix(target.count).elementsEqual(target)
    }
}
