import Basics
import Checking
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// Checks what a client has done in one cell against what its contract, the response and its session allow.
struct ResponseCheckEvaluator: Sendable {
    let contract: Contract
    private(set) var roles: ClientRoles
    let network: ResponseCheckOptions.Network

    init(contract: Contract, roles: ClientRoles, network: ResponseCheckOptions.Network) {
        self.contract = contract
        self.roles = roles
        self.network = network
    }

    /// The same for a call, whose operation has the role of that call alone.
    func calling(_ cell: ResponseCheckPlan.Cell) -> ResponseCheckEvaluator {
        var evaluator = self
        evaluator.roles = roles.calling(cell.operation.id, as: cell.role)
        return evaluator
    }

    /// An adapter's declarations about the operation of a call.
    struct Terms: Sendable {
        /// Documented refusals that are results for this client.
        var answers: Set<Int>
        /// Other operations that the call may need.
        var accompanying: Set<String>
        /// A Boolean value that indicates whether the call asks again until its response has a certain value.
        var isPolling = false
    }

    /// A cell's findings, and what the platform is excused for.
    struct Verdict: Sendable {
        var findings: [Finding] = []
        var excuses: [PlatformFact] = []
        /// The finding about a request that refreshes the tokens, although the adapter declares no such call.
        var undeclaredRefresh: Finding?
    }

    func verdict(on call: MadeCall, in cell: ResponseCheckPlan.Cell, _ terms: Terms) -> Verdict {
        var verdict = Verdict()
        if case .failed(let failure) = call.outcome, !call.hasClient {
            let message = "the client for \(cell.name) could not be created: the adapter threw \(failure.name)"
            verdict.add(.noClient, message, at: place(of: cell.operation))
            return verdict
        }
        let ledger = judgeRequests(of: call, in: cell, terms, &verdict)
        // With a refresh that the adapter does not declare, the tokens that the client should have are unknown.
        if let undeclared = verdict.undeclaredRefresh {
            verdict.findings = [undeclared]
            return verdict
        }
        judgeOutcome(of: call, in: cell, terms, ledger, &verdict)
        judgeSession(after: call, in: cell, ledger, &verdict)
        if !call.leftOver.isEmpty {
            // The same for every response, so that it is reported once.
            let what = call.leftOver.joined(lastBy: "and")
            let message = "\(cell.name) ended with unfinished work: \(what)"
            let advice = "await the tasks in the call, or cancel them"
            verdict.warn(.leftOver, message, at: place(of: cell.operation), advice: advice)
        }
        return verdict
    }

    // MARK: Outcome

