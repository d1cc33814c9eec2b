import JSON
import Signatures

/// The token endpoint of an issuer (RFC 6749, section 3.2).
extension IssuerExpansion {
    private static let tokenParameters = [
        "grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "username", "password", "scope",
        "device_code",
    ]

    var token: JSONValue {
        var finds: JSONObject = ["client": Self.namedClient]
        finds["grant"] = ["one": "deviceGrants", "where": ["/device_code": "{{request.parameter.device_code}}"]]
        var cases = Self.clientChecks(Self.tokenParameters)
        cases += [
            Self.refusal(
                "invalid_request",
                "the request contains no grant_type",
                when: ["parameter": ["grant_type": ["exists": false]]]
            ),
            Self.refusal("invalid_scope", when: issuer.unknownScope),
        ]
        cases += proofCases
        let requested = "{{request.parameter.scope ?? \(JSONValue.string(scopes[0]))}}"
        let asked: JSONValue = ["any": .array([["parameter": ["scope": Self.openID]]] + asksByDefault)]
        if pages.hasPasswords {
            finds["user"] = pages.user
            cases += missing(["username", "password"], of: "password")
            cases.append(
                Self.refusal(
                    "invalid_grant",
                    when: ["parameter": ["grant_type": "password"], "found": ["user": false]]
                )
            )
            cases += grant(
                "password",
                scope: requested,
                ["signIn": ["account": "{{found.user.name}}"]],
                remembering: [:],
                identity: asked
            )
        }
        if clients.contains(where: { $0.secret != nil }) {
            cases.append(
                Self.refusal(
                    "unauthorized_client",
                    when: [
                        "parameter": ["grant_type": "client_credentials"],
                        "found": ["client": ["/secret": ["exists": false]]],
                    ]
                )
            )
            cases += grant(
                "client_credentials",
                scope: requested,
                ["signIn": ["account": ""]],
                remembering: ["subject": "{{found.client#/id}}"],
                refreshes: false
            )
        }
        return [
            "find": .object(finds), "cases": .array(cases + codeCases + refreshCases + deviceCases), "status": 400,
            "headers": ["Cache-Control": "no-store"], "json": ["error": "unsupported_grant_type"],
        ]
    }

    /// The refusal of a grant that lacks a parameter (RFC 6749, section 5.2).
    private func missing(_ names: [String], of type: String) -> [JSONValue] {
        names.map { name in
            Self.refusal(
                "invalid_request",
                "the request contains no \(name)",
                when: ["parameter": ["grant_type": .string(type), name: ["exists": false]]]
            )
        }
    }

    /// The words of a scope that requests an ID token (OpenID Connect Core, section 3.1.2.1).
    static let openID: JSONValue = ["words": ["contains": "openid"]]

    private var asksByDefault: [JSONValue] {
        scopes[0] == "openid" ? [["parameter": ["scope": ["exists": false]]]] : []
    }

