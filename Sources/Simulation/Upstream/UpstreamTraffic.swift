import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The requests and tokens of an upstream server.
package struct UpstreamTraffic: Sendable {
    /// A Boolean value that indicates whether requests are sent on that end the session of a real user.
    package var allowsSignOut = false
    /// A Boolean value that indicates whether clients have other tokens than the upstream, which gets each refresh token
    /// once.
    package var replacesTokens = false
    /// The requests that the upstream has, by exchange.
    private var requests: [UInt64: ForwardedRequest] = [:]
    /// The refresh tokens that the upstream has at this moment, with their exchanges: their ids, or the texts of those that
    /// no response has shown.
    private var refreshing: [String: UInt64] = [:]
    /// The refresh tokens that were sent again while the upstream had them.
    private var usedAgain: Set<String> = []
    /// The refresh tokens that the upstream has used, or may have, although the ledger does not say so.
    private var spent: Set<String> = []
    /// The kinds that a refresh has left unchanged.
    private var stableKinds: Set<String> = []

    // MARK: Requests

    /// Returns the token of a request that must not be sent on; `nil` where the request may be.
    ///
    /// The upstream would accept a token that has expired only here, and would end the user's session for a refresh token
    /// that is used twice.
    mutating func refusedToken(
        in context: inout ExchangeContext,
        by purpose: RoutePurpose?,
        _ ledger: TokenLedger,
        _ rules: TokenRules
    ) -> (kind: String, standing: TokenStanding)? {
        for (index, token) in context.offered.enumerated()
        where token.isAccepted != false && context.isJudged(token, by: purpose) {
            guard let id = token.id else { continue }
            var standing = token.standing
            if standing == .valid, purpose == .refresh, !allowsSignOut, isUsed(id, token.wanted, rules) {
                standing = .superseded
                if refreshing[id] != nil { usedAgain.insert(id) }
            } else if token.isAccepted != nil {
                continue
            }
            guard standing != .valid, !(standing == .superseded && allowsSignOut && purpose == .refresh) else {
                continue
            }
            context.offered[index].isAccepted = false
            context.offered[index].standing = standing
            if (standing == .superseded || standing == .reused) && !spent.contains(id) { context.reused.append(id) }
            return (token.wanted, standing)
        }
        guard purpose == .refresh, !allowsSignOut,
            ledger.unknown(context.remarks?.refreshTokens ?? []).contains(where: { isUsed($0, "refresh", rules) })
        else { return nil }
        return ("refresh", .superseded)
    }

    /// Returns whether the upstream has a refresh token at this moment or may have used it, after which it accepts the
    /// token no longer.
    private func isUsed(_ token: String, _ kind: String, _ rules: TokenRules) -> Bool {
        guard refreshing[token] != nil || spent.contains(token), !stableKinds.contains(kind)
        else { return false }
        return rules.kind(named: kind)?.rotation.map { $0.usability <= .zero } ?? true
    }

    /// Notes that a request is sent on.
    mutating func begin(_ context: borrowing ExchangeContext, isCommitted: Bool, _ ledger: TokenLedger) {
        let purpose = context.upstreamPurpose
        requests[context.number] = ForwardedRequest(
            method: context.request.request.method,
            route: context.route,
            purpose: purpose,
            device: context.device,
            account: context.account,
            offered: context.offered,
            isCommitted: isCommitted
        )
        guard purpose == .refresh else { return }
        for token in context.offered where context.isJudged(token, by: purpose) {
            // Without a known route, an access token on a path such as /timeline/refresh is used by many requests.
            let isKnown = context.route?.purposes.refreshKinds.isEmpty == false
            guard token.isRefresh || isKnown && !context.offered.contains(where: \.isRefresh) else { continue }
            if let id = token.id { refreshing[id] = context.number }
        }
        for token in ledger.unknown(context.remarks?.refreshTokens ?? []) { refreshing[token] = context.number }
    }

    /// Notes that a request is not at the upstream anymore.
    ///
    /// - Parameter mayBeUsed: A Boolean value that indicates whether the upstream may have used its refresh token, and no
    ///   response has said so.
    mutating func end(_ number: UInt64, mayBeUsed: Bool, _ ledger: TokenLedger) -> ForwardedRequest? {
        guard !requests.isEmpty, let request = requests.removeValue(forKey: number) else { return nil }
        for (token, exchange) in refreshing where exchange == number {
            refreshing[token] = nil
            guard mayBeUsed, !replacesTokens || ledger.token(id: token) == nil else { continue }
            if spent.count < TokenLedger.mostTokens { spent.insert(token) }
        }
        return request
    }

    /// Notes that the upstream has answered a request.
    private mutating func end(_ number: UInt64, by answer: UpstreamAnswer, _ ledger: TokenLedger) -> ForwardedRequest? {
        let unknown = refreshing.filter { $0.value == number && ledger.token(id: $0.key) == nil }.keys
        let isRotated = answer.grants.contains { $0.kind.contains("refresh") && !unknown.contains($0.value) }
        let isIncomplete = answer.response.status.isSuccessful && !answer.isWhole
        return end(number, mayBeUsed: answer.isLost || isIncomplete || !unknown.isEmpty && isRotated, ledger)
    }

    // MARK: Responses

    /// Takes in what the upstream has answered: its tokens and its refusals.
    ///
    /// - Parameters:
    ///   - number: the exchange.
    ///   - sent: its request; `nil` if the journal has dropped it.
    /// - Returns: the request as the answer has changed it, and the tokens that it has got.
    mutating func complete(
        _ number: UInt64,
        _ sent: HTTPRequest?,
        by answer: UpstreamAnswer,
        _ backend: inout MockBackend,
        _ chooser: inout ResponseChooser,
        at time: VirtualTime
    ) -> (request: ForwardedRequest, granted: [GrantedToken])? {
        guard var request = end(number, by: answer, backend.ledger) else { return nil }
        let server = backend.played.script.backend
        if let sent, request.route == nil, case .route(let index, _) = server.tree.match(sent) {
            request.route = server.routes[index]
            request.purpose = request.purpose ?? request.route?.purposes.common
        }
        if answer.isRefusal {
            let kinds = noteRefusal(answer.response, of: &request, &backend.ledger, at: time)
            for kind in kinds { chooser.keep(answer.response, of: kind) }
        }
        for (index, token) in request.offered.enumerated() where token.id == nil {
            // A text in the place of a token, such as "null".
            let statuses = [401, chooser.refusals[token.wanted]?.status.code]
            if statuses.contains(answer.response.status.code) { request.offered[index].isAccepted = false }
        }
        guard request.isCommitted else { return (request, []) }
        let (rules, account) = (backend.played.scenario.tokens, backend.defaultAccount)
        let granted = enter(answer.grants, by: &request, &backend.ledger, rules, account: account, at: time)
        return (request, granted)
    }

    /// Notes that the upstream has refused the token of a request.
    ///
    /// - Returns: the kinds of the refused tokens; none for a HEAD request, whose refusal lacks the body that others have.
    private func noteRefusal(
        _ response: HTTPResponse,
        of request: inout ForwardedRequest,
        _ ledger: inout TokenLedger,
        at time: VirtualTime
    ) -> [String] {
        var kinds: [String] = []
        let isRefresh = request.purpose == .refresh
        // Some backends respond with 401 where a user may not do something. RFC 6750, section 3.1, defines the code.
        let isOfToken = isRefresh || response.fields["WWW-Authenticate"]?.contains("invalid_token") == true
        for index in request.offered.indices {
            let token = request.offered[index]
            let refreshed = request.route?.purposes.refreshKinds ?? []
            guard token.isAccepted != false,
                isRefresh
                    ? token.isRefresh || refreshed == [token.wanted]
                    : !token.isCompanion(in: request.offered)
            else { continue }
            request.offered[index].isAccepted = false
            if token.standing == .valid { request.offered[index].standing = .revoked }
            if isOfToken, let id = token.id { ledger.refuse(id, at: time) }
            if request.method != .head { kinds.append(token.wanted) }
        }
        return kinds
    }

    /// Enters the tokens of an upstream in the ledger.
    ///
    /// - Parameter account: that of a sign-in whose account is unknown.
    private mutating func enter(
        _ grants: [UpstreamGrant],
        by request: inout ForwardedRequest,
        _ ledger: inout TokenLedger,
        _ rules: TokenRules,
        account: String,
        at time: VirtualTime
    ) -> [GrantedToken] {
        let grants = grants.compactMap { grant in
            rules.ownKind(of: grant.kind).map { kind in
                var grant = grant
                grant.kind = kind
                return grant
            }
        }
        guard !grants.isEmpty, ledger.tokens.count < TokenLedger.mostTokens else { return [] }
        let used = request.offered.compactMap { $0.id.flatMap { ledger.token(id: $0) } }
        if request.purpose == .signIn || used.isEmpty && request.device.flatMap({ ledger.device(named: $0) }) == nil {
            let device = request.device ?? ledger.nextUnnamedDevice()
            let account = request.account ?? account
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
                if parent?.id == known.id { stableKinds.insert(grant.kind) }
                continue
            }
            // An access token next to the refresh token lives on.
            if request.purpose == .refresh, let parent, parent.kind == grant.kind,
                used.count == 1 || grant.kind.lowercased().contains("refresh")
            {
                ledger.exchange(parent.id, at: time)
                stableKinds.remove(grant.kind)
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
            where !granted.isEmpty && token.isAccepted == nil && (token.isRefresh || request.offered.count == 1) {
                request.offered[index].isAccepted = true
            }
            for token in used where usedAgain.remove(token.id) != nil {
                ledger.noteReuse(of: token.id, by: rules, at: time)
            }
            for token in used where !grants.contains(where: { $0.kind == token.kind }) {
                stableKinds.insert(token.kind)
            }
        }
        return granted
    }
}

