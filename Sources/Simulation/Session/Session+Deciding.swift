package import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// Decides what a request is answered, changes the session accordingly, and writes the exchange into the journal.
    ///
    /// Nothing changes before the response is known to be possible. A response that waits on the virtual clock may be
    /// released immediately, if its own exchange moves the clock.
    ///
    /// - Parameters:
    ///   - incoming: the complete request.
    ///   - now: the moment on the machine's clock.
    ///   - arrival: when the request was complete, if that was earlier.
    ///   - hold: the gate that held or holds it.
    ///   - gate: the index of the gate at which its response waits.
    package mutating func decide(
        _ incoming: IncomingRequest,
        at now: MonotonicTime,
        arrival: MonotonicTime? = nil,
        hold: GateHold? = nil,
        gate: Int? = nil
    ) -> Decision {
        let arrival = arrival ?? now
        let time = catchUp(at: now)
        lastExchange += 1
        if firstArrival == nil { firstArrival = arrival }
        var context = ExchangeContext(
            incoming,
            number: lastExchange,
            now: time,
            arrival: arrival,
            hold: hold,
            gate: gate,
            seed: backend.seed
        )
        for secret in incoming.secrets { backend.foreignTokens.conceal(secret, at: lastExchange) }
        let chosen = chooser.choose(in: &context, &backend, &upstream)
        let decision = commit(chosen, in: &context)
        catchUp(at: now)
        return decision
    }

    /// Makes the chosen response: draws its fault, changes what it changes, renders it, draws its wait, and writes the
    /// exchange down.
    private mutating func commit(_ chosen: ChosenResponse, in context: inout ExchangeContext) -> Decision {
        var answer = chosen
        let fault = drawFault(of: answer, in: &context)
        // The response of an armed fault does nothing that the route would do.
        let isReplaced = context.armed?.response != nil
        let isCommitted = !isReplaced && fault?.commits ?? true
        // Made before the session is asked for anything else: an argument that changes the session would make a copy of it.
        var message = isCommitted ? perform(&answer, in: &context) : render(&answer, in: &context)
        if context.origin == nil, let rule = backend.played.scenario.crossOrigin {
            message = rule.shared(message, with: context.request.request)
        }
        if !isReplaced { notePlay(of: answer, by: context.number, with: fault) }
        var decision = Decision(exchange: context.number, message: message, wait: .none)
        if context.isWithheld { decision.withheld = context.now }
        var delay = Duration.zero
        if case .scenario(let compiled) = answer.source {
            decision.pacing = compiled.response.pacing
            if compiled.isForwarded, !isReplaced {
                decision.forwarding = Decision.Forwarding(
                    status: compiled.response.tree["status"]?.int.flatMap { HTTPStatus(exactly: $0) },
                    fields: message.response.fields.filter { $0.lowercased() != "date" }
                )
            }
            (decision.wait, delay) = context.wait(compiled.response.latency)
            let isConstant =
                compiled.isConstant && answer.allowedMethods == nil && compiled.isPlain && !compiled.isForwarded
                && backend.played.scenario.crossOrigin == nil
            decision.isCompressed = context.isCompressed
            // No contract documents a conditional response, or the response of an armed fault.
            if !context.isConditional, !isReplaced {
                decision.script = Decision.ScenarioResponse(
                    constant: isConstant ? compiled.number : nil,
                    compiled: compiled
                )
            }
        }
        if context.armed != nil, let latency = context.armed?.latency {
            (decision.wait, delay) = context.wait(latency)
        }
        decision.fault = fault.map { $0.wireFault(of: message, &context.chance) }
        if decision.forwarding != nil {
            if context.route == nil {
                (context.answeredBy, answer.nearest) = (context.answeredBy ?? ExchangeDetails.upstream, nil)
            }
            forward(&decision, fault, isCommitted, in: context)
        }
        decision.hold = refusalHold(of: message, fault, in: context)
        // Asked first, because it is large and rare.
        if context.stream != nil, fault == nil, context.gate == nil, context.request.request.method != .head,
            let stream = context.stream
        {
            decision.isStream = stream.staysOpen || !stream.pieces.isEmpty
            decision.webSocket = stream.webSocket
        }
        park(decision, delay, in: context)
        let process = client.process(of: context.connection)
        journal.append(
            context.exchange(
                answeredBy: answer,
                decision.message,
                fault,
                wait: delay,
                refusalHold: decision.hold,
                isCommitted: isCommitted,
                process: process,
                launch: client.launch(of: process),
                backend.keys,
                backend.played
            )
        )
        if let route = context.route, isCommitted, decision.forwarding == nil {
            enterConsequences(of: route, status: message.status.code, at: context.now)
        }
        return decision
    }

    /// Does what the response does, and makes its message; where that turns out to be impossible, the response says so.
    private mutating func perform(_ answer: inout ChosenResponse, in context: inout ExchangeContext) -> ResponseMessage
    {
        for id in context.reused {
            backend.ledger.noteReuse(of: id, by: backend.played.scenario.tokens, at: context.now)
        }
        switch answer.source {
        case .problem(let problem): return .made(render(problem, at: context.now))
        case .documented(let response): return .made(dated(response, at: context.now))
        case .scenario(let response):
            let isPlain = response.isPlain
            if !isPlain, let problem = failedPrecondition(of: response.response, in: &context) {
                answer = ChosenResponse(problem)
                return .made(render(problem, at: context.now))
            }
            if !response.changesNothing, let problem = change(by: response, in: &context) {
                answer = ChosenResponse(problem)
                return .made(render(problem, at: context.now))
            }
            let message = render(response, allowed: answer.allowedMethods, in: &context)
            let excess = context.embeddedWork.excess.map { Problem.tooMuchEmbedded(of: $0) }
            guard let problem = excess ?? context.undecided.map({ Problem.undecided($0) }) else {
                return isPlain ? message : .made(negotiated(message.response, of: response.response, in: &context))
            }
            answer = ChosenResponse(problem)
            return .made(render(problem, at: context.now))
        }
    }

    /// Makes the message that would have been the response, and leaves everything as it was.
    private mutating func render(_ answer: inout ChosenResponse, in context: inout ExchangeContext) -> ResponseMessage {
        let (session, caller) = (self, (context.device, context.account))
        defer {
            self = session
            (context.device, context.account) = caller
            context.granted = []
            context.stateChanges = []
        }
        let message = perform(&answer, in: &context)
        guard !context.armedHeaders.isEmpty || !context.requiredFields.isEmpty else { return message }
        var response = message.response
        for header in context.armedHeaders { response.fields.remove(header.name) }
        backend.render(context.armedHeaders, to: &response.fields, in: &context)
        for (name, value) in context.requiredFields where !response.fields.contains(name) {
            response.fields.append(name, value)
        }
        return .made(response)
    }

    /// Does what a response does: first to items, so that a new account can sign in, then to tokens, then the rest.
    ///
    /// - Returns: what is in the way of its changes of items; what comes after has not happened then.
    mutating func change(by compiled: CompiledResponse, in context: inout ExchangeContext) -> Problem? {
        for change in compiled.itemChanges {
            if let problem = backend.change(change, in: &context) { return problem }
        }
        let response = compiled.response
        // The tokens of an upstream come with its response.
        if !compiled.isForwarded {
            let hasSignedIn = backend.signIn(by: response, in: &context)
            backend.grant(response.grants, remembering: response.memory, afterSignIn: hasSignedIn, in: &context)
        }
        for event in response.changes {
            switch event.action {
            case .change: continue
            case .changeStates(let changes, _): context.stateChanges += changes
            // It may say something of the request.
            case .push(let push):
                let devices = backend.ledger.devices(push.devices, of: (context.device, context.account))
                self.push(push, to: devices, at: context.now, in: &context, from: event.position)
                continue
            default: break
            }
            apply(event, at: context.now, latest, caller: (context.device, context.account))
        }
        return nil
    }
}
