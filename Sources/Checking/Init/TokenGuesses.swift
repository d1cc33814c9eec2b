import Basics
import HTTPCodec
package import JSON
import JSONSchema
import OpenAPI
import ScenarioFormat
import Simulation

/// Guesses about a contract's tokens from its security schemes and responses.
///
/// A contract says where a token travels, and neither its lifetime nor who grants it. So a kind that a response
/// seems to grant has to be a token of the stub's own, and of any other kind every token is taken, because the
/// client has it from somewhere else.
struct TokenGuesses: Sendable {
    private(set) var kinds: [TokenKindGuess] = []
    private(set) var findings: [Finding] = []
    private let contract: Contract
    /// Kinds that each operation requires, by its URI.
    private var wanted: [String: [String]] = [:]
    private var granted: [String: GrantGuess] = [:]
    /// The requests that are refreshes, by the URI of an operation that also signs in.
    private var refreshes: [String: DraftCondition] = [:]
    private var comments: [String: String] = [:]

    init(_ contract: Contract, _ routes: [DraftedRoute]) {
        self.contract = contract
        let carriers = SchemeCarriers(contract)
        findings = carriers.findings
        noteSchemes(of: routes, carriers)
        guessGrants(of: routes)
    }

    func kind(named name: String) -> TokenKindGuess? {
        kinds.first { $0.name.exact == name.exact }
    }

    func kinds(wantedBy operation: Operation) -> [TokenKindGuess] {
        (wanted[operation.uri] ?? []).compactMap { kind(named: $0) }
    }

    func grants(of route: DraftedRoute) -> GrantGuess? { granted[route.operation.uri] }

    /// The condition on the requests of a route that are refreshes, if the route also receives others.
    func refreshes(of operation: Operation) -> DraftCondition? { refreshes[operation.uri] }

    /// Returns whether a route exchanges a refresh token.
    func isRefresh(_ operation: Operation) -> Bool {
        refreshes[operation.uri] != nil || kinds(wantedBy: operation).contains { $0.role == .refresh }
    }

    func comment(on route: DraftedRoute) -> String? { comments[route.operation.uri] }

    // MARK: Schemes

    private mutating func noteSchemes(of routes: [DraftedRoute], _ carriers: SchemeCarriers) {
        for route in routes {
            guard let choice = carriers.choice(among: route.operation.security) else { continue }
            wanted[route.operation.uri] = choice.schemes.map { carriers.kindName(of: $0) }
            for scheme in choice.schemes { note(scheme, carriers) }
            guard choice.schemes.count == 1, let index = index(ofScheme: choice.schemes[0]) else { continue }
            for other in choice.others where !kinds[index].schemes.contains(other.exact) {
                kinds[index].schemes.append(other)
                if let carrier = carriers.carrier(of: other) { kinds[index].carriers.append(carrier) }
            }
        }
    }

    private mutating func note(_ scheme: String, _ carriers: SchemeCarriers) {
        if let index = index(ofScheme: scheme) {
            kinds[index].useCount += 1
        } else if let carrier = carriers.carrier(of: scheme) {
            let name = carriers.kindName(of: scheme)
            kinds.append(TokenKindGuess(name: name, schemes: [scheme], carriers: [carrier]))
        }
    }

    private func index(ofScheme name: String) -> Int? {
        kinds.firstIndex { $0.schemes[0].exact == name.exact }
    }

    // MARK: Grants

    private mutating func guessGrants(of routes: [DraftedRoute]) {
        let candidates = routes.compactMap { route in TokenFinder.tokens(in: route).map { (route: route, found: $0) } }
        guard !candidates.isEmpty, let access = accessKind() else { return }
        let refresh = refreshKind(besides: access, of: candidates)
        for (route, found) in candidates {
            let kinds: [(TokenRole, String?)] = [(.access, access), (.refresh, refresh)]
            let tokens = kinds.flatMap { role, kind in
                kind.map { kind in found.tokens.filter { $0.role == role }.map { $0.named(kind) } } ?? []
            }
            guard tokens.contains(where: { $0.role == .access }), isAllowed(tokens, in: route) else { continue }
            grant(tokens, by: route, found)
        }
    }

