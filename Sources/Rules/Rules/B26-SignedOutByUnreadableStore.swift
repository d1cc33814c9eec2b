import Basics
import JSON
import ScenarioFormat
import Simulation

/// The client signs out, or deletes its tokens, because its store could not be read.
///
/// A run, or the client itself, reports by the fact `storeFault` that the store is `locked`: its contents are there, and
/// cannot be read for the time being.
///
/// - Evidence: the store was reported as `locked`, and in that launch or the next one of the same process the client
///   reported a sign-out, signed out, signed in, or sent a request without a token.
/// - Excuses: the user signed out; the stored token had ended; the client sent a token after all, or signs in at every
///   start.
/// - Undecided: nothing; with several devices it is not known whose store it was.
package enum SignedOutByUnreadableStore: Rule {
    package static let profile = RuleProfile(
        rule: .signedOutByUnreadableStore,
        reason: "the user loses the session when the app runs while the phone is locked",
        advice: "distinguish \"cannot be read now\" from \"nothing is stored\"; wait until the data is available, "
            + "and do not delete anything until then",
        source: "RFC 6749, section 10.4"
    )

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        // With several devices it is not known whose store it was.
        let ledger = history.evidence.ledger
        let active = history.devices.filter { device in
            ledger.device(named: device.name).map { !ledger.tokens(of: $0).isEmpty } ?? false
        }
        guard active.count == 1, let device = active.first else { return [] }
        var reported: Set<LaunchIdentity> = []
        return history.storeFaults.compactMap { fault in
            guard fault.value.string?.exact == StoreFault.locked.rawValue.exact,
                reported.insert(fault.launchIdentity).inserted, let stored = history.storedToken(of: device, at: fault),
                let (words, step) = history.loss(after: fault, of: stored, device)
            else { return nil }
            let process = fault.process.map { " of the process \($0.printable)" } ?? ""
            var violation = RuleViolation(
                "the store could not be read in launch \(fault.launch)\(process), and \(words), although \(stored.id) was "
                    + "still valid",
                [step]
            )
            violation.device = device.name
            if step == nil { violation.exchanges = [fault.afterExchange].filter { $0 > 0 } }
            return violation
        }
    }
}

extension TokenHistory {
    /// The newest refresh token, or else access token, that the client had stored when its store failed.
    fileprivate func storedToken(of device: Device, at fault: ClientStatement) -> HeldToken? {
        let before = steps.before(fault.afterExchange + 1)
        let held = [TokenRoles.Role.refresh, .access].lazy.compactMap { role in
            HeldTokens(role, among: before, of: device, in: self).newest(by: fault.moment)?.token
        }
        return held.first.flatMap { $0.isGood(before: fault.afterExchange + 1, at: fault.time) ? $0 : nil }
    }

    /// The first sign that the client has lost a session whose token stayed good: in the launch itself, or by deleting what
    /// it could not read.
    fileprivate func loss(
        after fault: ClientStatement,
        of token: HeldToken,
        _ device: Device
    ) -> (words: String, step: Step?)? {
        let isFirst = fault.launch == 1 && steps.first.map { $0.number > fault.afterExchange } ?? true
        let report = evidence.statements.first {
            $0.isSignOut && $0.launchIdentity == fault.launchIdentity && $0.moment >= fault.moment
        }
        let reported = report.map { ("the client \(SessionEnd($0).words)", nil as Step?) }
        for step in steps.from(fault.afterExchange + 1) {
            let isSameLaunch = step.exchange.launchIdentity == fault.launchIdentity
            // Only the next launch shows what is left; those of another process have their own way.
            guard step.process == fault.process, step.launch <= fault.launch + 1 else { return nil }
            if let report, report.moment <= step.arrival { return reported }
            guard token.isGood(before: step) else { return nil }
            switch step.purpose {
            case .signOut where isSameLaunch:
                let isUsers = step.episode?.isUsers(SessionEnd("signed out", in: step)) ?? false
                return isUsers ? nil : ("the client signed out", step)
            case .signIn:
                // A client that signs in at every start has lost nothing by it.
                guard !isFirst, comesWithTokens(fault, device) else { return nil }
                return ("the client signed in again", step)
            case .resource where !isSameLaunch && step.exchange.lacksTokens:
                guard comesWithTokens(fault, device) else { return nil }
                return ("launch \(step.launch) sent a request without a token", step)
            case .signOut: return nil
            case .resource, .refresh, .open: break
            }
            // It could read the store after all, or had the token in its memory.
            if step.offered.contains(where: { $0.id != nil }) { return nil }
        }
        return reported
    }

    /// Returns whether an earlier launch came with tokens, so that the client continues with the tokens that it stored.
    private func comesWithTokens(_ fault: ClientStatement, _ device: Device) -> Bool {
        episodes(of: device.name).filter { $0.steps[0].number <= fault.afterExchange }.contains { episode in
            episode.steps.prefix { $0.purpose != .signIn }.contains { $0.offered.contains { $0.id != nil } }
        }
    }
}
