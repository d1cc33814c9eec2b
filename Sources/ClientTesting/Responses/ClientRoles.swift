import Basics
import Checking
import HTTPCodec
import JSON
import OpenAPI

/// The effects of a client's operations on its session, by their IDs.
struct ClientRoles: Sendable {
    private(set) var signIn: Set<String>
    private(set) var refresh: Set<String>
    private(set) var signOut: Set<String>
    let refusals: SessionRefusals
    /// The client's names of its access token and its refresh token.
    let kinds: TokenKindNames
    /// The names of the tokens that a client stores.
    let storedKinds: Set<String>
    /// The names of the tokens that a client stores or that calls grant, in alphabetical order.
    let tokenNames: [String]
    /// A Boolean value that indicates whether the contract has an operation with security, or the client a call that signs
    /// in, refreshes or signs out.
    let isSessionDocumented: Bool
    /// The security schemes that a session's token meets; an app's own key is not one of them.
    private let sessionSchemes: Set<String>
    /// The places of granted tokens in successes of operations, by kind; empty for an operation where they are unknown.
    private var grants: [String: [(kind: String, place: JSONPointer)]] = [:]
    /// The same for operations in one of their roles.
    private var grantsInRoles: [Called: [(kind: String, place: JSONPointer)]] = [:]

    private struct Called: Hashable {
        var operation: String
        var role: CallRole
    }

    init<Adapter: ClientAdapter>(_ adapter: Adapter, _ contract: Contract, _ samples: SampleResponses) {
        func ids(_ role: ClientOperation<Adapter.Client>.Role) -> Set<String> {
            Set(adapter.operations.lazy.filter { $0.role == role }.map(\.id))
        }
        signIn = ids(.signIn)
        refresh = ids(.refresh)
        signOut = ids(.signOut)
        isSessionDocumented =
            contract.operations.contains { !$0.security.isEmpty } || adapter.operations.contains { $0.role != .plain }
        refusals = adapter.refusals
        let kinds = TokenKindNames(adapter.tokens.keys.sorted())
        self.kinds = kinds
        sessionSchemes = Self.sessionSchemes(of: contract, openedBy: signIn.union(refresh))
        storedKinds = Set(adapter.tokens.keys)
        var names = storedKinds
        // A request of another call is a refresh if that call refreshes, too.
        for role in [CallRole.signIn, .refresh] {
            for operation in adapter.operations where operation.role == role {
                // A response has its tokens at one place, whichever call says where.
                let declared = [operation] + adapter.operations.filter { $0.id == operation.id }
                let places = (declared.first { !$0.grants.isEmpty } ?? operation).grants
                    .sorted { $0.key < $1.key }.map { (kind: $0.key, place: $0.value) }
                let found =
                    places.isEmpty
                    ? Self.guesses(contract.operations.first { $0.id == operation.id }, samples, kinds) : places
                names.formUnion(found.map(\.kind))
                grants[operation.id] = found
                grantsInRoles[Called(operation: operation.id, role: role)] = found
            }
        }
        tokenNames = names.sorted()
    }

    /// The roles in a call of an operation, which has the role of this call and no other.
    func calling(_ id: String, as role: CallRole) -> ClientRoles {
        var roles = self
        if role != .signIn { roles.signIn.remove(id) }
        if role != .refresh { roles.refresh.remove(id) }
        if role != .signOut { roles.signOut.remove(id) }
        roles.grants[id] = grantsInRoles[Called(operation: id, role: role)]
        return roles
    }

    /// The schemes whose credentials are tokens by their kind; any scheme if no such scheme exists, except for the app's
    /// own keys, which the requests that open a session need as well.
    private static func sessionSchemes(of contract: Contract, openedBy ids: Set<String>) -> Set<String> {
        let bearing = contract.securitySchemes.filter(\.bearsToken)
        guard bearing.isEmpty else { return Set(bearing.map(\.name)) }
        let all = Set(contract.securitySchemes.map(\.name))
        let opening = contract.operations.filter { ids.contains($0.id) }.flatMap(\.security).flatMap {
            $0.map(\.scheme)
        }
        let others = all.subtracting(opening)
        return others.isEmpty ? all : others
    }

    /// The probable tokens in an operation's success.
    private static func guesses(
        _ operation: Operation?,
        _ samples: SampleResponses,
        _ kinds: TokenKindNames
    ) -> [(kind: String, place: JSONPointer)] {
        guard let operation, let body = samples.usual(of: operation)?.json else { return [] }
        return TokenFinder.tokens(grantedBy: body).map { found in
            (found.role == .access ? kinds.access : kinds.refresh, found.pointer)
        }
    }

    /// Returns whether a token is one of the session, and not a key of the app.
    func isOfSession(_ kind: String) -> Bool {
        kind == kinds.access || kind == kinds.refresh || grantsInRoles.values.joined().contains { $0.kind == kind }
    }

    /// Returns the tokens of a session without the keys of the app; all of them if none is known to be of the session.
    func withoutKeys(_ tokens: [String: String]) -> [String: String] {
        tokenNames.contains(where: isOfSession) ? tokens.filter { isOfSession($0.key) } : tokens
    }

    /// Returns a session without the keys of the app, which do not sign a user in.
    func withoutKeys(_ session: ObservedSession) -> ObservedSession {
        let tokens = withoutKeys(session.tokens.filter { !$0.value.isEmpty })
        let hasKeysAlone = tokens.isEmpty && !session.tokens.isEmpty
        return ObservedSession(isSignedIn: session.isSignedIn && !hasKeysAlone, tokens: tokens)
    }