    private mutating func grant(_ tokens: [FoundToken], by route: DraftedRoute, _ found: FoundTokens) {
        let uri = route.operation.uri
        let lifetime = isDocumented(found, by: route) ? found.seconds : nil
        var names: [String] = []
        for token in tokens where !names.contains(token.kind.exact) { names.append(token.kind) }
        var shown = tokens
        // A value that is made up must not differ from the lifetime.
        if lifetime == nil, let place = found.place, let access = tokens.first(where: { $0.role == .access }) {
            shown.append(FoundToken(role: .access, pointer: place, kind: "\(access.kind).lifetime"))
        }
        granted[uri] = GrantGuess(kinds: names, tokens: shown)
        let members = tokens.map { "\"\($0.pointer)\"" }.joined(separator: " and ")
        let taken = takesGuessedRefresh(route) ? ", and accepts a token in its request" : ""
        comments[uri] = "Guessed from \(members) in the response: this route issues tokens\(taken)."
        for index in kinds.indices where names.contains(kinds[index].name.exact) {
            if kinds[index].grantedBy == nil { kinds[index].grantedBy = route.key }
            if kinds[index].role == .access, kinds[index].lifetime == nil { kinds[index].lifetime = lifetime }
            // What travels in the place of another scheme is not a token of the stub.
            kinds[index].schemes.removeSubrange(min(1, kinds[index].schemes.count)...)
            if kinds[index].source == nil { kinds[index].carriers.removeSubrange(1...) }
        }
        // No client can show the token that the call is there to get.
        let access = tokens.first { $0.role == .access }?.kind
        wanted[uri]?.removeAll { $0.exact == access?.exact }
    }

    /// Returns whether the contract says how long the access token lives: values that differ from sample to sample are
    /// made up.
    private func isDocumented(_ found: FoundTokens, by route: DraftedRoute) -> Bool {
        [1, 2].allSatisfy { (step: UInt64) in
            guard let answer = SampleResponses(contract, seed: 0x5EED + step).usual(of: route.operation) else {
                return false
            }
            var other = route
            other.answer = answer
            return TokenFinder.tokens(in: other)?.seconds == found.seconds
        }
    }

    private func takesGuessedRefresh(_ route: DraftedRoute) -> Bool {
        refreshes[route.operation.uri] != nil || kinds(wantedBy: route.operation).contains { $0.source != nil }
    }

    /// Returns whether the response may hold the stub's tokens where it seems to hold tokens.
    private func isAllowed(_ tokens: [FoundToken], in route: DraftedRoute) -> Bool {
        guard case .json(let body) = route.answer.body else { return false }
        let sample = tokens.reduce(body) { $0.replacing($1.pointer, with: .string(Self.token)) }
        return ContractEvaluator(contract).violations(
            ofStatus: route.answer.status,
            fields: route.answer.httpFields,
            body: sample,
            to: route.operation
        ).isEmpty
    }

    /// A text of the form and about the length of the tokens that a stub grants.
    private static let token =
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOjE3NzM2NjI0MDAsImV4cCI6MTc3MzY2NjAwMH0"
        + ".dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk"

    /// The kind that most routes require, one that is called so before any other.
    private mutating func accessKind() -> String? {
        let eligible = kinds.indices.filter { !TokenFinder.isRefresh(kinds[$0].name) && kinds[$0].isBearer }
        let named = eligible.filter { TokenFinder.isAccess(kinds[$0].name) }
        let pool = named.isEmpty ? eligible : named
        guard let best = pool.max(by: { (kinds[$0].useCount, -$0) < (kinds[$1].useCount, -$1) }) else { return nil }
        kinds[best].role = .access
        return kinds[best].name
    }

    /// The kind of refresh tokens: a security scheme that is called so, else what a granting call takes as one.
    private mutating func refreshKind(
        besides access: String,
        of candidates: [(route: DraftedRoute, found: FoundTokens)]
    ) -> String? {
        if let index = kinds.firstIndex(where: { TokenFinder.isRefresh($0.name) && $0.name.exact != access.exact }) {
            kinds[index].role = .refresh
            return kinds[index].name
        }
        guard candidates.contains(where: { $0.found.tokens.contains { $0.role == .refresh } }) else { return nil }
        let finder = RefreshCarriers(contract: contract)
        let taking = candidates.compactMap { candidate in
            finder.carrier(in: candidate.route.operation).map { (candidate.route, $0) }
        }
        guard let first = taking.first else { return nil }
        let name = kinds.contains { $0.name == "refresh" } ? "refreshToken" : "refresh"
        var kind = TokenKindGuess(name: name, schemes: [], carriers: [])
        kind.role = .refresh
        kind.source = "the request to \(first.0.key)"
        for (route, found) in taking {
            if !kind.carriers.contains(found.carrier) { kind.carriers.append(found.carrier) }
            if let condition = found.condition {
                refreshes[route.operation.uri] = condition
            } else {
                wanted[route.operation.uri] = [name]
            }
        }
        kinds.append(kind)
        return name
    }
}

/// The guesses as a scenario says them.
extension TokenGuesses {
    /// The value of `tokens`; `nil` without any kind.
    func rules(refusing refusals: RefusalGuesses, on fixtures: inout DraftFixtures) -> JSONValue? {
        guard !kinds.isEmpty else { return nil }
        let declared = kinds.map { kind in
            (kind.name, kind.json(rejecting: refusals.usual(ofKind: kind.name)?.response(on: &fixtures)))
        }
        return .tokens([.kinds: .object(JSONObject(declared))])
    }

