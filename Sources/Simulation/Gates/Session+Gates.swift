package import Basics
package import HTTPCodec
package import JSON
import ScenarioFormat

/// The ways in which held requests continue or leave.
extension Session {
    /// The gates that have opened since this was last asked, with everybody who goes on.
    package mutating func takeOpenings() -> [GateOpening] {
        guard !openings.isEmpty else { return [] }
        defer { openings = [] }
        return openings
    }

    /// The real time at which the first gate opens in any case; `nil` while none holds a request.
    package var nextGateTimeout: MonotonicTime? { gates.timeout?.advanced(by: gateSlack) }

    /// Opens the gates that have waited in vain for as long as they may.
    package mutating func openQuietGates(at now: MonotonicTime) {
        while let post = gates.firstQuiet(by: max(now, latest).advanced(by: .zero - gateSlack)) {
            openGate(post, .quiet, at: now)
        }
    }

    /// Opens a gate, or every gate, that holds requests; returns how many go on.
    @discardableResult
    package mutating func releaseGates(named name: String? = nil, at now: MonotonicTime) -> Int {
        var count = 0
        for (post, gate) in gates.posts.enumerated() where name?.hasSameUTF8(as: gate.gate.name) ?? true {
            count += gate.held.count
            openGate(post, .released, at: now)
        }
        return count
    }

    /// Opens every gate permanently: no request is left to wait for.
    package mutating func retireGates(at now: MonotonicTime) {
        releaseGates(at: now)
        gates.retire()
    }

