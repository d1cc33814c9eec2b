package import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// The base URL of the server that requests are sent on to.
    package var upstreamURL: String? { played.scenario.upstream }

    /// Returns the response to a request that must not be sent on; `nil` for one that may.
    ///
    /// The upstream would accept a token that has expired only here, and would end the user's session for a refresh token
    /// that is used twice.
    mutating func refusalBeforeUpstream(_ answer: ChosenResponse, in context: inout ExchangeContext) -> ChosenResponse?
    {
        guard answer.isForwarded else { return nil }
        let purpose = upstreamPurpose(in: context)
        if purpose == .signOut, !allowsSignOut {
            let devices: DeviceSet = context.device.map { .one($0) } ?? .none
            ledger.revoke(.every, devices: devices, at: context.now)
            context.isWithheld = true
            return ChosenResponse(.signedOutHere)
        }
        for (index, token) in context.offered.enumerated()
        where token.isAccepted != false && isJudged(token, by: purpose, in: context) {
            guard let id = token.id else { continue }
            var standing = token.standing
            if standing == .valid, purpose == .refresh, !allowsSignOut, isUsed(id, token.wanted) {
                standing = .superseded
                if upstream.refreshing[id] != nil { upstream.usedAgain.insert(id) }
            } else if token.isAccepted != nil {
                continue
            }
            guard standing != .valid, !(standing == .superseded && allowsSignOut && purpose == .refresh) else {
                continue
            }
            context.offered[index].isAccepted = false
            context.offered[index].standing = standing
            if (standing == .superseded || standing == .reused) && !upstream.spent.contains(id) {
                context.reused.append(id)
            }
            return refusal(of: token.wanted, standing)
        }
        guard purpose == .refresh, !allowsSignOut,
            unknownRefreshTokens(of: context).contains(where: { isUsed($0, "refresh") })
        else { return nil }
        return refusal(of: "refresh", .superseded)
    }

    /// The refresh tokens of a request that this session has not seen in a response; none next to one that it has.
    private func unknownRefreshTokens(of context: ExchangeContext) -> [String] {
        let isKnown = context.refreshTokens.contains { ledger.token(value: $0) != nil }
        return isKnown ? [] : context.refreshTokens
    }

    /// Returns whether the upstream has a refresh token at this moment or may have used it, after which it accepts the
    /// token no longer.
    private func isUsed(_ token: String, _ kind: String) -> Bool {
        guard upstream.refreshing[token] != nil || upstream.spent.contains(token), !upstream.stableKinds.contains(kind)
        else { return false }
        return played.scenario.tokens.kind(named: kind)?.rotation.map { $0.usability <= .zero } ?? true
    }

    /// The purpose of a request for an upstream: that of its route, or the guess for a route that does not say it.
    func upstreamPurpose(in context: ExchangeContext) -> RoutePurpose? {
        guard let purpose = context.purpose, purpose != .resource || context.guess != .signOut else {
            return context.guess
        }
        // The grants of a token endpoint's other cases say nothing about a request.
        let isOfOthers = purpose == .signIn && context.branch == nil && context.route?.cases.isEmpty == false
        // No grant of the route may be known yet.
        let mayRefresh = purpose == .resource && context.guess == .refresh && context.offered.contains(where: isRefresh)
        return purpose == .open || isOfOthers || mayRefresh ? context.guess ?? purpose : purpose
    }

    /// Returns whether the state of a token decides about a request.
    private func isJudged(_ token: OfferedToken, by purpose: RoutePurpose?, in context: ExchangeContext) -> Bool {
        switch purpose {
        case .signIn: return false
        case .open: return false
        case .refresh:
            let kinds = context.route?.purposes.refreshKinds ?? []
            guard kinds.isEmpty else { return kinds.contains(token.wanted) }
            return token.wanted == "refresh" || !context.offered.contains { $0.wanted == "refresh" }
        case .resource, .signOut, nil: return !isCompanion(token, in: context.offered)
        }
    }

    /// Returns whether a refresh token travels next to the token that a route wants, as cookies do.
    private func isCompanion(_ token: OfferedToken, in offered: [OfferedToken]) -> Bool {
        isRefresh(token) && offered.contains { !isRefresh($0) }
    }

    /// The refusal of a token: the scenario's, the last one of the upstream, or the tool's own.
    func refusal(of kind: String, _ standing: TokenStanding) -> ChosenResponse {
        if let own = played.script.rejections[kind]?[standing] { return ChosenResponse(own) }
        if let recorded = upstream.refusals[kind] { return ChosenResponse(documented: recorded) }
        return ChosenResponse(.refused(kind, standing))
    }

    /// Notes that a request is sent on.
    mutating func beginForwarding(isCommitted: Bool, in context: ExchangeContext) {
        let purpose = upstreamPurpose(in: context)
        upstream.requests[context.number] = ForwardedRequest(
            method: context.request.request.method,
            route: context.route,
            purpose: purpose,
            device: context.device,
            account: context.account,
            offered: context.offered,
            isCommitted: isCommitted
        )
        guard purpose == .refresh else { return }
        for token in context.offered where isJudged(token, by: purpose, in: context) {
            // Without a known route, an access token on a path such as /timeline/refresh is used by many requests.
            let isKnown = context.route?.purposes.refreshKinds.isEmpty == false
            guard isRefresh(token) || isKnown && !context.offered.contains(where: isRefresh) else { continue }
            if let id = token.id { upstream.refreshing[id] = context.number }
        }
        for token in unknownRefreshTokens(of: context) { upstream.refreshing[token] = context.number }
    }

    private func isRefresh(_ token: OfferedToken) -> Bool { token.wanted.lowercased().contains("refresh") }

    /// Notes that a request is not at the upstream anymore.
    ///
    /// - Parameter mayBeUsed: A Boolean value that indicates whether the upstream may have used its refresh token, and no
    ///   response has said so.
    mutating func endForwarding(_ number: UInt64, mayBeUsed: Bool) -> ForwardedRequest? {
        guard let request = upstream.requests.removeValue(forKey: number) else { return nil }
        for (token, exchange) in upstream.refreshing where exchange == number {
            upstream.refreshing[token] = nil
            guard mayBeUsed, !replacesUpstreamTokens || ledger.token(id: token) == nil else { continue }
            if upstream.spent.count < Self.mostTokens { upstream.spent.insert(token) }
        }
        return request
    }

    /// Takes in what an upstream has answered: its tokens, its refusals, and its message for the journal.
    ///
    /// It is called before the client has the last byte, so that no later request comes before it.
    package mutating func note(_ answer: UpstreamAnswer, of number: UInt64, at now: MonotonicTime) {
        let time = catchUp(at: now)
        for grant in answer.grants { foreignTokens.conceal(grant.value, at: lastExchange) }
        for secret in answer.secrets { foreignTokens.conceal(secret, at: lastExchange) }
        let unknown = upstream.refreshing.filter { $0.value == number && ledger.token(id: $0.key) == nil }.keys
        let isRotated = answer.grants.contains { $0.kind.contains("refresh") && !unknown.contains($0.value) }
        let isIncomplete = answer.response.status.isSuccessful && !answer.isWhole
        let mayBeUsed = answer.isLost || isIncomplete || !unknown.isEmpty && isRotated
        guard var request = endForwarding(number, mayBeUsed: mayBeUsed) else { return }
        if let exchange = journal.exchange(number), request.route == nil,
            case .route(let index, _) = played.script.backend.tree.match(exchange.request)
        {
            request.route = played.script.backend.routes[index]
            request.purpose = request.purpose ?? request.route?.purposes.common
        }
        if answer.isRefusal { noteRefusal(answer.response, of: &request, at: time) }
        for (index, token) in request.offered.enumerated() where token.id == nil {
            // A text in the place of a token, such as "null".
            let statuses = [401, upstream.refusals[token.wanted]?.status.code]
            if statuses.contains(answer.response.status.code) { request.offered[index].isAccepted = false }
        }
        let granted = request.isCommitted ? enter(answer.grants, by: &request, at: time) : []
        journal.change(number) { exchange in
            exchange.response = answer.response
            if answer.hidesBody { exchange.response.body = [] }
            if let route = request.route { exchange.route = route.key }
            exchange.changeDetails { details in
                details.granted = granted
                details.offered = request.offered
                (details.device, details.account) = (request.device, request.account)
            }
        }
        guard let route = request.route else { return }
        enterConsequences(of: route, status: answer.response.status.code, at: time)
        catchUp(at: now)
    }

    private mutating func noteRefusal(
        _ response: HTTPResponse,
        of request: inout ForwardedRequest,
        at time: VirtualTime
    ) {
        let isRefresh = request.purpose == .refresh
        // Some backends respond with 401 where a user may not do something. RFC 6750, section 3.1, defines the code.
        let isOfToken = isRefresh || response.fields["WWW-Authenticate"]?.contains("invalid_token") == true
        for index in request.offered.indices {
            let token = request.offered[index]
            let refreshed = request.route?.purposes.refreshKinds ?? []
            guard token.isAccepted != false,
                isRefresh
                    ? self.isRefresh(token) || refreshed == [token.wanted]
                    : !isCompanion(token, in: request.offered)
            else { continue }
            request.offered[index].isAccepted = false
            if token.standing == .valid { request.offered[index].standing = .revoked }
            if isOfToken, let id = token.id { ledger.refuse(id, at: time) }
            // The refusal of a HEAD request lacks the body that others have.
            guard request.method != .head else { continue }
            var kept = response
            kept.fields = kept.fields.filter { !Self.passingFields.contains($0.lowercased()) }
            if upstream.refusals.count < 100 { upstream.refusals[token.wanted] = kept }
        }
    }

    /// Fields of a response that belong to one message.
    private static let passingFields: Set<String> = [
        "date", "content-length", "set-cookie", "age", "etag", "last-modified",
    ]

    /// The scenario's kind for the tokens that an upstream calls by a name.
    private func ownKind(of name: String) -> String? {
        let kinds = played.scenario.tokens.kinds.filter { !$0.isForeign }.map(\.name)
        if kinds.contains(name.exact) { return name }
        guard ["access", "refresh", "session"].contains(name) else { return nil }
        return kinds.first { $0.lowercased().contains("refresh") == (name == "refresh") }
    }

    /// Enters the tokens of an upstream in the ledger.
    private mutating func enter(
        _ grants: [UpstreamGrant],
        by request: inout ForwardedRequest,
        at time: VirtualTime
    ) -> [GrantedToken] {
        let rules = played.scenario.tokens
        let grants = grants.compactMap { grant in
            ownKind(of: grant.kind).map { kind in
                var grant = grant
                grant.kind = kind
                return grant
            }
        }
        guard !grants.isEmpty, ledger.tokens.count < Self.mostTokens else { return [] }
        let used = request.offered.compactMap { $0.id.flatMap(ledger.token(id:)) }
        if request.purpose == .signIn || used.isEmpty && request.device.flatMap(ledger.device(named:)) == nil {
            let device = request.device ?? ledger.nextUnnamedDevice()
            let account = request.account ?? defaultAccount
            ledger.signIn(device: device, account: account)
            (request.device, request.account) = (device, account)
        }
        guard let device = request.device ?? used.first?.device, let owner = ledger.device(named: device) else {
            return []
        }
        var granted: [GrantedToken] = []
        for grant in grants {
            guard let kind = rules.kind(named: grant.kind) else { continue }
            let parent = used.first { $0.kind == grant.kind } ?? used.first
            if let known = ledger.token(value: grant.value, preferring: grant.kind), known.kind == grant.kind {
                if !grant.isShown { granted.append(GrantedToken(kind: grant.kind, id: known.id, source: .stored)) }
                // An upstream whose clock is not this one may hand out an equal token, from which its lifetime begins again,
                // as that of a session's cookie does with each response.
                let isValid = known.standing(now: time) == .valid
                let isRenewed =
                    isValid
                    ? grant.isExtended
                    : !grant.isShown && (request.purpose == .refresh || request.purpose == .signIn)
                if isRenewed { ledger.revive(known.id, to: time + (grant.lifetime ?? kind.lifetime)) }
                if parent?.id == known.id { upstream.stableKinds.insert(grant.kind) }
                continue
            }
            // An access token next to the refresh token lives on.
            if request.purpose == .refresh, let parent, parent.kind == grant.kind,
                used.count == 1 || grant.kind.lowercased().contains("refresh")
            {
                ledger.exchange(parent.id, at: time)
                upstream.stableKinds.remove(grant.kind)
            }
            let token = Token(
                id: ledger.nextID(of: grant.kind),
                kind: grant.kind,
                value: grant.value,
                device: device,
                account: owner.account,
                family: owner.family,
                issued: time,
                expires: time + (grant.lifetime ?? kind.lifetime),
                parent: parent?.id
            )
            ledger.enter(token, owner: rules.stored, multiplicity: .many, at: time)
            if !grant.isShown { granted.append(GrantedToken(kind: grant.kind, id: token.id, source: .new)) }
        }
        if request.purpose == .refresh {
            // The route may not have been known as a refresh before.
            for (index, token) in request.offered.enumerated()
            where !granted.isEmpty && token.isAccepted == nil && (isRefresh(token) || request.offered.count == 1) {
                request.offered[index].isAccepted = true
            }
            for token in used where upstream.usedAgain.remove(token.id) != nil { noteReuse(of: token.id, at: time) }
            for token in used where !grants.contains(where: { $0.kind == token.kind }) {
                upstream.stableKinds.insert(token.kind)
            }
        }
        return granted
    }

    /// Lets the upstream respond; a connection that breaks before the server has done its work is not its concern.
    mutating func forward(
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
        // A browser sends no expired cookie, and a page for anyone would still know its user.
        forwarding?.deadTokens = context.offered.filter { [.expired, .revoked].contains($0.standing) }
            .compactMap { $0.id.flatMap(ledger.token(id:))?.value }
        forwarding?.time = context.now
        decision.forwarding = forwarding
        (decision.fault, decision.pacing) = (nil, nil)
        let response = render(.noUpstream, at: context.now)
        decision.response = response
        beginForwarding(isCommitted: isCommitted, in: context)
    }
}
