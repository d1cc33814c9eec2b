package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

extension Session {
    /// Makes the chosen response: draws its fault, changes what it changes, renders it, draws its wait, and writes the
    /// exchange down.
    mutating func commit(_ chosen: ChosenResponse, in context: inout ExchangeContext) -> Decision {
        var answer = possible(chosen, in: &context)
        if let key = answer.sequence { sequences[key, default: 0] &+= 1 }
        let fault = drawFault(of: answer, in: &context)
        // The response of an armed fault does nothing that the route would do.
        let isReplaced = context.armed?.response != nil
        let isCommitted = !isReplaced && fault?.commits ?? true
        // Made before the session is asked for anything else: an argument that changes the session would make a copy of it.
        var message = isCommitted ? perform(&answer, in: &context) : render(&answer, in: &context)
        if context.origin == nil, played.scenario.crossOrigin != nil {
            message = shared(message, with: context.request.request)
        }
        if !isReplaced { notePlay(of: answer, by: context.number, with: fault) }
        var decision = Decision(exchange: context.number, message: message, wait: .none)
        var delay = Duration.zero
        if case .scenario(let compiled) = answer.source {
            decision.pacing = compiled.response.pacing
            if compiled.isForwarded, !isReplaced {
                decision.forwarding = Decision.Forwarding(
                    status: compiled.response.tree["status"]?.int.flatMap { HTTPStatus(exactly: $0) },
                    fields: message.response.fields.filter { $0.lowercased() != "date" }
                )
            }
            (decision.wait, delay) = wait(of: compiled.response, in: &context)
            let isConstant =
                compiled.isConstant && answer.allowedMethods == nil && compiled.isPlain && !compiled.isForwarded
                && played.scenario.crossOrigin == nil
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
            (decision.wait, delay) = wait(latency, in: &context)
        }
        decision.fault = fault.map { wireFault($0, of: message, in: &context) }
        if decision.forwarding != nil { forward(&decision, fault, isCommitted, in: context) }
        decision.hold = refusalHold(of: message, fault, in: context)
        // Asked first, because it is large and rare.
        if context.stream != nil, fault == nil, context.gate == nil, context.request.request.method != .head,
            let stream = context.stream
        {
            decision.isStream = stream.staysOpen || !stream.pieces.isEmpty
            decision.webSocket = stream.webSocket
        }
        park(decision, delay, in: context)
        write(answer, decision.message, fault, delay, decision.hold, isCommitted, in: &context)
        if let route = context.route, isCommitted, decision.forwarding == nil {
            enterConsequences(of: route, status: message.status.code, at: context.now)
        }
        return decision
    }

    /// Lets the upstream respond; a connection that breaks before the server has done its work is not its concern.
    private mutating func forward(
        _ decision: inout Decision,
        _ fault: Fault?,
        _ isCommitted: Bool,
        in context: ExchangeContext
    ) {
        guard fault == nil || isCommitted else {
            decision.forwarding = nil
            return
        }
        var forwarding = decision.forwarding
        forwarding?.fault = decision.fault
        forwarding?.pacing = decision.pacing
        forwarding?.keep = fault?.keep ?? 1
        forwarding?.purpose = upstreamPurpose(in: context)
        forwarding?.time = context.now
        decision.forwarding = forwarding
        (decision.fault, decision.pacing) = (nil, nil)
        let response = render(.noUpstream, at: context.now)
        decision.response = response
        beginForwarding(isCommitted: isCommitted, in: context)
    }

    /// Notes that parts of the story were played; a fault is played only where it breaks the connection.
    private mutating func notePlay(of answer: ChosenResponse, by exchange: UInt64, with fault: Fault?) {
        guard case .scenario(let compiled) = answer.source else { return }
        for part in compiled.parts where part.kind != .fault || compiled.response.fault == fault {
            notePlay(of: part, by: exchange)
        }
    }

    /// - Parameter exchange: the one that played it; 0 where none did.
    mutating func notePlay(of part: StoryPart, by exchange: UInt64 = 0) {
        if plays[part.name]?.count ?? 0 < part.times { plays[part.name, default: []].append(exchange) }
    }

    /// Notes that an event of the story has happened.
    mutating func note(_ part: StoryPart, hasEffect: Bool) {
        if hasEffect { notePlay(of: part) } else { idleEvents.insert(part.name) }
    }