    /// The value of a route's `requires`; `nil` when it requires no token.
    func requirement(
        of route: DraftedRoute,
        refusing refusals: RefusalGuesses,
        on fixtures: inout DraftFixtures
    ) -> JSONValue? {
        let kinds = kinds(wantedBy: route.operation)
        guard !kinds.isEmpty else { return nil }
        let own = refusals.own(of: route.operation)?.response(on: &fixtures)
        if own == nil, kinds.allSatisfy({ $0.grantedBy != nil }) {
            return kinds.count == 1 ? .string(kinds[0].name) : .strings(kinds.map(\.name))
        }
        let members = kinds.map { kind in
            let accepted = kind.accepted
            let standings = accepted.count == 1 ? .string(accepted[0]) : JSONValue.strings(accepted)
            return (kind.name, own.map { JSONValue.tokens([.is: standings, .reject: ["*": $0]]) } ?? standings)
        }
        return .object(JSONObject(members))
    }
}

/// Finds where a request carries a refresh token, when no security scheme says so.
struct RefreshCarriers: Sendable {
    let contract: Contract

    /// The place of a refresh token.
    struct Found {
        var carrier: TokenCarrier
        /// The condition on the requests that contain one; `nil` for all.
        var condition: DraftCondition?
    }

    /// - Returns: `nil` if the operation does not seem to take a refresh token.
    func carrier(in operation: Operation) -> Found? {
        for parameter in operation.parameters where TokenFinder.plain(parameter.name).contains("refreshtoken") {
            switch parameter.location {
            case .header where HTTPFields.isName(parameter.name):
                return Found(carrier: TokenCarrier(.header(parameter.name)))
            case .query: return Found(carrier: TokenCarrier(.query(parameter.name)))
            default: break
            }
        }
        for content in operation.requestBody?.content ?? [] {
            let isForm = content.concreteType.text == "application/x-www-form-urlencoded"
            guard isForm || content.concreteType.isJSON, let schema = content.schema.flatMap(contract.schemas.id)
            else { continue }
            let names = contract.propertyNames(of: schema)
            guard let name = names.first(where: { TokenFinder.plain($0) == "refreshtoken" }) else { continue }
            var found = Found(carrier: TokenCarrier(isForm ? .form(name) : .body(JSONPointer(tokens: [name]))))
            // One endpoint for several grants asks for a refresh token in one of them alone (RFC 6749, section 6).
            if let grant = names.first(where: { TokenFinder.plain($0) == "granttype" }) {
                let place = isForm ? grant : JSONPointer(tokens: [grant]).description
                found.condition = DraftCondition(isForm ? .form : .body, place, .equals(literal: "refresh_token"))
            }
            return found
        }
        return nil
    }
}

/// A kind of token that a scenario may declare, and where the guess comes from.
struct TokenKindGuess: Sendable {
    var name: String
    /// The security schemes of the kind, the one that it is named after first.
    var schemes: [String]
    /// The places where it travels.
    var carriers: [TokenCarrier]
    package var role: TokenRole?
    /// The number of routes that require it.
    var useCount = 1
    /// The first route that grants it; `nil` when none does.
    var grantedBy: String?
    /// The lifetime that a response shows, in seconds.
    var lifetime: Int?
    /// The source of the guess, when that is not a security scheme.
    var source: String?

    /// A Boolean value that indicates whether it travels as bearer tokens and keys do, and not as a name with a
    /// password.
    var isBearer: Bool {
        guard let carrier = carriers.first else { return false }
        guard let scheme = carrier.scheme else { return true }
        return scheme.lowercased() == "bearer"
    }

    /// The standings that let a request pass.
    var accepted: [String] { grantedBy == nil ? ["valid", "unknown"] : ["valid"] }

    /// The kind as a scenario declares it.
    func json(rejecting response: JSONValue?) -> JSONValue {
        .tokens(
            Draft(
                comment: .string(comment),
                [
                    .lifetime: .string(DurationText.text(.seconds(seconds))),
                    .in: carriers.count == 1 ? carriers[0].json : .array(carriers.map(\.json)),
                    .reject: response.map { ["*": $0] },
                ]
            )
        )
    }

    /// The lifetime, in seconds; a guess unless a response shows it.
    var seconds: Int {
        guard grantedBy != nil else { return 365 * 86_400 }
        return lifetime ?? (role == .refresh ? 14 * 86_400 : 3_600)
    }

