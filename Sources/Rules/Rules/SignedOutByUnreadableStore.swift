import Basics
import JSON
import ScenarioFormat
import Simulation

/// The client signs out, or forgets its tokens, because its store could not be read.
///
/// A run, or the client itself, tells by the fact `storeFault` that the store is `locked`: its contents are there, and
/// cannot be read for the time being.
package enum SignedOutByUnreadableStore: Rule {
    package static let profile = RuleProfile(
        "B26",
        "signed-out-by-unreadable-store",
        reason: "a phone that is locked, or an app that is started before it is unlocked, costs the user the session",
        advice: "tell \"cannot be read now\" from \"there is nothing\"; wait until the data is available, and delete "
            + "nothing before",
        source: "RFC 6749, section 10.4"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        // With several devices it is not known whose store it was.
        let ledger = history.evidence.ledger
        let active = history.devices.filter { device in
            ledger.device(named: device.name).map { !ledger.tokens(of: $0).isEmpty } ?? false
        }
        guard active.count == 1, let device = active.first else { return [] }
        var told: Set<LaunchIdentity> = []
        return history.storeFaults.compactMap { fault -> RuleViolation? in
            guard fault.value.string?.utf8.elementsEqual(StoreFault.locked.rawValue.utf8) ?? false,
                told.insert(fault.launchIdentity).inserted, let stored = history.storedToken(of: device, at: fault),
                let loss = history.loss(after: fault, of: stored, device)
            else { return nil }
            return RuleViolation(
                "the store could not be read in \(fault.launchWords), and \(loss.words), although \(stored.id) was good",
                exchanges: loss.exchange.map { [$0] } ?? [fault.afterExchange].filter { $0 > 0 },
                device: device.name
            )
        }
    }
}

extension ClientStatement {
    fileprivate var launchWords: String {
        "launch \(launch)\(process.map { " of the process \($0.printable)" } ?? "")"
    }
}

/// The first sign that the client has lost the session.
private struct Loss {
    var words: String
    var exchange: UInt64?
}

extension TokenHistory {
    /// The newest refresh token, or access token where there is none, that the client had stored when its store failed.
    fileprivate func storedToken(of device: DeviceHistory, at fault: ClientStatement) -> Token? {
        let before = evidence.exchanges.prefix { $0.number <= fault.afterExchange }
        for role in [TokenRoles.Role.refresh, .access] {
            let held = HeldTokens(role, among: Array(before), of: device, in: self)
            guard let token = held.newest(by: fault.moment)?.token else { continue }
            return isGood(token, before: fault.afterExchange + 1, at: fault.time) ? token : nil
        }
        return nil
    }

    /// How the client lost a session whose token stayed good: in the launch itself, or by deleting what it could not read.
    fileprivate func loss(after fault: ClientStatement, of token: Token, _ device: DeviceHistory) -> Loss? {
        let later = evidence.exchanges.drop { $0.number <= fault.afterExchange }
        let isFirst = fault.launch == 1 && evidence.exchanges.first.map { $0.number > fault.afterExchange } ?? true
        for exchange in later {
            let isSameLaunch = exchange.launchIdentity == fault.launchIdentity
            // Only the next launch shows what is left; those of another process have their own way.
            guard exchange.process == fault.process, exchange.launch <= fault.launch + 1 else { return nil }
            if let told = signOut(since: fault, before: exchange) { return told }
            guard isGood(token, before: exchange.number, at: exchange.time) else { return nil }
            switch purpose(of: exchange) {
            case .signOut where isSameLaunch:
                return isUsers(exchange) ? nil : Loss(words: "the client signed out", exchange: exchange.number)
            case .signIn:
                // A client that signs in at every start has lost nothing by it.
                guard !isFirst, comesWithTokens(fault, device) else { return nil }
                return Loss(words: "the client signed in anew", exchange: exchange.number)
            case .resource where !isSameLaunch && exchange.lacksTokens:
                guard comesWithTokens(fault, device) else { return nil }
                return Loss(words: "launch \(exchange.launch) came without a token", exchange: exchange.number)
            case .signOut: return nil
            case .resource, .refresh, .open: break
            }
            // It could read the store after all, or had the token in its memory.
            if exchange.offered.contains(where: { $0.id != nil }) { return nil }
        }
        return signOut(since: fault, before: nil)
    }

    /// Whether the client told in the same launch that it was signed out.
    private func signOut(since fault: ClientStatement, before exchange: Exchange?) -> Loss? {
        let told = evidence.statements.contains { statement in
            statement.launchIdentity == fault.launchIdentity && statement.moment >= fault.moment
                && statement.fact == "signedOut" && statement.value == .bool(true)
                && exchange.map { statement.moment <= $0.arrival } ?? true
        }
        return told ? Loss(words: "the client told that it had signed out") : nil
    }

    /// Whether the client also tells of the sign-out that it asks for, as it does for its user.
    private func isUsers(_ signOut: Exchange) -> Bool {
        evidence.statements.contains { statement in
            statement.fact == "signedOut" && statement.value == .bool(true)
                && max(statement.moment, signOut.arrival).since(min(statement.moment, signOut.arrival))
                    < TimeLimit.sameSignOut.value
        }
    }

    /// Whether an earlier launch came with tokens, so that the client goes on with what it has stored.
    private func comesWithTokens(_ fault: ClientStatement, _ device: DeviceHistory) -> Bool {
        device.launches.contains { launch in
            guard let first = launch.first, first.number <= fault.afterExchange else { return false }
            let started = launch.prefix { purpose(of: $0) != .signIn }
            return started.contains { $0.offered.contains { $0.id != nil } }
        }
    }
}