    /// The cases of a grant: tokens, and the response of RFC 6749, section 5.1.
    ///
    /// - Parameters:
    ///   - condition: what else must hold.
    ///   - memory: the data that the tokens of a first grant keep in addition to what was agreed on; nil for a later grant.
    ///   - identity: what must hold for an ID token to be among them; nil where there is never one.
    private func grant(
        _ type: String,
        scope: String,
        _ more: JSONObject,
        when condition: JSONObject = [:],
        remembering memory: JSONObject? = nil,
        refreshes: Bool = true,
        identity: JSONValue? = nil
    ) -> [JSONValue] {
        let hasIdentity = identity != nil && scopes.contains("openid")
        return (hasIdentity ? [true, false] : [false]).map { withIdentity in
            var all: JSONObject = ["parameter": ["grant_type": .string(type)]]
            for member in condition.members { all.set(member) }
            if withIdentity, let identity { all["all"] = .array([identity] + canVerify) }
            var branch: JSONObject = ["when": .object(all)]
            for member in more.members { branch.set(member) }
            var grants: JSONObject = ["access": "new"]
            if refreshes { grants["refresh"] = "new" }
            if withIdentity { grants["idToken"] = "new" }
            branch["grants"] = .object(grants)
            var facts = memory.map { _ in issuer.agreed(scope: scope) } ?? branch["remember"]?.object ?? [:]
            for member in memory?.members ?? [] { facts.set(member) }
            // An access token is bound to the key of this request, or to none.
            if isBinding { facts["cnf"] = "{{dpop.cnf}}" }
            if !facts.members.isEmpty { branch["remember"] = .object(facts) }
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

    /// The condition for an ID token: a client without a secret cannot verify HS256 (OpenID Connect Core, section 10.1).
    private var canVerify: [JSONValue] {
        issuer.algorithm == .hs256 ? [["found": ["client": ["/secret": ["exists": true]]]]] : []
    }

    private var codeCases: [JSONValue] {
        let type = "authorization_code"
        func refused(_ description: String, _ facts: JSONValue, _ form: JSONObject = [:]) -> JSONValue {
            var fields: JSONObject = ["grant_type": .string(type)]
            for member in form.members { fields.set(member) }
            return Self.refusal(
                "invalid_grant",
                description,
                when: ["parameter": .object(fields), "token": ["code": ["has": facts]]]
            )
        }
        let challenge = "the code_verifier does not match the code_challenge"
        let redirect = "the redirect_uri differs from the redirect_uri in the authorization request"
        return missing(["code"], of: type) + [
            refused("the code belongs to another client", ["/client": ["not": "{{found.client#/id}}"]]),
            refused(redirect, ["/redirect": ["exists": true, "not": "{{request.parameter.redirect_uri}}"]]),
            refused(
                redirect,
                ["/redirect": ["exists": false]],
                ["redirect_uri": ["exists": true, "not": "{{found.client#/redirect}}"]]
            ),
            refused(
                "the code_verifier is not 43 to 128 unreserved characters",
                [:],
                ["code_verifier": ["exists": true, "not": ["matches": Self.challengePattern]]]
            ),
            // The challenge of the authorization request decides (RFC 7636, section 4.6), and no downgrade is possible.
            refused(
                challenge,
                [
                    "/method": "S256",
                    "/challenge": ["exists": true, "not": "{{request.parameter.code_verifier as s256}}"],
                ]
            ),
            refused(
                challenge,
                ["/method": "plain", "/challenge": ["exists": true, "not": "{{request.parameter.code_verifier}}"]]
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

    /// The form of a challenge and of a verifier (RFC 7636, sections 4.1 and 4.2).
    static let challengePattern: JSONValue = "^[A-Za-z0-9._~-]{43,128}$"

    /// A refresh may narrow the scope of its access token; a new refresh token keeps the scope that was granted
    /// (RFC 6749, section 6).
    private var refreshCases: [JSONValue] {
        let type = "refresh_token"
        let granted = "presented.refresh#/granted"
        let scope = "{{request.parameter.scope ?? \(granted) ?? \(JSONValue.string(scopes[0]))}}"
        func refused(_ code: String, _ description: String, _ parameters: JSONObject, _ facts: JSONValue) -> JSONValue {
            var parameters = parameters
            parameters["grant_type"] = .string(type)
            return Self.refusal(
                code,
                description,
                when: ["parameter": .object(parameters), "token": ["refresh": ["has": facts]]]
            )
        }
        return missing(["refresh_token"], of: type) + [
            refused(
                "invalid_grant",
                "the refresh token belongs to another client",
                [:],
                ["/client": ["exists": true, "not": "{{found.client#/id}}"]]
            ),
            refused(
                "invalid_scope",
                "the scope exceeds the granted scope",
                ["scope": ["exists": true, "not": ["words": ["each": ["oneOf": "{{\(granted) as words}}"]]]]],
                ["/granted": ["exists": true]]
            ),
        ] + foreignKey(type, "refresh", "/cnf/jkt", when: ["found": ["client": ["/public": ["exists": true]]]])
            + grant(
                type,
                scope: scope,
                // A refreshed ID token has no nonce (OpenID Connect Core, section 12.2).
                ["requires": "refresh", "remember": ["scope": .string(scope), "nonce": .null]],
                refreshes: issuer.rotation.bool != false,
                identity: [
                    "any": [
                        ["parameter": ["scope": Self.openID]],
                        [
                            "parameter": ["scope": ["exists": false]],
                            "token": ["refresh": ["has": ["/granted": Self.openID]]],
                        ],
                    ]
                ]
            )
    }

    private var deviceCases: [JSONValue] {
        let name = "urn:ietf:params:oauth:grant-type:device_code"
        let type: JSONObject = ["grant_type": .string(name)]
        func when(_ found: JSONValue) -> JSONValue { ["parameter": .object(type), "found": ["grant": found]] }
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
            remembering: [:],
            identity: ["found": ["grant": ["/scope": Self.openID]]]
        )
        return missing(["device_code"], of: name) + [
            Self.refusal("invalid_grant", when: when(false)),
            Self.refusal("invalid_grant", when: when(["/client": ["not": "{{found.client#/id}}"]])),
            Self.refusal("invalid_grant", when: when(["/status": "used"])),
            Self.refusal("expired_token", when: when(["/expires": ["atMost": now]])),
            Self.refusal("access_denied", when: when(["/status": "denied"])),
            .object(early),
        ] + granted + [.object(pending)]
    }
}

extension Issuer {
    /// The data of the sign-in request that tokens keep: the scope of this access token, the scope that was granted and
    /// that refreshes can narrow, and the client.
    func agreed(scope: String) -> JSONObject {
        [
            "scope": .string(scope), "granted": .string(scope), "client": "{{found.client#/id}}", "iss": .string(url),
            "auth_time": "{{clock(format: seconds)}}",
        ]
    }

    /// A requested scope that the issuer does not grant (RFC 6749, section 3.3).
    var unknownScope: JSONValue {
        let known = JSONValue.array(scopes.map(JSONValue.string))
        return ["parameter": ["scope": ["exists": true, "not": ["words": ["each": ["oneOf": known]]]]]]
    }
}