extension ExchangeContext {
    /// The purpose of a request for an upstream: that of its route, or the guess for a route that does not say it.
    var upstreamPurpose: RoutePurpose? {
        let guess = remarks?.purpose
        guard let purpose, purpose != .resource || guess != .signOut else {
            return guess
        }
        // The grants of a token endpoint's other cases say nothing about a request.
        let isOfOthers = purpose == .signIn && branch == nil && route?.cases.isEmpty == false
        // No grant of the route may be known yet.
        let mayRefresh = purpose == .resource && guess == .refresh && offered.contains(where: \.isRefresh)
        return purpose == .open || isOfOthers || mayRefresh ? guess ?? purpose : purpose
    }

    /// Returns whether the state of a token decides about a request.
    fileprivate func isJudged(_ token: OfferedToken, by purpose: RoutePurpose?) -> Bool {
        switch purpose {
        case .signIn, .open: return false
        case .refresh:
            let kinds = route?.purposes.refreshKinds ?? []
            guard kinds.isEmpty else { return kinds.contains(token.wanted) }
            return token.wanted == "refresh" || !offered.contains { $0.wanted == "refresh" }
        case .resource, .signOut, nil: return !token.isCompanion(in: offered)
        }
    }
}

extension OfferedToken {
    fileprivate var isRefresh: Bool { wanted.lowercased().contains("refresh") }

