import Basics
import JSON

/// Writes a backend's `issuer` out as the kinds of token, collections and routes that it stands for.
///
/// What the backend says itself is laid over them, and stories over both: nothing else knows that there is an issuer.
struct IssuerExpansion {
    private let tree: JSONValue
    private let path: String
    private let accounts: [JSONObject.Member]
    private let scopes: [String]
    private let clients: [(id: String, secret: String?, redirects: [String])]

    /// Lays a backend over what its issuer stands for.
    ///
    /// - Parameters:
    ///   - documents: the files of a story, the backend first; any of them may say something about the issuer.
    /// - Returns: the backend, whole; as it was where there is no issuer. And the lists of responses that the backend
    ///   puts before the cases of the issuer's routes.
    static func expanded(
        _ documents: [JSONValue],
        sources: SourceMap
    ) -> (backend: JSONValue, leading: Set<LeadingResponses>) {
        let backend = documents[0]
        var merger = ShapeMerger(sources: sources)
        let issuer = documents.reduce(nil as JSONValue?) { known, document in
            guard let own = document.written(ScenarioKeys.issuer) else { return known }
            return merger.merge(own, over: known, along: .object(IssuerKeys.self))
        }
        guard let issuer, issuer.object != nil else { return (backend, []) }
        let position = backend.written(ScenarioKeys.issuer)?.position ?? backend.position
        let expansion = IssuerExpansion(issuer, backend[ScenarioKeys.accounts])
        let merged = merger.merge(backend, over: expansion.backend.at(position), along: .object(ScenarioKeys.self))
        let (tokens, kinds) = (ScenarioKeys.tokens.name, TokensKeys.kinds.name)
        let ordered = [[tokens, kinds], [ScenarioKeys.collections.name], [ScenarioKeys.routes.name]]
            .reduce(merged) { $0.ordered(like: backend, at: $1[...]) }
        return (ordered, merger.leading)
    }

    private init(_ tree: JSONValue, _ accounts: [JSONObject.Member]) {
        self.tree = tree
        self.accounts = accounts
        path = tree[IssuerKeys.path]
        let scopes = tree[IssuerKeys.scopes]
        self.scopes = scopes.isEmpty ? ["openid", "profile", "email", "offline_access"] : scopes
        let clients = tree[IssuerKeys.clients].map { member in
            let client = member.value
            return (member.name, client[IssuerClientKeys.secret], client[IssuerClientKeys.redirects])
        }
        self.clients = clients.isEmpty ? [("app", nil, ["app://callback"])] : clients
    }

