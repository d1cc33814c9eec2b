import Basics
import JSON
import Signatures

/// The server's metadata for clients, and the token endpoints.
extension IssuerExpansion {
    var revocation: JSONValue {
        let known: JSONValue = ["valid", "expired", "revoked", "superseded", "reused"]
        /// A client revokes its own tokens alone (RFC 7009, section 2.1).
        func anotherClients(_ kind: String) -> JSONValue {
            let facts: JSONValue = ["/client": ["exists": true, "not": "{{found.client#/id}}"]]
            return Self.refusal(
                "invalid_grant",
                "the token belongs to another client",
                when: ["token": [kind: ["is": known, "in": ["form": "token"], "has": facts]]]
            )
        }
        func branch(_ kind: String, revoking: JSONValue) -> JSONValue {
            [
                "when": ["token": [kind: ["is": known, "in": ["form": "token"]]]],
                "then": [["revoke": revoking]], "empty": true,
            ]
        }
        return [
            "find": ["client": Self.namedClient],
            "cases": .array(
                Self.clientChecks(["token", "token_type_hint"]) + [
                    Self.missingToken, anotherClients("refresh"), anotherClients("access"),
                    // With a refresh token goes all that it was used for (RFC 7009, section 2.1).
                    branch("refresh", revoking: "*"), branch("access", revoking: "access"),
                ]
            ),
            "empty": true,
        ]
    }

    private static let missingToken = refusal(
        "invalid_request",
        "the request contains no token",
        when: ["parameter": ["token": ["exists": false]]]
    )

    var introspection: JSONValue {
        func branch(_ kind: String, type: JSONValue?, having facts: JSONObject = [:]) -> JSONValue {
            func fact(_ name: String) -> JSONValue { .string("{{presented.\(kind)#/\(name)}}") }
            func optional(_ name: String) -> JSONValue { .string("{{presented.\(kind)#/\(name) ?? omit}}") }
            var test: JSONObject = ["in": ["form": "token"]]
            if !facts.isEmpty { test["has"] = .object(facts) }
            var body: JSONObject = [
                // The scope of a refresh token is the one that its refreshes can narrow.
                "active": true, "scope": optional(kind == "refresh" ? "granted" : "scope"),
                "client_id": optional("client"), "username": optional("account"),
                "sub": "{{presented.\(kind)#/subject ?? presented.\(kind)#/account}}",
                "exp": fact("expiresAt"), "iat": fact("issuedAt"), "iss": optional("iss"), "cnf": optional("cnf"),
            ]
            // A refresh token has none (RFC 6749, section 7.1).
            body["token_type"] = type
            return ["when": ["token": [kind: .object(test)]], "json": .object(body)]
        }
        let bound = isBinding ? [branch("access", type: "DPoP", having: ["/cnf/jkt": ["exists": true]])] : []
        return [
            "find": ["client": Self.namedClient],
            "cases": .array(
                // Anyone could ask in the name of a client without a secret (RFC 7662, section 2.1).
                Self.clientChecks(["token", "token_type_hint"], orPublic: false) + [Self.missingToken] + bound
                    + [branch("access", type: "Bearer"), branch("refresh", type: nil)]
            ),
            "json": ["active": false],
        ]
    }

