import Basics
import JSON
import Signatures

/// Expands a backend's `issuer` to its kinds of token, collections and routes.
///
/// What the backend says itself is laid over them, and stories over both: nothing else knows that there is an issuer.
struct IssuerExpansion {
    let issuer: Issuer
    let accounts: [JSONObject.Member]
    let pages: IssuerPages

    /// The keys of a backend that its issuer sets, so that the backend changes them.
    static let keys = ["tokens", "collections", "routes"]

    /// Merges a backend over the expansion of its issuer.
    ///
    /// A value that is not an object where the issuer sets one is reported and left out, so that nothing else is missing
    /// because of it.
    ///
    /// - Parameters:
    ///   - documents: the files of a story, the backend first; any of them may say something about the issuer.
    /// - Returns: the backend, whole; as it was where there is no issuer. And the lists of responses that the backend
    ///   puts before the cases of the issuer's routes.
    static func expanded(
        _ documents: [JSONValue],
        sources: SourceMap
    ) -> (backend: JSONValue, leading: Set<LeadingResponses>, findings: [Finding]) {
        var backend = documents[0]
        var issuers = ShapeMerger(sources: sources)
        let issuer = documents.reduce(nil as JSONValue?) { known, document in
            guard let own = document["issuer"] else { return known }
            return issuers.merge(own, over: known, along: .object(Issuer.self))
        }
        guard let issuer, issuer.object != nil else { return (backend, [], []) }
        let position = backend["issuer"]?.position ?? backend.position
        let expansion = IssuerExpansion(issuer, backend["accounts"].members)
        var checker = ShapeChecker(sources: sources)
        let kinds = TokenRules.keys.list[0].declaration
        let keys = Self.keys.compactMap { Scenario.shape[$0] }
        for path in keys.map({ [$0] }) + [[keys[0], kinds]] {
            backend = checker.withoutForeign(path[...], in: backend)
        }
        var merger = ShapeMerger(sources: sources, isOverExpansion: true)
        let merged = merger.merge(backend, over: expansion.backend.at(position), along: .object(Scenario.self))
        let ordered = [["tokens", kinds.name], ["collections"], ["routes"]]
            .reduce(merged) { $0.ordered(like: backend, at: $1[...]) }
        return (ordered, merger.leading, checker.findings)
    }

    private init(_ tree: JSONValue, _ accounts: [JSONObject.Member]) {
        issuer = Issuer(tree)
        self.accounts = accounts
        pages = IssuerPages(issuer: issuer, accounts: accounts)
    }

    var path: String { issuer.path }
    var scopes: [String] { issuer.scopes }
    var clients: [Issuer.Client] { issuer.clients }

    private var backend: JSONValue {
        var backend = usualBackend
        var routes = backend["routes"]?.object ?? [:]
        for (endpoint, other) in issuer.paths {
            let usual = endpoint == .discovery ? "/.well-known/openid-configuration" : "\(path)/\(endpoint.rawValue)"
            for method in ["GET", "POST"] {
                guard let route = routes["\(method) \(usual)"] else { continue }
                routes["\(method) \(other)"] = route
            }
        }
        backend["routes"] = .object(routes)
        return .object(backend)
    }

    /// The address of an endpoint as documents tell it.
    func address(of endpoint: Issuer.Endpoint) -> JSONValue {
        let own = issuer.paths.last { $0.endpoint == endpoint }?.path
        return .string(base + (own ?? "\(path)/\(endpoint.rawValue)"))
    }

    private var usualBackend: JSONObject {
        [
            "tokens": [
                "kinds": kinds, "signIn": ["access": "new", "refresh": "new"],
                "algorithm": .string(issuer.algorithm.rawValue),
            ],
            "collections": ["oauthClients": ["items": .array(clients.map(Self.item))], "deviceGrants": [:]],
            "routes": [
                "GET \(path)/authorize": pages.authorize("GET"),
                "POST \(path)/authorize": pages.authorize("POST"),
                "POST \(path)/token": token,
                "POST \(path)/revoke": revocation,
                "POST \(path)/introspect": introspection,
                "POST \(path)/device_authorization": deviceAuthorization,
                "GET \(path)/device": pages.device,
                "POST \(path)/device": pages.deviceDecision,
                "GET \(path)/userinfo": userInfo(hasForm: false), "POST \(path)/userinfo": userInfo(hasForm: true),
                "GET \(path)/jwks": ["headers": ["Cache-Control": "max-age=300"], "json": "{{jwks}}"],
                "GET \(path)/logout": pages.endSession, "POST \(path)/logout": pages.endSession,
                "GET /.well-known/oauth-authorization-server": metadata,
                "GET /.well-known/openid-configuration": metadata,
            ],
        ]
    }

    // MARK: Tokens

