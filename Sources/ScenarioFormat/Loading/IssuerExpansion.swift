import Basics
import JSON
import Signatures

/// Expands a backend's `issuer` to its kinds of token, collections and routes.
///
/// What the backend says itself is laid over them, and stories over both: nothing else knows that there is an issuer.
struct IssuerExpansion {
    let issuer: Issuer
    let accounts: [JSONObject.Member]

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
                "GET \(path)/authorize": authorize("GET"),
                "POST \(path)/authorize": authorize("POST"),
                "POST \(path)/token": token,
                "POST \(path)/revoke": revocation,
                "POST \(path)/introspect": introspection,
                "POST \(path)/device_authorization": deviceAuthorization,
                "GET \(path)/device": ["headers": Self.html, "text": .string(Self.devicePage)],
                "POST \(path)/device": deviceDecision,
                "GET \(path)/userinfo": userInfo, "POST \(path)/userinfo": userInfo,
                "GET \(path)/jwks": ["headers": ["Cache-Control": "max-age=300"], "json": "{{jwks}}"],
                "GET \(path)/logout": endSession("query"), "POST \(path)/logout": endSession("form"),
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
                "sub": "{{account}}", "iss": "{{issued#/iss ?? omit}}", "client_id": "{{issued#/client ?? omit}}",
                "scope": "{{issued#/scope ?? omit}}", "cnf": "{{issued#/cnf ?? omit}}",
            ],
            "reject": ["missing": missing, "*": invalidToken],
        ]
        if isBinding {
            access["in"] = [
                ["header": "Authorization", "scheme": "Bearer"], ["header": "Authorization", "scheme": "DPoP"],
            ]
        }
        return [
            "access": .object(access), "refresh": .object(refresh),
            "code": [
                "lifetime": Self.text(issuer.code), "in": ["form": "code"], "once": true,
                "rotate": ["reuse": "revokeDevice"], "format": "opaque",
                "reject": ["malformed": Self.repeated, "*": Self.error(400, "invalid_grant")],
            ],
            "idToken": [
                "lifetime": Self.text(issuer.id),
                "in": [["query": "id_token_hint"], ["form": "id_token_hint"]],
                "claims": .object(identityClaims),
            ],
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
        return .object(item)
    }

    /// Finds the client that a form or Basic names, with its secret where it has one (RFC 6749, section 2.3.1).
    var findsClient: JSONValue {
        var ways: [JSONValue] = []
        if clients.contains(where: { $0.secret == nil }) {
            ways += [["form": ["client_id": "{{item#/public}}"]], ["basic": ["user": "{{item#/public}}"]]]
        }
        if clients.contains(where: { $0.secret != nil }) {
            ways += [
                ["form": ["client_id": "{{item#/id}}", "client_secret": "{{item#/secret}}"]],
                ["basic": ["user": "{{item#/id}}", "password": "{{item#/secret}}"]],
            ]
        }
        return ["one": "oauthClients", "when": ["any": .array(ways)]]
    }

    static let invalidClient: JSONValue = [
        "when": ["found": ["client": false]], "status": 401,
        "headers": ["WWW-Authenticate": "Basic realm=\"backlot\"", "Cache-Control": "no-store"],
        "json": ["error": "invalid_client"],
    ]

    /// An error response of RFC 6749, section 5.2.
    private static func error(_ status: Int, _ code: String, _ description: String? = nil) -> JSONValue {
        var body: JSONObject = ["error": .string(code)]
        if let description { body["error_description"] = .string(description) }
        return [
            "status": .number(JSONNumber(status)), "headers": ["Cache-Control": "no-store"], "json": .object(body),
        ]
    }

    /// No parameter comes twice (RFC 6749, section 3.2).
    private static let repeated = error(400, "invalid_request", "a parameter occurs more than once")

    static func refusal(_ code: String, _ description: String? = nil, when condition: JSONValue) -> JSONValue {
        var branch: JSONObject = ["when": condition]
        for member in error(400, code, description).object?.members ?? [] { branch.set(member) }
        return .object(branch)
    }

    /// A client authenticates in one way (RFC 6749, section 2.3).
    static let twoCredentials = refusal(
        "invalid_request",
        "the client authenticates both with Basic and in the form",
        when: ["basic": ["user": ["exists": true]], "form": ["client_secret": ["exists": true]]]
    )

    /// The same fields of the response, and the nonce that the next proof needs.
    private var noStore: JSONObject {
        var fields: JSONObject = ["Cache-Control": "no-store", "Pragma": "no-cache"]
        if isBinding { fields["DPoP-Nonce"] = "{{dpop.nonce ?? omit}}" }
        return fields
    }

    // MARK: Proofs of possession

    /// The token endpoint's responses to invalid proofs (RFC 9449, sections 5 and 8).
    private var proofCases: [JSONValue] {
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
                when: ["header": ["Authorization": ["matches": "^[Bb]earer "]]]
            ),
            challenge("proof without nonce", "use_dpop_nonce", when: ["dpop": "nonce"]),
            challenge("proof", "invalid_dpop_proof", when: ["not": ["dpop": "valid"]]),
            challenge("key of another", "invalid_token", when: ["/cnf/jkt": ["exists": true, "not": "{{dpop.jkt}}"]]),
        ]
    }

    /// A token that is bound is good with a proof of the same key alone (section 5).
    private func foreignKey(_ type: String, _ kind: String, _ place: String) -> [JSONValue] {
        guard isBinding else { return [] }
        return [
            Self.refusal(
                "invalid_grant",
                "the token is bound to another key",
                when: [
                    "form": ["grant_type": .string(type)],
                    "token": [kind: ["has": [place: ["exists": true, "not": "{{dpop.jkt}}"]]]],
                ]
            )
        ]
    }

    static let html: JSONValue = ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"]

    // MARK: The token endpoint

    private var token: JSONValue {
        let scope = scopes[0]
        var finds: JSONObject = ["client": findsClient]
        finds["grant"] = ["one": "deviceGrants", "where": ["/device_code": "{{request.form.device_code}}"]]
        var cases: [JSONValue] = [
            Self.twoCredentials, Self.invalidClient,
            Self.refusal("invalid_request", when: ["form": ["grant_type": ["exists": false]]]),
            Self.refusal("invalid_scope", when: unknownScope("form")),
        ]
        cases += proofCases
        let requested = "{{request.form.scope ?? \(JSONValue.string(scope))}}"
        let asked: JSONObject = ["any": .array([["form": ["scope": Self.openID]]] + asksByDefault("form"))]
        if hasPasswords {
            finds["user"] = user
            cases.append(
                Self.refusal("invalid_grant", when: ["form": ["grant_type": "password"], "found": ["user": false]])
            )
            cases += grant(
                "password",
                scope: requested,
                ["signIn": ["account": "{{found.user.name}}"]],
                remembering: true,
                identity: asked
            )
        }
        if clients.contains(where: { $0.secret != nil }) {
            cases.append(
                Self.refusal(
                    "unauthorized_client",
                    when: [
                        "form": ["grant_type": "client_credentials"],
                        "found": ["client": ["/secret": ["exists": false]]],
                    ]
                )
            )
            cases += grant(
                "client_credentials",
                scope: requested,
                ["signIn": true],
                remembering: true,
                refreshes: false
            )
        }
        return [
            "find": .object(finds), "cases": .array(cases + codeCases + refreshCases + deviceCases), "status": 400,
            "headers": ["Cache-Control": "no-store"], "json": ["error": "unsupported_grant_type"],
        ]
    }

    /// The pattern of a scope that requests an ID token (OpenID Connect Core, section 3.1.2.1).
    private static let openID: JSONValue = ["matches": "(^| )openid( |$)"]

    private func asksByDefault(_ part: String) -> [JSONValue] {
        scopes[0] == "openid" ? [[part: ["scope": ["exists": false]]]] : []
    }

    /// The cases of a grant: tokens, and the response of RFC 6749, section 5.1.
    ///
    /// - Parameters:
    ///   - condition: what else must hold.
    ///   - isFirst: whether a user or a client signs in, so that the tokens remember what was agreed on.
    ///   - identity: what must hold for an ID token to be among them; nil where there is never one.
    private func grant(
        _ type: String,
        scope: String,
        _ more: JSONObject,
        when condition: JSONObject = [:],
        remembering isFirst: Bool = false,
        refreshes: Bool = true,
        identity: JSONObject? = nil
    ) -> [JSONValue] {
        let hasIdentity = identity != nil && scopes.contains("openid")
        return (hasIdentity ? [true, false] : [false]).map { withIdentity in
            var all: JSONObject = ["form": ["grant_type": .string(type)]]
            for member in condition.members + (withIdentity ? identity?.members ?? [] : []) { all.set(member) }
            var branch: JSONObject = ["when": .object(all)]
            for member in more.members { branch.set(member) }
            var grants: JSONObject = ["access": "new"]
            if refreshes { grants["refresh"] = "new" }
            if withIdentity { grants["idToken"] = "new" }
            branch["grants"] = .object(grants)
            if isFirst { branch["remember"] = .object(agreed(scope: scope)) }
            if isBinding, !isFirst { branch["remember"] = ["cnf": "{{dpop.cnf ?? omit}}"] }
            branch["headers"] = .object(noStore)
            var body: JSONObject = [
                "access_token": "{{token.access}}",
                "token_type": isBinding ? "{{dpop.scheme ?? \"Bearer\"}}" : "Bearer",
                "expires_in": "{{token.access.lifetime}}",
            ]
            if refreshes { body["refresh_token"] = "{{token.refresh}}" }
            if withIdentity { body["id_token"] = "{{token.idToken}}" }
            body["scope"] = .string(scope)
            branch["json"] = .object(body)
            return .object(branch)
        }
    }

    /// The data of the sign-in request that tokens keep.
    func agreed(scope: String) -> JSONObject {
        var facts: JSONObject = [
            "scope": .string(scope), "client": "{{found.client#/id}}", "iss": .string(base),
            "auth_time": "{{clock(format: seconds)}}",
        ]
        if isBinding { facts["cnf"] = "{{dpop.cnf ?? omit}}" }
        return facts
    }

    private var codeCases: [JSONValue] {
        let type = "authorization_code"
        func refused(_ description: String, _ facts: JSONValue, _ form: JSONObject = [:]) -> JSONValue {
            var fields: JSONObject = ["grant_type": .string(type)]
            for member in form.members { fields.set(member) }
            return Self.refusal(
                "invalid_grant",
                description,
                when: ["form": .object(fields), "token": ["code": ["has": facts]]]
            )
        }
        let challenge = "the code_verifier does not match the code_challenge"
        return [
            refused("the code belongs to another client", ["/client": ["not": "{{found.client#/id}}"]]),
            refused(
                "the redirect_uri differs from the redirect_uri in the authorization request",
                ["/redirect": ["not": "{{request.form.redirect_uri}}"]]
            ),
            // What was agreed on in the authorization request (RFC 7636, section 4.6), and no downgrade.
            refused(
                challenge,
                ["/method": "S256", "/challenge": ["not": "{{request.form.code_verifier as s256}}"]]
            ),
            refused(
                challenge,
                ["/method": "plain", "/challenge": ["exists": true, "not": "{{request.form.code_verifier}}"]]
            ),
            refused(
                "the authorization request contained no code_challenge",
                ["/challenge": ["exists": false]],
                ["code_verifier": ["exists": true]]
            ),
        ] + foreignKey(type, "code", "/jkt")
            + grant(
                type,
                scope: "{{presented.code#/scope}}",
                ["requires": "code"],
                identity: ["token": ["code": ["has": ["/scope": Self.openID]]]]
            )
    }

    private var refreshCases: [JSONValue] {
        let type = "refresh_token"
        return [
            Self.refusal(
                "invalid_grant",
                "the refresh token belongs to another client",
                when: [
                    "form": ["grant_type": .string(type)],
                    "token": ["refresh": ["has": ["/client": ["exists": true, "not": "{{found.client#/id}}"]]]],
                ]
            )
        ] + foreignKey(type, "refresh", "/cnf/jkt")
            + grant(
                type,
                scope: "{{presented.refresh#/scope ?? \(JSONValue.string(scopes[0]))}}",
                ["requires": "refresh"],
                refreshes: issuer.rotation.bool != false,
                identity: ["token": ["refresh": ["has": ["/scope": Self.openID]]]]
            )
    }

    /// The scope is what a story's past grants, where no response has let a token remember one.
    private var deviceCases: [JSONValue] {
        let name = "urn:ietf:params:oauth:grant-type:device_code"
        let type: JSONObject = ["grant_type": .string(name)]
        func when(_ found: JSONValue) -> JSONValue { ["form": .object(type), "found": ["grant": found]] }
        let now: JSONValue = "{{clock(format: seconds)}}"
        var early = Self.refusal("slow_down", when: when(["/next": ["not": ["atMost": now]]])).object ?? [:]
        early["then"] = [["update": "grant", "set": ["/next": "{{clock(format: seconds, offset: 10s)}}"]]]
        var pending = Self.refusal("authorization_pending", when: when(["/status": "pending"])).object ?? [:]
        pending["then"] = [["update": "grant", "set": ["/next": "{{clock(format: seconds, offset: 5s)}}"]]]
        let granted = grant(
            name,
            scope: "{{found.grant#/scope}}",
            [
                "signIn": ["account": "{{found.grant#/account}}"],
                "then": [["update": "grant", "set": ["/status": "used"]]],
            ],
            when: ["found": ["grant": ["/status": "approved"]]],
            remembering: true,
            identity: ["found": ["grant": ["/status": "approved", "/scope": Self.openID]]]
        )
        return [
            Self.refusal("invalid_grant", when: when(false)),
            Self.refusal("invalid_grant", when: when(["/client": ["not": "{{found.client#/id}}"]])),
            Self.refusal("invalid_grant", when: when(["/status": "used"])),
            Self.refusal("expired_token", when: when(["/expires": ["atMost": now]])),
            Self.refusal("access_denied", when: when(["/status": "denied"])),
            .object(early),
        ] + granted + [.object(pending)]
    }

    func unknownScope(_ part: String) -> JSONValue {
        let names = scopes.map { scope in
            String(
                decoding: scope.utf8.flatMap { "\\^$.|?*+()[]{}/-".utf8.contains($0) ? [0x5C, $0] : [$0] },
                as: UTF8.self
            )
        }
        let one = "(\(names.joined(separator: "|")))"
        let fitting: JSONValue = ["matches": .string("^\(one)( \(one))*$")]
        return [part: ["scope": ["exists": true, "not": fitting]]]
    }
}

extension JSONValue {
    /// The same, but in the object at a place what the backend has written comes first, in its order.
    fileprivate func ordered(like written: JSONValue?, at path: ArraySlice<String>) -> JSONValue {
        guard let object else { return self }
        var result = JSONObject()
        if let name = path.first {
            for member in object.members {
                let isOnTheWay = member.name.hasSameUTF8(as: name)
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
