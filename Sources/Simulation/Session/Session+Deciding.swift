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
        _ incoming: consuming IncomingRequest,
        at now: MonotonicTime,
        arrival: MonotonicTime? = nil,
        hold: GateHold? = nil,
        gate: Int? = nil
    ) -> Decision {
        let arrival = arrival ?? now
        let time = catchUp(at: now)
        lastExchange += 1
        if firstArrival == nil { firstArrival = arrival }
        for secret in incoming.remarks?.secrets ?? [] { backend.foreignTokens.conceal(secret, at: lastExchange) }
        var context = ExchangeContext(incoming, lastExchange, at: time, arrival, backend.seed)
        (context.hold, context.gate) = (hold, gate)
        let chosen = chooser.choose(in: &context, &backend, &upstream)
        let decision = commit(chosen, in: &context)
        catchUp(at: now)
        return decision
    }

    /// Makes the chosen response: draws its fault, changes what it changes, renders it, draws its wait, and writes the
    /// exchange down.
    private mutating func commit(_ chosen: ChosenResponse, in context: inout ExchangeContext) -> Decision {
        var chosen = chosen
        let fault = context.drawFault(of: chosen)
        if fault != nil, let part = context.armed?.part { story.note(part, by: context.number) }
        // The response of an armed fault does nothing that the route would do.
        let isReplaced = context.armed?.response != nil
        let isCommitted = !isReplaced && fault?.commits ?? true
        // Made before the session is asked for anything else: an argument that changes the session would make a copy of it.
        var message = isCommitted ? perform(&chosen, in: &context) : render(&chosen, in: &context)
        if context.origin == nil, let rule = backend.played.scenario.crossOrigin {
            message = rule.shared(message, with: context.request.request)
        }
        if !isReplaced { story.note(chosen, by: context.number, with: fault) }
        let isVaried = backend.played.scenario.crossOrigin != nil
        var decision = Decision(chosen, message, fault, isVaried: isVaried, in: &context)
        if decision.forwarding != nil {
            if context.route == nil {
                (context.answeredBy, chosen.nearest) = (context.answeredBy ?? ExchangeDetails.upstream, nil)
            }
            forward(&decision, fault, isCommitted, in: context)
        }
        if refusalHold > .zero, context.isHeld(message, fault, backend.played.scenario.tokens) {
            decision.hold = refusalHold
        }
        park(decision, in: context)
        journal.append(
            context.exchange(
                answeredBy: chosen,
                decision.message,
                fault,
                refusalHold: decision.hold,
                isCommitted: isCommitted,
                client,
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
    private mutating func perform(_ chosen: inout ChosenResponse, in context: inout ExchangeContext) -> ResponseMessage
    {
        for id in context.reused {
            backend.ledger.noteReuse(of: id, by: backend.played.scenario.tokens, at: context.now)
        }
        if case .scenario(let response) = chosen.source {
            if !response.isPlain, let problem = response.response.failedPrecondition(in: &context, &backend) {
                chosen = ChosenResponse(problem)
            } else if !response.changesNothing, let problem = change(by: response, in: &context) {
                chosen = ChosenResponse(problem)
            }
        }
        return renderer.message(of: &chosen, dated: clock.dateSecond(at: context.now), in: &context, &backend, streams)
    }

    /// Makes the message that would have been the response, and leaves everything as it was.
    private mutating func render(_ chosen: inout ChosenResponse, in context: inout ExchangeContext) -> ResponseMessage {
        let (session, caller) = (self, (context.device, context.account))
        defer {
            self = session
            (context.device, context.account) = caller
            context.granted = []
            context.stateChanges = []
        }
        let message = perform(&chosen, in: &context)
        return context.addArmedFields(to: message, &backend)
    }

    /// Does what a response does: first to items, so that a new account can sign in, then to tokens, then the rest.
    ///
    /// - Returns: what is in the way of its changes of items; what comes after has not happened then.
    private mutating func change(by compiled: CompiledResponse, in context: inout ExchangeContext) -> Problem? {
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
