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
            chance: Chance(seed: seed, stream: lastExchange)
        )
        context.presented = incoming.route?.presented ?? []
        context.lag = incoming.lag
        context.sharesRequest = incoming.isKnown
        context.consultation = incoming.origin == nil ? incoming.consultation : nil
        context.codingError = incoming.codingError
        context.request.hasReadableBody = incoming.codingError == nil
        context.guess = incoming.guess
        context.candidates = incoming.candidates
        for secret in incoming.secrets { foreignTokens.conceal(secret, at: lastExchange) }
        context.origin = incoming.origin
        context.match = incoming.route?.match
        context.hold = hold
        context.gate = gate
        var answer = answer(to: &context)
        context.hidesBody = incoming.hidesBody && answer.isForwarded
        if let refusal = refusalBeforeUpstream(answer, in: &context) { answer = refusal }
        if let pattern = context.undecided { answer = ChosenResponse(.undecided(pattern)) }
        if case .scenario(let response) = answer.source, ledger.tokens.count >= Self.mostTokens,
            !response.response.grants.isEmpty || response.response.signIn != nil
        {
            answer = ChosenResponse(.tooManyTokens(Self.mostTokens))
        }
        if case .scenario(let response) = answer.source, response.response.memory != nil,
            ledger.memoryBytes >= TokenLedger.mostMemory || isServerFull()
        {
            answer = ChosenResponse(.tooMuchStored)
        }
        let decision = commit(answer, in: &context)
        catchUp(at: now)
        return decision
    }

    private mutating func answer(to context: inout ExchangeContext) -> ChosenResponse {
        let request = context.request.request
        let script = played.script
        guard let server = script.server(named: context.origin) else {
            noteTokens(in: &context)
            return ChosenResponse(.noOrigin(context.origin ?? ""))
        }
        if let error = context.codingError, !mayBeForwarded(context, by: server) {
            noteRoute(in: &context)
            return ChosenResponse(.undecodable(error))
        }
        if context.origin == nil {
            if let answer = preflight(context) { return answer }
            takeFault(in: &context)
            if let answer = armedAnswer(in: &context) ?? contractResponse(&context) { return answer }
        }
        switch context.match ?? server.tree.match(request) {
        case .route(let index, let parameters):
            return answer(of: server.routes[index], with: parameters, to: &context)
        case .otherMethods(let allowed):
            noteTokens(in: &context)
            if let fill = context.evaluation?.fill { return answer(by: fill, in: &context) }
            if request.method == .options, script.wrongMethod?.responses.own?.isForwarded != true {
                return ChosenResponse(.options(allowed))
            }
            var answer = answer(of: script.wrongMethod, to: &context) ?? ChosenResponse(.wrongMethod(request, allowed))
            answer.nearest = NearestRoute(to: request, among: server.tree.keys)
            answer.allowedMethods = allowed
            return answer
        case .none:
            noteTokens(in: &context)
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
            var answer = own ?? ChosenResponse(.unmatched(request, nearest, at: context.origin))
            answer.nearest = nearest
            return answer
        }
    }

    /// Returns whether the upstream server may respond to a request.
    ///
    /// Such a request is sent on as it is, so its body need not be readable here.
    private func mayBeForwarded(_ context: ExchangeContext, by server: CompiledServer) -> Bool {
        let script = played.script
        let route: CompiledRoute? =
            switch context.match ?? server.tree.match(context.request.request) {
            case .route(let index, _): server.routes[index]
            case .otherMethods: context.origin == nil ? script.wrongMethod : nil
            case .none: context.origin == nil ? script.unmatched : nil
            }
        return route?.allResponses.contains(where: \.isForwarded) == true
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
        let backend = played.script.backend
        if context.origin == nil,
            case .route(let index, _) = context.match ?? backend.tree.match(context.request.request)
        {
            context.operation = backend.routes[index].key
        }
        noteTokens(in: &context)
    }

    /// Answers as the route that takes a request, with the parameters of its path.
    mutating func answer(
        of route: CompiledRoute,
        with parameters: [(name: String, value: String)],
        to context: inout ExchangeContext
    ) -> ChosenResponse {
        context.route = route
        context.request.parameters = parameters
        noteTokens(in: &context)
        let hasGuards = context.origin == nil
        if hasGuards, let refusal = firstGuard(played.script.earlyGuards, in: &context) { return refusal }
        for requirement in route.requirements {
            if let refusal = refusal(by: requirement, in: &context) { return refusal }
        }
        if hasGuards, let refusal = firstGuard(played.script.lateGuards, in: &context) { return refusal }
        if let refusal = count(on: route, in: &context) { return refusal }
        context.request.beginRoute()
        if !route.finds.isEmpty { find(route.finds, in: &context) }
        if let first = listedFirst(of: route, in: &context) { return first }
        if let answer = firstCase(of: route, in: &context) { return answer }
        let response = next(of: route.responses, SequenceKey(route: route.id, branch: nil))
        return brokenBody(afterReading: response.readsBody, in: &context) ?? response
    }

    /// Answers a request whose body was read as JSON and is not JSON, so that it differs from an empty one.
    ///
    /// - Parameter isRead: whether the body is read in addition to what conditions have read.
    private func brokenBody(afterReading isRead: Bool, in context: inout ExchangeContext) -> ChosenResponse? {
        if isRead, context.request.hasJSON { _ = context.request.json() }
        guard context.origin == nil, let problem = context.request.jsonProblem else { return nil }
        context.branch = nil
        guard let own = played.script.invalidRequest else { return ChosenResponse(.brokenJSON(problem)) }
        context.answeredBy = "invalidRequest"
        return ChosenResponse(own)
    }

    /// Returns the refusal of a token; of a body that is not JSON and should contain the token, that of the body.
    private mutating func refusal(
        by requirement: CompiledRequirement,
        in context: inout ExchangeContext
    ) -> ChosenResponse? {
        guard let refusal = judge(requirement, in: &context) else { return nil }
        let readsBody = requirement.places.contains {
            if case .body = played.script.places[$0].carrier { true } else { false }
        }
        return readsBody ? brokenBody(afterReading: true, in: &context) ?? refusal : refusal
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
        return next(of: fallback.responses, SequenceKey(route: fallback.id, branch: nil))
    }

    private mutating func firstCase(of route: CompiledRoute, in context: inout ExchangeContext) -> ChosenResponse? {
        guard !route.cases.isEmpty else { return nil }
        for (index, branch) in route.cases.enumerated() where holds(branch.condition, in: &context) {
            context.answeredBy = "\(context.route == nil ? "\(route.key), " : "")case \(index + 1)"
            context.branch = index
            for requirement in branch.requirements {
                if let refusal = refusal(by: requirement, in: &context) { return refusal }
            }
            let response = next(of: branch.responses, SequenceKey(route: route.id, branch: index))
            // A case for bodies that are not JSON.
            if branch.condition.testsWholeBody { return response }
            return brokenBody(afterReading: response.readsBody, in: &context) ?? response
        }
        return nil
    }

    private mutating func firstGuard(_ guards: [CompiledGuard], in context: inout ExchangeContext) -> ChosenResponse? {
        for rule in guards where holds(rule.condition, in: &context) {
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
        let key = SequenceKey(route: route.id, branch: nil)
        guard route.responses.afterLast != .own || sequences[key, default: 0] < route.responses.listed.count else {
            return nil
        }
        let answer = next(of: route.responses, key)
        if case .scenario(let response) = answer.source, impossibility(of: response, in: &context) != nil { return nil }
        return answer
    }

    /// The next response of a sequence.
    private func next(of sequence: CompiledSequence, _ key: @autoclosure () -> SequenceKey) -> ChosenResponse {
        if sequence.listed.isEmpty, let own = sequence.own { return ChosenResponse(own) }
        let key = key()
        guard let last = sequence.listed.last else { return ChosenResponse(.noCase(key.route)) }
        let position = sequences[key, default: 0]
        var answer: ChosenResponse
        if position < sequence.listed.count {
            answer = ChosenResponse(sequence.listed[position])
        } else {
            switch sequence.afterLast {
            case .repeatLast: answer = ChosenResponse(last)
            case .loop: answer = ChosenResponse(sequence.listed[position % sequence.listed.count])
            case .own: answer = sequence.own.map { ChosenResponse($0) } ?? ChosenResponse(.noCase(key.route))
            case .fail: answer = ChosenResponse(.exhausted(key.route, sequence.listed.count))
            }
        }
        answer.sequence = key
        return answer
    }
}

