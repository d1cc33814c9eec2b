import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// Chooses the responses to requests, and counts what was given where the next response depends on it.
///
/// The order is the one of a careful server: guards that look before the tokens, the tokens, guards that look after
/// them, what a story lists for the route, the route's cases, the response.
struct ResponseChooser: Sendable {
    var armedFaults = ArmedFaults()
    var rates = RateWindows()
    private var sequences = ResponseSequences()
    /// The number of documented responses that each operation has given.
    private var documentedCounts: [String: Int] = [:]
    /// The last refusal by the upstream of each kind of token.
    private(set) var refusals: [String: HTTPResponse] = [:]

    /// Chooses the response to a request; it can be given, and its sequence counts on.
    mutating func choose(
        in context: inout ExchangeContext,
        _ backend: inout MockBackend,
        _ upstream: inout UpstreamTraffic
    ) -> ChosenResponse {
        var chosen = answer(to: &context, &backend)
        context.hidesBody = context.hidesBody && (chosen.isForwarded || backend.played.mayForward(context))
        if let refusal = refusalBeforeUpstream(chosen, in: &context, &backend, &upstream) {
            chosen = refusal
            if context.route == nil { context.answeredBy = ExchangeDetails.proxy }
        }
        if let pattern = context.undecided { chosen = ChosenResponse(.undecided(pattern)) }
        if case .scenario(let response) = chosen.source, backend.ledger.tokens.count >= TokenLedger.mostTokens,
            !response.response.grants.isEmpty || response.response.signIn != nil
        {
            chosen = ChosenResponse(.tooManyTokens(TokenLedger.mostTokens))
        }
        if case .scenario(let response) = chosen.source, response.response.memory != nil,
            backend.ledger.memoryBytes >= TokenLedger.mostMemory || backend.isServerFull()
        {
            chosen = ChosenResponse(.tooMuchStored)
        }
        chosen = possible(chosen, in: &context, &backend)
        if let key = chosen.sequence { sequences.advance(key) }
        return chosen
    }

    /// Forgets the sequences and the faults of routes that another version of the scenario lacks.
    mutating func replace(_ former: CompiledRoutes, by script: CompiledRoutes) {
        sequences.keep { script.hasRoute($0) }
        armedFaults.remove { former.hasRoute($0.route) && !script.hasRoute($0.route) }
    }

