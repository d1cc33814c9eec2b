package import Basics
package import JSON
package import ScenarioFormat

extension Session {
    /// Lets an event happen now, as the admin API asks for.
    package mutating func enact(_ event: Event, at now: MonotonicTime) {
        let time = catchUp(at: now)
        apply(event, at: time, latest)
        catchUp(at: now)
    }

    /// The number of commands that are remembered, so that a client that sends them in a loop fills no memory.
    private static let mostCommands = 1_000

    /// Lets an event happen now, and remembers that it was asked for.
    package mutating func enact(_ command: AdminCommand, at now: MonotonicTime) {
        if commands.count < Self.mostCommands { commands.append((command.tree, lastExchange)) }
        enact(command.event, at: now)
    }

    /// Lets the story's past happen: each event at its moment, the last of them before the start.
    mutating func enactPast(at now: MonotonicTime) {
        let past = played.scenario.given
        guard !past.isEmpty else { return }
        let settings = clock.mode
        let advances = past.reduce(Duration.zero) { sum, entry in
            if case .advance(let duration) = entry.event.action { sum + duration } else { sum }
        }
        var moment = start - max(advances, past.lazy.compactMap(\.ago).max() ?? .zero)
        clock.change(to: .frozen, at: now)
        for entry in past {
            if let ago = entry.ago { moment = start - ago }
            if case .advance(let duration) = entry.event.action {
                moment = min(moment + duration, start)
                continue
            }
            clock.set(moment, at: now)
            apply(entry.event, at: moment, now)
        }
        // A past event may have frozen the clock permanently; otherwise it continues as configured in the scenario.
        clock.set(start, at: now)
        if clock.mode == .frozen, !past.contains(where: \.steersClock) { clock.change(to: settings, at: now) }
    }

    /// Puts the moments of the timeline on the agenda, or those that lie behind a time.
    mutating func enterTimeline(after time: VirtualTime? = nil) {
        for entry in played.scenario.timeline {
            guard case .at(let delay) = entry.trigger else { continue }
            let due = start + delay
            if time.map({ $0 < due }) ?? true { agenda.add(.event(entry.event), due: due) }
        }
    }

    /// Sets off what the timeline says happens after this exchange.
    mutating func enterConsequences(of route: CompiledRoute, status: Int, at time: VirtualTime) {
        guard !route.consequences.isEmpty else { return }
        for consequence in exchangeCounts.note(route, status) {
            if consequence.delay > .zero {
                agenda.add(.consequence(consequence.event), due: time + consequence.delay)
            } else {
                apply(consequence.event, at: time, latest)
            }
        }
    }

