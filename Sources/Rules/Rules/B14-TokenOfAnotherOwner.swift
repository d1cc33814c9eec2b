import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A token that belongs to one device or account is sent in a request from another device or account.
///
/// - Evidence: a request that names a device sends another device's token; or, after a sign-in as another account, a
///   request sends a token of the previous account.
/// - Excuses: the request was sent before the sign-in was known; it signs the previous account out; a device has no
///   tokens yet.
/// - Undecided: whether the client knew of the sign-in, where the server noticed the request late.
package enum TokenOfAnotherOwner: Rule {
    package static let profile = RuleProfile(
        rule: .tokenOfAnotherOwner,
        reason: "one user sees or changes another user's data",
        advice: "store tokens per account, and delete the previous account's tokens before the next account signs in",
        source: "RFC 6749, sections 1.4 and 10.3"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        history.devices.flatMap { device in
            strangers(of: device, in: history) + history.episodes(of: device.name).flatMap(predecessors)
        } + leftovers(in: history)
    }

    /// Finds tokens of another device in requests that name this one.
    private static func strangers(of device: Device, in history: TokenHistory) -> [RuleViolation] {
        let ledger = history.evidence.ledger
        let own = ledger.device(named: device.name).map { ledger.tokens(of: $0) } ?? []
        // A device that has nothing of its own yet may have got another name since its tokens were issued.
        guard let oldest = own.first else { return [] }
        // Two tokens of one second may look the same, whichever account owns them.
        let values = Set(own.lazy.map { $0.value.exact })
        let first = device.steps.first { $0.exchange.granted.contains { $0.id == oldest.id } }
        return device.steps.compactMap { step in
            guard step.exchange.names(device.name), oldest.issued <= step.time,
                let token = step.offeredTokens.first(where: { $0.device.exact != device.name.exact }),
                !values.contains(token.value.exact)
            else { return nil }
            let following = first.map(step.follows) ?? .yes
            guard following != .no else { return nil }
            return RuleViolation(
                "\(step.exchange.subject) from \(device.name.printable) sent \(token.id), which had been issued to "
                    + token.device.printable,
                [step, following == .unclear ? first : nil],
                isUnclear: following == .unclear,
                group: "device \(device.name) \(token.id)"
            )
        }
    }

    /// Finds tokens of the account that a device had before it signed in to another.
    private static func predecessors(in episode: Episode) -> [RuleViolation] {
        let received = HeldTokens(.access, among: episode.signIns)
        return episode.steps.compactMap { step in
            guard step.purpose != .signOut, let latest = received.newest(by: step.arrival), let signIn = latest.source,
                let former = step.offeredTokens.first(where: { token in
                    token.device.exact == episode.device.exact
                        && token.account.exact != latest.token.account.exact
                        && token.family < latest.token.family
                })
            else { return nil }
            // A client that has signed out first has nothing of the former account under way.
            let hasSignedOut = episode.signOuts.contains { signOut in
                signOut.exchange.hasSucceeded && signOut.end.map { $0 < signIn.arrival } ?? false
                    && signOut.account?.exact == former.account.exact
            }
            let following = hasSignedOut ? .yes : step.follows(signIn)
            guard following != .no else { return nil }
            return violation(
                of: step,
                with: former,
                after: signIn,
                by: (episode.device, latest.token.account),
                isUnclear: following == .unclear
            )
        }
    }

    private static func violation(
        of step: Step,
        with former: HeldToken,
        after signIn: Step,
        by client: (name: String, account: String),
        isUnclear: Bool = false
    ) -> RuleViolation {
        RuleViolation(
            "\(step.exchange.subject) sent \(former.id), which had been issued to \(former.account.printable), although"
                + " \(client.name.printable) had signed in as \(client.account.printable) in exchange \(signIn.number)",
            [step, signIn],
            isUnclear: isUnclear,
            group: "account \(former.device) \(former.id)"
        )
    }

    /// Finds tokens of a session that was signed out of before another account signed in, where devices have no names.
    private static func leftovers(in history: TokenHistory) -> [RuleViolation] {
        var signedOut: Step?
        var switched: [ExactText: Step] = [:]
        var violations: [RuleViolation] = []
        for step in history.steps where step.origin == nil {
            if step.launch != signedOut?.launch { signedOut = nil }
            if let former = step.offeredTokens.first(where: { switched[$0.device.exact] != nil }),
                let signIn = switched[former.device.exact], signIn.launch == step.launch,
                let end = signIn.end, end < step.arrival
            {
                let client = ("the client", signIn.account ?? "another")
                violations.append(violation(of: step, with: former, after: signIn, by: client))
            }
            switch step.purpose {
            case .signOut where step.exchange.hasSucceeded: signedOut = step
            case .signIn where step.isRenewal:
                guard
                    let left = signedOut?.device, let account = step.account, let device = step.device,
                    left.exact != device.exact, !step.exchange.names(device),
                    let former = signedOut?.account, former.exact != account.exact
                else { continue }
                switched[left.exact] = step
                signedOut = nil
            default: break
            }
        }
        return violations
    }
}

extension Exchange {
    /// Returns whether a header field of the request says that it comes from this device.
    fileprivate func names(_ device: String) -> Bool {
        request.fields.contains { $0.value.exact == device.exact }
    }
}