    /// Replaces a response that the request cannot fill by the response that says so.
    ///
    /// The sequence that the response belongs to does not count on, since the response was not given.
    private mutating func possible(_ answer: ChosenResponse, in context: inout ExchangeContext) -> ChosenResponse {
        guard case .scenario(let response) = answer.source, let problem = impossibility(of: response, in: &context)
        else {
            return answer
        }
        if context.origin == nil, let own = played.script.invalidRequest, unfillable(own.demands, in: &context) == nil {
            context.answeredBy = "invalidRequest"
            return ChosenResponse(own)
        }
        return ChosenResponse(problem)
    }

    /// Returns the reason why a response cannot be made for a request; `nil` if it can.
    mutating func impossibility(of response: CompiledResponse, in context: inout ExchangeContext) -> Problem? {
        if response.isWebSocket, let refusal = refusal(of: response.response, in: context) { return refusal }
        if let lacking = unfillable(response.demands, in: &context) { return .unfillable(lacking) }
        guard let name = response.demandedContent, content(of: name, in: context) == nil else { return nil }
        return .noContent(name)
    }

    /// Does what the response does, and makes its message; where that turns out to be impossible, the response says so.
    private mutating func perform(_ answer: inout ChosenResponse, in context: inout ExchangeContext) -> ResponseMessage
    {
        for id in context.reused { noteReuse(of: id, at: context.now) }
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
                return isPlain ? message : .made(delivered(message.response, of: response.response, in: &context))
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
        render(context.armedHeaders, to: &response.fields, in: &context)
        for (name, value) in context.requiredFields where !response.fields.contains(name) {
            response.fields.append(name, value)
        }
        return .made(response)
    }

    /// Remembers an exchange whose response takes time, for as long as it takes.
    ///
    /// One that is answered at once was never in flight: its client may ask again before the server has noticed that
    /// the response has left.
    private mutating func park(_ decision: Decision, _ delay: Duration, in context: ExchangeContext) {
        var isParked = false
        if let gate = context.gate {
            hold(decision, delay, at: gate, in: context)
            return
        }
        switch decision.wait {
        case .none:
            if decision.hold > .zero { gates.noteHold(until: context.arrival.advanced(by: decision.hold)) }
            guard
                decision.pacing != nil || decision.fault == .never || decision.isStream || decision.forwarding != nil
            else {
                if decision.hold > .zero { open.addHeld(context.number) }
                return
            }
        case .real:
            if decision.hold > .zero { gates.noteHold(until: context.arrival.advanced(by: delay + decision.hold)) }
        case .virtual(let due):
            agenda.add(.response(exchange: context.number), due: due)
            isParked = true
        }
        if decision.isStream, let stream = context.stream {
            open(stream, after: delay, in: context)
            // A stream without a piece to come waits for nothing; see sendStreamPiece(of:at:).
            let isAwaited = context.route.map { agenda.hasPush(to: $0.key) } ?? false
            if stream.pieces.isEmpty, !isAwaited, !isParked { return }
            isParked = true
        }
        open.add(context.number, route: context.route?.id, isParked: isParked)
    }

    /// Remembers an exchange whose response waits at a gate; it is in flight until it has left.
    private mutating func hold(_ decision: Decision, _ delay: Duration, at gate: Int, in context: ExchangeContext) {
        let wait: GatedRequest.Wait =
            switch decision.wait {
            case .none: .none
            case .real: .real(delay)
            case .virtual: .virtual(delay)
            }
        let phase = GatedRequest.Phase.decided(exchange: context.number, wait)
        _ = gates.hold(context.request.request, phase, at: gate, context.arrival, context.now)
        open.add(context.number, route: context.route?.id, isParked: false)
    }

    // MARK: Drawing

    /// The fault that was armed for the request, else the response's own, if its probability strikes.
    private mutating func drawFault(of answer: ChosenResponse, in context: inout ExchangeContext) -> Fault? {
        var fault: Fault?
        if case .scenario(let compiled) = answer.source { fault = compiled.response.fault }
        if let armed = context.armed?.fault { fault = armed }
        guard let fault, fault.probability >= 1 || context.chance.unit() < fault.probability else { return nil }
        if let part = context.armed?.part { notePlay(of: part, by: context.number) }
        return fault
    }

    private func wireFault(
        _ fault: Fault,
        of message: ResponseMessage,
        in context: inout ExchangeContext
    ) -> WireFault {
        switch fault.kind {
        case .reset: .reset
        case .empty, .lost: .empty
        case .never: .never
        case .malformedChunk: .malformedChunk
        case .truncated:
            // Never all of it, or nothing would be missing.
            .truncated(bodyBytes: max(0, min(message.body.count - 1, Int(Double(message.body.count) * fault.keep))))
        case .garbage: .garbage((0..<64).map { _ in UInt8(truncatingIfNeeded: context.chance.next()) | 0x80 })
        }
    }

