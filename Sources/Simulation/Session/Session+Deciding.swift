package import HTTPWire
import JSONText
import ScenarioFormat

extension Session {
    /// Decides what a request is answered, changes the session accordingly, and writes the exchange into the journal.
    ///
    /// The order is the one of a careful server: guards that look before the tokens, the tokens, guards that look
    /// after them, the route's cases, the reply. Nothing changes before the reply is known to be possible.
    ///
    /// - Parameters:
    ///   - request: the complete request.
    ///   - now: when it was complete, on the machine's clock.
    ///   - connection: which connection it came on, for the journal.
    package mutating func decide(_ request: HTTPRequest, at now: RealTime, connection: UInt64 = 0) -> Decision {
        let time = catchUp(at: now)
        lastExchange += 1
        var context = ExchangeContext(
            number: lastExchange,
            now: time,
            request: RequestView(request),
            chance: Chance(seed: seed, stream: lastExchange)
        )
        let answer = answer(to: &context, now)
        return commit(answer, in: &context, at: now, connection: connection)
    }

    /// The reply that was chosen, and why.
    struct Answer {
        enum Source {
            case scenario(Reply)
            case problem(Problem)
        }

        var source: Source
        var nearest: NearestRoute?

        init(_ reply: Reply, nearest: NearestRoute? = nil) {
            source = .scenario(reply)
            self.nearest = nearest
        }

        init(_ problem: Problem, nearest: NearestRoute? = nil) {
            source = .problem(problem)
            self.nearest = nearest
        }
    }

    // MARK: Choosing

    private mutating func answer(to context: inout ExchangeContext, _ now: RealTime) -> Answer {
        let request = context.request.request
        switch stage.tree.match(request) {
        case .route(let index, let parameters):
            let route = stage.scenario.routes[index]
            context.route = route.key.text
            context.request.parameters = parameters
            return answer(of: route, to: &context)
        case .otherMethods(let allowed):
            noteTokens(in: &context)
            if request.method == .options { return Answer(.options(allowed)) }
            if let reply = stage.scenario.wrongMethod { return Answer(reply.allowing(allowed)) }
            return Answer(
                .wrongMethod(request, allowed),
                nearest: NearestRoute(to: request, among: stage.scenario.routes)
            )
        case .none:
            noteTokens(in: &context)
            if request.method == .options, request.target == "*" { return Answer(.options(stage.tree.allMethods)) }
            let nearest = NearestRoute(to: request, among: stage.scenario.routes)
            if let reply = stage.scenario.unmatched { return Answer(reply, nearest: nearest) }
            return Answer(.unmatched(request, nearest), nearest: nearest)
        }
    }

    private mutating func answer(of route: Route, to context: inout ExchangeContext) -> Answer {
        noteTokens(in: &context)
        if let refusal = firstGuard(stage.scenario.earlyGuards, in: &context) { return refusal }
        for requirement in route.requirements {
            if let refusal = judge(requirement, in: &context) { return refusal }
        }
        if let refusal = firstGuard(stage.scenario.lateGuards, in: &context) { return refusal }
        for (index, branch) in route.cases.enumerated() where holds(branch.condition, in: &context) {
            context.guardName = "case \(index + 1)"
            return next(of: branch.replies, SequenceKey(route: route.key.text, branch: index))
        }
        return next(of: route.replies, SequenceKey(route: route.key.text, branch: nil))
    }

    private mutating func firstGuard(_ guards: [Guard], in context: inout ExchangeContext) -> Answer? {
        for rule in guards where holds(rule.condition, in: &context) {
            context.guardName = rule.name
            return Answer(rule.reply)
        }
        return nil
    }

    /// The next reply of a sequence; counting on is part of the answer, also when the answer then breaks.
    private mutating func next(of sequence: ReplySequence, _ key: SequenceKey) -> Answer {
        guard !sequence.listed.isEmpty else {
            return sequence.own.map { Answer($0) } ?? Answer(.noCase(key.route))
        }
        let position = sequences[key, default: 0]
        sequences[key] = position &+ 1
        if position < sequence.listed.count { return Answer(sequence.listed[position]) }
        switch sequence.afterLast {
        case .repeatLast: return Answer(sequence.listed[sequence.listed.count - 1])
        case .loop: return Answer(sequence.listed[position % sequence.listed.count])
        case .own: return sequence.own.map { Answer($0) } ?? Answer(.noCase(key.route))
        case .fail: return Answer(.exhausted(key.route, sequence.listed.count))
        }
    }