    /// Returns the places of granted tokens in a success of an operation, by kind; `nil` for one that grants none.
    func grants(of operation: Operation) -> [(kind: String, place: JSONPointer)]? { grants[operation.id] }

    /// Returns whether an operation neither begins nor renews nor ends the session.
    func isPlain(_ operation: Operation) -> Bool {
        !signIn.contains(operation.id) && !refresh.contains(operation.id) && !signOut.contains(operation.id)
    }

    /// Returns whether an operation takes the session's token: its security does, and it documents that a token may
    /// have expired.
    func isBehindToken(_ operation: Operation) -> Bool {
        !signIn.contains(operation.id) && !refresh.contains(operation.id)
            && operation.security.contains(where: hasSessionScheme) && expiry(of: operation) != nil
    }

    /// Returns whether an operation cannot do without the session's token: no alternative of its security can
    /// (OpenAPI 3.1, section 4.8.10).
    func requiresToken(_ operation: Operation) -> Bool {
        isBehindToken(operation) && operation.security.allSatisfy(hasSessionScheme)
    }

    private func hasSessionScheme(_ alternative: [SecurityRequirement]) -> Bool {
        alternative.contains { sessionSchemes.contains($0.scheme) }
    }

    /// The status by which an operation says that the token has expired.
    func expiry(of operation: Operation) -> Int? {
        refusals.expired.first { status in operation.responses.contains { $0.status == .code(status) } }
    }

    /// Returns whether the session may be over after this response.
    func mayEndSession(_ status: Int, answering operation: Operation) -> Bool {
        if refresh.contains(operation.id) { return refusals.endingRefresh.contains(status) }
        return !signIn.contains(operation.id) && refusals.ending.contains(status)
    }
}

/// The kinds of an access token and a refresh token among the kinds that a client stores.
///
/// A kind that is called so comes first; otherwise the first one that is neither a refresh token nor a protection against
/// forged requests is the access token.
struct TokenKindNames: Sendable {
    let access: String
    let refresh: String

    init(_ stored: [String]) {
        refresh = stored.first(where: TokenFinder.isRefresh) ?? "refresh"
        let others = stored.filter { !TokenFinder.isRefresh($0) }
        access =
            others.first(where: TokenFinder.isAccess) ?? others.first { !TokenFinder.isAgainstForgery($0) }
            ?? others.first ?? "access"
    }
}

extension SecurityScheme {
    /// A Boolean value that indicates whether what it asks for is a token of a user who has signed in, and not a key of
    /// the app.
    fileprivate var bearsToken: Bool {
        switch kind {
        case .http(let scheme): scheme == "bearer"
        case .oauth2, .openIDConnect: true
        case .apiKey(.header, let name): name.lowercased().exact == "authorization"
        case .apiKey, .mutualTLS: false
        }
    }
}

/// Something that the platform's own networking does by itself, which is not counted against a client.
package struct PlatformFact: Sendable, Hashable {
    /// A stable name, such as `urlsession/follows-redirects`.
    package var id: String
    /// A description, as a sentence without a closing full stop.
    package var what: String
    /// The place where it was seen.
    package var source: String

    private static let measured = "measured with URLSession of Swift 6.3 on Linux against a scripted server"

    private init(_ name: String, _ what: String) {
        id = "urlsession/\(name)"
        self.what = what
        source = Self.measured
    }

    static let followsRedirects = PlatformFact(
        "follows-redirects",
        "follows redirects: 302 turns POST into GET, and 307 loses the body"
    )
    static let resendsWithoutBody = PlatformFact(
        "resends-without-body",
        "resends a request without its body when a persistent connection breaks"
    )
    static let resends = PlatformFact("resends", "resends GET requests when a persistent connection breaks")
    static let formContentType = PlatformFact(
        "form-content-type",
        "sends application/x-www-form-urlencoded for a body without a media type"
    )
    static let refusesGetWithBody = PlatformFact(
        "get-without-body",
        "does not send GET requests with a body (URLError -1103)"
    )
    static let wholeSeconds = PlatformFact(
        "whole-seconds",
        "truncates timeouts to whole seconds, measures them from the last byte, and fails immediately below one second"
    )
    static let sixConnections = PlatformFact("six-connections", "opens at most six connections to a host")

    /// In the order in which reports list them.
    package static let all = [
        followsRedirects, resends, resendsWithoutBody, formContentType, refusesGetWithBody, wholeSeconds,
        sixConnections,
    ]
}

extension PlatformFact {
    /// The excuse for a request that violates the contract.
    static func excusing(
        _ violation: ContractViolation,
        of exchange: RecordedRequest,
        repeating isRepeated: Bool,
        in answer: ResponseCheckResponse
    ) -> PlatformFact? {
        if case .other(300..<400) = answer.kind { return .followsRedirects }
        let bodyIsMissing = ["contract/missing-body", "contract/missing-media-type"].contains(violation.id)
        if isRepeated, bodyIsMissing, exchange.request.body.isEmpty { return .resendsWithoutBody }
        let type = exchange.request.fields["Content-Type"].flatMap(MediaType.init(parsing:))
        if violation.part == .mediaType, type?.essence == "application/x-www-form-urlencoded" {
            return .formContentType
        }
        return nil
    }
}