    private func wait(of response: StubResponse, in context: inout ExchangeContext) -> (
        wait: Decision.Wait, delay: Duration
    ) {
        response.latency.map { wait($0, in: &context) } ?? (.none, .zero)
    }

    private func wait(_ latency: Latency, in context: inout ExchangeContext) -> (wait: Decision.Wait, delay: Duration) {
        let delay = context.chance.wait(latency.distribution)
        guard delay > .zero else { return (.none, .zero) }
        return (latency.isVirtual ? .virtual(until: context.now + delay) : .real(delay), delay)
    }

    /// Returns the time for which a response is held because a client that knows it behaves differently from one that
    /// does not.
    private func refusalHold(of response: ResponseMessage, _ fault: Fault?, in context: ExchangeContext) -> Duration {
        guard refusalHold > .zero, context.origin == nil, fault?.kind != .never else { return .zero }
        switch context.purpose {
        case .refresh: return refusalHold
        case .signIn: return .zero
        case .resource, .signOut, .open, nil:
            let isRefused = context.offered.contains { token in
                token.isAccepted == false && played.scenario.tokens.kind(named: token.wanted)?.isForeign == false
            }
            let isPostponed = !response.status.isSuccessful && response.contains("Retry-After")
            return isRefused || isPostponed || response.status.code == 401 ? refusalHold : .zero
        }
    }

    // MARK: Writing down

    private mutating func write(
        _ answer: ChosenResponse,
        _ message: ResponseMessage,
        _ fault: Fault?,
        _ wait: Duration,
        _ refusalHold: Duration,
        _ isCommitted: Bool,
        in context: inout ExchangeContext
    ) {
        var details = ExchangeDetails.Content()
        if case .scenario(let response) = answer.source {
            if case .made = message { details.sharesBody = response.constantBody != nil }
            details.breaks = response.response.breaks
        }
        let process = client.process(of: context.connection)
        details.process = process
        details.origin = context.origin
        details.hold = context.hold
        details.answeredBy = context.answeredBy
        details.nearest = answer.nearest
        details.fault = fault?.kind
        details.armedFault = context.armed.flatMap { $0.part == nil ? $0.number : nil }
        details.isCommitted = isCommitted
        details.wait = wait
        details.refusalHold = refusalHold
        details.device = context.device
        details.account = context.account
        details.offered = context.offered
        details.granted = context.granted.map { GrantedToken(kind: $0.kind, id: $0.token?.id, source: $0.source) }
        details.stateChanges = context.stateChanges
        details.findings = findings(in: &context)
        details.violations = context.evaluation?.violations ?? []
        var request = context.request.request
        if context.hidesBody { request.body = [] }
        journal.append(
            Exchange(
                number: context.number,
                time: context.now,
                arrival: context.arrival,
                lag: context.lag,
                connection: context.connection,
                launch: client.launch(of: process),
                request: request,
                sharesRequest: context.sharesRequest,
                route: context.route?.key ?? context.operation,
                message: message,
                details: ExchangeDetails(details)
            )
        )
    }

    /// The notable data about a request in addition to its response.
    private func findings(in context: inout ExchangeContext) -> [Finding] {
        let exchange = Int(clamping: context.number)
        var findings: [Finding] = []
        func tell(_ severity: Finding.Severity, _ id: String, _ message: String, at position: TextPosition? = nil) {
            findings.append(Finding(severity, id: id, message, at: Place(position: position, exchange: exchange)))
        }
        if context.request.hasJSON, let document = context.request.json() {
            for duplicate in document.duplicates {
                let message = "the request body contains \"\(duplicate.name)\" twice; the last value is used"
                tell(.warning, "traffic/duplicate-name", message, at: duplicate.position.text)
            }
        }
        if let error = context.request.multipartError, context.request.mediaType?.essence == "multipart/form-data" {
            tell(
                .warning,
                "traffic/unreadable-form",
                "the request's parts cannot be read and are ignored: \(error.sentence)"
            )
        }
        if let error = context.codingError {
            tell(.warning, "traffic/undecodable-body", "the request body cannot be decoded: \(error.sentence)")
        }
        let kinds = context.notes.count > 1 ? Set(context.notes.map { context.offered[$0.entry].wanted }).sorted() : []
        for kind in kinds {
            let texts = context.notes.filter { context.offered[$0.entry].wanted == kind }.map { $0.text.exact }
            guard Set(texts).count > 1 else { continue }
            tell(
                .note,
                "traffic/several-tokens",
                "the request contains \(Set(texts).count) different tokens of the kind \(kind); only the token in "
                    + "the first location is used"
            )
        }
        for note in context.notes where note.token == nil && isOwn(context.offered[note.entry].wanted) {
            guard let problem = keys.problem(of: note.text) else { continue }
            tell(
                .note,
                "traffic/unverified-token",
                "the request contains a token that this server did not sign: \(problem)"
            )
        }
        return findings
    }

