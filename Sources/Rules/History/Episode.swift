import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// The steps of one device in one launch of one process of the client.
///
/// Journals are long, and judging looks back from many steps: what rules ask most is indexed, so that no question goes
/// through all of them.
package final class Episode {
    unowned let history: TokenHistory
    let device: String
    let launch: Int
    /// The process of the client, where several share the session.
    let process: String?
    /// Oldest first; never empty.
    let steps: [Step]
    /// The client's reports in this launch, where no other device can have made them.
    let statements: [ClientStatement]
    let access: HeldTokens
    let refresh: HeldTokens
    /// The moments at which the client gave its session up, in order.
    let sessionEnds: [SessionEnd]
    /// A Boolean value that indicates whether the client was started again afterwards.
    let hasSuccessor: Bool
    let refreshes: [Step]
    let signIns: [Step]
    let signOuts: [Step]
    /// Responses that may mean that the access token is not valid.
    let complaints: [Step]
    private var byToken: [String: [Step]] = [:]
    private var byRequest: [[Step]] = []
    private var byPath: [RequestKey: [Step]] = [:]
    /// The steps that brought refresh tokens of each family.
    private var renewals: [Int: [Step]] = [:]
    /// By when each refresh and all before it had ended.
    private var latestEnds: [MonotonicTime] = []
    /// A Boolean value that indicates whether the client itself shows that its clock is wrong: by its own `Date`, or
    /// by what it has reported as `now`.
    private let showsWrongClock: Bool
    /// A Boolean value that indicates whether resources were asked for, and no request shows its token, as in a capture
    /// without credentials.
    private(set) lazy var hidesAccessTokens: Bool = {
        let knowsResources = history.roles.purposes.values.contains(.resource)
        let resources = steps.filter { $0.origin == nil && $0.purpose == (knowsResources ? .resource : .open) }
        return !resources.isEmpty && !resources.contains { $0.access?.id != nil }
    }()
    /// The refreshes that refused requests may have asked for; see ``refreshesAfterRefusals()``.
    private(set) lazy var requestedRefreshes = refreshesAfterRefusals()

    init(
        _ steps: [Step],
        _ statements: [ClientStatement],
        of device: Device,
        _ tokens: (access: HeldTokens, refresh: HeldTokens),
        hasSuccessor: Bool,
        in history: TokenHistory
    ) {
        self.history = history
        self.device = device.name
        (launch, process) = (steps[0].launch, steps[0].process)
        (self.steps, self.statements, self.hasSuccessor) = (steps, statements, hasSuccessor)
        (access, refresh) = tokens
        refreshes = steps.filter(\.isRefresh)
        signIns = steps.filter { $0.purpose == .signIn }
        signOuts = steps.filter { $0.purpose == .signOut }
        complaints = steps.filter(\.isComplaint)
        sessionEnds = SessionEnd.all(statements, signOuts, signIns)
        showsWrongClock =
            steps.contains(where: \.exchange.showsWrongClock) || statements.contains(where: \.showsWrongClock)
        for refresh in refreshes {
            let end = refresh.end ?? MonotonicTime(nanoseconds: .max)
            latestEnds.append(latestEnds.last.map { max($0, end) } ?? end)
        }
        var numbers: [RequestKey: Int] = [:]
        for step in steps {
            step.episode = self
            if step.isRenewal {
                for family in Set(step.granted(.refresh).map(\.family)) { renewals[family, default: []].append(step) }
            }
            for id in step.offered.compactMap(\.id) where byToken[id]?.last !== step {
                byToken[id, default: []].append(step)
            }
            byPath[RequestKey(step, step.exchange.request.path), default: []].append(step)
            let key = RequestKey(step, step.exchange.request.target)
            step.request = numbers[key, default: byRequest.count]
            if step.request == byRequest.count {
                numbers[key] = step.request
                byRequest.append([])
            }
            byRequest[step.request].append(step)
        }
    }
}

/// The target of a request, credentials and body aside.
private struct RequestKey: Hashable {
    private var line: ExactText
    private var operation: RequestOperation?

    init(_ step: Step, _ target: String) {
        line = ExactText("\(step.exchange.request.method.rawValue) \(target) \(step.origin ?? "")")
        operation = step.operation
    }
}

extension Episode {
    /// The steps that brought a token.
    func uses(of token: HeldToken) -> [Step] { byToken[token.id] ?? [] }

    /// The steps that granted refresh tokens of a family.
    func renewals(of family: Int) -> [Step] { renewals[family] ?? [] }

    /// The steps that asked for the same, credentials aside.
    func requests(like step: Step) -> [Step] { byRequest[step.request] }

    /// The steps that asked for the same, credentials and query aside.
    func requests(onPathOf step: Step) -> [Step] { byPath[RequestKey(step, step.exchange.request.path)] ?? [] }

    /// A step as a sentence's subject, with its query where that distinguishes it from others: `exchange 3 GET /a?page=2`.
    func subject(of step: Step) -> String {
        guard requests(onPathOf: step).contains(where: { $0.request != step.request }) else {
            return step.exchange.subject
        }
        let request = step.exchange.request
        let items = request.query.map { QueryItems(parsing: $0).items } ?? []
        let shown = items.filter { history.token(value: $0.value) == nil }.map { "\($0.name)=\($0.value)" }
        let target = shown.isEmpty ? request.path : Secrets.target("\(request.path)?\(shown.joined(separator: "&"))")
        return "exchange \(step.number) " + "\(request.method.rawValue) \(target)".printable.shortened
    }

