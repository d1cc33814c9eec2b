import JSON
import ScenarioFormat

/// How held requests go on, or leave.
extension Session {
    /// The gates that have opened since this was last asked, with everybody who goes on.
    package mutating func takeOpenings() -> [GateOpening] {
        guard !openings.isEmpty else { return [] }
        defer { openings = [] }
        return openings
    }

    /// The real moment at which the first gate opens by itself; `nil` while none holds anybody.
    package var nextGateTimeout: RealTime? { gates.timeout?.shifted(by: gateSlack) }

    /// Opens the gates that have waited in vain for as long as they may.
    package mutating func openQuietGates(at now: RealTime) {
        while let post = gates.firstQuiet(by: max(now, latest).shifted(by: .zero - gateSlack)) {
            openGate(post, .quiet, at: now)
        }
    }

    /// Opens a gate, or every gate, that holds somebody; returns how many go on.
    @discardableResult
    package mutating func releaseGates(named name: String? = nil, at now: RealTime) -> Int {
        var count = 0
        for (post, gate) in gates.posts.enumerated() where name?.hasSameUTF8(as: gate.gate.name) ?? true {
            count += gate.held.count
            openGate(post, .released, at: now)
        }
        return count
    }

    /// Opens every gate for good: nobody is left to wait for.
    package mutating func retireGates(at now: RealTime) {
        releaseGates(at: now)
        gates.retire()
    }

    /// Lets everybody at a gate go, where somebody is.
    mutating func openGate(_ post: Int, _ cause: GateStatistics.Cause, at now: RealTime) {
        let time = catchUp(at: now)
        let (gate, account) = (gates.posts[post].gate, gates.posts[post].account)
        let lasts = (gates.posts[post].lastArrival, gates.posts[post].lastTime)
        let chance = Chance(seed: seed, gate: post, opening: account.openings.count)
        let row = gate.order.arrange(gates.empty(post), chance)
        guard !row.isEmpty else { return }
        if refusalHold > .zero { gates.noteHold(until: latest.shifted(by: refusalHold)) }
        var passages: [ReleasedRequest] = []
        for held in row { passages.append(pass(held, gate.name, since: lasts)) }
        gates.note(GateStatistics.Opening(cause: cause, exchanges: passages.map(\.exchange)), of: post)
        openings.append(
            GateOpening(
                gate: gate.name,
                cause: cause,
                wanted: account.wanted,
                waitsFor: account.waitsFor,
                quiet: gate.quiet,
                time: time,
                passages: passages
            )
        )
        catchUp(at: now)
    }

    /// Lets one go on.
    ///
    /// A response's own wait counts from the last arrival at its gate and not from its own: they were in flight together,
    /// and responses that wait equally long leave in the order that was chosen.
    private mutating func pass(
        _ held: HeldRequest,
        _ gate: String,
        since last: (arrival: RealTime, time: VirtualTime)
    ) -> ReleasedRequest {
        let hold = GateHold(gate: gate, duration: latest.since(held.arrival))
        switch held.stage {
        case .undecided(let connection, let evaluation):
            return .request(
                ticket: held.ticket,
                decide(held.request, arrival: held.arrival, at: latest, connection, evaluation, hold: hold)
            )
        case .decided(let exchange, let wait):
            journal.note(hold, of: exchange)
            switch wait {
            case .none: return .response(exchange: exchange, wait: .none)
            case .real(let delay):
                let left = delay - latest.since(last.arrival)
                return .response(exchange: exchange, wait: left > .zero ? .real(left) : .none)
            case .virtual(let delay):
                let due = last.time + delay
                guard due > clock.read(at: latest) else { return .response(exchange: exchange, wait: .none) }
                agenda.add(.response(exchange: exchange), due: due)
                open.park(exchange)
                return .response(exchange: exchange, wait: .virtual(until: due))
            }
        }
    }

    // MARK: Leaving

    /// Forgets a held request that is not decided yet, because its client has left.
    package mutating func withdraw(ticket: UInt64) {
        _ = gates.withdraw(ticket)
    }

    /// Notes at the gates that an exchange has ended: its own hold, and what others may have waited for.
    mutating func noteAtGates(endOf exchange: UInt64, _ outcome: Exchange.Outcome, at now: RealTime) {
        if let (held, gate) = gates.withdraw(exchange: exchange) {
            journal.note(GateHold(gate: gate, duration: now.since(held.arrival)), of: exchange)
            return
        }
        guard
            outcome == .sent, let (route, status) = journal.answer(to: exchange), let route
        else { return }
        for post in gates.posts.indices where gates.posts[post].waits(forAnswerOf: route, status) {
            openGate(post, .reached, at: now)
        }
    }

    // MARK: Reloading

    /// Lets go of whoever stands at a gate that another version of the scenario lacks.
    mutating func leaveGates(missingIn scenario: Scenario, at now: RealTime) {
        for (post, old) in gates.posts.enumerated()
        where !scenario.gates.contains(where: { $0.name.hasSameUTF8(as: old.gate.name) }) {
            openGate(post, .released, at: now)
        }
    }

    /// Takes up the gates of the present scenario, and opens those that have nothing to wait for any more.
    mutating func enterGates(at now: RealTime) {
        gates.replace(stage.scenario.gates, stage.script)
        for post in gates.posts.indices where gates.isHolding {
            if gates.posts[post].isGathered {
                openGate(post, .reached, at: now)
            } else if !gates.posts[post].isClosed {
                openGate(post, .released, at: now)
            }
        }
    }
}