    /// Returns whether a refresh token travels next to the token that a route wants, as cookies do.
    fileprivate func isCompanion(in offered: [OfferedToken]) -> Bool {
        isRefresh && offered.contains { !$0.isRefresh }
    }
}

extension TokenLedger {
    /// The refresh tokens of a request that this session has not seen in a response; none next to one that it has.
    fileprivate func unknown(_ refreshTokens: [String]) -> [String] {
        refreshTokens.contains { token(value: $0) != nil } ? [] : refreshTokens
    }
}

extension TokenRules {
    /// The scenario's kind for the tokens that an upstream calls by a name.
    fileprivate func ownKind(of name: String) -> String? {
        let kinds = self.kinds.filter { !$0.isForeign }.map(\.name)
        if kinds.contains(name.exact) { return name }
        guard ["access", "refresh", "session"].contains(name) else { return nil }
        return kinds.first { $0.lowercased().contains("refresh") == (name == "refresh") }
    }
}

/// A request that an upstream server has, with what its response changes.
struct ForwardedRequest: Sendable {
    let method: HTTPMethod
    var route: CompiledRoute?
    var purpose: RoutePurpose?
    var device: String?
    var account: String?
    var offered: [OfferedToken]
    /// A Boolean value that indicates whether grants take effect.
    var isCommitted: Bool
}