    private mutating func answer(to context: inout ExchangeContext, _ backend: inout MockBackend) -> ChosenResponse {
        let request = context.request.request
        let script = backend.played.script
        guard let server = script.server(named: context.origin) else {
            backend.noteTokens(in: &context)
            return ChosenResponse(.noOrigin(context.origin ?? ""))
        }
        if let error = context.codingError, !backend.played.mayForward(context) {
            noteRoute(in: &context, &backend)
            return ChosenResponse(.undecodable(error))
        }
        if context.origin == nil {
            if let problem = backend.played.scenario.crossOrigin?.preflight(request, among: script.backend.tree) {
                return ChosenResponse(problem)
            }
            takeFault(in: &context, &backend)
            if let answer = armedAnswer(in: &context, &backend) ?? contractResponse(&context, &backend) {
                return answer
            }
        }
        switch context.match ?? server.tree.match(request) {
        case .route(let index, let parameters):
            return answer(of: server.routes[index], with: parameters, to: &context, &backend)
        case .otherMethods(let allowed):
            backend.noteTokens(in: &context)
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context, &backend) }
            if backend.played.scenario.isOffline, context.origin == nil, request.method != .options {
                return .notRecorded(request, NearestRoute(to: request, among: server.tree.keys))
            }
            if request.method == .options, script.wrongMethod?.responses.own?.isForwarded != true {
                return ChosenResponse(.options(allowed))
            }
            var answer =
                answer(of: script.wrongMethod, to: &context, &backend) ?? ChosenResponse(.wrongMethod(request, allowed))
            answer.nearest = NearestRoute(to: request, among: server.tree.keys)
            answer.allowedMethods = allowed
            return answer
        case .none:
            backend.noteTokens(in: &context)
            if request.method == .options, request.path == "*", script.unmatched?.responses.own?.isForwarded != true {
                return ChosenResponse(.options(server.tree.allMethods))
            }
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context, &backend) }
            let own = answer(of: script.unmatched, to: &context, &backend)
            if own == nil, let unmatched = context.evaluation?.unmatched {
                var answer = ChosenResponse(unmatched.problem)
                answer.nearest = unmatched.nearest
                return answer
            }
            let nearest = NearestRoute(to: request, among: server.tree.keys)
            if backend.played.scenario.isOffline, context.origin == nil { return .notRecorded(request, nearest) }
            var answer = own ?? ChosenResponse(.unmatched(request, nearest, at: context.origin))
            answer.nearest = nearest
            return answer
        }
    }

    /// The answer that the contract puts in the place of every other.
    private mutating func contractResponse(_ context: inout ExchangeContext, _ backend: inout MockBackend)
        -> ChosenResponse?
    {
        guard let consultation = context.consultation,
            consultation.evaluation.refusal != nil || consultation.evaluation.preferred != nil
        else { return nil }
        noteRoute(in: &context, &backend)
        if let refusal = consultation.evaluation.refusal { return ChosenResponse(refusal) }
        return consultation.evaluation.preferred.map { answer(by: $0, in: &context, &backend) }
    }

    /// Notes the route and the tokens of a request that is answered before its route is asked.
    private func noteRoute(in context: inout ExchangeContext, _ backend: inout MockBackend) {
        let server = backend.played.script.backend
        if context.origin == nil,
            case .route(let index, _) = context.match ?? server.tree.match(context.request.request)
        {
            context.operation = server.routes[index].key
        }
        backend.noteTokens(in: &context)
    }

    /// Answers as the route that takes a request, with the parameters of its path.
    private mutating func answer(
        of route: CompiledRoute,
        with parameters: [(name: String, value: String)],
        to context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse {
        context.route = route
        context.request.parameters = parameters
        backend.noteTokens(in: &context)
        let hasGuards = context.origin == nil
        if hasGuards, let refusal = backend.played.script.earlyGuards.response(in: &context, &backend) {
            return refusal
        }
        for requirement in route.requirements {
            if let refusal = refusal(by: requirement, in: &context, &backend) { return refusal }
        }
        if hasGuards, let refusal = backend.played.script.lateGuards.response(in: &context, &backend) { return refusal }
        if let refusal = count(on: route, in: &context) { return refusal }
        context.request.beginRoute()
        if !route.finds.isEmpty { backend.find(route.finds, in: &context) }
        if let first = listedFirst(of: route, in: &context, &backend) { return first }
        if let answer = firstCase(of: route, in: &context, &backend) { return answer }
        if backend.played.scenario.isOffline, context.origin == nil, route.responses.own == nil,
            route.responses.listed.isEmpty
        {
            let difference = route.nearestCase(in: &context, &backend).map { "no recorded request has its \($0)" }
            return .notRecorded(
                context.request.request,
                difference.map { NearestRoute(route: route.key, difference: $0) }
            )
        }
        let response = sequences.next(of: route.responses, .init(route: route.id, branch: nil))
        return context.brokenBody(afterReading: response.readsBody, backend.played.script) ?? response
    }

    /// Judges one token that the route requires; returns the refusal if it is not accepted.
    private mutating func judge(
        _ requirement: CompiledRequirement,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse? {
        guard let standing = backend.judge(requirement, in: &context) else { return nil }
        if let response = requirement.rejections[standing] { return ChosenResponse(response) }
        return refusal(of: requirement.kind, standing, backend.played.script)
    }

    /// Returns the refusal of a token; of a body that is not JSON and should contain the token, that of the body.
    private mutating func refusal(
        by requirement: CompiledRequirement,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse? {
        guard let refusal = judge(requirement, in: &context, &backend) else { return nil }
        let readsBody = requirement.places.contains {
            if case .body = backend.played.script.places[$0].carrier.part { true } else { false }
        }
        return readsBody ? context.brokenBody(afterReading: true, backend.played.script) ?? refusal : refusal
    }

    /// Answers where the backend has no route, in the words of the scenario; `nil` where it has none for this request.
    private mutating func answer(
        of fallback: CompiledRoute?,
        to context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse? {
        guard let fallback, context.origin == nil else { return nil }
        for requirement in fallback.requirements {
            if let refusal = judge(requirement, in: &context, &backend) { return refusal }
        }
        if let first = listedFirst(of: fallback, in: &context, &backend) { return first }
        if let answer = firstCase(of: fallback, in: &context, &backend) { return answer }
        guard fallback.responses.own != nil || !fallback.responses.listed.isEmpty else { return nil }
        return sequences.next(of: fallback.responses, .init(route: fallback.id, branch: nil))
    }

    private mutating func firstCase(
        of route: CompiledRoute,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse? {
        guard !route.cases.isEmpty else { return nil }
        for (index, branch) in route.cases.enumerated() where backend.holds(branch.condition, in: &context) {
            context.answeredBy = "\(context.route == nil ? "\(route.key), " : "")case \(index + 1)"
            context.branch = index
            for requirement in branch.requirements {
                if let refusal = refusal(by: requirement, in: &context, &backend) { return refusal }
            }
            let response = sequences.next(of: branch.responses, .init(route: route.id, branch: index))
            // A case for bodies that are not JSON.
            if branch.condition.testsWholeBody { return response }
            return context.brokenBody(afterReading: response.readsBody, backend.played.script) ?? response
        }
        return nil
    }

    /// The next of the responses that a story puts before the cases; `nil` where the cases are to answer.
    ///
    /// That is so when the list has ended and the route continues as in its backend, and when the next response cannot
    /// be made for this request, such as one that shows an item which is not there.
    private mutating func listedFirst(
        of route: CompiledRoute,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse? {
        guard route.listsFirst else { return nil }
        let key = ResponseSequences.Key(route: route.id, branch: nil)
        guard route.responses.afterLast != .own || sequences.count(key) < route.responses.listed.count else {
            return nil
        }
        let answer = sequences.next(of: route.responses, key)
        if case .scenario(let response) = answer.source, impossibility(of: response, in: &context, &backend) != nil {
            return nil
        }
        return answer
    }

    /// Makes a response that the contract documents, and counts on.
    mutating func answer(
        by documented: ContractResponse,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse {
        let count = documentedCounts[documented.operation, default: 0]
        documentedCounts[documented.operation] = count &+ 1
        context.operation = context.operation ?? documented.operation
        switch documented.outcome(seed: backend.seed, count: count) {
        case .message(let response):
            context.answeredBy = documented.source
            return ChosenResponse(documented: response)
        case .problem(let problem): return ChosenResponse(problem)
        }
    }

    // MARK: Possibility

    /// Replaces a response that the request cannot fill by the response that says so.
    ///
    /// The sequence that the response belongs to does not count on, since the response was not given.
    private mutating func possible(
        _ answer: ChosenResponse,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> ChosenResponse {
        guard case .scenario(let response) = answer.source,
            let problem = impossibility(of: response, in: &context, &backend)
        else {
            return answer
        }
        if context.origin == nil, let own = backend.played.script.invalidRequest,
            backend.unfillable(own.demands, in: &context) == nil
        {
            context.answeredBy = "invalidRequest"
            return ChosenResponse(own)
        }
        return ChosenResponse(problem)
    }

    /// Returns the reason why a response cannot be made for a request; `nil` if it can.
    func impossibility(
        of response: CompiledResponse,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend
    ) -> Problem? {
        if response.isWebSocket, let problem = response.response.handshakeProblem(of: context.request.request) {
            return problem
        }
        if let lacking = backend.unfillable(response.demands, in: &context) { return .unfillable(lacking) }
        guard let name = response.demandedContent, backend.content(of: name, in: context) == nil else { return nil }
        return .noContent(backend.name)
    }

    // MARK: Upstream

    /// Returns the response to a request that must not be sent on; `nil` for one that may.
    private func refusalBeforeUpstream(
        _ answer: ChosenResponse,
        in context: inout ExchangeContext,
        _ backend: inout MockBackend,
        _ upstream: inout UpstreamTraffic
    ) -> ChosenResponse? {
        guard answer.isForwarded else { return nil }
        let purpose = context.upstreamPurpose
        if purpose == .signOut, !upstream.allowsSignOut {
            let devices: DeviceSet = context.device.map { .one($0) } ?? .none
            backend.ledger.revoke(.every, devices: devices, at: context.now)
            context.isWithheld = true
            return ChosenResponse(.signedOutHere)
        }
        return upstream.refusedToken(in: &context, by: purpose, backend.ledger, backend.played.scenario.tokens)
            .map { refusal(of: $0.kind, $0.standing, backend.played.script) }
    }

    /// The refusal of a token: the scenario's, the last one of the upstream, or the tool's own.
    private func refusal(of kind: String, _ standing: TokenStanding, _ script: CompiledRoutes) -> ChosenResponse {
        if let own = script.rejections[kind]?[standing] { return ChosenResponse(own) }
        if let recorded = refusals[kind] { return ChosenResponse(documented: recorded) }
        return ChosenResponse(.refused(kind, standing))
    }

    /// Fields of a response that belong to one message.
    private static let passingFields: Set<String> = [
        "date", "content-length", "set-cookie", "age", "etag", "last-modified",
    ]

    /// Keeps the upstream's refusal of a kind of token for later requests.
    mutating func keep(_ refusal: HTTPResponse, of kind: String) {
        guard refusals.count < 100 else { return }
        var kept = refusal
        kept.fields = kept.fields.filter { !Self.passingFields.contains($0.lowercased()) }
        refusals[kind] = kept
    }
}

extension CompiledScenario {
    /// Returns whether the upstream server may respond to a request.
    fileprivate func mayForward(_ context: borrowing ExchangeContext) -> Bool {
        guard let match = context.match else {
            return route(context.request.request, at: context.origin).mayBeForwarded
        }
        return route(of: match, at: context.origin)?.mayBeForwarded == true
    }
}

extension ChosenResponse {
    /// The answer to a request that a recording lacks, which is not sent on.
    fileprivate static func notRecorded(_ request: HTTPRequest, _ nearest: NearestRoute?) -> ChosenResponse {
        var answer = ChosenResponse(.notRecorded(request, nearest))
        answer.nearest = nearest
        return answer
    }
}

extension CompiledRoute {
    /// The parts of a request in which it differs from the case with the fewest differences.
    fileprivate func nearestCase(in context: inout ExchangeContext, _ backend: inout MockBackend) -> String? {
        var nearest: [String]?
        for branch in cases {
            var parts: [String] = []
            for term in branch.condition.terms where !backend.holds(term, in: &context) { parts.append(term.part) }
            if parts.count < nearest?.count ?? .max { nearest = parts }
        }
        return nearest?.joined(separator: " and ")
    }
}

extension [CompiledGuard] {
    /// The response of the first guard whose condition holds.
    fileprivate func response(in context: inout ExchangeContext, _ backend: inout MockBackend) -> ChosenResponse? {
        for rule in self where backend.holds(rule.condition, in: &context) {
            context.answeredBy = rule.name
            return ChosenResponse(rule.response)
        }
        return nil
    }
}

extension ExchangeContext {
    /// Answers a request whose body was read as JSON and is not JSON, so that it differs from an empty one.
    ///
    /// - Parameter isRead: whether the body is read in addition to what conditions have read.
    fileprivate mutating func brokenBody(afterReading isRead: Bool, _ script: CompiledRoutes) -> ChosenResponse? {
        if isRead, request.hasJSON { _ = request.json() }
        guard origin == nil, let problem = request.jsonProblem else { return nil }
        branch = nil
        guard let own = script.invalidRequest else { return ChosenResponse(.brokenJSON(problem)) }
        answeredBy = "invalidRequest"
        return ChosenResponse(own)
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