    private func judgeOutcome(
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ terms: Terms,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        let id = cell.name
        let words = cell.answer.words
        let hasNoAnswer = call.requests.isEmpty && !cell.answer.isOffline
        let isSignedOut = cell.role == .signOut && call.session.map { roles.withoutKeys($0) == .none } ?? false
        switch (call.outcome, cell.answer.kind) {
        case (.value, _) where hasNoAnswer, (.failed, _) where hasNoAnswer: break
        case (.hung, _) where hasNoAnswer:
            // The same for every response, so that it is reported once.
            let message = "\(id) never returned, although it had sent no request and no pause was pending"
            verdict.add(.hang, message, at: place(of: cell.operation))
        case (.hung, _) where mayBeResending(cell): verdict.excuse(by: .resendsWithoutBody)
        case (.hung, _):
            let message = "\(id), \(words), never returned, although no request or pause was pending"
            verdict.add(.hang, message, at: place(of: cell))
        case (.looping, _):
            let message = "\(id), \(words), did not stop: \(tally(of: call))"
            verdict.add(.loop, message, at: place(of: cell), advice: call.isPolling ? Self.pollingAdvice : nil)
        case (.paging, _):
            let reason =
                "did not stop, because each response names a further page; adapt the function that loads one page"
            verdict.add(.loop, "\(id), \(words), \(reason)", at: place(of: cell))
        // A user who is signed out here need not know that the server does not know it.
        case (.value, .refusal) where isSignedOut, (.value, .fault) where isSignedOut: break
        case (.value, .refusal(let status)) where !terms.answers.contains(status):
            let message = "\(id), \(words), returned a value although the response is an error"
            verdict.add(.wrongSuccess, message, at: place(of: cell))
        case (.value, .fault), (.value, .refreshTrouble):
            verdict.add(.wrongSuccess, "\(id), \(words), returned a value", at: place(of: cell))
        case (.failed(let failure), .refusal) where failure.decoding != nil:
            // The same for every refusal, so that it is reported once.
            let message =
                "\(id) throws \(failure.name)\(call.words(for: failure)), for an error response, so the app cannot tell what "
                + "happened"
            let advice = "check the status before decoding the body"
            verdict.warn(.undecodedRefusal, message, at: place(of: cell.operation), advice: advice)
        case (.failed(let failure), .success)
        where failure.decoding == nil
            && call.requests.contains { $0.operation?.id == cell.operation.id && $0.reportsError }:
            break
        case (_, .notModified): judgeUnmodified(call, in: cell, terms, &verdict)
        case (.failed, .success) where call.links.endsTheCall: break
        // 202 says that the result does not exist yet (RFC 9110, section 15.3.3).
        case (.failed(let failure), .success(202)) where failure.decoding == nil && cell.operation.hasResultLater: break
        case (.failed(let failure), .success) where !ledger.isUncertain:
            let message = "\(id), \(words), threw \(failure.name)\(call.words(for: failure))"
            verdict.add(.refusedResponse, message, at: place(of: cell))
        // Without a token, a new one is of no use.
        case (.failed, .expiredOnce) where call.links.endsTheCall: break
        case (.failed, .expiredOnce) where !roles.requiresToken(cell.operation) && !call.hasSentToken: break
        case (.failed(let failure), .expiredOnce):
            let message = "\(id), \(words), threw \(failure.name)\(call.words(for: failure)): \(tally(of: call))"
            // The second request was answered with success.
            let isReplayed = call.requests.count { $0.operation?.id == cell.operation.id } > 1
            verdict.add(isReplayed ? .refusedResponse : .notReplayed, message, at: place(of: cell))
        default: break
        }
    }

    /// Judges the value of a call whose request was answered with 304 because the client has the response already.
    private func judgeUnmodified(
        _ call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ terms: Terms,
        _ verdict: inout Verdict
    ) {
        let requests = call.requests.filter { $0.operation?.id == cell.operation.id }
        // A caller that names the validator has the value itself.
        let isChosenByCaller = requests.first?.request.isConditional == true
        guard !terms.answers.contains(304), !isChosenByCaller, requests.contains(where: { $0.answer.status == 304 }),
            let earlier = call.earlierValue
        else { return }
        let begin = "\(cell.name) sends a conditional request when it asks again, and for 304"
        let advice =
            "return the value of the response to which the validator belongs, or declare answering(304, because:)"
        switch call.outcome {
        case .failed(let failure):
            verdict.warn(.refusedResponse, "\(begin), it throws \(failure.name)", at: place(of: cell), advice: advice)
        case .value(let value) where !value.isEqual(to: earlier):
            let message = "\(begin), it returns another value than before"
            verdict.warn(.wrongSuccess, message, at: place(of: cell), advice: advice)
        default: break
        }
    }

    private static let pollingAdvice =
        "if the call waits for another response, adapt the function that asks once, or declare the request that the call "
        + "repeats with accompanied(by:)"

    /// Returns whether the platform may have sent a request again without its body, which a server waits for without
    /// end.
    private func mayBeResending(_ cell: ResponseCheckPlan.Cell) -> Bool {
        guard network == .urlSession else { return false }
        return cell.answer.kind == .fault(.reset) || cell.answer.kind == .fault(.empty)
    }

    /// `getPets 2 times, refresh once`, in the order of first mention.
    private func tally(of call: MadeCall) -> String {
        var names: [String] = []
        var counts: [String: Int] = [:]
        for request in call.requests {
            let name = request.operation?.id ?? "\(request.request.method) \(request.request.path)"
            if counts[name] == nil { names.append(name) }
            counts[name, default: 0] += 1
        }
        guard !names.isEmpty else { return "no request reached the server" }
        let parts = names.map { name in counts[name] == 1 ? "\(name) once" : "\(name) \(counts[name] ?? 0) times" }
        return "it sent \(parts.joined(separator: ", "))"
    }

