import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The client continues as another account without a sign-in by the user.
///
/// No user types a password within a second of a refusal; what the client reports about its user counts more than that.
///
/// - Evidence: a sign-in as another account follows a refused request or failed refresh of the same client within a
///   second, or within five seconds if the refused request is then sent as that account.
/// - Excuses: the client reported that its user signed out or signed in, a sign-out came between, or the sign-in is
///   from another device.
/// - Undecided: nothing; a later sign-in is the user's.
package enum AccountSwitchedWithoutUser: Rule {
    package static let profile = RuleProfile(
        rule: .accountSwitchedWithoutUser,
        reason: "the user's changes are saved in another user's account",
        advice: "when a session ends, ask the user to sign in; never fall back to another account",
        source: "RFC 6749, section 1.3; RFC 9700, section 4.7"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        var violations: [RuleViolation] = []
        var refusal: Step?
        var refused: Step?
        for step in history.steps where step.origin == nil {
            if step.exchange.launchIdentity != refusal?.exchange.launchIdentity { (refusal, refused) = (nil, nil) }
            switch step.purpose {
            case .signOut: (refusal, refused) = (nil, nil)
            case .resource where step.isRefused: (refusal, refused) = (step, step)
            case .refresh where !step.exchange.hasSucceeded && step.isReceived: refusal = step
            case .refresh where step.isRenewal: (refusal, refused) = (nil, nil)
            case .signIn where step.exchange.hasSucceeded:
                guard
                    let cause = refusal, let end = cause.end, let former = cause.account, let account = step.account,
                    former.exact != account.exact, step.isFromClient(of: cause),
                    !history.hasUserActed(since: cause, before: step)
                else { continue }
                let replay = refused.flatMap { history.replay(of: $0, as: account, after: step) }
                let limit = replay == nil ? TimeLimit.ownSignIn : .ownSignInWithReplay
                guard step.arrival.since(end) <= limit.value else { continue }
                let next = replay.map { ", and sent exchange \($0.number) \($0.exchange.line) as that account" } ?? ""
                violations.append(
                    RuleViolation(
                        "\(step.exchange.subject) signed in as \(account.printable) right after exchange"
                            + " \(cause.number) for \(former.printable) had received status \(cause.status)\(next)",
                        [step, cause, replay]
                    )
                )
                (refusal, refused) = (nil, nil)
            default: break
            }
        }
        return violations
    }
}

extension Step {
    /// Returns whether a sign-in comes from the device that was refused, or from one that never says its name.
    fileprivate func isFromClient(of refusal: Step) -> Bool {
        guard let one = refusal.device, let other = exchange.device else { return false }
        return one.exact == other.exact || !exchange.request.fields.contains { $0.value.exact == other.exact }
    }
}

extension TokenHistory {
    /// Returns whether the client has reported that its user is signed out, or has done something.
    fileprivate func hasUserActed(since refusal: Step, before signIn: Step) -> Bool {
        let reported = evidence.statements.filter {
            $0.moment <= signIn.arrival && $0.launchIdentity == signIn.exchange.launchIdentity
        }
        let facts = ["signedOut", "userSignedIn", "signedIn", "user", "account"]
        if reported.contains(where: { $0.moment >= refusal.arrival && facts.contains($0.fact) }) { return true }
        return reported.last { $0.fact == "signedOut" }?.value.bool ?? false
    }

    /// The refused request, sent again in another name.
    fileprivate func replay(of refused: Step, as account: String, after signIn: Step) -> Step? {
        // A client that continues by itself does so soon.
        steps.after(signIn).prefix(20).first { step in
            step.isSameRequest(as: refused) && step.launch == refused.launch
                && step.account.map { $0.exact == account.exact } ?? false
        }
    }
}
