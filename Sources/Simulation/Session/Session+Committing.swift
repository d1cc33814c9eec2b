import Findings
import HTTPWire
import JSONText
import ScenarioFormat

extension Session {
    /// Makes the chosen reply: draws its fault and its wait, changes what it changes, renders it, and writes the
    /// exchange down.
    mutating func commit(
        _ answer: Answer,
        in context: inout ExchangeContext,
        at now: RealTime,
        connection: UInt64
    ) -> Decision {
        var fault: Fault?
        var wait = Decision.Wait.none
        var delay = Duration.zero
        var pacing: Pacing?
        var isCommitted = true
        let response: HTTPResponse
        switch possible(answer.source, in: &context) {
        case .problem(let problem): response = problem.response.dated(context.now + clock.skew)
        case .scenario(let reply):
            fault = takeFault(of: reply, in: &context)
            isCommitted = fault?.commits != false
            if isCommitted { change(by: reply, in: &context, now) }
            let counted = counters
            response = render(reply, in: &context)
            if !isCommitted { counters = counted }
            pacing = reply.pacing
            (wait, delay) = self.wait(of: reply, in: &context)
        }
        keepOpen(context.number, context.route, wait, takesTime: pacing != nil || fault?.kind == .never)
        write(answer, response, fault, delay, isCommitted, in: &context, at: now, connection)
        if let route = context.route, isCommitted {
            enterConsequences(of: route, status: response.status.code, at: context.now, now)
        }
        return Decision(
            exchange: context.number,
            response: response,
            wait: wait,
            pacing: pacing,
            fault: fault.map { wireFault($0, of: response, in: &context) }
        )
    }

    /// Remembers an exchange whose reply takes time, for as long as it takes.
    ///
    /// One that is answered at once was never in flight: its client may ask again before the server has noticed that
    /// the reply has left.
    private mutating func keepOpen(_ number: UInt64, _ route: String?, _ wait: Decision.Wait, takesTime: Bool) {
        switch wait {
        case .none: if takesTime { open[number] = OpenExchange(route: route, isParked: false) }
        case .real: open[number] = OpenExchange(route: route, isParked: false)
        case .virtual(let due):
            agenda.add(.reply(exchange: number), due: due)
            open[number] = OpenExchange(route: route, isParked: true)
        }
    }

    /// Replaces a reply that the request cannot fill by the answer that says so.
    private mutating func possible(_ source: Answer.Source, in context: inout ExchangeContext) -> Answer.Source {
        guard
            case .scenario(let reply) = source,
            let lacking = unfillable(reply.placeholders, in: &context)
        else { return source }
        if let own = stage.scenario.invalidRequest, unfillable(own.placeholders, in: &context) == nil {
            return .scenario(own)
        }
        return .problem(.unfillable(lacking))
    }

    // MARK: Drawing

