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
        let past = backend.played.scenario.given
        guard !past.isEmpty else { return }
        let mode = clock.mode
        clock.change(to: .frozen, at: now)
        for (event, moment) in past.moments(before: start) {
            clock.set(moment, at: now)
            apply(event, at: moment, now)
        }
        // A past event may have frozen the clock permanently; otherwise it continues as configured in the scenario.
        clock.set(start, at: now)
        if clock.mode == .frozen, !past.contains(where: \.steersClock) { clock.change(to: mode, at: now) }
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
        if case .push(let push) = event.action {
            // It is played when a client gets it.
            pushes += 1
            var context = ExchangeContext(at: time, seed: seed, stream: 1 << 56 + pushes)
            let devices = backend.ledger.devices(push.devices, of: caller)
            self.push(push, to: devices, at: time, in: &context, from: event.position)
            return
        }
        let part = backend.played.script.parts[event.position]
        let former = part?.kind == .event ? backend : nil
        // An event that starts, stops or paces the clock always counts, because a run may do so itself.
        var hasEffect = true
        switch event.action {
        case .signIn, .signOut, .expire, .revoke, .forget, .issue, .changeStates, .setCounters, .rotateKeys, .change:
            event.action.apply(to: &backend, for: caller, at: time)
            if let former { hasEffect = event.action.hasChanged(backend, since: former, at: time) }
        case .armFault(let fault, let route, let times):
            hasEffect = chooser.armedFaults.arm(ArmedFault(route: route, remaining: times, fault: fault, part: part))
        // What becomes due so is enacted with the other due events.
        case .advance(let duration):
            clock.shift(by: duration, at: now)
            hasEffect = duration != .zero
        case .setClock(let moment):
            clock.shift(by: moment - time, at: now)
            hasEffect = moment != time
        case .freeze(true): clock.change(to: .frozen, at: now)
        case .automatic(true): clock.change(to: .automatic, at: now)
        case .freeze(false), .automatic(false): clock.resume(at: now)
        case .rate(let rate): clock.change(to: .running(rate: rate), at: now)
        case .skew(let skew):
            hasEffect = skew != clock.skew
            clock.skew = skew
            dateOffset = DateOffset(skew, after: lastExchange, dateOffset)
        case .tls(let behavior): servedTLS.change(to: behavior, at: time, as: part)
        case .process(let action): effects.append(.process(action))
        case .launch(let number, let fault): enter(launch: number, fault, at: time, now)
        case .push: break
        }
        if let part, part.kind == .event { story.note(part, hasEffect: hasEffect) }
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

extension [PastEvent] {
    /// The events with their moments, the last of them before the start of the scenario.
    fileprivate func moments(before start: VirtualTime) -> [(event: Event, moment: VirtualTime)] {
        let advances = reduce(Duration.zero) { sum, entry in
            if case .advance(let duration) = entry.event.action { sum + duration } else { sum }
        }
        var moment = start - Swift.max(advances, lazy.compactMap(\.ago).max() ?? .zero)
        return compactMap { entry in
            if let ago = entry.ago { moment = start - ago }
            guard case .advance(let duration) = entry.event.action else { return (entry.event, moment) }
            moment = Swift.min(moment + duration, start)
            return nil
        }
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