    private var backend: JSONValue {
        [
            "tokens": ["kinds": kinds],
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
                "GET \(path)/userinfo": ["requires": "access", "json": ["sub": "{{account}}"]],
                "GET /.well-known/oauth-authorization-server": metadata,
                "GET /.well-known/openid-configuration": metadata,
            ],
        ]
    }

    // MARK: Tokens

    private var kinds: JSONValue {
        let invalidToken: JSONValue = [
            "status": 401,
            "headers": ["WWW-Authenticate": "Bearer realm=\"backlot\", error=\"invalid_token\""],
            "json": ["error": "invalid_token"],
        ]
        let missing: JSONValue = [
            "status": 401, "headers": ["WWW-Authenticate": "Bearer realm=\"backlot\""],
            "json": ["error": "unauthorized"],
        ]
        var refresh: JSONObject = [
            "lifetime": .string(DurationText.text(tree[IssuerKeys.refresh])), "in": ["form": "refresh_token"],
            "format": "opaque", "terminal": [400], "reject": ["*": Self.error(400, "invalid_grant")],
        ]
        refresh["rotate"] = tree[IssuerKeys.rotate] ?? ["reuse": "revokeDevice"]
        return [
            "access": [
                "lifetime": .string(DurationText.text(tree[IssuerKeys.access])), "jti": true,
                "claims": ["sub": "{{account}}"], "reject": ["missing": missing, "*": invalidToken],
            ],
            "refresh": .object(refresh),
            "code": [
                "lifetime": .string(DurationText.text(tree[IssuerKeys.code])), "in": ["form": "code"], "once": true,
                "rotate": ["reuse": "revokeDevice"], "format": "opaque",
                "reject": ["*": Self.error(400, "invalid_grant")],
            ],
        ]
    }

    private static func item(_ client: (id: String, secret: String?, redirects: [String])) -> JSONValue {
        var item: JSONObject = ["id": .string(client.id)]
        item[client.secret == nil ? "public" : "secret"] = .string(client.secret ?? client.id)
        item["redirects"] = .array(client.redirects.map(JSONValue.string))
        return .object(item)
    }

    /// Finds the client that a form or Basic names, with its secret where it has one (RFC 6749, section 2.3.1).
    private var findsClient: JSONValue {
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

    private static let invalidClient: JSONValue = [
        "when": ["found": ["client": false]], "status": 401,
        "headers": ["WWW-Authenticate": "Basic realm=\"backlot\"", "Cache-Control": "no-store"],
        "json": ["error": "invalid_client"],
    ]

    /// An error response of RFC 6749, section 5.2.
    private static func error(_ status: Int, _ code: String) -> JSONValue {
        [
            "status": .number(JSONNumber(status)), "headers": ["Cache-Control": "no-store"],
            "json": ["error": .string(code)],
        ]
    }

    private static func refusal(_ code: String, when condition: JSONValue) -> JSONValue {
        var branch: JSONObject = ["when": condition]
        for member in error(400, code).object?.members ?? [] { branch.set(member) }
        return .object(branch)
    }

    private static let html: JSONValue = ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"]

    // MARK: The token endpoint

    private var token: JSONValue {
        let scope = scopes[0]
        var finds: JSONObject = ["client": findsClient]
        finds["grant"] = ["one": "deviceGrants", "where": ["/device_code": "{{request.form.device_code}}"]]
        var cases: [JSONValue] = [
            Self.invalidClient,
            Self.refusal("invalid_request", when: ["form": ["grant_type": ["exists": false]]]),
            Self.refusal("invalid_scope", when: unknownScope("form")),
        ]
        let requested = "{{request.form.scope ?? \(JSONValue.string(scope))}}"
        if hasPasswords {
            finds["user"] = user
            cases += [
                Self.refusal("invalid_grant", when: ["form": ["grant_type": "password"], "found": ["user": false]]),
                grant("password", scope: requested, ["signIn": ["account": "{{found.user.name}}"]], remembering: true),
            ]
        }
        if clients.contains(where: { $0.secret != nil }) {
            cases += [
                Self.refusal(
                    "unauthorized_client",
                    when: [
                        "form": ["grant_type": "client_credentials"],
                        "found": ["client": ["/secret": ["exists": false]]],
                    ]
                ),
                grant("client_credentials", scope: requested, ["signIn": true], remembering: true, refreshes: false),
            ]
        }
        return [
            "find": .object(finds), "cases": .array(cases + codeCases + refreshCases + deviceCases), "status": 400,
            "headers": ["Cache-Control": "no-store"], "json": ["error": "unsupported_grant_type"],
        ]
    }

    /// The case of a grant: tokens, and the response of RFC 6749, section 5.1.
    private func grant(
        _ type: String,
        scope: String,
        _ more: JSONObject,
        remembering isFirst: Bool = false,
        refreshes: Bool = true
    ) -> JSONValue {
        var branch: JSONObject = ["when": ["form": ["grant_type": .string(type)]]]
        for member in more.members { branch.set(member) }
        branch["grants"] = refreshes ? ["access": "new", "refresh": "new"] : ["access": "new"]
        if isFirst { branch["remember"] = ["scope": .string(scope), "client": "{{found.client#/id}}"] }
        branch["headers"] = ["Cache-Control": "no-store", "Pragma": "no-cache"]
        var body: JSONObject = [
            "access_token": "{{token.access}}", "token_type": "Bearer", "expires_in": "{{token.access.lifetime}}",
        ]
        if refreshes { body["refresh_token"] = "{{token.refresh}}" }
        body["scope"] = .string(scope)
        branch["json"] = .object(body)
        return .object(branch)
    }

    private var codeCases: [JSONValue] {
        let type = "authorization_code"
        func refused(_ facts: JSONValue, _ form: JSONObject = [:]) -> JSONValue {
            var fields: JSONObject = ["grant_type": .string(type)]
            for member in form.members { fields.set(member) }
            return Self.refusal("invalid_grant", when: ["form": .object(fields), "token": ["code": ["has": facts]]])
        }
        return [
            refused(["/client": ["not": "{{found.client#/id}}"]]),
            refused(["/redirect": ["not": "{{request.form.redirect_uri}}"]]),
            // What was agreed on in the authorization request (RFC 7636, section 4.6), and no downgrade.
            refused(["/method": "S256", "/challenge": ["not": "{{request.form.code_verifier as s256}}"]]),
            refused(["/method": "plain", "/challenge": ["exists": true, "not": "{{request.form.code_verifier}}"]]),
            refused(["/challenge": ["exists": false]], ["code_verifier": ["exists": true]]),
            grant(type, scope: "{{presented.code#/scope}}", ["requires": "code"]),
        ]
    }

    private var refreshCases: [JSONValue] {
        let type = "refresh_token"
        let rotates = tree[IssuerKeys.rotate].map { $0.bool != false } ?? true
        return [
            Self.refusal(
                "invalid_grant",
                when: [
                    "form": ["grant_type": .string(type)],
                    "token": ["refresh": ["has": ["/client": ["exists": true, "not": "{{found.client#/id}}"]]]],
                ]
            ),
            grant(
                type,
                scope: "{{presented.refresh#/scope ?? \(JSONValue.string(scopes[0]))}}",
                ["requires": "refresh"],
                refreshes: rotates
            ),
        ]
    }

    /// The scope is what a story's past grants, where no response has let a token remember one.
    private var deviceCases: [JSONValue] {
        let type: JSONObject = ["grant_type": "urn:ietf:params:oauth:grant-type:device_code"]
        func when(_ found: JSONValue) -> JSONValue { ["form": .object(type), "found": ["grant": found]] }
        let now: JSONValue = "{{clock(format: seconds)}}"
        var early = Self.refusal("slow_down", when: when(["/next": ["not": ["atMost": now]]])).object ?? [:]
        early["then"] = [["update": "grant", "set": ["/next": "{{clock(format: seconds, offset: 10s)}}"]]]
        var pending = Self.refusal("authorization_pending", when: when(["/status": "pending"])).object ?? [:]
        pending["then"] = [["update": "grant", "set": ["/next": "{{clock(format: seconds, offset: 5s)}}"]]]
        var granted =
            grant(
                "urn:ietf:params:oauth:grant-type:device_code",
                scope: "{{found.grant#/scope}}",
                ["signIn": ["account": "{{found.grant#/account}}"]],
                remembering: true
            ).object ?? [:]
        granted["when"] = when(["/status": "approved"])
        granted["then"] = [["update": "grant", "set": ["/status": "used"]]]
        return [
            Self.refusal("invalid_grant", when: when(false)),
            Self.refusal("invalid_grant", when: when(["/client": ["not": "{{found.client#/id}}"]])),
            Self.refusal("invalid_grant", when: when(["/status": "used"])),
            Self.refusal("expired_token", when: when(["/expires": ["atMost": now]])),
            Self.refusal("access_denied", when: when(["/status": "denied"])),
            .object(early), .object(granted), .object(pending),
        ]
    }

    private func unknownScope(_ part: String) -> JSONValue {
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

    // MARK: The authorize page

    /// Whether some account has both a name and a password.
    private var hasPasswords: Bool {
        let names = [tree[IssuerKeys.user], tree[IssuerKeys.password]]
        return accounts.contains { account in names.allSatisfy { account.value[$0] != nil } }
    }

    private var user: JSONValue {
        let members = [(tree[IssuerKeys.user], "username"), (tree[IssuerKeys.password], "password")]
        let tests = members.map { ("\(JSONPointer(tokens: [$0.0]))", JSONValue.string("{{request.form.\($0.1)}}")) }
        return ["one": "accounts", "where": .object(JSONObject(tests))]
    }

    private func authorize(_ method: String) -> JSONValue {
        let asks = tree[IssuerKeys.consent] == .button && hasPasswords
        var finds: JSONObject = [
            "client": ["one": "oauthClients", "when": ["query": ["client_id": "{{item#/id}}"]]],
            "registered": [
                "one": "oauthClients",
                "when": [
                    "query": ["client_id": "{{item#/id}}", "redirect_uri": ["oneOf": "{{item#/redirects}}"]]
                ],
            ],
        ]
        // A wrong client or redirect URI is shown and never sent on (RFC 6749, section 4.1.2.1).
        var cases: [JSONValue] = [
            Self.page(400, "The client is not known.", when: ["found": ["client": false]]),
            Self.page(
                400,
                "The redirect URI is not registered for this client.",
                when: ["found": ["registered": false]]
            ),
        ]
        cases += redirect("error=unsupported_response_type", when: ["query": ["response_type": ["not": "code"]]])
        cases += redirect("error=invalid_scope", when: unknownScope("query"))
        let methods: JSONValue = ["exists": true, "not": ["oneOf": ["S256", "plain"]]]
        cases += redirect("error=invalid_request", when: ["query": ["code_challenge_method": methods]])
        if tree[IssuerKeys.pkce], clients.contains(where: { $0.secret == nil }) {
            let isPublic: JSONValue = ["client": ["/public": ["exists": true]]]
            cases += redirect(
                "error=invalid_request",
                when: ["query": ["code_challenge": ["exists": false]], "found": isPublic]
            )
        }
        var granted: JSONObject = [
            "grants": ["code": "new"],
            "remember": [
                "scope": .string("{{request.query.scope ?? \(JSONValue.string(scopes[0]))}}"),
                "client": "{{found.client#/id}}", "redirect": "{{request.query.redirect_uri}}",
                "challenge": "{{request.query.code_challenge ?? omit}}",
                "method": "{{request.query.code_challenge_method ?? \"plain\"}}",
            ],
        ]
        guard asks else {
            granted["signIn"] = true
            cases += redirect("code={{token.code}}", when: [:], granted)
            return ["find": .object(finds), "cases": .array(cases)]
        }
        guard method == "POST" else {
            return [
                "find": .object(finds), "cases": .array(cases), "headers": Self.html, "text": .string(Self.signInPage),
            ]
        }
        finds["user"] = user
        granted["signIn"] = ["account": "{{found.user.name}}"]
        cases.append(Self.page(403, "The user or the password is wrong.", when: ["found": ["user": false]]))
        cases += redirect("code={{token.code}}", when: [:], granted)
        return ["find": .object(finds), "cases": .array(cases)]
    }

    /// Sends the browser back to the client, with its state if it has sent one.
    private func redirect(_ query: String, when condition: JSONObject, _ more: JSONObject = [:]) -> [JSONValue] {
        [true, false].map { hasState in
            var all = condition
            var items = condition["query"]?.object ?? [:]
            if hasState {
                items["state"] = ["exists": true]
                all["query"] = .object(items)
            }
            let state = hasState ? "&state={{request.query.state as encoded}}" : ""
            var branch: JSONObject = ["when": .object(all), "status": 302]
            for member in more.members { branch.set(member) }
            branch["headers"] = [
                "Location": .string("{{request.query.redirect_uri}}?\(query)\(state)"), "Cache-Control": "no-store",
            ]
            return .object(branch)
        }
    }

    private func redirect(_ query: String, when condition: JSONValue) -> [JSONValue] {
        redirect(query, when: condition.object ?? [:], [:])
    }

    private static func page(_ status: Int, _ text: String, when condition: JSONValue) -> JSONValue {
        [
            "when": condition, "status": .number(JSONNumber(status)), "headers": html,
            "text": .string("<!doctype html><title>Sign in</title><p>\(text)</p>"),
        ]
    }

    private static let signInPage = """
        <!doctype html><meta name="viewport" content="width=device-width"><title>Sign in</title>
        <form method="post"><p><label>User <input name="username" autocomplete="username"></label></p>
        <p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
        <p><button>Sign in</button></p></form>
        """

    private static let devicePage = """
        <!doctype html><meta name="viewport" content="width=device-width"><title>Connect a device</title>
        <form method="post"><p><label>Code <input name="user_code" autocomplete="one-time-code"></label></p>
        <p><button name="action" value="approve">Allow</button> <button name="action" value="deny">Refuse</button></p></form>
        """

    // MARK: Other endpoints

    private var revocation: JSONValue {
        let known: JSONValue = ["valid", "expired", "revoked", "superseded", "reused"]
        func branch(_ kind: String, revoking: JSONValue) -> JSONValue {
            [
                "when": ["token": [kind: ["is": known, "in": ["form": "token"]]]],
                "then": [["revoke": revoking]], "empty": true,
            ]
        }
        return [
            "find": ["client": findsClient],
            "cases": [
                Self.invalidClient, Self.refusal("invalid_request", when: ["form": ["token": ["exists": false]]]),
                // With a refresh token goes all that it was used for (RFC 7009, section 2.1).
                branch("refresh", revoking: "*"), branch("access", revoking: "access"),
            ],
            "empty": true,
        ]
    }

    private var introspection: JSONValue {
        func branch(_ kind: String) -> JSONValue {
            func fact(_ name: String) -> JSONValue { .string("{{presented.\(kind)#/\(name)}}") }
            func optional(_ name: String) -> JSONValue { .string("{{presented.\(kind)#/\(name) ?? omit}}") }
            return [
                "when": ["token": [kind: ["in": ["form": "token"]]]],
                "json": [
                    "active": true, "scope": optional("scope"), "client_id": optional("client"),
                    "username": fact("account"), "sub": fact("account"), "token_type": "Bearer",
                    "exp": fact("expiresAt"), "iat": fact("issuedAt"),
                ],
            ]
        }
        return [
            "find": ["client": findsClient],
            "cases": [Self.invalidClient, branch("access"), branch("refresh")], "json": ["active": false],
        ]
    }

    private var deviceAuthorization: JSONValue {
        let code = "{{found.grant#/user_code}}"
        let base = base
        return [
            "find": ["client": findsClient],
            "cases": [Self.invalidClient, Self.refusal("invalid_scope", when: unknownScope("form"))],
            "then": [
                [
                    "create": "deviceGrants", "as": "grant",
                    "item": [
                        "device_code": "{{random.hex(40)}}", "user_code": "{{random.hex(8)}}", "status": "pending",
                        "scope": .string("{{request.form.scope ?? \(JSONValue.string(scopes[0]))}}"),
                        "client": "{{found.client#/id}}", "account": .string(accounts.first?.name ?? ""),
                        "expires": "{{clock(format: seconds, offset: 10m)}}", "next": "{{clock(format: seconds)}}",
                    ],
                ]
            ],
            "headers": ["Cache-Control": "no-store"],
            "json": [
                "device_code": "{{found.grant#/device_code}}", "user_code": .string(code),
                "verification_uri": .string("\(base)\(path)/device"),
                "verification_uri_complete": .string("\(base)\(path)/device?user_code=\(code)"),
                "expires_in": 600, "interval": 5,
            ],
        ]
    }

    private var deviceDecision: JSONValue {
        func decided(_ status: String, when condition: JSONValue) -> JSONValue {
            [
                "when": condition, "headers": Self.html, "text": "<!doctype html><title>Done</title><p>Done.</p>",
                "then": [["update": "grant", "set": ["/status": .string(status)]]],
            ]
        }
        return [
            "find": ["grant": ["one": "deviceGrants", "where": ["/user_code": "{{request.form.user_code}}"]]],
            "cases": [
                Self.page(400, "There is no such code.", when: ["found": ["grant": false]]),
                decided("denied", when: ["form": ["action": "deny"]]), decided("approved", when: ["form": [:]]),
            ],
        ]
    }

    /// The base URL as documents tell it.
    private var base: String { tree[IssuerKeys.url] ?? #"http://{{request.header.Host ?? "localhost"}}"# }

    /// Authorization server metadata (RFC 8414, section 2).
    private var metadata: JSONValue {
        let base = base
        func endpoint(_ name: String) -> JSONValue { .string("\(base)\(path)/\(name)") }
        var grants: [JSONValue] = [
            "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
        ]
        if hasPasswords { grants.append("password") }
        if clients.contains(where: { $0.secret != nil }) { grants.append("client_credentials") }
        return [
            "json": [
                "issuer": .string(base), "authorization_endpoint": endpoint("authorize"),
                "token_endpoint": endpoint("token"), "userinfo_endpoint": endpoint("userinfo"),
                "revocation_endpoint": endpoint("revoke"), "introspection_endpoint": endpoint("introspect"),
                "device_authorization_endpoint": endpoint("device_authorization"),
                "scopes_supported": .array(scopes.map(JSONValue.string)), "response_types_supported": ["code"],
                "response_modes_supported": ["query"], "grant_types_supported": .array(grants),
                "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
                "code_challenge_methods_supported": ["S256", "plain"], "subject_types_supported": ["public"],
            ]
        ]
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

    /// The same with everything at one place, so that what is found in it is told of that.
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
