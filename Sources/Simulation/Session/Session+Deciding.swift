package import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures

extension Session {
    /// Decides what a request is answered, changes the session accordingly, and writes the exchange into the journal.
    ///
    /// The order is the one of a careful server: guards that look before the tokens, the tokens, guards that look
    /// after them, what a story lists for the route, the route's cases, the response. Nothing changes before the
    /// response is known to be possible.
    ///
    /// A response that waits on the virtual clock may be released immediately, if its own exchange moves the clock.
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
            number: lastExchange,
            now: time,
            arrival: arrival,
            connection: incoming.connection,
            request: incoming.route?.view(of: incoming.request) ?? RequestView(incoming.request),
            chance: Chance(seed: backend.seed, stream: lastExchange)
        )
        context.presented = incoming.route?.presented ?? []
        context.lag = incoming.lag
        context.sharesRequest = incoming.isKnown
        context.consultation = incoming.origin == nil ? incoming.consultation : nil
        context.codingError = incoming.codingError
        context.request.hasReadableBody = incoming.codingError == nil
        context.guess = incoming.guess
        context.candidates = incoming.candidates
        context.refreshTokens = incoming.refreshTokens
        for secret in incoming.secrets { backend.foreignTokens.conceal(secret, at: lastExchange) }
        context.origin = incoming.origin
        context.match = incoming.route?.match
        context.hold = hold
        context.gate = gate
        var answer = answer(to: &context)
        context.hidesBody = incoming.hidesBody && (answer.isForwarded || mayBeForwarded(context))
        if let refusal = refusalBeforeUpstream(answer, in: &context) {
            answer = refusal
            if context.route == nil { context.answeredBy = ExchangeDetails.proxy }
        }
        if let pattern = context.undecided { answer = ChosenResponse(.undecided(pattern)) }
        if case .scenario(let response) = answer.source, backend.ledger.tokens.count >= Self.mostTokens,
            !response.response.grants.isEmpty || response.response.signIn != nil
        {
            answer = ChosenResponse(.tooManyTokens(Self.mostTokens))
        }
        if case .scenario(let response) = answer.source, response.response.memory != nil,
            backend.ledger.memoryBytes >= TokenLedger.mostMemory || backend.isServerFull()
        {
            answer = ChosenResponse(.tooMuchStored)
        }
        let decision = commit(answer, in: &context)
        catchUp(at: now)
        return decision
    }

    private mutating func answer(to context: inout ExchangeContext) -> ChosenResponse {
        let request = context.request.request
        let script = backend.played.script
        guard let server = script.server(named: context.origin) else {
            backend.noteTokens(in: &context)
            return ChosenResponse(.noOrigin(context.origin ?? ""))
        }
        if let error = context.codingError, !mayBeForwarded(context) {
            noteRoute(in: &context)
            return ChosenResponse(.undecodable(error))
        }
        if context.origin == nil {
            if let problem = backend.played.scenario.crossOrigin?.preflight(request, among: script.backend.tree) {
                return ChosenResponse(problem)
            }
            takeFault(in: &context)
            if let answer = armedAnswer(in: &context) ?? contractResponse(&context) { return answer }
        }
        switch context.match ?? server.tree.match(request) {
        case .route(let index, let parameters):
            return answer(of: server.routes[index], with: parameters, to: &context)
        case .otherMethods(let allowed):
            backend.noteTokens(in: &context)
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context) }
            if backend.played.scenario.isOffline, context.origin == nil, request.method != .options {
                return notRecorded(NearestRoute(to: request, among: server.tree.keys), in: context)
            }
            if request.method == .options, script.wrongMethod?.responses.own?.isForwarded != true {
                return ChosenResponse(.options(allowed))
            }
            var answer = answer(of: script.wrongMethod, to: &context) ?? ChosenResponse(.wrongMethod(request, allowed))
            answer.nearest = NearestRoute(to: request, among: server.tree.keys)
            answer.allowedMethods = allowed
            return answer
        case .none:
            backend.noteTokens(in: &context)
            if request.method == .options, request.path == "*", script.unmatched?.responses.own?.isForwarded != true {
                return ChosenResponse(.options(server.tree.allMethods))
            }
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context) }
            let own = answer(of: script.unmatched, to: &context)
            if own == nil, let unmatched = context.evaluation?.unmatched {
                var answer = ChosenResponse(unmatched.problem)
                answer.nearest = unmatched.nearest
                return answer
            }
            let nearest = NearestRoute(to: request, among: server.tree.keys)
            if backend.played.scenario.isOffline, context.origin == nil { return notRecorded(nearest, in: context) }
            var answer = own ?? ChosenResponse(.unmatched(request, nearest, at: context.origin))
            answer.nearest = nearest
            return answer
        }
    }

    /// Returns whether the upstream server may respond to a request.
    private func mayBeForwarded(_ context: ExchangeContext) -> Bool {
        guard let match = context.match else {
            return backend.played.route(context.request.request, at: context.origin).mayBeForwarded
        }
        return backend.played.route(of: match, at: context.origin)?.mayBeForwarded == true
    }

    /// The answer that the contract puts in the place of every other.
    private mutating func contractResponse(_ context: inout ExchangeContext) -> ChosenResponse? {
        guard let consultation = context.consultation,
            consultation.evaluation.refusal != nil || consultation.evaluation.preferred != nil
        else { return nil }
        noteRoute(in: &context)
        if let refusal = consultation.evaluation.refusal { return ChosenResponse(refusal) }
        return consultation.evaluation.preferred.map { answer(by: $0, in: &context) }
    }

    /// Notes the route and the tokens of a request that is answered before its route is asked.
    private mutating func noteRoute(in context: inout ExchangeContext) {
        let server = backend.played.script.backend
        if context.origin == nil,
            case .route(let index, _) = context.match ?? server.tree.match(context.request.request)
        {
            context.operation = server.routes[index].key
        }
        backend.noteTokens(in: &context)
    }

    /// Answers as the route that takes a request, with the parameters of its path.
    mutating func answer(
        of route: CompiledRoute,
        with parameters: [(name: String, value: String)],
        to context: inout ExchangeContext
    ) -> ChosenResponse {
        context.route = route
        context.request.parameters = parameters
        backend.noteTokens(in: &context)
        let hasGuards = context.origin == nil
        if hasGuards, let refusal = firstGuard(backend.played.script.earlyGuards, in: &context) { return refusal }
        for requirement in route.requirements {
            if let refusal = refusal(by: requirement, in: &context) { return refusal }
        }
        if hasGuards, let refusal = firstGuard(backend.played.script.lateGuards, in: &context) { return refusal }
        if let refusal = count(on: route, in: &context) { return refusal }
        context.request.beginRoute()
        if !route.finds.isEmpty { backend.find(route.finds, in: &context) }
        if let first = listedFirst(of: route, in: &context) { return first }
        if let answer = firstCase(of: route, in: &context) { return answer }
        if backend.played.scenario.isOffline, context.origin == nil, route.responses.own == nil,
            route.responses.listed.isEmpty
        {
            let difference = nearestCase(of: route, in: &context).map { "no recorded request has its \($0)" }
            return notRecorded(difference.map { NearestRoute(route: route.key, difference: $0) }, in: context)
        }
        let response = sequences.next(of: route.responses, .init(route: route.id, branch: nil))
        return brokenBody(afterReading: response.readsBody, in: &context) ?? response
    }

    /// Answers a request that a recording lacks, which is not sent on.
    private func notRecorded(_ nearest: NearestRoute?, in context: ExchangeContext) -> ChosenResponse {
        var answer = ChosenResponse(.notRecorded(context.request.request, nearest))
        answer.nearest = nearest
        return answer
    }

    /// The parts of a request in which it differs from the case with the fewest differences.
    private mutating func nearestCase(of route: CompiledRoute, in context: inout ExchangeContext) -> String? {
        var nearest: [String]?
        for branch in route.cases {
            var parts: [String] = []
            for term in branch.condition.terms where !backend.holds(term, in: &context) { parts.append(term.part) }
            if parts.count < nearest?.count ?? .max { nearest = parts }
        }
        return nearest?.joined(separator: " and ")
    }

    /// Judges one token that the route requires; returns the refusal if it is not accepted.
    private mutating func judge(
        _ requirement: CompiledRequirement,
        in context: inout ExchangeContext
    ) -> ChosenResponse? {
        guard let standing = backend.judge(requirement, in: &context) else { return nil }
        if let response = requirement.rejections[standing] { return ChosenResponse(response) }
        return refusal(of: requirement.kind, standing)
    }

    /// Returns the refusal of a token; of a body that is not JSON and should contain the token, that of the body.
    private mutating func refusal(
        by requirement: CompiledRequirement,
        in context: inout ExchangeContext
    ) -> ChosenResponse? {
        guard let refusal = judge(requirement, in: &context) else { return nil }
        let readsBody = requirement.places.contains {
            if case .body = backend.played.script.places[$0].carrier.part { true } else { false }
        }
        return readsBody ? brokenBody(afterReading: true, in: &context) ?? refusal : refusal
    }

    /// Answers a request whose body was read as JSON and is not JSON, so that it differs from an empty one.
    ///
    /// - Parameter isRead: whether the body is read in addition to what conditions have read.
    func brokenBody(afterReading isRead: Bool, in context: inout ExchangeContext) -> ChosenResponse? {
        if isRead, context.request.hasJSON { _ = context.request.json() }
        guard context.origin == nil, let problem = context.request.jsonProblem else { return nil }
        context.branch = nil
        guard let own = backend.played.script.invalidRequest else { return ChosenResponse(.brokenJSON(problem)) }
        context.answeredBy = "invalidRequest"
        return ChosenResponse(own)
    }

    /// Answers where the backend has no route, in the words of the scenario; `nil` where it has none for this request.
    private mutating func answer(of fallback: CompiledRoute?, to context: inout ExchangeContext) -> ChosenResponse? {
        guard let fallback, context.origin == nil else { return nil }
        for requirement in fallback.requirements {
            if let refusal = judge(requirement, in: &context) { return refusal }
        }
        if let first = listedFirst(of: fallback, in: &context) { return first }
        if let answer = firstCase(of: fallback, in: &context) { return answer }
        guard fallback.responses.own != nil || !fallback.responses.listed.isEmpty else { return nil }
        return sequences.next(of: fallback.responses, .init(route: fallback.id, branch: nil))
    }

    private mutating func firstCase(of route: CompiledRoute, in context: inout ExchangeContext) -> ChosenResponse? {
        guard !route.cases.isEmpty else { return nil }
        for (index, branch) in route.cases.enumerated() where backend.holds(branch.condition, in: &context) {
            context.answeredBy = "\(context.route == nil ? "\(route.key), " : "")case \(index + 1)"
            context.branch = index
            for requirement in branch.requirements {
                if let refusal = refusal(by: requirement, in: &context) { return refusal }
            }
            let response = sequences.next(of: branch.responses, .init(route: route.id, branch: index))
            // A case for bodies that are not JSON.
            if branch.condition.testsWholeBody { return response }
            return brokenBody(afterReading: response.readsBody, in: &context) ?? response
        }
        return nil
    }

    private mutating func firstGuard(_ guards: [CompiledGuard], in context: inout ExchangeContext) -> ChosenResponse? {
        for rule in guards where backend.holds(rule.condition, in: &context) {
            context.answeredBy = rule.name
            return ChosenResponse(rule.response)
        }
        return nil
    }

    /// The next of the responses that a story puts before the cases; `nil` where the cases are to answer.
    ///
    /// That is so when the list has ended and the route continues as in its backend, and when the next response cannot
    /// be made for this request, such as one that shows an item which is not there.
    private mutating func listedFirst(of route: CompiledRoute, in context: inout ExchangeContext) -> ChosenResponse? {
        guard route.listsFirst else { return nil }
        let key = ResponseSequences.Key(route: route.id, branch: nil)
        guard route.responses.afterLast != .own || sequences.count(key) < route.responses.listed.count else {
            return nil
        }
        let answer = sequences.next(of: route.responses, key)
        if case .scenario(let response) = answer.source, impossibility(of: response, in: &context) != nil { return nil }
        return answer
    }
}

extension Condition {
    /// The conditions that must all hold.
    fileprivate var terms: [Condition] {
        if case .all(let conditions) = self { conditions.flatMap(\.terms) } else { [self] }
    }

    /// The part of a request that it is about, without its value, which may be a secret.
    fileprivate var part: String {
        switch self {
        case .request(let part, _): part.words
        case .onlyQuery: "further query items"
        default: "other parts"
        }
    }
}
