import HTTPCodec
import ScenarioFormat
import Simulation

/// The client signs out although a fresh token is stored.
///
/// A fresh token had reached the client by the time the refresh was refused, and was still valid then.
///
/// - Evidence: a refresh was refused, the client had a valid access token that was newer than the refresh token it had
///   sent, and it signed out or signed in before it used a valid token.
/// - Excuses: the refusal ended the newer token too, the status is 429 or a server error, or the client used a valid
///   token first.
/// - Undecided: whether the client used a valid token after the refusal, where the server noticed that request late.
package enum LogoutThoughFresh: Rule {
    package static let profile = RuleProfile(
        rule: .logoutThoughFresh,
        reason: "a refresh that lost a race signs the user out although another refresh has just succeeded",
        advice: "when a refresh fails, use the stored tokens if they are newer than the tokens that were sent",
        source: "RFC 6749, section 5.2; RFC 9110, section 15.5.10"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let received = HeldTokens(.access, among: episode.steps)
        var violations: [RuleViolation] = []
        var next: UInt64 = 0
        for refusal in episode.refreshes where refusal.number >= next {
            guard
                refusal.isReceived, 400..<500 ~= refusal.status, refusal.status != 429,
                let fresh = episode.freshToken(at: refusal, received), let end = episode.sessionEnd(after: refusal)
            else { continue }
            violations.append(
                RuleViolation(
                    "\(refusal.exchange.subject) failed with status \(refusal.status), and the client \(end.words), although "
                        + "\(fresh) was still valid",
                    [refusal, end.step] + end.doubts,
                    isUnclear: !end.doubts.isEmpty
                )
            )
            // One sign-out is one violation, however many refreshes were refused before it.
            next = end.step?.number ?? .max
        }
        return violations
    }
}

extension Episode {
    /// A valid access token that the client had when a refresh was refused, which that refusal does not end.
    fileprivate func freshToken(at refusal: Step, _ received: HeldTokens) -> String? {
        let isTerminal = refusal.refresh.flatMap { history.roles.kind(named: $0.wanted) }?.terminal
            .contains(refusal.status)
        // A conflict says that the tokens are fresh; any other refusal says that those are not which were sent.
        let isConflict = refusal.status == 409 && isTerminal != true
        if let end = refusal.end, let newest = received.newest(by: end),
            isConflict || newest.number > refusal.refresh?.token?.sourceNumber ?? 0,
            newest.token.isGood(before: refusal.number + 1, at: refusal.time)
        {
            return "\(newest.token.id), which exchange \(newest.number) had returned,"
        }
        guard isConflict else { return nil }
        let used = steps.before(refusal.number + 1).last {
            $0.access.map { $0.id != nil && $0.standing == .valid } ?? false
        }
        guard let token = used?.access?.token, token.isGood(before: refusal.number + 1, at: refusal.time) else {
            return nil
        }
        return token.id
    }

    /// The end of the session after a refused refresh, if it came before the client used a valid token again.
    fileprivate func sessionEnd(after refusal: Step) -> SessionEnd? {
        guard let end = refusal.end else { return nil }
        // One that reports first that it is signed in has not signed out because of this.
        let report = statements.first { $0.fact == "signedOut" && $0.moment >= end }
        let ends = sessionEnds.filter { $0.moment >= end && ($0.step != nil || report?.isSignOut == true) }
        guard var sessionEnd = ends.first else { return nil }
        let uses = steps.after(refusal).filter { step in
            step.arrival >= end && step.arrival < sessionEnd.moment && step.exchange.hasSucceeded
                && (step.isRefresh || step.purpose == .resource)
        }
        guard !uses.contains(where: { $0.isRefresh || $0.isAfter(refusal) }) else { return nil }
        sessionEnd.doubts = uses.filter { $0.follows(refusal) == .unclear }
        return sessionEnd
    }
}
