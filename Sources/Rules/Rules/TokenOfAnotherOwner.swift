import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// A token of one device or account is sent with a request of another one.
package enum TokenOfAnotherOwner: Rule {
    package static let profile = RuleProfile(
        "B14",
        "token-of-another-owner",
        reason: "one user sees or changes what belongs to another",
        advice: "keep tokens by account, and forget those of the last one before the next one signs in",
        source: "RFC 6749, sections 1.4 and 10.3"
    )

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations = RepeatedViolations()
        for device in history.devices {
            findStrangers(of: device, in: history, &violations)
            for launch in device.launches { findPredecessors(of: device, launch, in: history, &violations) }
        }
        findLeftovers(in: history, &violations)
        return violations.list
    }

    /// Finds tokens of another device in requests that name this one.
    private static func findStrangers(
        of device: DeviceHistory,
        in history: TokenHistory,
        _ violations: inout RepeatedViolations
    ) {
        let ledger = history.evidence.ledger
        let own = ledger.device(named: device.name).flatMap { ledger.tokens(of: $0).first }
        // A device that has nothing of its own yet may have got another name since its tokens were issued.
        guard let own else { return }
        let first = device.exchanges.first { $0.granted.contains { $0.id == own.id } }
        let values = history.values(of: device.name)
        for index in device.exchanges.indices where history.bringsStranger(device.exchanges[index], device.name) {
            let exchange = device.exchanges[index]
            guard
                exchange.names(device.name),
                let stranger = exchange.offered.first(where: { token in
                    token.device.map { !$0.utf8.elementsEqual(device.name.utf8) } ?? false
                }),
                let id = stranger.id, let owner = stranger.device, let token = ledger.token(id: id),
                !values.contains(ExactText(token.value)),
                own.issued <= exchange.time
            else { continue }
            let following = first.map { history.follows(exchange, from: $0) } ?? .yes
            guard following != .no else { continue }
            let isUnclear = following == .unclear
            violations.add(
                "device \(device.name) \(id)\(isUnclear ? " unclear" : "")",
                by: exchange.number,
                RuleViolation(
                    "\(exchange.subject) from \(device.name.printable) brought \(id), "
                        + "which was handed out to \(owner.printable)",
                    exchanges: [exchange.number] + (isUnclear ? first.map { [$0.number] } ?? [] : []),
                    device: device.name,
                    isUnclear: isUnclear
                )
            )
        }
    }

    /// Finds tokens of the account that a device had before it signed in to another.
    private static func findPredecessors(
        of device: DeviceHistory,
        _ launch: [Exchange],
        in history: TokenHistory,
        _ violations: inout RepeatedViolations
    ) {
        let signIns = launch.filter { history.purpose(of: $0) == .signIn }
        let received = ReceivedTokens(.access, among: signIns, of: history)
        guard !received.isEmpty else { return }
        let signOuts = launch.filter { history.purpose(of: $0) == .signOut && $0.hasSucceeded }
        for exchange in launch where history.purpose(of: exchange) != .signOut {
            guard
                let latest = received.newest(by: exchange.arrival),
                let former = history.token(
                    in: exchange,
                    where: { token in
                        token.device.utf8.elementsEqual(device.name.utf8)
                            && !token.account.utf8.elementsEqual(latest.token.account.utf8)
                            && token.family < latest.token.family
                    }
                )
            else { continue }
            // A client that has signed out first has nothing of the former account under way.
            let hasSignedOut = signOuts.contains { $0.ended(former.account, before: latest.exchange) }
            let following = hasSignedOut ? .yes : history.follows(exchange, from: latest.exchange)
            guard following != .no else { continue }
            let isUnclear = following == .unclear
            violations.add(
                "account \(device.name) \(former.id)\(isUnclear ? " unclear" : "")",
                by: exchange.number,
                RuleViolation(
                    "\(exchange.subject) brought \(former.id) of \(former.account.printable), although "
                        + "\(device.name.printable) had signed in as \(latest.token.account.printable) "
                        + "with exchange \(latest.exchange.number)",
                    exchanges: [exchange.number, latest.exchange.number],
                    device: device.name,
                    isUnclear: isUnclear
                )
            )
        }
    }

    /// Finds tokens of a session that was signed out of before another account signed in, where devices have no names.
    private static func findLeftovers(in history: TokenHistory, _ violations: inout RepeatedViolations) {
        var signedOut: Exchange?
        var switched: [ExactText: Exchange] = [:]
        for exchange in history.evidence.exchanges where exchange.origin == nil {
            if exchange.launch != signedOut?.launch { signedOut = nil }
            if let former = history.token(in: exchange, where: { switched[ExactText($0.device)] != nil }),
                let signIn = switched[ExactText(former.device)], signIn.launch == exchange.launch,
                let end = signIn.end, end < exchange.arrival
            {
                violations.add(
                    "account \(former.device) \(former.id)",
                    by: exchange.number,
                    RuleViolation(
                        "\(exchange.subject) brought \(former.id) of \(former.account.printable), although "
                            + "the client had signed in as \((signIn.account ?? "another").printable) "
                            + "with exchange \(signIn.number)",
                        exchanges: [exchange.number, signIn.number],
                        device: exchange.device
                    )
                )
            }
            switch history.purpose(of: exchange) {
            case .signOut where exchange.hasSucceeded: signedOut = exchange
            case .signIn where history.renews(exchange):
                guard
                    let left = signedOut?.device, let account = exchange.account, let device = exchange.device,
                    !left.utf8.elementsEqual(device.utf8), !exchange.names(device),
                    let former = signedOut?.account, !former.utf8.elementsEqual(account.utf8)
                else { continue }
                switched[ExactText(left)] = exchange
                signedOut = nil
            default: break
            }
        }
    }
}

extension TokenHistory {
    /// What the tokens of a device look like: two of one second may look the same, whichever account owns them.
    fileprivate func values(of device: String) -> Set<ExactText> {
        guard let device = evidence.ledger.device(named: device) else { return [] }
        return Set(evidence.ledger.tokens(of: device).lazy.map { ExactText($0.value) })
    }

    /// Whether a request brings a token of another device than this one.
    fileprivate func bringsStranger(_ exchange: Exchange, _ device: String) -> Bool {
        exchange.offered.contains { token in token.device.map { !$0.utf8.elementsEqual(device.utf8) } ?? false }
    }

    /// The first token of the session in a request that is so.
    fileprivate func token(in exchange: Exchange, where isFitting: (Token) -> Bool) -> Token? {
        exchange.offered.lazy.compactMap { $0.id.flatMap(evidence.ledger.token(id:)) }.first(where: isFitting)
    }
}

extension Exchange {
    /// Whether it is a sign-out of an account that was over when another request came.
    fileprivate func ended(_ account: String, before later: Exchange) -> Bool {
        guard let end, end < later.arrival, let own = self.account else { return false }
        return own.utf8.elementsEqual(account.utf8)
    }

    /// Whether a header field of the request says that it comes from this device.
    fileprivate func names(_ device: String) -> Bool {
        request.fields.contains { $0.value.utf8.elementsEqual(device.utf8) }
    }
}