    /// Returns the numbers of the refreshes that refused requests may have asked for, each with the number of the oldest
    /// such request.
    ///
    /// Each refused request is a reason for one successful refresh, until the request is sent again. So if a client does
    /// not share its refreshes, five requests that are refused together ask for five refreshes, in any order of their
    /// repetitions.
    private func refreshesAfterRefusals() -> [UInt64: UInt64] {
        var requested: [UInt64: UInt64] = [:]
        /// The number of refusals after which the request has not been sent again, by request.
        var refused: [Int: Int] = [:]
        /// The refused requests that no refresh has followed, and the number of those with one.
        var (waiting, served): (ArraySlice<UInt64>, Int) = ([], 0)
        for step in steps {
            if step.isComplaint {
                refused[step.request, default: 0] += 1
                waiting.append(step.number)
            } else if let count = refused[step.request], count > 0 {
                refused[step.request] = count - 1
                if served > 0 { served -= 1 } else { waiting = waiting.dropFirst() }
            } else if step.isRefresh, let oldest = waiting.first {
                requested[step.number] = oldest
                if step.isRenewal {
                    waiting = waiting.dropFirst()
                    served += 1
                }
            }
        }
        return requested
    }

    /// The first refresh that came after a step, or was under way when that arrived.
    func refresh(for step: Step) -> Step? {
        let waiting = latestEnds.place { $0 <= step.arrival }
        let open = waiting < refreshes.count ? refreshes[waiting] : nil
        return open.flatMap { $0.number < step.number ? $0 : nil } ?? refreshes.after(step).first
    }
}

extension Episode {
    /// The exit status of the launch, if known.
    private var exit: Int? {
        let exits = process.map { history.evidence.processExits[$0] ?? [] } ?? history.evidence.exits
        return exits.indices.contains(launch - 1) ? exits[launch - 1] : nil
    }

    /// A Boolean value that indicates whether the launch was ended by a signal or by the time limit, so that nothing
    /// follows from what it left undone.
    var hasCrashed: Bool { exit.map { $0 >= 128 } ?? false }

    /// Returns whether the device's clock is known to be wrong when it sends a request: the responses before had a
    /// wrong `Date`, or the client shows it.
    func hasWrongClock(at step: Step) -> Bool {
        if let offset = history.evidence.dateOffset, step.number > offset.lastRight { return true }
        return showsWrongClock
    }

    /// Returns whether the client had the time to do what it had to do after a step.
    ///
    /// One that was started again may have been killed at once; what it did afterwards shows that it was not.
    func hadTime(after step: Step, countingUnclear isUnclearCounted: Bool = false) -> Bool {
        if statements.contains(where: { $0.afterExchange >= step.number }) { return true }
        if let last = steps.last, last.isAfter(step, countingUnclear: isUnclearCounted) { return true }
        if exit == 0 { return true }
        guard !hasCrashed, !hasSuccessor else { return false }
        guard history.evidence.isProvisional, let end = step.end else { return true }
        return history.evidence.moment.since(end) > TimeLimit.stillAtWork.value
    }
}

extension ClientStatement {
    /// A Boolean value that indicates whether the client reports that its session is over.
    var isSignOut: Bool { fact == "signedOut" && value == .bool(true) }

    /// The time of the device's clock, where the client reports it.
    var deviceTime: VirtualTime? {
        guard fact == "now" else { return nil }
        return value.int.map { VirtualTime(seconds: Int64($0)) } ?? value.string.flatMap { VirtualTime($0) }
    }

    /// A Boolean value that indicates whether the client has reported a time that is far off.
    fileprivate var showsWrongClock: Bool {
        deviceTime.map { max($0 - time, time - $0) >= TimeLimit.wrongClock.value } ?? false
    }
}

extension Episode {
    /// The episodes of all devices and launches, in the order of both.
    static func all(in history: TokenHistory) -> [Episode] {
        let evidence = history.evidence
        var lastLaunches: [String?: Int] = [:]
        for step in history.steps { lastLaunches[step.process] = step.launch }
        let devices = history.devices.filter { !$0.steps.isEmpty }
        // A device that comes later, such as that of the next user, has not reported what came before its first request.
        let statements = Dictionary(grouping: evidence.statements) { statement in
            let present = devices.filter { $0.steps[0].number <= statement.afterExchange }
            let possible = present.isEmpty ? devices : present
            return possible.count == 1 ? possible[0].name : nil
        }
        return devices.flatMap { device in
            let statements = Dictionary(grouping: statements[device.name] ?? [], by: \.launchIdentity)
            return device.steps.byProcess.flatMap { own in
                let tokens = (
                    HeldTokens(.access, among: own, of: device, in: history),
                    HeldTokens(.refresh, among: own, of: device, in: history)
                )
                return own.chunked { $0.launch == $1.launch }.map { steps in
                    let identity = steps[0].exchange.launchIdentity
                    return Episode(
                        steps,
                        statements[identity] ?? [],
                        of: device,
                        tokens,
                        hasSuccessor: identity.number < lastLaunches[identity.process] ?? identity.number,
                        in: history
                    )
                }
            }
        }
    }
}

extension [Step] {
    /// The steps apart by process of the client, in the order of the first of each.
    fileprivate var byProcess: [[Step]] {
        guard contains(where: { $0.process != nil }) else { return isEmpty ? [] : [self] }
        return map { $0.process }.unique.map { name in filter { $0.process == name } }
    }
}

extension Exchange {
    /// A Boolean value that indicates whether the client's own `Date` is far off.
    fileprivate var showsWrongClock: Bool {
        guard let date = request.fields["Date"].flatMap({ HTTPDate.parse($0) }) else { return false }
        return .seconds(abs(date - time.seconds)) >= TimeLimit.wrongClock.value
    }
}