    private var kinds: JSONValue {
        let scheme = issuer.binding == .required ? "DPoP" : "Bearer"
        let invalidToken: JSONValue = [
            "status": 401,
            "headers": ["WWW-Authenticate": .string("\(scheme) realm=\"backlot\", error=\"invalid_token\"")],
            "json": ["error": "invalid_token"],
        ]
        let missing: JSONValue = [
            "status": 401, "headers": ["WWW-Authenticate": .string("\(scheme) realm=\"backlot\"")],
            "json": ["error": "unauthorized"],
        ]
        let refusal: (status: Int, description: String?) =
            issuer.profile.flatMap { IssuerProfile.of($0).refusal }.map { ($0.status, $0.description) } ?? (400, nil)
        var refresh: JSONObject = [
            "lifetime": Self.text(issuer.refresh), "in": ["form": "refresh_token"],
            "format": "opaque", "terminal": [.number(JSONNumber(refusal.status))],
            "reject": [
                "malformed": Self.repeated, "*": Self.error(refusal.status, "invalid_grant", refusal.description),
            ],
        ]
        refresh["rotate"] = issuer.rotation
        var access: JSONObject = [
            "lifetime": Self.text(issuer.access), "jti": true,
            "claims": [
                // A client that acts for itself is the subject (RFC 9068, section 2.2).
                "sub": "{{issued#/subject ?? account}}", "iss": "{{issued#/iss ?? omit}}",
                "client_id": "{{issued#/client ?? omit}}",
                "scope": "{{issued#/scope ?? omit}}", "cnf": "{{issued#/cnf ?? omit}}",
            ],
            "reject": ["missing": missing, "*": invalidToken],
        ]
        if isBinding {
            access["in"] = [
                ["header": "Authorization", "scheme": "Bearer"], ["header": "Authorization", "scheme": "DPoP"],
            ]
        }
        var identity: JSONObject = [
            "lifetime": Self.text(issuer.id),
            "in": [["query": "id_token_hint"], ["form": "id_token_hint"]],
            "claims": .object(identityClaims),
        ]
        if issuer.algorithm == .hs256 {
            let secrets = clients.compactMap { client in client.secret.map { (client.id, JSONValue.string($0)) } }
            if !secrets.isEmpty { identity["secrets"] = .object(JSONObject(secrets)) }
        }
        return [
            "access": .object(access), "refresh": .object(refresh),
            "code": [
                "lifetime": Self.text(issuer.code), "in": ["form": "code"], "once": true,
                "rotate": ["reuse": "revokeDevice"], "format": "opaque",
                "reject": ["malformed": Self.repeated, "*": Self.error(400, "invalid_grant")],
            ],
            "idToken": .object(identity),
        ]
    }

    /// The claims of an ID token (OpenID Connect Core, section 2), with those of the account that are usual there.
    private var identityClaims: JSONObject {
        var claims: JSONObject = [
            "sub": "{{account}}", "iss": "{{issued#/iss ?? omit}}", "aud": "{{issued#/client ?? omit}}",
            "nonce": "{{issued#/nonce ?? omit}}", "auth_time": "{{issued#/auth_time ?? omit}}",
        ]
        for name in profileMembers { claims[name] = .string("{{account#/\(name) ?? omit}}") }
        return claims
    }

    /// The standard claims that some account has (OpenID Connect Core, section 5.1).
    var profileMembers: [String] {
        [
            "name", "given_name", "family_name", "nickname", "preferred_username", "picture", "email", "email_verified",
            "locale", "phone_number",
        ].filter { name in accounts.contains { $0.value[name] != nil } }
    }

    private static func text(_ lifetime: Duration) -> JSONValue { .string(DurationText.text(lifetime)) }

    /// A Boolean value that indicates whether tokens are bound to keys of clients (RFC 9449).
    var isBinding: Bool { issuer.binding != nil }

    private static func item(_ client: Issuer.Client) -> JSONValue {
        var item: JSONObject = ["id": .string(client.id)]
        item[client.secret == nil ? "public" : "secret"] = .string(client.secret ?? client.id)
        item["redirects"] = .array(client.redirects.map(JSONValue.string))
        if client.redirects.contains("*") { item["anywhere"] = .string(client.id) }
        // The only one need not be sent (RFC 6749, section 3.1.2.3).
        if client.redirects.count == 1, client.redirects != ["*"] { item["redirect"] = .string(client.redirects[0]) }
        let loopback = client.redirects.compactMap(LoopbackURI.withoutPort)
        if !loopback.isEmpty { item["loopback"] = .array(loopback.map(JSONValue.string)) }
        return .object(item)
    }

