import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The client goes on as another account without a sign-in by the user.
///
/// No user types a password within a second of a refusal; what the client reports about its user counts more than that.
package enum AccountSwitchedWithoutUser: Rule {
    package static let profile = RuleProfile(
        "B21",
        "account-switched-without-user",
        reason: "the user's work ends up in another user's account",
        advice: "when a session ends, ask the user to sign in; never fall back on another account",
        source: "RFC 6749, section 1.3; RFC 9700, section 4.7"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        var refusal: Exchange?
        var refused: Exchange?
        for (index, exchange) in history.evidence.exchanges.enumerated() where exchange.origin == nil {
            if exchange.launchIdentity != refusal?.launchIdentity { (refusal, refused) = (nil, nil) }
            switch history.purpose(of: exchange) {
            case .signOut: (refusal, refused) = (nil, nil)
            case .resource where history.isRefused(exchange): (refusal, refused) = (exchange, exchange)
            case .refresh where !exchange.hasSucceeded && history.wasReceived(exchange): refusal = exchange
            case .refresh where history.renews(exchange): (refusal, refused) = (nil, nil)
            case .signIn where exchange.hasSucceeded:
                guard
                    let cause = refusal, let end = cause.end, let former = cause.account,
                    let account = exchange.account,
                    !former.utf8.elementsEqual(account.utf8), history.isSameClient(cause, exchange),
                    !history.hasUserActed(since: cause, before: exchange)
                else { continue }
                let replay = refused.flatMap { history.replay(of: $0, as: account, after: index) }
                let limit = replay == nil ? TimeLimit.ownSignIn : .ownSignInWithReplay
                guard exchange.arrival.since(end) <= limit.value else { continue }
                let next = replay.map { ", and sent exchange \($0.number) \($0.line) in that name" } ?? ""
                violations.append(
                    RuleViolation(
                        "\(exchange.subject) signed in as \(account.printable) right after exchange \(cause.number) "
                            + "had been answered \(cause.response.status.code) to \(former.printable)\(next)",
                        exchanges: [exchange.number, cause.number] + (replay.map { [$0.number] } ?? []),
                        device: exchange.device
                    )
                )
                (refusal, refused) = (nil, nil)
            default: break
            }
        }
        return violations
    }
}

extension TokenHistory {
    /// Whether a sign-in comes from the device that was refused, or from one that never says its name.
    fileprivate func isSameClient(_ refusal: Exchange, _ signIn: Exchange) -> Bool {
        guard let one = refusal.device, let other = signIn.device else { return false }
        if one.utf8.elementsEqual(other.utf8) { return true }
        return !signIn.request.fields.contains { $0.value.utf8.elementsEqual(other.utf8) }
    }

    /// Whether the client has told that its user is signed out, or has done something.
    fileprivate func hasUserActed(since refusal: Exchange, before signIn: Exchange) -> Bool {
        let told = evidence.statements.filter {
            $0.moment <= signIn.arrival && $0.launchIdentity == signIn.launchIdentity
        }
        let facts = ["signedOut", "userSignedIn", "signedIn", "user", "account"]
        if told.contains(where: { $0.moment >= refusal.arrival && facts.contains($0.fact) }) { return true }
        return told.last { $0.fact == "signedOut" }?.value.bool ?? false
    }

    /// The refused request, sent again in another name.
    fileprivate func replay(of refused: Exchange, as account: String, after index: Int) -> Exchange? {
        // A client that goes on by itself does so soon.
        evidence.exchanges.dropFirst(index + 1).prefix(20).first { exchange in
            exchange.isSameRequest(as: refused) && exchange.launch == refused.launch
                && exchange.account.map { $0.utf8.elementsEqual(account.utf8) } ?? false
        }
    }
}