    /// Lets an event happen.
    ///
    /// - Parameters:
    ///   - time: its virtual moment.
    ///   - now: the real moment at which that came.
    ///   - caller: the device and the account of the request that causes it.
    mutating func apply(
        _ event: Event,
        at time: VirtualTime,
        _ now: MonotonicTime,
        caller: (device: String?, account: String?) = (nil, nil)
    ) {
        let part = played.script.parts[event.position]
        if case .push(let push) = event.action {
            // It is played when a client gets it.
            pushes += 1
            var context = ExchangeContext(at: time, seed: seed, stream: 1 << 56 + pushes)
            let devices = backend.ledger.devices(push.devices, of: caller)
            self.push(push, to: devices, at: time, in: &context, from: event.position)
            return
        }
        let former = part?.kind == .event ? self : nil
        defer {
            if let part, let former { note(part, hasEffect: hasChanged(by: event.action, since: former, at: time)) }
        }
        switch event.action {
        case .signIn(let device, let account, let grants):
            let account = account ?? backend.defaultAccount
            backend.ledger.signIn(device: device, account: account)
            for grant in grants ?? played.scenario.tokens.signInGrants where grant.source == .new {
                backend.issue(grant.kind, device: device, parent: nil, at: time)
            }
        case .signOut(let devices):
            let rule = played.scenario.tokens.signOut
            backend.ledger.signOut(backend.ledger.devices(devices, of: caller), by: rule, at: time)
        case .expire(let kinds, let devices):
            backend.ledger.expire(kinds, devices: backend.ledger.devices(devices, of: caller), at: time)
        case .revoke(let kinds, let devices):
            backend.ledger.revoke(kinds, devices: backend.ledger.devices(devices, of: caller), at: time)
        case .forget(let kinds, let devices):
            backend.ledger.forget(kinds, devices: backend.ledger.devices(devices, of: caller))
        case .issue(let kind, let devices):
            let set = backend.ledger.devices(devices, of: caller)
            for device in backend.ledger.devices where set.contains(device.name) {
                backend.issue(kind, device: device.name, parent: nil, at: time)
            }
        case .changeStates(let changes, let devices):
            let set = backend.ledger.devices(devices, of: caller)
            let accounts = set == .every ? backend.store.accountNames : []
            backend.states.change(changes, devices: set, caller: caller, backend.ledger, accounts: accounts)
        case .setCounters(let values):
            for value in values { backend.counters[value.name] = value.start }
        case .armFault(let fault, let route, let times):
            _ = chooser.armedFaults.arm(ArmedFault(route: route, remaining: times, fault: fault, part: part))
        // What becomes due so is enacted with the other due events.
        case .advance(let duration): clock.shift(by: duration, at: now)
        case .setClock(let moment): clock.shift(by: moment - time, at: now)
        case .freeze(true): clock.change(to: .frozen, at: now)
        case .automatic(true): clock.change(to: .automatic, at: now)
        case .freeze(false), .automatic(false): clock.resume(at: now)
        case .rate(let rate): clock.change(to: .running(rate: rate), at: now)
        case .skew(let skew):
            clock.skew = skew
            let largest = dateOffset?.largest ?? .zero
            if abs(skew.wholeMicroseconds) > abs(largest.wholeMicroseconds) {
                dateOffset = DateOffset(largest: skew, lastRight: dateOffset?.lastRight ?? lastExchange)
            }
        case .tls(let behavior): play(behavior, from: time, as: part)
        case .rotateKeys(let overlap): backend.keys.rotate(keepingFor: overlap, at: time)
        case .change(let change): backend.change(change, at: time)
        case .process(let action): effects.append(.process(action))
        case .launch(let number, let fault): enter(launch: number, fault, at: time, now)
        case .push: break
        }
    }

    /// Returns whether an event has changed anything on the server.
    ///
    /// A token has changed where it is something else to the server than before, and a state or a counter where it has
    /// another value. What starts, stops or paces the clock always counts, because a run may do so itself.
    private func hasChanged(by action: Event.Action, since former: Session, at time: VirtualTime) -> Bool {
        switch action {
        case .signIn, .freeze, .rate, .automatic, .rotateKeys, .tls, .launch, .process, .push: true
        case .signOut, .expire, .revoke, .forget, .issue:
            backend.ledger.differs(from: former.backend.ledger, by: played.scenario.tokens, at: time)
        case .changeStates: backend.states.differ(from: former.backend.states)
        case .setCounters: backend.counters != former.backend.counters
        case .armFault: chooser.armedFaults.lastNumber != former.chooser.armedFaults.lastNumber
        case .advance(let duration): duration != .zero
        case .setClock(let moment): moment != time
        case .skew(let skew): skew != former.clock.skew
        case .change:
            !backend.items.elementsEqual(former.backend.items) { $0.account == $1.account && $0.items == $1.items }
        }
    }
}

/// An event as the admin API was asked for it.
package struct AdminCommand: Sendable {
    package var event: Event
    /// The event as it would be written in a file.
    package var tree: JSONValue

    package init(_ event: Event, tree: JSONValue) {
        self.event = event
        self.tree = tree
    }
}

extension PastEvent {
    fileprivate var steersClock: Bool {
        switch event.action {
        case .freeze, .rate, .automatic: true
        default: false
        }
    }
}
