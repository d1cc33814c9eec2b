package import HTTPCodec
import JSON
import ScenarioFormat

/// Requests that wait for each other; without gates in the scenario nothing here is ever reached.
extension Session {
    /// Takes a request in: decides it, or lets it or its response wait at a gate.
    ///
    /// Ask ``takeOpenings()`` and ``takeReleased()`` afterwards: this request may be the one that others waited for.
    package mutating func arrive(
        _ request: HTTPRequest,
        at now: RealTime,
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
                arrival: now,
                at: now,
                lag: lag,
                connection,
                evaluation,
                hold: hold,
                post: post
            )
            arrival = .responseHeld(decision)
        case .release:
            let stage = HeldRequest.Stage.undecided(connection: connection, evaluation)
            arrival = .requestHeld(gates.hold(request, stage, at: post, now, time))
        }
        if gates.posts[post].isGathered { openGate(post, .reached, at: now) }
        return arrival
    }

    /// Whether some gate may hold the next request.
    package var hasClosedGates: Bool { gates.isClosed }

    /// Whether somebody stands at a gate.
    package var isHolding: Bool { gates.isHolding }

    /// The first gate in the order of the file that wants a request.
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
        if case .route(let index, let parameters) = stage.script.tree.match(request) {
            number = index
            context.route = stage.script.routes[index]
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
