import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The client signs out although a fresh token is stored.
///
/// A fresh token had reached the client by the time the refresh was refused, and was still valid then.
package enum LogoutThoughFresh: Rule {
    package static let profile = RuleProfile(
        "B23",
        "logout-though-fresh",
        reason: "the loser of a race signs the user out although the winner has just refreshed",
        advice: "when a refresh fails, go on with the stored tokens if they are newer than those that were sent",
        source: "RFC 6749, section 5.2; RFC 9110, section 15.5.10"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        let grants = history.grants
        return history.launches.flatMap { device, launch in find(in: launch, of: device, history, grants) }
    }

    private static func find(
        in launch: [Exchange],
        of device: DeviceHistory,
        _ history: TokenHistory,
        _ grants: TokenGrants
    ) -> [RuleViolation] {
        let received = ReceivedTokens(.access, among: launch, of: history)
        var violations: [RuleViolation] = []
        var end = launch.startIndex
        for (index, exchange) in launch.enumerated() where index >= end {
            guard
                history.isRefresh(exchange), history.wasReceived(exchange),
                400..<500 ~= exchange.response.status.code, exchange.response.status.code != 429,
                let fresh = history.freshToken(at: exchange, received, grants, in: launch),
                let signOut = history.signOut(after: index, in: launch)
            else { continue }
            violations.append(
                RuleViolation(
                    "\(exchange.subject) was answered \(exchange.response.status.code), and \(signOut.words), although "
                        + "\(fresh) was good",
                    exchanges: [exchange.number] + (signOut.exchange.map { [$0] } ?? []) + signOut.doubt,
                    device: device.name,
                    isUnclear: !signOut.doubt.isEmpty
                )
            )
            // One sign-out is one violation, however many refreshes were refused before it.
            end = signOut.exchange.flatMap { number in launch.firstIndex { $0.number == number } } ?? launch.endIndex
        }
        return violations
    }
}

/// How a client has left a session.
private struct SignOut {
    var words: String
    var exchange: UInt64?
    /// Exchanges by which the client may have gone on before, had the server not been late itself.
    var doubt: [UInt64] = []
}

extension TokenHistory {
    /// A valid access token that the client had when a refresh was refused, which that refusal does not end.
    fileprivate func freshToken(
        at refusal: Exchange,
        _ received: ReceivedTokens,
        _ grants: TokenGrants,
        in launch: [Exchange]
    ) -> String? {
        let sent = offered(.refresh, in: refusal)?.id.flatMap { grants[$0] } ?? 0
        // A conflict says that the tokens are fresh; any other refusal says that those are not which were sent.
        let isConflict = refusal.response.status.code == 409 && !isDeclaredTerminal(refusal)
        if let end = refusal.end, let newest = received.newest(by: end),
            isConflict || newest.exchange.number > sent,
            isGood(newest.token, before: refusal.number + 1, at: refusal.time)
        {
            return "\(newest.token.id), which had come with exchange \(newest.exchange.number),"
        }
        guard isConflict else { return nil }
        let used = launch.last { exchange in
            exchange.number <= refusal.number
                && offered(.access, in: exchange).map { $0.id != nil && $0.standing == .valid } ?? false
        }
        guard let id = used.flatMap({ offered(.access, in: $0)?.id }), let token = evidence.ledger.token(id: id) else {
            return nil
        }
        return isGood(token, before: refusal.number + 1, at: refusal.time) ? id : nil
    }

    private func isDeclaredTerminal(_ refusal: Exchange) -> Bool {
        let kind = offered(.refresh, in: refusal)?.wanted
        return kind.flatMap(roles.kind(named:))?.terminal.contains(refusal.response.status.code) ?? false
    }

    /// How the client left after an exchange, if it did so before it used any valid token again.
    fileprivate func signOut(after index: Int, in launch: [Exchange]) -> SignOut? {
        let refusal = launch[index]
        guard let end = refusal.end else { return nil }
        var signOut: SignOut?
        var doubt: [UInt64] = []
        var moment = RealTime(nanoseconds: .max)
        search: for exchange in launch.dropFirst(index + 1) where exchange.arrival >= end {
            switch purpose(of: exchange) {
            case .signOut:
                signOut = SignOut(words: "exchange \(exchange.number) signed out", exchange: exchange.number)
            case .signIn:
                signOut = SignOut(words: "exchange \(exchange.number) signed in anew", exchange: exchange.number)
            case .resource where exchange.hasSucceeded && isClearlyBefore(refusal, exchange): break
            case .resource where exchange.hasSucceeded && follows(exchange, from: refusal) == .unclear:
                doubt.append(exchange.number)
                continue
            case .refresh where exchange.hasSucceeded: break
            case .resource, .refresh, .open: continue
            }
            moment = exchange.arrival
            break search
        }
        let told = evidence.statements.first { statement in
            statement.launchIdentity == refusal.launchIdentity && statement.moment >= end && statement.moment <= moment
                && statement.fact.utf8.elementsEqual("signedOut".utf8)
        }
        if told?.value.bool == true { signOut = SignOut(words: "the client told that it was signed out") }
        signOut?.doubt = doubt
        return signOut
    }
}
