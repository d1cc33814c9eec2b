package import Basics
import HTTPCodec
package import JSON
import ScenarioFormat

/// The ways in which held requests continue or leave.
extension Session {
    /// The real time at which the first gate opens in any case; `nil` while none holds a request.
    package var nextGateTimeout: MonotonicTime? { gates.timeout?.advanced(by: gateSlack) }

    /// Opens the gates that have waited in vain for as long as they may.
    package mutating func openQuietGates(at now: MonotonicTime) {
        while let index = gates.firstQuiet(by: max(now, latest).advanced(by: .zero - gateSlack)) {
            openGate(index, .quiet, at: now)
        }
    }

    /// Opens a gate, or every gate, that holds requests; returns how many go on.
    @discardableResult
    package mutating func releaseGates(named name: String? = nil, at now: MonotonicTime) -> Int {
        var count = 0
        for (index, gate) in gates.states.enumerated() where name == nil || name?.exact == gate.gate.name.exact {
            count += gate.held.count
            openGate(index, .released, at: now)
        }
        return count
    }

    /// Opens every gate permanently: no request is left to wait for.
    package mutating func retireGates(at now: MonotonicTime) {
        releaseGates(at: now)
        gates.retire()
    }

    /// Lets all requests at a gate go, where there are any.
    mutating func openGate(_ index: Int, _ cause: GateStatistics.Cause, at now: MonotonicTime) {
        let time = catchUp(at: now)
        let (gate, row) = gates.open(index, seed: backend.seed)
        guard !row.isEmpty else { return }
        if refusalHold > .zero { gates.noteHold(until: latest.advanced(by: refusalHold)) }
        // Before the effects of the decisions, which refer to the released requests.
        let place = effects.count
        var released: [ReleasedRequest] = []
        for held in row { released.append(pass(held, through: gate)) }
        gates.note(GateStatistics.Opening(cause: cause, exchanges: released.map(\.exchange)), of: index)
        effects.insert(.opened(GateOpening(of: gate, cause, at: time, released)), at: place)
        catchUp(at: now)
    }

    /// Lets one go on.
    private mutating func pass(_ held: GatedRequest, through gate: GateState) -> ReleasedRequest {
        let hold = GateHold(gate: gate.gate.name, duration: latest.since(held.arrival))
        switch held.phase {
        case .undecided(var incoming):
            // The scenario may be another one by now.
            (incoming.lag, incoming.route) = (.zero, nil)
            let decision = decide(incoming, at: latest, arrival: held.arrival, hold: hold)
            return .request(ticket: held.ticket, decision)
        case .decided(let exchange, let wait):
            journal.note(hold, of: exchange)
            let rest = gate.rest(of: wait, latest, clock.read(at: latest))
            if case .virtual(let due) = rest {
                agenda.add(.response(exchange: exchange), due: due)
                backend.open.park(exchange)
            }
            return .response(exchange: exchange, wait: rest)
        }
    }

    /// Notes at the gates that an exchange has ended: its own hold, and what others may have waited for.
    mutating func noteAtGates(endOf exchange: UInt64, _ outcome: ExchangeOutcome, at now: MonotonicTime) {
        if let (held, gate) = gates.withdraw(exchange: exchange) {
            journal.note(GateHold(gate: gate, duration: now.since(held.arrival)), of: exchange)
            return
        }
        guard outcome == .sent, let (route, status) = journal.answer(to: exchange), let route else { return }
        for index in gates.states.indices where gates.states[index].waits(forAnswerOf: route, status) {
            openGate(index, .reached, at: now)
        }
    }

    // MARK: Reloading

    /// Lets go of requests at a gate that another version of the scenario lacks.
    mutating func leaveGates(missingIn scenario: Scenario, at now: MonotonicTime) {
        for (index, old) in gates.states.enumerated()
        where !scenario.gates.contains(where: { $0.name.exact == old.gate.name.exact }) {
            openGate(index, .released, at: now)
        }
    }

    /// Takes up the gates of the present scenario, and opens those that have nothing to wait for any more.
    mutating func enterGates(at now: MonotonicTime) {
        gates.replace(backend.played.scenario.gates, backend.played.script)
        for index in gates.states.indices where gates.isHolding {
            if gates.states[index].isGathered {
                openGate(index, .reached, at: now)
            } else if !gates.states[index].isClosed {
                openGate(index, .released, at: now)
            }
        }
    }
}

/// Requests that wait for each other; without gates in the scenario nothing here is ever reached.
extension Session {
    /// Decides a request, or lets it or its response wait at a gate.
    ///
    /// This request may be the one that others waited for.
    mutating func arrive(_ incoming: IncomingRequest, at now: MonotonicTime) -> Effect {
        openQuietGates(at: now)
        let time = catchUp(at: now)
        guard let index = gates.index(stopping: incoming, after: lastExchange, at: time, latest, &backend) else {
            return .decided(decide(incoming, at: now))
        }
        let effect: Effect
        switch gates.states[index].gate.moment {
        case .arrival:
            let hold = GateHold(gate: gates.states[index].gate.name, duration: .zero)
            effect = .responseHeld(decide(incoming, at: now, hold: hold, gate: index))
        case .release:
            let phase = GatedRequest.Phase.undecided(incoming)
            effect = .requestHeld(ticket: gates.hold(incoming.request, phase, at: index, now, time))
        }
        if gates.states[index].isGathered { openGate(index, .reached, at: now) }
        return effect
    }

    /// Returns whether a gate may hold a request.
    func mayBeHeld(_ incoming: IncomingRequest) -> Bool {
        hasClosedGates && incoming.origin == nil && incoming.codingError == nil
    }

    /// A Boolean value that indicates whether some gate may hold the next request.
    package var hasClosedGates: Bool { gates.isClosed }

    /// A Boolean value that indicates whether a request waits at a gate.
    package var isHolding: Bool { gates.isHolding }
}

extension Session {
    /// Every gate: its condition, its past requests, and its held requests.
    package func gatesJSON(at now: MonotonicTime) -> JSONValue {
        ["gates": .array(gates.states.map { $0.json(at: max(now, latest)) })]
    }
}

extension GateState {
    fileprivate func json(at now: MonotonicTime) -> JSONValue {
        var object = JSONObject()
        object["name"] = .string(gate.name)
        object["waitsFor"] = .string(statistics.waitsFor)
        if let timeout { object["opensInMilliseconds"] = .number(.milliseconds(timeout.since(now))) }
        object["timesLeft"] = .number(JSONNumber(max(0, gate.times - statistics.openings.count)))
        object["openings"] = .array(statistics.openings.map(\.json))
        object["held"] = .array(row.map { $0.json(at: now) })
        return .object(object)
    }
}

extension GateStatistics.Opening {
    fileprivate var json: JSONValue {
        [
            "cause": .string(cause.rawValue),
            "exchanges": .array(exchanges.map { .number(JSONNumber(Int(clamping: $0))) }),
        ]
    }
}

extension GatedRequest {
    fileprivate func json(at now: MonotonicTime) -> JSONValue {
        var object = JSONObject()
        object["method"] = .string(request.method.rawValue)
        object["target"] = .string(request.target)
        if let exchange { object["exchange"] = .number(JSONNumber(Int(clamping: exchange))) }
        object["heldMilliseconds"] = .number(.milliseconds(now.since(arrival)))
        return .object(object)
    }
}