    /// Finds the client that Basic or a parameter names; ``invalidClient(orPublic:)`` checks its credentials.
    ///
    /// User and password of Basic are form-encoded (RFC 6749, section 2.3.1), but many clients send them as they are.
    static let namedClient: JSONValue = [
        "one": "oauthClients",
        "where": [
            "/id": [
                "oneOf": [
                    "{{request.basic.user ?? request.parameter.client_id}}",
                    "{{request.basic.user as decoded ?? request.parameter.client_id}}",
                ]
            ]
        ],
    ]

    private static let hasNoBasic: JSONValue = ["Authorization": ["not": ["matches": "^[Bb][Aa][Ss][Ii][Cc]( |$)"]]]

    /// The refusal of a client that is unknown or whose credentials are wrong (RFC 6749, section 5.2).
    ///
    /// - Parameter isOpen: whether a client without a secret is accepted.
    static func invalidClient(orPublic isOpen: Bool = true) -> JSONValue {
        var ways: [JSONValue] = [
            ["header": hasNoBasic, "found": ["client": ["/secret": "{{request.form.client_secret}}"]]],
            [
                "found": [
                    "client": [
                        "/secret": ["oneOf": ["{{request.basic.password}}", "{{request.basic.password as decoded}}"]]
                    ]
                ]
            ],
        ]
        if isOpen {
            let isPublic: JSONValue = ["client": ["/public": ["exists": true]]]
            ways += [
                [
                    "header": hasNoBasic, "form": ["client_secret": ["not": ["length": ["atLeast": 1]]]],
                    "found": isPublic,
                ],
                ["basic": ["password": ""], "found": isPublic],
            ]
        }
        return [
            "when": ["not": ["any": .array(ways)]], "status": 401,
            "headers": ["WWW-Authenticate": "Basic realm=\"backlot\"", "Cache-Control": "no-store"],
            "json": ["error": "invalid_client"],
        ]
    }

    /// The checks at an endpoint for clients: each parameter occurs once, and the client authenticates in one way.
    ///
    /// - Parameters:
    ///   - parameters: the endpoint's parameters, in addition to those of the client.
    ///   - isOpen: whether a client without a secret is accepted.
    static func clientChecks(_ parameters: [String], orPublic isOpen: Bool = true) -> [JSONValue] {
        let names = ["client_id", "client_secret"] + parameters
        return [
            refusal(
                "invalid_request",
                "the parameters belong in the body",
                when: ["any": .array(names.map { ["query": [$0: ["exists": true]]] })]
            ),
            refusal("invalid_request", repeatedParameter, when: repeating(names)),
            // A client authenticates in one way (RFC 6749, section 2.3).
            refusal(
                "invalid_request",
                "the client authenticates both with Basic and in the form",
                when: ["basic": ["user": ["exists": true]], "form": ["client_secret": ["length": ["atLeast": 1]]]]
            ),
            invalidClient(orPublic: isOpen),
            refusal(
                "invalid_request",
                "client_id is not the client that authenticates with Basic",
                when: ["parameter": ["client_id": ["exists": true, "not": "{{found.client#/id}}"]]]
            ),
        ]
    }

    static func repeating(_ names: [String]) -> JSONValue { ["repeated": .array(names.map(JSONValue.string))] }

    /// An error response of RFC 6749, section 5.2.
    private static func error(_ status: Int, _ code: String, _ description: String? = nil) -> JSONValue {
        var body: JSONObject = ["error": .string(code)]
        if let description { body["error_description"] = .string(description) }
        return [
            "status": .number(JSONNumber(status)), "headers": ["Cache-Control": "no-store"], "json": .object(body),
        ]
    }

    private static let repeatedParameter = "a parameter occurs more than once"

    /// No parameter comes twice (RFC 6749, section 3.2).
    private static let repeated = error(400, "invalid_request", repeatedParameter)

    static func refusal(_ code: String, _ description: String? = nil, when condition: JSONValue) -> JSONValue {
        var branch: JSONObject = ["when": condition]
        for member in error(400, code, description).object?.members ?? [] { branch.set(member) }
        return .object(branch)
    }

    /// The header fields of a response with tokens, and the nonce that the next proof requires.
    var noStore: JSONObject {
        var fields: JSONObject = ["Cache-Control": "no-store", "Pragma": "no-cache"]
        if isBinding { fields["DPoP-Nonce"] = "{{dpop.nonce ?? omit}}" }
        return fields
    }

    // MARK: Proofs of possession

    /// The token endpoint's responses to invalid proofs (RFC 9449, sections 5 and 8).
    var proofCases: [JSONValue] {
        guard let binding = issuer.binding else { return [] }
        func refused(_ state: String, _ code: String) -> JSONValue {
            var branch = Self.refusal(code, "{{dpop.problem}}", when: ["dpop": .string(state)]).object ?? [:]
            branch["headers"] = .object(noStore)
            return .object(branch)
        }
        return [refused("invalid", "invalid_dpop_proof"), refused("nonce", "use_dpop_nonce")]
            + (binding == .required ? [refused("missing", "invalid_dpop_proof")] : [])
    }