extension Session {
    // MARK: Issuing

    /// Issues a token to a device that has signed in.
    @discardableResult
    mutating func issue(
        _ kindName: String,
        device: String,
        parent: String?,
        remembering memory: JSONObject = JSONObject(),
        at time: VirtualTime
    ) -> Token? {
        let rules = played.scenario.tokens
        guard let kind = rules.kind(named: kindName), !kind.isForeign, let owner = ledger.device(named: device) else {
            return nil
        }
        let id = ledger.nextID(of: kindName)
        // A JWT tells whole seconds, and the server goes by what the token tells.
        let issued = kind.format == .jwt ? VirtualTime(seconds: time.seconds) : time
        var token = Token(
            id: id,
            kind: kindName,
            value: "",
            device: device,
            account: owner.account,
            family: owner.family,
            issued: issued,
            expires: issued + kind.lifetime,
            parent: parent,
            memory: memory
        )
        token.value = value(of: token, kind)
        ledger.enter(token, owner: rules.stored, multiplicity: kind.multiplicity, at: time)
        return token
    }

    private mutating func value(of token: Token, _ kind: TokenKind) -> String {
        switch kind.format {
        case .opaque:
            let secret = Array("\(token.id) \(seed) \(token.issued.microseconds)".utf8)
            return Base64.encodeURL(Array(SHA256.authenticationCode(of: secret, key: keys.secret).prefix(24)))
        case .jwt:
            let claims = claims(of: kind, for: token)
            var payload = Array("{".utf8)
            if claims?["iat"] == nil { payload += Array("\"iat\":\(token.issued.seconds),".utf8) }
            payload += Array("\"exp\":\(token.expires.seconds)".utf8)
            if let claims = claims?.utf8(.compact), claims.count > 2 {
                payload.append(UInt8(ascii: ","))
                payload += claims.dropFirst().dropLast()
            }
            if kind.hasIdentifier { payload += Array(",\"jti\":\"\(token.id)\"".utf8) }
            payload.append(UInt8(ascii: "}"))
            let secret = token.memory["client"]?.string.flatMap { kind.secrets[$0] }
            return keys.sign(payload, kind.algorithm, secret: secret)
        }
    }

