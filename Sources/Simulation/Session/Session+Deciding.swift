package import HTTPCodec
import ScenarioFormat

extension Session {
    /// Decides what a request is answered, changes the session accordingly, and writes the exchange into the journal.
    ///
    /// The order is the one of a careful server: guards that look before the tokens, the tokens, guards that look
    /// after them, what a story lists for the route, the route's cases, the response. Nothing changes before the response is known to be possible.
    ///
    /// A response that waits on the virtual clock may be released at once, when its own exchange moves the clock; so ask
    /// ``takeReleased()`` after every decision.
    ///
    /// - Parameters:
    ///   - request: the complete request.
    ///   - now: when it was complete, on the machine's clock.
    ///   - lag: how much earlier it may have come than the server noticed.
    ///   - connection: which connection it came on, for the journal.
    ///   - counsel: what the contract says about the request, where there is one.
    ///   - origin: the other server that is asked; `nil` for the backend itself. The backend's guards, gates and
    ///     contract do not apply there.
    package mutating func decide(
        _ request: HTTPRequest,
        at now: RealTime,
        lag: Duration = .zero,
        connection: UInt64 = 0,
        evaluation: ContractEvaluation? = nil,
        origin: String? = nil
    ) -> Decision {
        decide(request, arrival: now, at: now, lag: lag, connection, origin == nil ? evaluation : nil, origin: origin)
    }

    /// Decides a request that may have come earlier, or whose response is to wait at a gate.
    ///
    /// - Parameters:
    ///   - arrival: when the request was complete.
    ///   - hold: the gate that held or holds it.
    ///   - post: the number of the gate that its response is to wait at.
    mutating func decide(
        _ request: HTTPRequest,
        arrival: RealTime,
        at now: RealTime,
        lag: Duration = .zero,
        _ connection: UInt64,
        _ evaluation: ContractEvaluation?,
        origin: String? = nil,
        hold: GateHold? = nil,
        post: Int? = nil
    ) -> Decision {
        let time = catchUp(at: now)
        lastExchange += 1
        if firstArrival == nil { firstArrival = arrival }
        var context = ExchangeContext(
            number: lastExchange,
            now: time,
            arrival: arrival,
            connection: connection,
            request: RequestView(request),
            chance: Chance(seed: seed, stream: lastExchange)
        )
        context.lag = lag
        context.evaluation = evaluation
        context.origin = origin
        context.hold = hold
        context.post = post
        let answer = answer(to: &context)
        let decision = commit(answer, in: &context)
        catchUp(at: now)
        return decision
    }