    private func isOwn(_ kind: String) -> Bool {
        played.scenario.tokens.kind(named: kind).map { !$0.isForeign && $0.format == .jwt } ?? false
    }

    /// A Boolean value that indicates whether the end of an exchange may let something happen: at a gate, or on a clock
    /// that waits for quiet.
    package var waitsForEnds: Bool { clock.mode == .automatic || !gates.states.isEmpty }

    /// Notes that a response has left that was never in flight.
    package mutating func noteSent(_ exchange: UInt64, at now: MonotonicTime) {
        journal.noteEnd(of: exchange, .sent, at: max(now, latest))
    }

    /// Notes how an exchange ended on the wire.
    package mutating func end(_ exchange: UInt64, _ outcome: ExchangeOutcome, at now: MonotonicTime) {
        if streams.removeValue(forKey: exchange) != nil {
            // Its next piece will find no stream.
            _ = open.remove(exchange)
        } else if open.remove(exchange) {
            agenda.removeResponse(exchange)
        }
        journal.noteEnd(of: exchange, outcome, at: now)
        if !upstream.requests.isEmpty, endForwarding(exchange) != nil, outcome != .sent {
            journal.noteMissingResponse(to: exchange, outcome)
        }
        if gates.isHolding { noteAtGates(endOf: exchange, outcome, at: now) }
    }
}

extension Session {
    /// The virtual time, without letting anything happen.
    package func time(at now: MonotonicTime) -> VirtualTime {
        clock.read(at: max(now, latest))
    }

    /// Lets everything happen that has become due, in order, and returns the virtual time.
    ///
    /// It need not be called at the very moment: an event that is late happens as it would have happened then.
    @discardableResult
    package mutating func catchUp(at now: MonotonicTime) -> VirtualTime {
        latest = max(latest, now)
        while let (due, item) = agenda.take(dueBy: clock.read(at: latest)) {
            switch item {
            case .event(let event), .consequence(let event):
                let moment = clock.revisit(due, by: latest)
                apply(event, at: due, moment)
            case .response(let exchange):
                releaseHead(of: exchange)
                if refusalHold > .zero { gates.noteHold(until: latest.advanced(by: refusalHold)) }
                effects.append(.released(exchange: exchange))
            case .streamPiece(let exchange): sendStreamPiece(of: exchange, at: due)
            case .streamToken(let exchange): checkStreamToken(of: exchange, at: due)
            }
        }
        let time = clock.read(at: latest)
        if !armedFaults.isEmpty { endFaults(at: time) }
        return time
    }

    /// Moves the clock forward; what is due on the way happens at its own moment and in order.
    ///
    /// An event in between that moves the clock has its effect as well: the rest of the advance still follows.
    package mutating func advance(by duration: Duration, at now: MonotonicTime) {
        catchUp(at: now)
        clock.shift(by: duration, at: latest)
        catchUp(at: now)
    }

    /// The real moment at which a parked response, or an event before it, becomes due by itself; `nil` when none does.
    package func nextRelease(at now: MonotonicTime) -> MonotonicTime? {
        guard open.parkedCount > 0 || hasOpenStreams else { return nil }
        return agenda.next.flatMap { clock.arrival(of: $0, at: max(now, latest)) }
    }

    /// A Boolean value that indicates whether an automatic clock has nothing left to wait for but time itself.
    package var isWaitingForTime: Bool {
        clock.mode == .automatic && open.isWaitingForTime && !gates.isHolding
    }

    /// A Boolean value that indicates whether an automatic clock may move for a client that sleeps: every open exchange
    /// waits for time, if there is any.
    package var isIdleOnAutomaticClock: Bool {
        clock.mode == .automatic && open.parkedCount == open.total && !gates.isHolding
    }

    /// The next moment at which something is due.
    package var nextDue: VirtualTime? { agenda.next }