    /// Where the contract documents the response, or else the operation.
    func place(of cell: ResponseCheckPlan.Cell) -> Place {
        var place = contract.sources.place(of: cell.answer.response?.position ?? cell.operation.position)
        place.operation = cell.operation.label
        return place
    }

    func place(of operation: Operation) -> Place {
        var place = contract.sources.place(of: operation.position)
        place.operation = operation.label
        return place
    }
}

extension ResponseCheckEvaluator.Verdict {
    mutating func add(
        _ fault: ResponseCheckFault,
        _ message: String,
        at place: Place,
        related: [RelatedPlace] = [],
        advice: String? = nil
    ) {
        findings.append(Finding(.error, id: fault.rawValue, message, at: place, advice: advice, related: related))
    }

    mutating func warn(_ fault: ResponseCheckFault, _ message: String, at place: Place, advice: String) {
        findings.append(Finding(.warning, id: fault.rawValue, message, at: place, advice: advice))
    }

    mutating func excuse(by fact: PlatformFact) {
        if !excuses.contains(fact) { excuses.append(fact) }
    }
}

extension MadeCall {
    /// The decoder's message, after a comma; empty if the error is not the decoder's.
    fileprivate func words(for failure: CallFailure) -> String {
        guard let decoding = failure.decoding else { return "" }
        switch decoding {
        case .typeMismatch(let type, let context): return ", because \(Self.place(context)) is not of type \(type)"
        case .valueNotFound(let type, let context):
            return ", because \(Self.place(context)) is null instead of \(type)"
        case .keyNotFound(let key, let context):
            return ", because \(Self.place(context)) does not contain \(key.stringValue)"
        case .dataCorrupted: fallthrough
        @unknown default:
            let reason = DecodingReason(decoding, isJSON: requests.last?.json != nil)
            return ", because the decoder stops at \(reason.pathText), where \(reason.words)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        "/" + context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }
}

extension ResponseCheckEvaluator {
    /// Judges members of a body that the contract allows, as it has not said that there are no others, and does not name.
    ///
    /// One that is nearly the name of a member that is not sent is a slip.
    func judgeStrangers(in request: HTTPRequest, for operation: Operation, _ verdict: inout Verdict) {
        guard !request.body.isEmpty,
            request.fields["Content-Type"].flatMap(MediaType.init(parsing:))?.isJSON == true,
            let content = operation.requestBody?.content.byPreference.first(where: { $0.concreteType.isJSON }),
            let reference = content.schema, let schema = contract.schemas.schema(reference),
            let body = try? JSONParser().parse(request.body).root
        else { return }
        for stranger in VariantSampler().strangers(in: body, of: schema) {
            let meant = Suggestion.nearest(to: stranger.name, among: stranger.missing)
            let finding = Finding(
                meant == nil ? .warning : .error,
                id: ResponseCheckFault.request.rawValue,
                "\(operation.id) is sent with \(stranger.place.description.printable), which the contract does not document",
                at: contract.place(of: content.position, operation: operation.label),
                advice: meant.map { "did you mean \($0)?" } ?? "document the member, or remove it"
            )
            verdict.findings.append(finding)
        }
    }
}

extension ResponseCheckEvaluator {
    /// Judges what is left of the session after a call.
    func judgeSession(
        after call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        guard let observed = call.session, !ledger.isUncertain, !ledger.isUnknown else { return }
        // A client without sessions, for a contract without any.
        if call.sessionBefore == ObservedSession.none { return }
        let id = cell.name
        let words = cell.answer.words
        let names = observed.tokens.filter { !$0.value.isEmpty }.keys.sorted()
        if let name = names.first(where: { !roles.tokenNames.contains($0) }) {
            return verdict.findings.append(unknownToken(name))
        }
        let session = roles.withoutKeys(observed)
        let stored = session.tokens
        let granted = roles.withoutKeys(ledger.tokens)
        if cell.role == .signOut {
            if case .success = cell.answer.kind, call.outcome.isValue {
                if session.isSignedIn || !stored.isEmpty {
                    let message = "\(id), \(words), left \(self.names(of: stored, or: "the client signed in"))"
                    verdict.add(.tokensChanged, message, at: place(of: cell))
                }
                return
            }
            // The user asks to be signed out, regardless of the response.
            if stored.isEmpty { return }
        }
        if stored == granted {
            if session.isSignedIn { judgeRefusedRefresh(of: call, stored, &verdict) }
            return judgeStanding(session, in: cell, ledger, &verdict)
        }
        if stored.isEmpty {
            // A sign-in that has failed leaves the user as she was.
            guard !ledger.mayBeOver, cell.role != .signIn || call.outcome.isValue else { return }
            let reason =
                ledger.hasGranted
                ? "although new tokens were granted" : "although the server did not refuse the session"
            // RFC 6749, section 5.2, refuses an invalid refresh token with 400, which says other things elsewhere.
            let remedy = ledger.refusal.map {
                "; if \($0) ends the session here, add \($0) to the statuses that end a session (sessionStatuses)"
            }
            let message = "\(id), \(words), signed out, \(reason)\(remedy ?? "")"
            verdict.add(.sessionLost, message, at: place(of: cell))
            return
        }
        for kind in Set(stored.keys).union(granted.keys).sorted()
        where stored[kind] != granted[kind] && !(stored[kind].map(ledger.isGrantedInField) ?? false) {
            // A client may keep only its refresh token.
            if stored[kind] == nil, !roles.storedKinds.isEmpty, !roles.storedKinds.contains(kind) { continue }
            // A client that signs out may keep some of its tokens.
            if stored[kind] == nil, !session.isSignedIn, ledger.mayBeOver { continue }
            let message = "\(id), \(words): \(change(of: kind, stored, call.storedBefore, ledger))"
            verdict.add(.tokensChanged, message, at: place(of: cell))
        }
    }

    /// A token whose name no call grants is misspelt; it is the same for every call, so that it is reported once.
    private func unknownToken(_ name: String) -> Finding {
        let names = roles.tokenNames.map { "\"\($0)\"" }.joined(lastBy: "and")
        let known = names.isEmpty ? "this client has no tokens" : "the tokens of this client are \(names)"
        return Finding(
            .error,
            id: ResponseCheckFault.unknownToken.rawValue,
            "the client's session has a token \"\(name.printable)\", but \(known)",
            at: Place(file: contract.path),
            advice: Suggestion.nearest(to: name, among: roles.tokenNames).map { "did you mean \"\($0)\"?" }
                ?? "name the token in the client's tokens, or in granting(_:) of the call that grants it"
        )
    }

    /// A refresh token that the server has refused is of no use.
    private func judgeRefusedRefresh(of call: MadeCall, _ stored: [String: String], _ verdict: inout Verdict) {
        let last = call.requests.last { $0.operation.map { roles.refresh.contains($0.id) } ?? false }
        guard let last, let operation = last.operation, let status = last.answer.status,
            last.isInvalidGrant || roles.refusals.ending.contains(status) && !last.request.isOfOAuth,
            roles.mayEndSession(status, answering: operation),
            let token = stored[roles.kinds.refresh], last.request.carries(token)
        else { return }
        // The same for every call, so that it is reported once.
        let message =
            "the client keeps the \(roles.kinds.refresh) token that \(operation.id) has refused with \(status), and stays "
            + "signed in"
        let advice = "delete the tokens, so that the app asks the user to sign in"
        verdict.warn(.sessionKept, message, at: place(of: operation), advice: advice)
    }

    /// A client with tokens is signed in, and no other.
    private func judgeStanding(
        _ session: ObservedSession,
        in cell: ResponseCheckPlan.Cell,
        _ ledger: SessionLedger,
        _ verdict: inout Verdict
    ) {
        guard session.isSignedIn == session.tokens.isEmpty, !ledger.mayBeOver else { return }
        let message =
            session.isSignedIn
            ? "left the client signed in without stored tokens" : "left the client signed out with stored tokens"
        let fault = session.isSignedIn ? ResponseCheckFault.tokensChanged : .sessionLost
        verdict.add(fault, "\(cell.name), \(cell.answer.words), \(message)", at: place(of: cell))
    }

    private func change(
        of kind: String,
        _ stored: [String: String],
        _ before: [String: String],
        _ ledger: SessionLedger
    ) -> String {
        guard let wanted = ledger.tokens[kind] else { return "the server did not grant the stored \(kind) token" }
        let isGranted = wanted != before[kind]
        let right = isGranted ? "the granted token" : "the previous token"
        guard let token = stored[kind] else {
            return "the client deleted the \(kind) token instead of keeping \(right)"
        }
        if isGranted, token == before[kind] { return "the \(kind) token is the previous token instead of \(right)" }
        if let other = ledger.tokens.keys.sorted().first(where: { ledger.tokens[$0] == token }) {
            return "the \(other) token is stored as the \(kind) token instead of \(right)"
        }
        return "the \(kind) token is \"\(token)\" instead of \(right)"
    }

    private func names(of tokens: [String: String], or standing: String) -> String {
        guard !tokens.isEmpty else { return standing }
        return tokens.keys.sorted().map { "the \($0) token" }.joined(separator: " and ") + " stored"
    }
}

extension ResponseCheckEvaluator {
    /// Judges the requests, and tracks the tokens granted in between.
    func judgeRequests(
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ terms: Terms,
        _ verdict: inout Verdict
    ) -> SessionLedger {
        let id = cell.operation.id
        var ledger = SessionLedger(roles, storing: call.storedBefore)
        var sent: Set<String> = []
        var isElsewhere = false
        for exchange in call.requests {
            guard let operation = exchange.operation else {
                judgeStray(exchange, in: cell, &verdict)
                isElsewhere = true
                continue
            }
            let isRepeated = !sent.insert(operation.id).inserted
            if operation.id != id, !roles.refresh.contains(operation.id), !terms.accompanying.contains(operation.id) {
                isElsewhere = true
                judgeDetour(to: operation, with: exchange.request, of: call, in: cell, &verdict)
            }
            for violation in exchange.violations {
                if network == .urlSession,
                    let fact = PlatformFact.excusing(violation, of: exchange, repeating: isRepeated, in: cell.answer)
                {
                    verdict.excuse(by: fact)
                } else {
                    var finding = violation.finding()
                    finding.id = ResponseCheckFault.request.rawValue
                    // Elsewhere it may be on purpose; here the client has all it needs, so it is a mistake.
                    if violation.id != "contract/undecided" { finding.severity = .error }
                    finding.message = "the request for \(operation.id) is not valid: \(violation.message)"
                    verdict.findings.append(finding)
                }
            }
            if !exchange.violations.contains(where: \.isAboutBody) {
                judgeStrangers(in: exchange.request, for: operation, &verdict)
            }
            judgeToken(of: exchange, for: operation, in: cell, ledger, &verdict)
            ledger.note(exchange)
        }
        judgeRepetition(of: call, in: cell, terms, &verdict)
        judgeTokensElsewhere(of: call, in: cell, ledger, &verdict)
        // A client without a new token has nothing to send.
        let isRefused = call.requests.contains { exchange in
            exchange.operation.map { roles.refresh.contains($0.id) } == true && !exchange.hasSucceeded
        }
        if !sent.contains(id), !isElsewhere, !isRefused, !cell.answer.isOffline {
            judgeSilence(of: call, in: cell, &verdict)
        }
        return ledger
    }

    /// A request for what the contract does not have.
    private func judgeStray(_ exchange: RecordedRequest, in cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) {
        if redirects(cell, &verdict) { return }
        let request = exchange.request
        let message = "\(cell.name) sends \(request.method) \(request.path), which the contract does not document"
        verdict.add(.request, message, at: place(of: cell.operation))
    }

    private func judgeDetour(
        to operation: Operation,
        with request: HTTPRequest,
        of call: MadeCall,
        in cell: ResponseCheckPlan.Cell,
        _ verdict: inout Verdict
    ) {
        if redirects(cell, &verdict) { return }
        let message =
            "\(cell.name), \(cell.answer.words), sent \(operation.id) (\(operation.label)), which is unexpected"
        let related = [RelatedPlace(place(of: operation), "\(operation.id) is documented here")]
        let isRefresh = call.storedBefore[roles.kinds.refresh].map(request.carries) ?? false
        let advice =
            isRefresh
            ? "add the call that refreshes the tokens: Call(\"\(operation.id)\", .refresh)"
            : "if the operation belongs to the call, declare it with accompanied(by:)"
        verdict.add(.wrongOperation, message, at: place(of: cell), related: related, advice: advice)
        if isRefresh { verdict.undeclaredRefresh = verdict.undeclaredRefresh ?? verdict.findings.last }
    }

    private func redirects(_ cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) -> Bool {
        guard network == .urlSession, case .other(300..<400) = cell.answer.kind else { return false }
        verdict.excuse(by: .followsRedirects)
        return true
    }

    private func judgeSilence(of call: MadeCall, in cell: ResponseCheckPlan.Cell, _ verdict: inout Verdict) {
        // A call that hangs is reported anyway.
        if call.outcome.isHung { return }
        let operation = cell.operation
        if network == .urlSession, operation.method == .get, operation.requestBody != nil {
            return verdict.excuse(by: .refusesGetWithBody)
        }
        let message = "\(cell.name) ended with \(call.outcome), but no request reached the server"
        verdict.add(.noRequest, message, at: place(of: operation))
    }
}

extension Operation {
    /// A Boolean value that indicates whether 202 says that the result of another success does not exist yet.
    var hasResultLater: Bool {
        method == .get
            && responses.contains { response in
                response.servedStatus(by: self).map { 200..<300 ~= $0 && $0 != 202 } ?? false
            }
    }
}

extension MadeCall {
    /// A Boolean value that indicates whether the last requests ask for the same thing although they succeed.
    fileprivate var isPolling: Bool {
        guard let last = requests.last, requests.count > 2 else { return false }
        return requests.suffix(2).allSatisfy { sent in
            sent.hasSucceeded && sent.request.method == .get && sent.request.target == last.request.target
        }
    }

    /// A Boolean value that indicates whether a request had one of the tokens from before the call.
    fileprivate var hasSentToken: Bool {
        requests.contains { sent in storedBefore.values.contains(where: sent.request.carries) }
    }
}

extension RecordedRequest {
    var hasSucceeded: Bool { answer.status.map { 200..<300 ~= $0 } ?? false }

    /// A Boolean value that indicates whether its response says that the refresh token is not valid (RFC 6749, section
    /// 5.2).
    fileprivate var isInvalidGrant: Bool {
        guard case .response(let response) = answer else { return false }
        return (try? JSONParser().parse(response.body).root)?["error"] == "invalid_grant"
    }

    /// A Boolean value that indicates whether the body of its response reports an error, regardless of the status.
    fileprivate var reportsError: Bool {
        json.map { !ReportedErrors(in: $0).places.isEmpty } ?? false
    }

    /// The body of its response, if it is JSON.
    fileprivate var json: JSONValue? {
        guard case .response(let response) = answer else { return nil }
        return try? JSONParser().parse(response.body).root
    }
}

extension HTTPRequest {
    /// Returns whether a token is anywhere in the request, as the server reads it: queries, forms and JSON are decoded.
    func carries(_ token: String) -> Bool {
        let token = token.utf8
        if path.utf8.contains(token) || fields.contains(where: { $0.value.utf8.contains(token) }) { return true }
        if CapturedStrings.request(self).contains(where: { $0.value.utf8.contains(token) }) { return true }
        let isDecoded =
            CapturedStrings.isForm(body, type: self.fields["Content-Type"]) || (try? JSONParser().parse(body)) != nil
        return !isDecoded && body.contains(token)
    }

    /// A Boolean value that indicates whether the request is one of OAuth to a token endpoint (RFC 6749, section 4).
    fileprivate var isOfOAuth: Bool {
        CapturedStrings.isForm(body, type: fields["Content-Type"])
            && QueryItems(parsingForm: body).items.contains { $0.name == "grant_type" }
    }
}