    /// The claims that the scenario adds, as one object.
    ///
    /// They are not a part of a response, so they draw from a separate random stream of the token.
    mutating func claims(of kind: TokenKind, for token: Token) -> JSONValue? {
        guard let template = kind.claims else { return nil }
        var context = asideContext(at: token.issued, stream: UInt64.max - UInt64(ledger.tokens.count))
        (context.account, context.device, context.issued) = (token.account, token.device, token)
        return value(of: template, in: &context)
    }

    /// The context of an event without a request.
    ///
    /// - Parameter stream: the number of a stream of chance that nothing else draws from.
    func asideContext(at time: VirtualTime, stream: UInt64) -> ExchangeContext {
        ExchangeContext(
            number: 0,
            now: time,
            arrival: latest,
            connection: 0,
            request: RequestView(Self.noRequest),
            chance: Chance(seed: seed, stream: stream)
        )
    }

    /// The replacement of a missing request.
    private static let noRequest = HTTPRequest(method: .get, target: "/")

    // MARK: Judging

    /// Looks a token up; one that this session's key has signed in an earlier life is taken in.
    mutating func known(_ text: String, as kind: String, in context: ExchangeContext) -> Token? {
        if let note = context.notes.first(where: { $0.text.exact == text.exact }) {
            guard let token = note.token else { return nil }
            if token.kind == kind { return token }
        }
        return ledger.token(value: text, preferring: kind) ?? adopt(text, as: kind, device: context.device)
    }

    /// The state of a token for a route that requires a kind.
    func standing(of token: Token, as kind: String, at time: VirtualTime) -> TokenStanding {
        let own = token.standing(now: time)
        guard token.kind == kind else {
            guard played.scenario.tokens.interchangeable.includes(token.kind) else { return .wrongKind }
            // A token that is taken for something else is not looked up, unless all kinds are one to the server.
            if case .revoked = token.fate, played.scenario.tokens.interchangeable == .every { return own }
            return time >= token.expires ? .expired : .valid
        }
        switch token.fate {
        case .live, .revoked, .displaced: return own
        case .exchanged(let since), .reused(let since):
            guard let rotation = played.scenario.tokens.kind(named: token.kind)?.rotation else { return own }
            guard time - since < rotation.usability else { return own }
            return time >= token.expires ? .expired : .valid
        }
    }

    /// The effect on the server when a superseded token was sent again and refused.
    mutating func noteReuse(of id: String, at time: VirtualTime) {
        guard let token = ledger.token(id: id) else { return }
        ledger.noteReuse(of: id, at: time)
        if played.scenario.tokens.kind(named: token.kind)?.rotation?.reuse == .revokeDevice, token.isExchanged {
            ledger.revoke(.every, devices: .one(token.device), except: id, at: time)
        }
    }
}