    private var comment: String {
        let names = schemes.map { "\"\($0)\"" }.joined(separator: ", ")
        let schemes = schemes.count == 1 ? "the security scheme \(names)" : "the security schemes \(names)"
        let origin = "Guessed from \(source ?? schemes)"
        guard let grantedBy else {
            return "\(origin). No response grants this token, so routes accept any token (unknown)."
        }
        let lives = lifetime == nil ? "The lifetime is also a guess." : "The lifetime comes from the example."
        return "\(origin). \(grantedBy) grants this token. \(lives)"
    }
}

/// The purpose of a token.
package enum TokenRole: Sendable, Hashable {
    case access
    case refresh
}

/// A place in a response that seems to hold a token.
package struct FoundToken: Sendable {
    package var role: TokenRole
    /// Through objects only.
    package var pointer: JSONPointer
    /// The kind of token; empty until it is known.
    package var kind = ""

    func named(_ kind: String) -> FoundToken {
        FoundToken(role: role, pointer: pointer, kind: kind)
    }
}

/// The tokens that a route seems to grant.
struct GrantGuess: Sendable {
    var kinds: [String]
    var tokens: [FoundToken]

    /// As a scenario's `grants` says it.
    var json: JSONValue { .object(JSONObject(kinds.map { ($0, JSONValue.string("new")) })) }
}

/// Finds what looks like a freshly granted token.
package enum TokenFinder {
    /// The tokens in a route's response; `nil` when there is no access token among them.
    static func tokens(in route: DraftedRoute) -> FoundTokens? {
        guard 200..<300 ~= route.answer.status, let body = route.answer.json else { return nil }
        let isSignIn = isSignIn(route.operation)
        guard isSignIn || route.operation.method == .post else { return nil }
        var found = FoundTokens()
        find(in: body, at: JSONPointer(), trusting: isSignIn, into: &found)
        return found.tokens.contains { $0.role == .access } ? found : nil
    }

    /// The tokens in a response that surely grants some.
    package static func tokens(grantedBy body: JSONValue) -> [FoundToken] {
        var found = FoundTokens()
        find(in: body, at: JSONPointer(), trusting: true, into: &found)
        return found.tokens
    }

    /// Looks through objects, and not into lists: those are about tokens that others have.
    private static func find(
        in value: JSONValue,
        at pointer: JSONPointer,
        trusting isSignIn: Bool,
        into found: inout FoundTokens
    ) {
        guard pointer.tokens.count < 5 else { return }
        for member in value.object?.members ?? [] {
            let place = pointer.appending(member.name)
            let name = plain(member.name)
            if member.value.object != nil {
                find(in: member.value, at: place, trusting: isSignIn, into: &found)
            } else if let role = role(of: name, trusting: isSignIn), member.value.string != nil || member.value.isNull {
                found.tokens.append(FoundToken(role: role, pointer: place))
            } else if name == "expiresin", let seconds = member.value.int, 1...315_360_000 ~= seconds {
                guard found.seconds == nil else { continue }
                (found.seconds, found.place) = (seconds, place)
            }
        }
    }

    private static func role(of name: String, trusting isSignIn: Bool) -> TokenRole? {
        if name == "refreshtoken" { return .refresh }
        if name == "accesstoken" { return .access }
        let vague = ["token", "jwt", "jwttoken", "authtoken", "bearertoken", "sessiontoken"]
        return isSignIn && vague.contains(name) ? .access : nil
    }

    /// Returns whether path or operation id mention sessions.
    private static func isSignIn(_ operation: Operation) -> Bool {
        let text = plain(operation.path) + " " + plain(operation.operationID ?? "")
        if text.contains("author") && !text.contains("authoriz") { return false }
        let words = [
            "login", "signin", "logon", "auth", "token", "session", "refresh", "reissue", "signup", "register",
        ]
        return words.contains { text.contains($0) }
    }

    package static func isRefresh(_ name: String) -> Bool {
        ["refresh", "renew"].contains(where: plain(name).contains)
    }

    package static func isAccess(_ name: String) -> Bool { plain(name).contains("access") }

    /// Returns whether a token protects against forged requests, and belongs to no user.
    package static func isAgainstForgery(_ name: String) -> Bool {
        wordsAgainstForgery.contains(where: plain(name).contains)
    }

    /// The words, in lower case, by which names and messages mean a token against forged requests.
    static let wordsAgainstForgery = ["csrf", "xsrf"]

    /// Letters only, in lower case: `access_token` and `accessToken` are the same.
    static func plain(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }, as: UTF8.self)
    }
}

/// The tokens that one response holds.
struct FoundTokens: Sendable {
    var tokens: [FoundToken] = []
    /// The lifetime of the access token, when the response says so.
    var seconds: Int?
    /// The place that says so.
    var place: JSONPointer?
}