    /// The armed fault of the route, else the reply's own, if its probability strikes.
    private mutating func takeFault(of reply: Reply, in context: inout ExchangeContext) -> Fault? {
        if let index = armedFaults.firstIndex(where: { $0.route == context.route }) {
            armedFaults[index].remaining -= 1
            let fault = armedFaults[index].fault
            if armedFaults[index].remaining <= 0 { armedFaults.remove(at: index) }
            return fault
        }
        guard let fault = reply.fault else { return nil }
        return fault.probability >= 1 || context.chance.unit() < fault.probability ? fault : nil
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
        case .truncated: .truncated(bodyBytes: Int(Double(response.body.count) * fault.keep))
        case .garbage: .garbage((0..<64).map { _ in UInt8(truncatingIfNeeded: context.chance.next()) | 0x80 })
        }
    }

    private func wait(of reply: Reply, in context: inout ExchangeContext) -> (wait: Decision.Wait, delay: Duration) {
        guard let latency = reply.latency else { return (.none, .zero) }
        let delay = context.chance.wait(latency.distribution)
        guard delay > .zero else { return (.none, .zero) }
        return (latency.isVirtual ? .virtual(until: context.now + delay) : .real(delay), delay)
    }

    // MARK: Changing

    private mutating func change(by reply: Reply, in context: inout ExchangeContext, _ now: RealTime) {
        signIn(by: reply, in: &context)
        grant(reply.grants, in: &context)
        for event in reply.changes {
            if case .changeStates(let changes, _) = event.action { context.stateChanges += changes }
            apply(event, at: context.now, now, caller: (context.device, context.account))
        }
    }

    /// Starts a family for a reply that says so, or that grants tokens to somebody without one.
    private mutating func signIn(by reply: Reply, in context: inout ExchangeContext) {
        let isRefresh = context.offered.contains { $0.isAccepted == true && $0.id != nil }
        guard reply.signIn != nil || (!reply.grants.isEmpty && !isRefresh) else { return }
        let wanted = reply.signIn?.device.map { render($0, in: &context) }
        let header = stage.scenario.deviceHeader.flatMap { context.request.request.fields[$0] }
        let device = [wanted, header].compactMap { $0 }.first { !$0.isEmpty } ?? ledger.nextUnnamedDevice()
        let account = reply.signIn?.account.map { render($0, in: &context) } ?? defaultAccount
        ledger.signIn(device: device, account: account)
        (context.device, context.account) = (device, account)
    }

    private mutating func grant(_ grants: [Grant], in context: inout ExchangeContext) {
        let used = context.offered.filter { $0.isAccepted == true }.compactMap(\.id)
        let device = used.first.flatMap { ledger.token(id: $0)?.device } ?? context.device
        for grant in grants {
            var token: Token?
            switch (grant.source, device) {
            case (.new, let device?):
                rotate(grant.kind, used, at: context.now)
                token = issue(grant.kind, device: device, parent: used.first, at: context.now)
            case (.stored, let device?):
                token = ledger.storedToken(of: grant.kind, device: device, owner: stage.scenario.tokens.stored)
            default: break
            }
            context.granted.append((grant.kind, token, grant.source))
        }
    }

    /// Supersedes the offered tokens of a kind that is being replaced, where the kind rotates.
    private mutating func rotate(_ kind: String, _ used: [String], at time: VirtualTime) {
        guard stage.scenario.tokens.kind(named: kind)?.rotation != nil else { return }
        for id in used where ledger.token(id: id)?.kind == kind { ledger.supersede(id, at: time) }
    }

    // MARK: Writing down

    private mutating func write(
        _ answer: Answer,
        _ response: HTTPResponse,
        _ fault: Fault?,
        _ wait: Duration,
        _ isCommitted: Bool,
        in context: inout ExchangeContext,
        at now: RealTime,
        _ connection: UInt64
    ) {
        journal.append(
            Exchange(
                number: context.number,
                time: context.now,
                arrival: now,
                connection: connection,
                request: context.request.request,
                route: context.route,
                answeredBy: context.guardName,
                nearest: answer.nearest,
                response: response,
                fault: fault?.kind,
                isCommitted: isCommitted,
                wait: wait,
                device: context.device,
                account: context.account,
                offered: context.offered,
                granted: context.granted.map { GrantedToken(kind: $0.kind, id: $0.token?.id, source: $0.source) },
                stateChanges: context.stateChanges,
                findings: findings(in: &context)
            )
        )
    }

    /// What is worth telling about a request besides its answer.
    private func findings(in context: inout ExchangeContext) -> [Finding] {
        guard context.request.hasJSON, let document = context.request.json() else { return [] }
        return document.duplicates.map { duplicate in
            Finding(
                .warning,
                id: "traffic/duplicate-name",
                "the request body has \"\(duplicate.name)\" twice; the last one counts",
                at: Place(position: duplicate.position.text, exchange: Int(clamping: context.number))
            )
        }
    }

    /// Notes how an exchange ended on the wire.
    package mutating func end(_ exchange: UInt64, _ outcome: Exchange.Outcome, at now: RealTime) {
        if open.removeValue(forKey: exchange)?.isParked == true { agenda.removeReply(exchange) }
        journal.update(exchange) {
            $0.outcome = outcome
            $0.end = now
        }
    }
}

extension HTTPResponse {
    /// The same with a `Date` field in front.
    fileprivate func dated(_ time: VirtualTime) -> HTTPResponse {
        var response = self
        var fields = HTTPFields()
        fields.append("Date", HTTPDate.text(secondsSince1970: time.seconds))
        for (name, value) in self.fields { fields.append(name, value) }
        response.fields = fields
        return response
    }
}