    private mutating func answer(to context: inout ExchangeContext) -> Answer {
        let request = context.request.request
        let script = stage.script
        if let origin = context.origin { return answer(at: origin, to: &context) }
        if let answer = counselled(&context) { return answer }
        switch script.tree.match(request) {
        case .route(let index, let parameters):
            return answer(of: script.routes[index], with: parameters, to: &context)
        case .otherMethods(let allowed):
            noteTokens(in: &context)
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context) }
            if request.method == .options { return Answer(.options(allowed)) }
            var answer = answer(of: script.wrongMethod, to: &context) ?? Answer(.wrongMethod(request, allowed))
            answer.nearest = NearestRoute(to: request, among: script.tree.keys)
            answer.allowedMethods = allowed
            return answer
        case .none:
            noteTokens(in: &context)
            if request.method == .options, request.path == "*" { return Answer(.options(script.tree.allMethods)) }
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context) }
            let own = answer(of: script.unmatched, to: &context)
            if own == nil, let unmatched = context.evaluation?.unmatched {
                var answer = Answer(unmatched.problem)
                answer.nearest = unmatched.nearest
                return answer
            }
            let nearest = NearestRoute(to: request, among: script.tree.keys)
            var answer = own ?? Answer(.unmatched(request, nearest))
            answer.nearest = nearest
            return answer
        }
    }

    /// The answer that the contract puts in the place of every other.
    private mutating func counselled(_ context: inout ExchangeContext) -> Answer? {
        guard let evaluation = context.evaluation, evaluation.refusal != nil || evaluation.preferred != nil else {
            return nil
        }
        if case .route(let index, _) = stage.script.tree.match(context.request.request) {
            context.operation = stage.script.routes[index].key
        }
        noteTokens(in: &context)
        if let refusal = evaluation.refusal { return Answer(refusal) }
        return evaluation.preferred.map { answer(by: $0, in: &context) }
    }

    /// Answers as the route that takes a request, with the parameters that stand in its path.
    mutating func answer(
        of route: CompiledRoute,
        with parameters: [(name: String, value: String)],
        to context: inout ExchangeContext
    ) -> Answer {
        context.route = route
        context.request.parameters = parameters
        noteTokens(in: &context)
        let hasGuards = context.origin == nil
        if hasGuards, let refusal = firstGuard(stage.script.earlyGuards, in: &context) { return refusal }
        for requirement in route.requirements {
            if let refusal = judge(requirement, in: &context) { return refusal }
        }
        if hasGuards, let refusal = firstGuard(stage.script.lateGuards, in: &context) { return refusal }
        if !route.finds.isEmpty { find(route.finds, in: &context) }
        if let first = listedFirst(of: route, in: &context) { return first }
        for (index, branch) in route.cases.enumerated() where holds(branch.condition, in: &context) {
            context.answeredBy = "case \(index + 1)"
            return next(of: branch.responses, SequenceKey(route: route.id, branch: index))
        }
        return next(of: route.responses, SequenceKey(route: route.id, branch: nil))
    }

    /// Answers where no route is, in the words of the scenario; `nil` where it has none for this request.
    private mutating func answer(of fallback: CompiledRoute?, to context: inout ExchangeContext) -> Answer? {
        guard let fallback else { return nil }
        for requirement in fallback.requirements {
            if let refusal = judge(requirement, in: &context) { return refusal }
        }
        if let first = listedFirst(of: fallback, in: &context) { return first }
        for (index, branch) in fallback.cases.enumerated() where holds(branch.condition, in: &context) {
            context.answeredBy = "\(fallback.key), case \(index + 1)"
            return next(of: branch.responses, SequenceKey(route: fallback.id, branch: index))
        }
        guard fallback.responses.own != nil || !fallback.responses.listed.isEmpty else { return nil }
        return next(of: fallback.responses, SequenceKey(route: fallback.id, branch: nil))
    }

    private mutating func firstGuard(_ guards: [CompiledGuard], in context: inout ExchangeContext) -> Answer? {
        for rule in guards where holds(rule.condition, in: &context) {
            context.answeredBy = rule.name
            return Answer(rule.response)
        }
        return nil
    }

    /// The next of the responses that a story puts before the cases; `nil` where the cases are to answer.
    ///
    /// That is so when the list has ended and the route goes on as its backend has it, and when the next response cannot
    /// be made for this request, such as one that shows an item which is not there.
    private mutating func listedFirst(of route: CompiledRoute, in context: inout ExchangeContext) -> Answer? {
        guard route.listsFirst else { return nil }
        let key = SequenceKey(route: route.id, branch: nil)
        guard route.responses.afterLast != .own || sequences[key, default: 0] < route.responses.listed.count else {
            return nil
        }
        let answer = next(of: route.responses, key)
        if case .scenario(let response) = answer.source, impossibility(of: response, in: &context) != nil { return nil }
        return answer
    }

    /// The next response of a sequence.
    private func next(of sequence: CompiledSequence, _ key: SequenceKey) -> Answer {
        guard let last = sequence.listed.last else {
            return sequence.own.map { Answer($0) } ?? Answer(.noCase(key.route))
        }
        let position = sequences[key, default: 0]
        var answer: Answer
        if position < sequence.listed.count {
            answer = Answer(sequence.listed[position])
        } else {
            switch sequence.afterLast {
            case .repeatLast: answer = Answer(last)
            case .loop: answer = Answer(sequence.listed[position % sequence.listed.count])
            case .own: answer = sequence.own.map { Answer($0) } ?? Answer(.noCase(key.route))
            case .fail: answer = Answer(.exhausted(key.route, sequence.listed.count))
            }
        }
        answer.sequence = key
        return answer
    }
}