    /// The checks of bound tokens on every route: `guards` before any that the backend has (sections 7.1, 7.2 and 9).
    static func guards(_ issuer: JSONValue?) -> [JSONValue] {
        guard let issuer, issuer["dpop"] != nil else { return [] }
        func challenge(_ name: String, _ error: String, when condition: JSONObject) -> JSONValue {
            var condition = condition
            let bound: JSONObject = ["/cnf/jkt": condition["/cnf/jkt"] ?? ["exists": true]]
            condition["/cnf/jkt"] = nil
            condition["token"] = ["access": ["has": .object(bound)]]
            return JSONValue.object(
                [
                    "name": .string(name), "when": .object(condition), "status": 401,
                    "headers": [
                        "WWW-Authenticate": .string("DPoP error=\"\(error)\", algs=\"ES256 RS256\""),
                        "DPoP-Nonce": "{{dpop.nonce ?? omit}}",
                    ],
                    "json": ["error": .string(error), "error_description": "{{dpop.problem ?? omit}}"],
                ]
            )
            .at(issuer.position)
        }
        return [
            challenge(
                "bound token as Bearer",
                "invalid_token",
                when: ["header": ["Authorization": ["matches": "^[Bb][Ee][Aa][Rr][Ee][Rr] "]]]
            ),
            // Only a bound token has the scheme DPoP (section 7.1).
            challenge(
                "Bearer token as bound token",
                "invalid_token",
                when: [
                    "/cnf/jkt": ["exists": false], "header": ["Authorization": ["matches": "^[Dd][Pp][Oo][Pp] "]],
                ]
            ),
            challenge("proof without nonce", "use_dpop_nonce", when: ["dpop": "nonce"]),
            challenge("proof", "invalid_dpop_proof", when: ["not": ["dpop": "valid"]]),
            challenge("key of another", "invalid_token", when: ["/cnf/jkt": ["exists": true, "not": "{{dpop.jkt}}"]]),
        ]
    }

    /// A token that is bound is good with a proof of the same key alone (section 5).
    ///
    /// - Parameter condition: the clients whose tokens are bound.
    func foreignKey(
        _ type: String,
        _ kind: String,
        _ place: String,
        when condition: JSONObject = [:]
    ) -> [JSONValue] {
        guard isBinding else { return [] }
        var all: JSONObject = [
            "parameter": ["grant_type": .string(type)],
            "token": [kind: ["has": [place: ["exists": true, "not": "{{dpop.jkt}}"]]]],
        ]
        for member in condition.members { all.set(member) }
        return [Self.refusal("invalid_grant", "the token is bound to another key", when: .object(all))]
    }
}

extension JSONValue {
    /// The same, but in the object at a place what the backend has written comes first, in its order.
    fileprivate func ordered(like written: JSONValue?, at path: ArraySlice<String>) -> JSONValue {
        guard let object else { return self }
        var result = JSONObject()
        if let name = path.first {
            for member in object.members {
                let isOnTheWay = member.name.exact == name.exact
                let value = isOnTheWay ? member.value.ordered(like: written?[name], at: path.dropFirst()) : member.value
                result.set(JSONObject.Member(name: member.name, namePosition: member.namePosition, value: value))
            }
        } else {
            let own = (written?.object?.members ?? []).compactMap { object.member(named: $0.name) }
            for member in own + object.members { result.set(member) }
        }
        return JSONValue(.object(result), at: position)
    }

    /// The same with everything at one position, so that findings are reported there.
    fileprivate func at(_ position: JSONPosition) -> JSONValue {
        switch content {
        case .array(let values): JSONValue(.array(values.map { $0.at(position) }), at: position)
        case .object(let object): JSONValue(.object(object.at(position)), at: position)
        default: JSONValue(content, at: position)
        }
    }
}

extension JSONObject {
    fileprivate func at(_ position: JSONPosition) -> JSONObject {
        var object = JSONObject()
        for member in members {
            object.set(Member(name: member.name, namePosition: position, value: member.value.at(position)))
        }
        return object
    }
}

extension ShapeChecker {
    /// Reports the value at a path of keys if it is not an object, and returns the tree without it.
    fileprivate mutating func withoutForeign(_ path: ArraySlice<ObjectShape.Key>, in tree: JSONValue) -> JSONValue {
        guard let key = path.first, var object = tree.object, let value = object[key.name] else { return tree }
        if path.count > 1 {
            object[key.name] = withoutForeign(path.dropFirst(), in: value)
        } else if value.object == nil {
            check(value, against: key.shape, at: JSONPointer().appending(key.name))
            object[key.name] = nil
        }
        return JSONValue(.object(object), at: tree.position)
    }
}