    // MARK: Tokens

    /// Finds out who is asking, from the device header and from whatever tokens the request carries.
    private mutating func noteTokens(in context: inout ExchangeContext) {
        if let header = stage.scenario.deviceHeader { context.device = context.request.request.fields[header] }
        var seen: Set<String> = []
        for (kind, carrier) in stage.carriers {
            guard case .text(let text) = presented([carrier], in: &context.request), seen.insert(text).inserted else {
                continue
            }
            note(text, wanted: kind, in: &context)
        }
        if context.account == nil, let device = context.device {
            context.account = ledger.device(named: device)?.account
        }
    }

    private mutating func note(_ text: String, wanted: String, in context: inout ExchangeContext) {
        guard let token = known(text, at: context.now) else {
            context.offered.append(OfferedToken(wanted: wanted, standing: .unknown))
            return
        }
        if context.device == nil { context.device = token.device }
        if context.account == nil { context.account = token.account }
        context.offered.append(
            OfferedToken(token, wanted: token.kind, as: token.standing(at: context.now), at: context.now)
        )
    }

    /// Judges one token that the route wants; returns the refusal if it is not accepted.
    private mutating func judge(_ requirement: TokenRequirement, in context: inout ExchangeContext) -> Answer? {
        guard let kind = stage.scenario.tokens.kind(named: requirement.kind) else { return nil }
        let presented = presented(requirement.carriers ?? kind.carriers, in: &context.request)
        var token: Token?
        let standing: TokenStanding
        switch presented {
        case .missing: standing = .missing
        case .malformed: standing = .malformed
        case .text(let text):
            token = known(text, at: context.now)
            standing = token.map { self.standing(of: $0, as: kind.name, at: context.now) } ?? .unknown
        }
        let isAccepted = requirement.accepted.contains(standing)
        record(token, standing, isAccepted, wanted: kind.name, in: &context)
        if let token { punishReuse(of: token, standing: standing) }
        guard !isAccepted else { return nil }
        let reply =
            requirement.rejections.reply(to: standing) ?? kind.rejections.reply(to: standing)
        return reply.map { Answer($0) } ?? Answer(.refused(kind, standing))
    }

    /// Puts a judged token into the journal's list, in place of the entry that only noted it.
    private func record(
        _ token: Token?,
        _ standing: TokenStanding,
        _ isAccepted: Bool,
        wanted: String,
        in context: inout ExchangeContext
    ) {
        var entry =
            token.map { OfferedToken($0, wanted: wanted, as: standing, at: context.now) }
            ?? OfferedToken(wanted: wanted, standing: standing)
        entry.isAccepted = isAccepted
        let noted = context.offered.firstIndex { $0.isAccepted == nil && $0.id == token?.id && standing != .missing }
        if let noted { context.offered[noted] = entry } else { context.offered.append(entry) }
    }
}

extension OfferedToken {
    init(_ token: Token, wanted: String, as standing: TokenStanding, at now: VirtualTime) {
        self.init(
            wanted: wanted,
            kind: token.kind,
            id: token.id,
            standing: standing,
            device: token.device,
            age: now - token.issued,
            timeLeft: token.expires - now
        )
    }
}

extension [Rejection] {
    /// The answer to a standing: its own, else that of a more general standing, else the one for every other.
    fileprivate func reply(to standing: TokenStanding) -> Reply? {
        var candidate: TokenStanding? = standing
        while let wanted = candidate {
            if let rejection = first(where: { $0.standing == wanted }) { return rejection.reply }
            candidate = wanted.general
        }
        return first { $0.standing == nil }?.reply
    }
}

extension Reply {
    /// The backend's own answer to a wrong method, with the `Allow` that such an answer must have (RFC 9110, section
    /// 15.5.6), unless the scenario says something else.
    fileprivate func allowing(_ methods: [String]) -> Reply {
        guard status == 405, !headers.contains(where: { $0.name.lowercased() == "allow" }) else { return self }
        var reply = self
        let value = TextTemplate(parts: [.literal(methods.joined(separator: ", "))])
        reply.headers.append(HeaderTemplate(name: "Allow", value: value))
        return reply
    }
}