    /// Lets all requests at a gate go, where there are any.
    mutating func openGate(_ post: Int, _ cause: GateStatistics.Cause, at now: MonotonicTime) {
        let time = catchUp(at: now)
        let (gate, account) = (gates.posts[post].gate, gates.posts[post].account)
        let lasts = (gates.posts[post].lastArrival, gates.posts[post].lastTime)
        let chance = Chance(seed: seed, gate: post, opening: account.openings.count)
        let row = gate.order.arrange(gates.empty(post), chance)
        guard !row.isEmpty else { return }
        if refusalHold > .zero { gates.noteHold(until: latest.advanced(by: refusalHold)) }
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
        since last: (arrival: MonotonicTime, time: VirtualTime)
    ) -> ReleasedRequest {
        let hold = GateHold(gate: gate, duration: latest.since(held.arrival))
        switch held.phase {
        case .undecided(let connection, let evaluation):
            let decision = decide(
                held.request,
                at: latest,
                arrival: held.arrival,
                connection: connection,
                evaluation: evaluation,
                hold: hold
            )
            return .request(ticket: held.ticket, decision)
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
    mutating func noteAtGates(endOf exchange: UInt64, _ outcome: ExchangeOutcome, at now: MonotonicTime) {
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

    /// Lets go of requests at a gate that another version of the scenario lacks.
    mutating func leaveGates(missingIn scenario: Scenario, at now: MonotonicTime) {
        for (post, old) in gates.posts.enumerated()
        where !scenario.gates.contains(where: { $0.name.hasSameUTF8(as: old.gate.name) }) {
            openGate(post, .released, at: now)
        }
    }

    /// Takes up the gates of the present scenario, and opens those that have nothing to wait for any more.
    mutating func enterGates(at now: MonotonicTime) {
        gates.replace(played.scenario.gates, played.script)
        for post in gates.posts.indices where gates.isHolding {
            if gates.posts[post].isGathered {
                openGate(post, .reached, at: now)
            } else if !gates.posts[post].isClosed {
                openGate(post, .released, at: now)
            }
        }
    }
}

/// Requests that wait for each other; without gates in the scenario nothing here is ever reached.
extension Session {
    /// Takes a request in: decides it, or lets it or its response wait at a gate.
    ///
    /// Ask ``takeOpenings()`` and ``takeReleased()`` afterwards: this request may be the one that others waited for.
    package mutating func arrive(
        _ request: HTTPRequest,
        at now: MonotonicTime,
        lag: Duration = .zero,
        connection: UInt64 = 0,
        evaluation: ContractEvaluation? = nil
    ) -> Arrival {
        guard hasClosedGates else {
            return .decided(decide(request, at: now, lag: lag, connection: connection, evaluation: evaluation))
        }
        openQuietGates(at: now)
        let time = catchUp(at: now)
        guard let post = gate(for: request, connection, evaluation, at: time) else {
            return .decided(decide(request, at: now, lag: lag, connection: connection, evaluation: evaluation))
        }
        let arrival: Arrival
        switch gates.posts[post].gate.moment {
        case .arrival:
            let hold = GateHold(gate: gates.posts[post].gate.name, duration: .zero)
            let decision = decide(
                request,
                at: now,
                lag: lag,
                connection: connection,
                evaluation: evaluation,
                hold: hold,
                post: post
            )
            arrival = .responseHeld(decision)
        case .release:
            let phase = HeldRequest.Phase.undecided(connection: connection, evaluation)
            arrival = .requestHeld(gates.hold(request, phase, at: post, now, time))
        }
        if gates.posts[post].isGathered { openGate(post, .reached, at: now) }
        return arrival
    }

    /// A Boolean value that indicates whether some gate may hold the next request.
    package var hasClosedGates: Bool { gates.isClosed }

    /// A Boolean value that indicates whether a request waits at a gate.
    package var isHolding: Bool { gates.isHolding }

    /// The first gate in the order of the file that requires a request.
    private mutating func gate(
        for request: HTTPRequest,
        _ connection: UInt64,
        _ evaluation: ContractEvaluation?,
        at time: VirtualTime
    ) -> Int? {
        var context = ExchangeContext(
            number: lastExchange,
            now: time,
            arrival: latest,
            connection: connection,
            request: RequestView(request),
            chance: Chance(seed: seed, stream: lastExchange)
        )
        var number: Int?
        if case .route(let index, let parameters) = played.script.tree.match(request) {
            number = index
            context.route = played.script.routes[index]
            context.request.parameters = parameters
        } else if evaluation?.fill == nil {
            return nil
        }
        var hasNotedTokens = false
        for post in gates.posts.indices where gates.posts[post].isClosed {
            guard gates.posts[post].holds(context.route, number: number) else { continue }
            guard let condition = gates.posts[post].gate.condition else { return post }
            if !hasNotedTokens { noteTokens(in: &context) }
            hasNotedTokens = true
            if holds(condition, in: &context) { return post }
        }
        return nil
    }
}

extension Session {
    /// Every gate: its condition, its past requests, and its held requests.
    package func gatesJSON(at now: MonotonicTime) -> JSONValue {
        ["gates": .array(gates.posts.map { $0.json(at: max(now, latest)) })]
    }
}

extension GateState {
    fileprivate func json(at now: MonotonicTime) -> JSONValue {
        var object = JSONObject()
        object["name"] = .string(gate.name)
        object["waitsFor"] = .string(account.waitsFor)
        if let timeout { object["opensInMilliseconds"] = .number(.milliseconds(timeout.since(now))) }
        object["timesLeft"] = .number(JSONNumber(max(0, gate.times - account.openings.count)))
        object["openings"] = .array(account.openings.map(\.json))
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

extension HeldRequest {
    fileprivate func json(at now: MonotonicTime) -> JSONValue {
        var object = JSONObject()
        object["method"] = .string(request.method.rawValue)
        object["target"] = .string(request.target)
        if let exchange { object["exchange"] = .number(JSONNumber(Int(clamping: exchange))) }
        object["heldMilliseconds"] = .number(.milliseconds(now.since(arrival)))
        return .object(object)
    }
}

/// The result for a request that has arrived.
package enum Arrival: Sendable {
    /// No gate holds it: it is answered as the decision says.
    case decided(Decision)
    /// It is decided, and a gate holds its response; ``Session/takeOpenings()`` says when that goes on.
    case responseHeld(Decision)
    /// A gate holds it, and it is decided when it goes on; the number is its ticket until then.
    case requestHeld(UInt64)
}