extension Session {
    /// Identifies the caller, from the device header and from the tokens of the request.
    mutating func noteTokens(in context: inout ExchangeContext) {
        if let header = played.scenario.deviceHeader { context.device = context.request.request.fields[header] }
        let places = played.script.places
        if context.presented.count != places.count { context.presented = Array(repeating: nil, count: places.count) }
        for number in places.indices where places[number].isEverywhere {
            guard case .text(let text) = presented(at: number, in: &context),
                !context.notes.contains(where: { $0.text.exact == text.exact })
            else { continue }
            note(text, wanted: places[number].kind, in: &context)
        }
        // An upstream's tokens may travel where no response has shown it yet.
        for text in context.candidates {
            guard let token = ledger.token(value: text),
                !context.notes.contains(where: { $0.text.exact == text.exact })
            else { continue }
            note(text, wanted: token.kind, in: &context)
        }
        if context.account == nil, let device = context.device {
            context.account = ledger.device(named: device)?.account
        }
    }

    private mutating func note(_ text: String, wanted: String, in context: inout ExchangeContext) {
        let token = known(text, as: wanted, in: context)
        context.notes.append((text, token, context.offered.count))
        guard let token else {
            context.offered.append(OfferedToken(wanted: wanted, standing: .unknown))
            return
        }
        if context.device == nil { context.device = token.device }
        if context.account == nil { context.account = token.account }
        let standing = standing(of: token, as: token.kind, at: context.now)
        context.offered.append(OfferedToken(token, wanted: token.kind, as: standing, at: context.now))
    }

    /// Judges one token that the route requires; returns the refusal if it is not accepted.
    mutating func judge(_ requirement: CompiledRequirement, in context: inout ExchangeContext) -> ChosenResponse? {
        var token: Token?
        var text: String?
        let standing: TokenStanding
        switch presented(at: requirement.places, in: &context) {
        case .missing: standing = .missing
        case .malformed: standing = .malformed
        case .text(let found):
            if let entry = context.entry(of: found, as: requirement), requirement.accepted.contains(entry.standing) {
                // What was noted of it says all that there is to say.
                context.offered[entry.number].isAccepted = true
                return nil
            }
            text = found
            token = known(found, as: requirement.kind, in: context)
            if requirement.isForeign, token == nil { foreignTokens.note(found, at: lastExchange) }
            standing = self.standing(of: token, as: requirement.kind, isForeign: requirement.isForeign, at: context.now)
        }
        // A token in the route's own place identifies the caller, too.
        if context.device == nil { context.device = token?.device }
        if context.account == nil { context.account = token?.account }
        let isAccepted = requirement.accepted.contains(standing)
        var entry =
            token.map { OfferedToken($0, wanted: requirement.kind, as: standing, at: context.now) }
            ?? OfferedToken(
                wanted: requirement.kind,
                kind: standing == .valid ? requirement.kind : nil,
                standing: standing
            )
        entry.isAccepted = isAccepted
        record(entry, of: text, in: &context)
        guard !isAccepted else { return nil }
        if let token, standing == .superseded || standing == .reused { context.reused.append(token.id) }
        if let response = requirement.rejections[standing] { return ChosenResponse(response) }
        return refusal(of: requirement.kind, standing)
    }

    /// The state of a text for a route.
    ///
    /// - Parameter token: the session's own that it is, if it is one; every other text is another server's token.
    private func standing(
        of token: Token?,
        as kind: String,
        isForeign: Bool,
        at time: VirtualTime
    ) -> TokenStanding {
        if isForeign { return token == nil ? .valid : .wrongKind }
        return token.map { standing(of: $0, as: kind, at: time) } ?? .unknown
    }

    /// Puts a judged token into the journal's list, in place of the entry that only noted it.
    private func record(_ entry: OfferedToken, of text: String?, in context: inout ExchangeContext) {
        let note = context.notes.first { note in
            text.map { $0.exact == note.text.exact } ?? false
                && context.offered[note.entry].isAccepted == nil
        }
        if let note { context.offered[note.entry] = entry } else { context.offered.append(entry) }
    }

