import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A token of one device or account is sent with a request of another one.
///
/// - Evidence: a request that names a device sends another device's token; or, after a sign-in as another account, a
///   request sends a token of the previous account.
/// - Excuses: the request was sent before the sign-in was known; it signs the previous account out; a device has no
///   tokens yet.
/// - Undecided: whether the client knew of the sign-in, where the server noticed the request late.
package enum TokenOfAnotherOwner: Rule {
    package static let profile = RuleProfile(
        .tokenOfAnotherOwner,
        reason: "one user sees or changes another user's data",
        advice: "store tokens per account, and delete those of the previous account before the next one signs in",
        source: "RFC 6749, sections 1.4 and 10.3"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        var episodes = history.episodes[...]
        for device in history.devices {
            findStrangers(of: device, in: history, &violations)
            while let episode = episodes.first, episode.device.hasSameUTF8(as: device.name) {
                findPredecessors(in: episodes.removeFirst(), &violations)
            }
        }
        findLeftovers(in: history, &violations)
        return violations.list
    }

    /// Finds tokens of another device in requests that name this one.
    private static func findStrangers(
        of device: Device,
        in history: TokenHistory,
        _ violations: inout RepeatedViolations
    ) {
        let ledger = history.evidence.ledger
        let own = ledger.device(named: device.name).map { ledger.tokens(of: $0) } ?? []
        // A device that has nothing of its own yet may have got another name since its tokens were issued.
        guard let oldest = own.first else { return }
        // Two tokens of one second may look the same, whichever account owns them.
        let values = Set(own.lazy.map { ExactText($0.value) })
        let first = device.steps.first { $0.exchange.granted.contains { $0.id == oldest.id } }
        for step in device.steps where step.exchange.names(device.name) {
            let stranger = step.offered.first { $0.device.map { !$0.hasSameUTF8(as: device.name) } ?? false }
            guard let stranger, let owner = stranger.device, let token = stranger.id.flatMap(history.token(id:)),
                !values.contains(ExactText(token.value)), oldest.issued <= step.time
            else { continue }
            let following = first.map(step.follows) ?? .yes
            guard following != .no else { continue }
            let isUnclear = following == .unclear
            violations.add(
                "device \(device.name) \(token.id)\(isUnclear ? " unclear" : "")",
                by: step,
                RuleViolation(
                    "\(step.exchange.subject) from \(device.name.printable) sent \(token.id), "
                        + "which had been issued to \(owner.printable)",
                    [step, isUnclear ? first : nil],
                    device: device.name,
                    isUnclear: isUnclear
                )
            )
        }
    }

    /// Finds tokens of the account that a device had before it signed in to another.
    private static func findPredecessors(in episode: Episode, _ violations: inout RepeatedViolations) {
        let received = HeldTokens(.access, among: episode.signIns)
        guard !received.isEmpty else { return }
        for step in episode.steps where step.purpose != .signOut {
            guard let latest = received.newest(by: step.arrival), let signIn = latest.source,
                let former = step.token(where: { token in
                    token.device.hasSameUTF8(as: episode.device)
                        && !token.account.hasSameUTF8(as: latest.token.account)
                        && token.family < latest.token.family
                })
            else { continue }
            // A client that has signed out first has nothing of the former account under way.
            let hasSignedOut = episode.signOuts.contains {
                $0.exchange.hasSucceeded && $0.ended(former.account, before: signIn)
            }
            let following = hasSignedOut ? .yes : step.follows(signIn)
            guard following != .no else { continue }
            let isUnclear = following == .unclear
            violations.add(
                "account \(episode.device) \(former.id)\(isUnclear ? " unclear" : "")",
                by: step,
                RuleViolation(
                    sentence(step, former, by: episode.device, as: latest.token.account, in: signIn),
                    [step, signIn],
                    in: episode,
                    isUnclear: isUnclear
                )
            )
        }
    }

    private static func sentence(
        _ step: Step,
        _ former: HeldToken,
        by owner: String,
        as account: String,
        in signIn: Step
    ) -> String {
        "\(step.exchange.subject) sent \(former.id) of \(former.account.printable), although \(owner.printable) had "
            + "signed in as \(account.printable) in exchange \(signIn.number)"
    }

    /// Finds tokens of a session that was signed out of before another account signed in, where devices have no names.
    private static func findLeftovers(in history: TokenHistory, _ violations: inout RepeatedViolations) {
        var signedOut: Step?
        var switched: [ExactText: Step] = [:]
        for step in history.steps where step.origin == nil {
            if step.launch != signedOut?.launch { signedOut = nil }
            if let former = step.token(where: { switched[ExactText($0.device)] != nil }),
                let signIn = switched[ExactText(former.device)], signIn.launch == step.launch,
                let end = signIn.end, end < step.arrival
            {
                violations.add(
                    "account \(former.device) \(former.id)",
                    by: step,
                    RuleViolation(
                        sentence(step, former, by: "the client", as: signIn.account ?? "another", in: signIn),
                        [step, signIn],
                        device: step.device
                    )
                )
            }
            switch step.purpose {
            case .signOut where step.exchange.hasSucceeded: signedOut = step
            case .signIn where step.isRenewal:
                guard
                    let left = signedOut?.device, let account = step.account, let device = step.device,
                    !left.hasSameUTF8(as: device), !step.exchange.names(device),
                    let former = signedOut?.account, !former.hasSameUTF8(as: account)
                else { continue }
                switched[ExactText(left)] = step
                signedOut = nil
            default: break
            }
        }
    }
}

extension Step {
    /// The first token of the session in the request that is so.
    fileprivate func token(where isFitting: (HeldToken) -> Bool) -> HeldToken? {
        exchange.offered.lazy.compactMap { $0.id.flatMap(self.history.token(id:)) }.first(where: isFitting)
    }

    /// Returns whether it is a sign-out of an account that was over when another request came.
    fileprivate func ended(_ account: String, before later: Step) -> Bool {
        guard let end, end < later.arrival, let own = exchange.account else { return false }
        return own.hasSameUTF8(as: account)
    }
}

extension Exchange {
    /// Whether a header field of the request says that it comes from this device.
    fileprivate func names(_ device: String) -> Bool {
        request.fields.contains { $0.value.hasSameUTF8(as: device) }
    }
}
