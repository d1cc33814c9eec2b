package import ScenarioFormat

extension Session {
    /// Lets an event happen now, as the admin API asks for.
    package mutating func enact(_ event: Event, at now: RealTime) {
        let time = catchUp(at: now)
        apply(event, at: time, now)
    }

    /// Lets the story's past happen: each event at its moment, the last of them before the start.
    mutating func enactPast(at now: RealTime) {
        let past = stage.scenario.given
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
        // An event of the past may have frozen the clock for good; otherwise it goes on as the scenario says.
        clock.set(start, at: now)
        if clock.mode == .frozen, !past.contains(where: \.steersClock) { clock.change(to: settings, at: now) }
    }

    /// Puts the moments of the timeline on the agenda.
    mutating func enterTimeline() {
        for entry in stage.scenario.timeline {
            if case .at(let delay) = entry.trigger { agenda.add(.event(entry.event), due: start + delay) }
        }
    }

    /// Sets off what the timeline says happens after this exchange.
    mutating func enterConsequences(of route: String, status: Int, at time: VirtualTime, _ now: RealTime) {
        for (index, entry) in stage.scenario.timeline.enumerated() {
            guard case .after(route, let count, let wanted, let delay) = entry.trigger else { continue }
            guard wanted == nil || wanted == status else { continue }
            let key = "\(index) \(route)"
            exchangeCounts[key, default: 0] += 1
            guard exchangeCounts[key] == count else { continue }
            if delay > .zero {
                agenda.add(.event(entry.event), due: time + delay)
            } else {
                apply(entry.event, at: time, now)
            }
        }
    }

    mutating func apply(
        _ event: Event,
        at time: VirtualTime,
        _ now: RealTime,
        caller: (device: String?, account: String?) = (nil, nil)
    ) {
        switch event.action {
        case .signIn(let device, let account, let grants):
            let account = account ?? defaultAccount
            ledger.signIn(device: device, account: account)
            for grant in grants ?? stage.scenario.tokens.signInGrants where grant.source == .new {
                issue(grant.kind, device: device, parent: nil, at: time)
            }
        case .signOut(let selection): signOut(selection.resolved(for: caller.device))
        case .expire(let kinds, let devices):
            ledger.expire(kinds, devices: devices.resolved(for: caller.device), at: time)
        case .revoke(let kinds, let devices): ledger.revoke(kinds, devices: devices.resolved(for: caller.device))
        case .forget(let kinds, let devices): ledger.forget(kinds, devices: devices.resolved(for: caller.device))
        case .issue(let kind, let devices):
            let set = devices.resolved(for: caller.device)
            for device in ledger.devices where set.contains(device.name) {
                issue(kind, device: device.name, parent: nil, at: time)
            }
        case .changeStates(let changes, let devices):
            changeStates(changes, devices: devices.resolved(for: caller.device), caller: caller)
        case .setCounters(let values):
            for value in values { counters[value.name] = value.start }
        case .armFault(let fault, let route, let times):
            armedFaults.append(ArmedFault(fault: fault, route: route, remaining: times))
        case .advance(let duration): advance(by: duration, at: now)
        case .setClock(let moment): clock.set(moment, at: now)
        case .freeze(true): clock.change(to: .frozen, at: now)
        case .automatic(true): clock.change(to: .automatic, at: now)
        case .freeze(false), .automatic(false): clock.resume(at: now)
        case .rate(let rate): clock.change(to: .running(rate: rate), at: now)
        case .skew(let skew): clock.skew = skew
        }
    }

    private mutating func signOut(_ devices: DeviceSet) {
        let rule = stage.scenario.tokens.signOut
        if let revoked = rule.revoked {
            for kind in revoked { ledger.revoke(.kind(kind), devices: devices) }
        } else {
            ledger.revoke(.every, devices: devices)
        }
        for kind in rule.forgotten { ledger.forget(.kind(kind), devices: devices) }
    }

    private mutating func changeStates(
        _ changes: [Event.StateChange],
        devices: DeviceSet,
        caller: (device: String?, account: String?)
    ) {
        for change in changes {
            guard let declaration = stage.stateScopes[change.name] else { continue }
            for owner in owners(of: declaration, devices, caller: caller) {
                states[StateKey(name: change.name, owner: owner)] = change.value
            }
        }
    }

    private func owners(
        of declaration: StateDeclaration,
        _ devices: DeviceSet,
        caller: (device: String?, account: String?)
    ) -> [String] {
        switch (declaration.scope, devices) {
        case (.session, _): [""]
        case (.device, .one(let device)): [device]
        case (.account, .one(let device)): [ledger.device(named: device)?.account ?? caller.account ?? ""]
        case (.account, .none): [caller.account ?? ""]
        case (.device, .none): [""]
        case (.device, .every): [""] + ledger.devices.map(\.name)
        case (.account, .every): [""] + ledger.devices.map(\.account) + stage.scenario.accounts.map(\.name)
        }
    }

    /// The account of whoever signs in without saying which.
    var defaultAccount: String {
        stage.scenario.accounts.first?.name ?? "user"
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

extension Event.DeviceSelection {
    func resolved(for caller: String?) -> DeviceSet {
        switch self {
        case .named(let name): .one(name)
        case .caller: caller.map(DeviceSet.one) ?? .none
        case .every: .every
        }
    }
}