    /// The next due events, the earliest first: time, description, and position in the scenario.
    package func upcoming(atMost limit: Int) -> [(due: VirtualTime, what: String, position: JSONPosition?)] {
        agenda.first(limit).map { due, item in
            switch item {
            case .event(let event), .consequence(let event): (due, event.action.words, event.position)
            case .response(let exchange): (due, "the response in exchange \(exchange)", nil)
            case .streamPiece(let exchange): (due, "the next part of the stream in exchange \(exchange)", nil)
            case .streamToken(let exchange): (due, "the token for the stream in exchange \(exchange) expires", nil)
            }
        }
    }

    /// Lets an automatic clock jump to the next due moment, if every open exchange waits for it.
    package mutating func jumpIfWaiting(at now: MonotonicTime) {
        catchUp(at: now)
        guard isWaitingForTime, let next = agenda.next else { return }
        clock.set(next, at: latest)
        catchUp(at: now)
    }
}

extension Session {
    /// The moments that a token of ours may name: those that a date can be written for.
    private static let moments = 0...253_402_300_799

    /// Takes in a token that the same scenario issued before a restart.
    ///
    /// Its kind is inferred from its lifetime and its claims, because many backends put neither kind nor device into a token.
    mutating func adopt(_ text: String, as wanted: String, device: String?) -> Token? {
        guard
            text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2,
            let claims = keys.claims(of: text),
            let issued = claims["iat"]?.number?.int, Self.moments.contains(issued),
            let expires = claims["exp"]?.number?.int, Self.moments.contains(expires)
        else { return nil }
        let kinds = played.scenario.tokens.kinds.filter {
            !$0.isForeign && $0.format == .jwt && $0.lifetime.components.seconds == Int64(expires - issued)
        }
        let accounts = played.scenario.accounts.map(\.name) + [defaultAccount]
        for kind in kinds.filter({ $0.name == wanted }) + kinds.filter({ $0.name != wanted }) {
            for account in accounts {
                guard let owner = owner(of: claims, kind, account: account, issued: issued) else { continue }
                return enter(text, kind, owner, on: device, issued: issued, expires: expires)
            }
        }
        return nil
    }

    /// The owner of a token according to its claims.
    private struct Owner {
        var account: String
        var device: String?
    }

    private mutating func enter(
        _ text: String,
        _ kind: TokenKind,
        _ owner: Owner,
        on sender: String?,
        issued: Int,
        expires: Int
    ) -> Token {
        let device =
            owner.device ?? sender ?? ledger.devices.first { $0.account.exact == owner.account.exact }?.name
            ?? ledger.nextUnnamedDevice()
        if ledger.device(named: device) == nil { ledger.signIn(device: device, account: owner.account) }
        let token = Token(
            id: ledger.nextID(of: kind.name),
            kind: kind.name,
            value: text,
            device: device,
            account: owner.account,
            family: ledger.device(named: device)?.family ?? 1,
            issued: VirtualTime(seconds: Int64(issued)),
            expires: VirtualTime(seconds: Int64(expires))
        )
        ledger.enter(adopted: token, owner: played.scenario.tokens.stored)
        return token
    }

    /// The owner of a token of a kind with these claims, if the account's tokens have such.
    private mutating func owner(
        of claims: JSONObject,
        _ kind: TokenKind,
        account: String,
        issued: Int
    ) -> Owner? {
        guard let template = kind.claims else { return Owner(account: account) }
        let sources = template.placeholders.flatMap(\.sources)
        let namesDevice = sources.contains { if case .deviceName = $0 { true } else { false } }
        // Which of the texts is the device is found out by trying.
        let devices = namesDevice ? claims.members.compactMap(\.value.string) : [""]
        let isRepeatable = sources.allSatisfy(\.isRepeatable)
        // Rendering may count on.
        let saved = counters
        defer { counters = saved }
        for device in devices {
            let time = VirtualTime(seconds: Int64(issued))
            guard
                let expected = self.claims(
                    of: kind,
                    for: Token(
                        id: "",
                        kind: kind.name,
                        value: "",
                        device: device,
                        account: account,
                        family: 1,
                        issued: time,
                        expires: time + kind.lifetime
                    )
                )?.object
            else { continue }
            let fits = expected.members.allSatisfy { member in
                claims[member.name].map { $0 == member.value || !isRepeatable } ?? false
            }
            if fits { return Owner(account: account, device: namesDevice ? device : nil) }
        }
        return nil
    }
}

extension Placeholder.Source {
    /// A Boolean value that indicates whether it gives the same value again for the same account, device and moment.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .counter, .currentCounter, .randomInteger, .randomHex, .randomChoice, .uuid, .state: false
        default: true
        }
    }
}