    var deviceAuthorization: JSONValue {
        let code = "{{found.grant#/user_code}}"
        let base = base
        return [
            "find": ["client": Self.namedClient],
            "cases": .array(
                Self.clientChecks(["scope"]) + [Self.refusal("invalid_scope", when: issuer.unknownScope)]
            ),
            "then": [
                [
                    "create": "deviceGrants", "as": "grant",
                    "item": [
                        "device_code": "{{random.hex(40)}}", "user_code": "{{random.hex(8)}}", "status": "pending",
                        "scope": .string("{{request.parameter.scope ?? \(JSONValue.string(scopes[0]))}}"),
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

    /// The authentication of clients at every endpoint but introspection.
    private static let clientMethods: JSONValue = ["none", "client_secret_basic", "client_secret_post"]

    /// The base URL as documents tell it.
    var base: String { issuer.url }

    /// The scopes that ask for claims, and their claims of some account (OpenID Connect Core, section 5.4).
    ///
    /// A scope that the issuer does not grant withholds nothing.
    private var claimScopes: [(scope: String, claims: [String])] {
        let email = ["email", "email_verified"]
        let phone = ["phone_number"]
        let groups = [
            ("profile", profileMembers.filter { !email.contains($0) && !phone.contains($0) }), ("email", email),
            ("phone", phone),
        ]
        return groups.filter { scope, claims in
            scopes.contains(scope) && claims.contains(where: profileMembers.contains)
        }
    }

    /// The claims of the user whose access token it is (OpenID Connect Core, section 5.3).
    ///
    /// - Parameter hasForm: whether the token may be in the form, which a GET must not have (RFC 6750, section 2.2).
    func userInfo(hasForm: Bool) -> JSONValue {
        let form: JSONValue = ["form": "access_token"]
        let field: JSONValue = ["header": "Authorization", "scheme": "Bearer"]
        let places: JSONValue = .array(
            [field] + (isBinding ? [["header": "Authorization", "scheme": "DPoP"]] : []) + (hasForm ? [form] : [])
        )
        func lacks(_ scope: String) -> JSONValue {
            let lacking: JSONValue = ["exists": true, "not": ["words": ["contains": .string(scope)]]]
            return ["token": ["access": ["in": places, "has": ["/scope": lacking]]]]
        }
        func claims(without withheld: [String]) -> JSONValue {
            var claims: JSONObject = ["sub": "{{presented.access#/subject ?? account}}"]
            for name in profileMembers where !withheld.contains(name) {
                claims[name] = .string("{{account#/\(name) ?? omit}}")
            }
            return .object(claims)
        }
        var cases: [JSONValue] = []
        if hasForm {
            // One token, in one place, once (RFC 6750, sections 2 and 3.1).
            cases += [
                refused(400, "invalid_request", when: Self.repeating(["access_token"])),
                refused(
                    400,
                    "invalid_request",
                    when: [
                        "header": ["Authorization": ["exists": true]],
                        "form": ["access_token": ["length": ["atLeast": 1]]],
                    ]
                ),
            ]
            var malformed =
                refused(401, "invalid_token", when: ["token": ["access": ["is": "malformed", "in": places]]]).object
                ?? [:]
            malformed["requires"] = ["access": ["in": places]]
            cases.append(.object(malformed))
        }
        if isBinding, hasForm {
            let facts: JSONValue = ["/cnf/jkt": ["exists": true]]
            cases.append(refused(401, "invalid_token", when: ["token": ["access": ["in": form, "has": facts]]]))
        }
        if scopes.contains("openid") { cases.append(refused(403, "insufficient_scope", when: lacks("openid"))) }
        let groups = claimScopes
        // From all that may be withheld to nothing.
        for number in (1..<(1 << groups.count)).reversed() {
            let withheld = groups.enumerated().filter { number & 1 << $0.offset != 0 }.map(\.element)
            cases.append([
                "when": ["all": .array(withheld.map { lacks($0.scope) })],
                "json": claims(without: withheld.flatMap(\.claims)),
            ])
        }
        // A repeated field is malformed, and must reach its case.
        let accepted: JSONValue = hasForm ? ["valid", "malformed"] : "valid"
        return [
            "requires": ["access": ["is": accepted, "in": places]], "cases": .array(cases),
            "headers": ["Cache-Control": "no-store"],
            "json": claims(without: []),
        ]
    }

    /// The refusal of a request with a token (RFC 6750, section 3.1).
    private func refused(_ status: Int, _ error: String, when condition: JSONValue) -> JSONValue {
        let scheme = issuer.binding == .required ? "DPoP" : "Bearer"
        return [
            "when": condition, "status": .number(JSONNumber(status)),
            "headers": ["WWW-Authenticate": .string("\(scheme) realm=\"backlot\", error=\"\(error)\"")],
            "json": ["error": .string(error)],
        ]
    }

    /// Authorization server metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3).
    var metadata: JSONValue {
        let base = base
        var grants: [JSONValue] = [
            "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
        ]
        if pages.hasPasswords { grants.append("password") }
        if clients.contains(where: { $0.secret != nil }) { grants.append("client_credentials") }
        // Every provider lists RS256 (OpenID Connect Discovery, section 3).
        let algorithms = [issuer.algorithm] + (issuer.algorithm == .rs256 ? [] : [.rs256])
        var document: JSONObject = [
            "issuer": .string(base), "authorization_endpoint": address(of: .authorize),
            "token_endpoint": address(of: .token), "userinfo_endpoint": address(of: .userinfo),
            "jwks_uri": address(of: .jwks), "end_session_endpoint": address(of: .logout),
            "revocation_endpoint": address(of: .revoke), "introspection_endpoint": address(of: .introspect),
            "device_authorization_endpoint": address(of: .device),
            "scopes_supported": .array(scopes.map(JSONValue.string)), "response_types_supported": ["code"],
            "response_modes_supported": ["query"], "grant_types_supported": .array(grants),
            "token_endpoint_auth_methods_supported": Self.clientMethods,
            "revocation_endpoint_auth_methods_supported": Self.clientMethods,
            "introspection_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256", "plain"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(algorithms.map { .string($0.rawValue) }),
            "claims_supported": .array(
                (["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce"] + profileMembers).map(JSONValue.string)
            ),
            // The default of request_uri_parameter_supported is true.
            "claims_parameter_supported": false, "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
        ]
        if isBinding { document["dpop_signing_alg_values_supported"] = ["ES256", "RS256"] }
        return ["json": .object(document)]
    }
}