    /// Returns whether the request carries such a token; one that it does is what `presented` speaks of from then on.
    mutating func fits(_ test: TokenTest, in context: inout ExchangeContext) -> Bool {
        guard let kind = played.scenario.tokens.kind(named: test.kind) else { return false }
        let standing: TokenStanding
        var token: Token?
        switch PresentedToken.first(of: (test.carriers ?? kind.carriers).map { $0.look(into: &context.request) }) {
        case .missing: standing = .missing
        case .malformed: standing = .malformed
        case .text(let text):
            token = known(text, as: test.kind, in: context)
            if kind.isForeign, token == nil { foreignTokens.note(text, at: lastExchange) }
            standing = self.standing(of: token, as: test.kind, isForeign: kind.isForeign, at: context.now)
        }
        guard test.accepted.contains(standing) else { return false }
        for (pointer, matcher) in test.facts {
            let fact = token.flatMap { pointer.value(in: $0.facts) }
            guard fits(matcher, fact, in: &context) else { return false }
        }
        if let token {
            context.presentedTokens.append((test.kind, token.id))
            if context.device == nil { context.device = token.device }
            if context.account == nil { context.account = token.account }
        }
        return true
    }

    /// The data of a token that the request presents: one that a condition has found, else one that was offered.
    func presentedToken(of kind: String, in context: ExchangeContext) -> Token? {
        let id =
            context.presentedTokens.last { $0.kind.exact == kind.exact }?.id
            ?? context.offered.last { $0.kind?.exact == kind.exact }?.id
        return id.flatMap(ledger.token(id:))
    }

    // MARK: Looking

    /// The first token of several places; a place with something else in it counts only if no other has one.
    private func presented(at places: [Int], in context: inout ExchangeContext) -> PresentedToken {
        if places.count == 1 { return presented(at: places[0], in: &context) }
        return PresentedToken.first(of: places.map { presented(at: $0, in: &context) })
    }

    private func presented(at place: Int, in context: inout ExchangeContext) -> PresentedToken {
        if let known = context.presented[place] { return known }
        let found = played.script.places[place].carrier.look(into: &context.request)
        context.presented[place] = found
        return found
    }
}

extension TokenCarrier {
    func look(into request: inout RequestView) -> PresentedToken {
        switch self {
        case .header(let name, let scheme, let isExact):
            guard let value = request.request.fields.bytes(of: name), !value.isEmpty else { return .missing }
            if request.request.fields.count(of: name) > 1 { return .malformed }
            guard let scheme else { return .text(String(decoding: value, as: UTF8.self)) }
            return isExact
                ? Self.credentials(in: value, afterPrefix: scheme) : Self.credentials(in: value, scheme: scheme)
        case .body(let pointer):
            guard let value = request.json().flatMap({ pointer.value(in: $0.root) }) else { return .missing }
            guard let text = value.string else { return value.isNull ? .missing : .malformed }
            return text.isEmpty ? .missing : .text(text)
        case .query(let name):
            guard let text = request.query(name), !text.isEmpty else { return .missing }
            return request.queryCount(name) > 1 ? .malformed : .text(text)
        case .form(let name):
            guard let text = request.form(name), !text.isEmpty else { return .missing }
            return request.formCount(name) > 1 ? .malformed : .text(text)
        case .cookie(let name):
            let cookies = request.readCookies()
            if let text = cookies.first(named: name), !text.isEmpty { return .text(text) }
            return cookies.broken.isEmpty ? .missing : .malformed
        case .basic(let part):
            guard let field = request.request.fields["Authorization"], !field.isEmpty else { return .missing }
            guard let text = request.basic(part), !text.isEmpty else { return .malformed }
            return .text(text)
        }
    }

    /// The text after a scheme, which is compared without regard to case (RFC 9110, section 11.1).
    private static func credentials(in value: ArraySlice<UInt8>, scheme: String) -> PresentedToken {
        let length = scheme.utf8.count
        guard
            value.count > length + 1,
            zip(value, scheme.utf8).allSatisfy({ $0 == $1 || $0.isLetter && $0 ^ $1 == 0x20 }),
            value[value.startIndex + length] == UInt8(ascii: " ")
        else { return .malformed }
        let token = value.dropFirst(length).drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? .malformed : .text(String(decoding: token, as: UTF8.self))
    }

    /// The text after a scheme and one space, as for a server that compares only this prefix.
    private static func credentials(in value: ArraySlice<UInt8>, afterPrefix scheme: String) -> PresentedToken {
        let space = UInt8(ascii: " ")
        let rest = value.dropFirst(scheme.utf8.count)
        guard value.starts(with: scheme.utf8), rest.first == space, let first = rest.dropFirst().first, first != space
        else { return .malformed }
        return .text(String(decoding: rest.dropFirst(), as: UTF8.self))
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether it is an ASCII letter.
    fileprivate var isLetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
