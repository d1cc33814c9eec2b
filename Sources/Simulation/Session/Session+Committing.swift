import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// Makes the chosen response: draws its fault, changes what it changes, renders it, draws its wait, and writes the
    /// exchange down.
    mutating func commit(_ chosen: Answer, in context: inout ExchangeContext) -> Decision {
        var answer = possible(chosen, in: &context)
        if let key = answer.sequence { sequences[key, default: 0] &+= 1 }
        let fault = takeFault(of: answer, in: &context)
        let isCommitted = fault?.commits ?? true
        let response = isCommitted ? perform(&answer, in: &context) : rehearse(&answer, in: &context)
        notePlay(of: answer, by: context.number, with: fault)
        var decision = Decision(exchange: context.number, response: response, wait: .none, pacing: nil, fault: nil)
        var delay = Duration.zero
        if case .scenario(let compiled) = answer.source {
            decision.pacing = compiled.response.pacing
            (decision.wait, delay) = wait(of: compiled.response, in: &context)
            let isConstant = compiled.hasConstantHead && compiled.hasConstantBody && answer.allowedMethods == nil
            decision.script = Decision.ScenarioResponse(
                constant: isConstant ? compiled.number : nil,
                compiled: compiled
            )
        }
        decision.fault = fault.map { wireFault($0, of: response, in: &context) }
        decision.hold = refusalHold(of: response, fault, in: context)
        park(decision, delay, in: context)
        write(answer, response, fault, delay, decision.hold, isCommitted, in: &context)
        if let route = context.route, isCommitted {
            enterConsequences(of: route, status: response.status.code, at: context.now)
        }
        return decision
    }

    /// Notes that a part of the story was played, which it is only with the fault that it has itself.
    private mutating func notePlay(of answer: Answer, by exchange: UInt64, with fault: Fault?) {
        guard case .scenario(let compiled) = answer.source, let part = compiled.part else { return }
        guard let own = compiled.response.fault, own.probability >= 1, own != fault else {
            return notePlay(of: part, by: exchange)
        }
    }

    /// - Parameter exchange: the one that played it; 0 where none did.
    mutating func notePlay(of part: String, by exchange: UInt64 = 0) {
        if plays[part] == nil { plays[part] = exchange }
    }

    /// Replaces a response that the request cannot fill by the answer that says so.
    ///
    /// The sequence that the response belongs to does not count on, since the response was not given.
    private mutating func possible(_ answer: Answer, in context: inout ExchangeContext) -> Answer {
        guard case .scenario(let response) = answer.source, let problem = impossibility(of: response, in: &context)
        else {
            return answer
        }
        if context.origin == nil, let own = stage.script.invalidRequest, unfillable(own.demands, in: &context) == nil {
            context.answeredBy = "invalidRequest"
            return Answer(own)
        }
        return Answer(problem)
    }

    /// Why a response cannot be made for a request; `nil` if it can.
    mutating func impossibility(of response: CompiledResponse, in context: inout ExchangeContext) -> Problem? {
        if let lacking = unfillable(response.demands, in: &context) { return .unfillable(lacking) }
        guard let name = response.demandedContent, content(of: name, in: context) == nil else { return nil }
        return .noContent(name)
    }

    /// Does what the answer does, and makes its message; where that turns out to be impossible, the answer says so.
    private mutating func perform(_ answer: inout Answer, in context: inout ExchangeContext) -> HTTPResponse {
        for id in context.reused { noteReuse(of: id, at: context.now) }
        switch answer.source {
        case .problem(let problem): return render(problem, at: context.now)
        case .documented(let response): return dated(response, at: context.now)
        case .scenario(let response):
            if !response.changesNothing, let problem = change(by: response, in: &context) {
                answer = Answer(problem)
                return render(problem, at: context.now)
            }
            return render(response, allowed: answer.allowedMethods, in: &context)
        }
    }

    /// Makes the message that would have been the answer, and leaves everything as it was.
    private mutating func rehearse(_ answer: inout Answer, in context: inout ExchangeContext) -> HTTPResponse {
        let (session, caller) = (self, (context.device, context.account))
        defer {
            self = session
            (context.device, context.account) = caller
            context.granted = []
            context.stateChanges = []
        }
        return perform(&answer, in: &context)
    }

    /// Remembers an exchange whose response takes time, for as long as it takes.
    ///
    /// One that is answered at once was never in flight: its client may ask again before the server has noticed that
    /// the response has left.
    private mutating func park(_ decision: Decision, _ delay: Duration, in context: ExchangeContext) {
        var isParked = false
        if let post = context.post {
            hold(decision, delay, at: post, in: context)
            return
        }
        switch decision.wait {
        case .none:
            if decision.hold > .zero { gates.noteHold(until: context.arrival.shifted(by: decision.hold)) }
            guard decision.pacing != nil || decision.fault == .never else {
                if decision.hold > .zero { open.addHeld(context.number) }
                return
            }
        case .real:
            if decision.hold > .zero { gates.noteHold(until: context.arrival.shifted(by: delay + decision.hold)) }
        case .virtual(let due):
            agenda.add(.response(exchange: context.number), due: due)
            isParked = true
        }
        open.add(context.number, route: context.route?.id, isParked: isParked)
    }

    /// Remembers an exchange whose response waits at a gate; it is in flight until it has left.
    private mutating func hold(_ decision: Decision, _ delay: Duration, at post: Int, in context: ExchangeContext) {
        let wait: HeldRequest.Wait =
            switch decision.wait {
            case .none: .none
            case .real: .real(delay)
            case .virtual: .virtual(delay)
            }
        let stage = HeldRequest.Stage.decided(exchange: context.number, wait)
        _ = gates.hold(context.request.request, stage, at: post, context.arrival, context.now)
        open.add(context.number, route: context.route?.id, isParked: false)
    }

    // MARK: Drawing

    /// The armed fault of the route, else the response's own, if its probability strikes.
    private mutating func takeFault(of answer: Answer, in context: inout ExchangeContext) -> Fault? {
        var fault: Fault?
        var part: String?
        if case .scenario(let compiled) = answer.source { fault = compiled.response.fault }
        if let route = context.route?.id, let index = armedFaults.firstIndex(where: { $0.route == route }) {
            fault = armedFaults[index].fault
            part = armedFaults[index].part
            armedFaults[index].remaining -= 1
            if armedFaults[index].remaining <= 0 { armedFaults.remove(at: index) }
        }
        guard let fault, fault.probability >= 1 || context.chance.unit() < fault.probability else { return nil }
        if let part { notePlay(of: part, by: context.number) }
        return fault
    }

    private func wireFault(
        _ fault: Fault,
        of response: HTTPResponse,
        in context: inout ExchangeContext
    ) -> Decision.WireFault {
        switch fault.kind {
        case .reset: .reset
        case .empty, .lost: .empty
        case .never: .never
        case .malformedChunk: .malformedChunk
        case .truncated:
            // Never all of it, or nothing would be missing.
            .truncated(bodyBytes: max(0, min(response.body.count - 1, Int(Double(response.body.count) * fault.keep))))
        case .garbage: .garbage((0..<64).map { _ in UInt8(truncatingIfNeeded: context.chance.next()) | 0x80 })
        }
    }

    private func wait(of response: StubResponse, in context: inout ExchangeContext) -> (
        wait: Decision.Wait, delay: Duration
    ) {
        guard let latency = response.latency else { return (.none, .zero) }
        let delay = context.chance.wait(latency.distribution)
        guard delay > .zero else { return (.none, .zero) }
        return (latency.isVirtual ? .virtual(until: context.now + delay) : .real(delay), delay)
    }

    /// How long a response is held because a client that knows it behaves differently from one that does not.
    private func refusalHold(of response: HTTPResponse, _ fault: Fault?, in context: ExchangeContext) -> Duration {
        guard refusalHold > .zero, context.origin == nil, fault?.kind != .never else { return .zero }
        switch context.route?.purpose {
        case .refresh: return refusalHold
        case .signIn: return .zero
        case .resource, .signOut, .open, nil:
            let isRefused = context.offered.contains { token in
                token.isAccepted == false && stage.scenario.tokens.kind(named: token.wanted)?.isForeign == false
            }
            return isRefused || response.status.code == 401 ? refusalHold : .zero
        }
    }

    // MARK: Writing down

    private mutating func write(
        _ answer: Answer,
        _ response: HTTPResponse,
        _ fault: Fault?,
        _ wait: Duration,
        _ refusalHold: Duration,
        _ isCommitted: Bool,
        in context: inout ExchangeContext
    ) {
        var sharesBody = false
        var breaks: String?
        if case .scenario(let response) = answer.source {
            sharesBody = response.hasConstantBody
            breaks = response.response.breaks
        }
        journal.append(
            Exchange(
                number: context.number,
                time: context.now,
                arrival: context.arrival,
                lag: context.lag,
                connection: context.connection,
                launch: launch,
                origin: context.origin,
                hold: context.hold,
                request: context.request.request,
                route: context.route?.key ?? context.operation,
                answeredBy: context.answeredBy,
                nearest: answer.nearest,
                response: response,
                fault: fault?.kind,
                isCommitted: isCommitted,
                wait: wait,
                refusalHold: refusalHold,
                device: context.device,
                account: context.account,
                offered: context.offered,
                granted: context.granted.map { GrantedToken(kind: $0.kind, id: $0.token?.id, source: $0.source) },
                stateChanges: context.stateChanges,
                findings: findings(in: &context),
                violations: context.evaluation?.violations ?? [],
                breaks: breaks,
                sharesBody: sharesBody
            )
        )
    }

    /// What is worth telling about a request besides its answer.
    private func findings(in context: inout ExchangeContext) -> [Finding] {
        let exchange = Int(clamping: context.number)
        var findings: [Finding] = []
        if context.request.hasJSON, let document = context.request.json() {
            findings += document.duplicates.map { duplicate in
                Finding(
                    .warning,
                    id: "traffic/duplicate-name",
                    "the request body has \"\(duplicate.name)\" twice; the last one counts",
                    at: Place(position: duplicate.position.text, exchange: exchange)
                )
            }
        }
        if let error = context.request.multipartError, context.request.mediaType?.essence == "multipart/form-data" {
            findings.append(
                Finding(
                    .warning,
                    id: "traffic/unreadable-form",
                    "the request's parts cannot be read, so it counts as having none: \(error.sentence)",
                    at: Place(exchange: exchange)
                )
            )
        }
        return findings
    }

    /// Notes how an exchange ended on the wire.
    package mutating func end(_ exchange: UInt64, _ outcome: Exchange.Outcome, at now: RealTime) {
        if open.remove(exchange) { agenda.removeResponse(exchange) }
        journal.noteEnd(of: exchange, outcome, at: now)
        if gates.isHolding { noteAtGates(endOf: exchange, outcome, at: now) }
    }
}
