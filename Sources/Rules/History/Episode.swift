import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// What one device did in one launch of the client.
final class Episode: Sendable {
    let history: TokenHistory
    let device: String
    let launch: Int
    /// The process of the client, where several share the session.
    let process: String?
    let row: ExchangeRow
    /// What the client has told in this launch, where no other device can have told it.
    let statements: [ClientStatement]
    let access: HeldTokens
    let refresh: HeldTokens
    /// How the client gave its session up, in the order of the moments.
    let signOuts: [SignOutEvidence]
    /// Whether the client was started again afterwards.
    let hasSuccessor: Bool
    /// Whether the client itself shows that its clock is wrong: by its own `Date`, or by what it has reported as `now`.
    private let showsWrongClock: Bool

    init(
        _ exchanges: [Exchange],
        _ statements: [ClientStatement],
        of device: DeviceHistory,
        _ tokens: (access: HeldTokens, refresh: HeldTokens),
        hasSuccessor: Bool,
        in history: TokenHistory
    ) {
        self.history = history
        self.device = device.name
        launch = exchanges.first?.launch ?? 1
        process = exchanges.first?.process
        row = ExchangeRow(exchanges, of: history)
        self.statements = statements
        (access, refresh) = tokens
        signOuts = SignOutEvidence.all(in: row, statements)
        self.hasSuccessor = hasSuccessor
        showsWrongClock =
            exchanges.contains(where: \.showsWrongClock) || statements.contains(where: \.showsWrongClock)
    }

    var roles: TokenRoles { history.roles }

    /// Oldest first; never empty.
    var exchanges: [Exchange] { row.exchanges }

    var refreshes: [Exchange] { row.refreshes.map { exchanges[$0] } }

    /// How the launches of its process have ended, as far as that is known.
    private var exits: [Int] {
        process.map { history.evidence.processExits[$0] ?? [] } ?? history.evidence.exits
    }

    /// Whether the launch was ended by a signal or by the time limit, so that nothing follows from what it left undone.
    var hasCrashed: Bool {
        let exits = exits
        return exits.indices.contains(launch - 1) && exits[launch - 1] >= 128
    }

    /// Whether the device's clock is known to be wrong when it sends a request: the responses before had a wrong `Date`, or
    /// the client shows it.
    func hasWrongClock(at exchange: Exchange) -> Bool {
        if let offset = history.evidence.dateOffset, exchange.number > offset.lastRight { return true }
        return showsWrongClock
    }

    /// Whether the client had the time to do what it had to do after an exchange.
    ///
    /// One that was started again may have been killed at once; what it did afterwards shows that it was not.
    func hadTime(after exchange: Exchange, countingUnclear isUnclearCounted: Bool = false) -> Bool {
        if statements.contains(where: { $0.afterExchange >= exchange.number }) { return true }
        if let last = exchanges.last, history.isBefore(exchange, last, countingUnclear: isUnclearCounted) {
            return true
        }
        let exits = exits
        if exits.indices.contains(launch - 1), exits[launch - 1] == 0 { return true }
        guard !hasCrashed, !hasSuccessor else { return false }
        guard history.evidence.isProvisional, let end = exchange.end else { return true }
        return history.evidence.moment.since(end) > TimeLimit.stillAtWork.value
    }
}

extension ClientStatement {
    /// What the device's clock showed, where that is what the client tells.
    var deviceTime: VirtualTime? {
        guard fact == "now" else { return nil }
        return value.int.map { VirtualTime(seconds: Int64($0)) } ?? value.string.flatMap { VirtualTime($0) }
    }

    /// Whether the client has reported a time that is far off.
    fileprivate var showsWrongClock: Bool {
        deviceTime.map { max($0 - time, time - $0) >= TimeLimit.wrongClock.value } ?? false
    }
}

extension Episode {
    /// What each device did in each launch, in the order of the devices and of the launches.
    static func all(in history: TokenHistory) -> [Episode] {
        let evidence = history.evidence
        var lastLaunches: [String?: Int] = [:]
        for exchange in evidence.exchanges { lastLaunches[exchange.process] = exchange.launch }
        let isAlone = history.devices.count { !$0.exchanges.isEmpty } == 1
        var told: [LaunchIdentity: [ClientStatement]] = [:]
        if isAlone {
            for statement in evidence.statements { told[statement.launchIdentity, default: []].append(statement) }
        }
        return history.devices.flatMap { device -> [Episode] in
            device.exchanges.byProcess.flatMap { own -> [Episode] in
                let access = HeldTokens(.access, among: own, of: device, in: history)
                let refresh = HeldTokens(.refresh, among: own, of: device, in: history)
                return own.chunked { $0.launch == $1.launch }.map { exchanges in
                    let identity = exchanges[0].launchIdentity
                    return Episode(
                        exchanges,
                        told[identity] ?? [],
                        of: device,
                        (access, refresh),
                        hasSuccessor: identity.number < lastLaunches[identity.process] ?? identity.number,
                        in: history
                    )
                }
            }
        }
    }
}

extension Exchange {
    /// Whether the client's own `Date` is far off.
    fileprivate var showsWrongClock: Bool {
        guard let date = request.fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return false }
        return .seconds(abs(date - time.seconds)) >= TimeLimit.wrongClock.value
    }
}
