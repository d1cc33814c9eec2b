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
            "find": ["client": findsClient],
            "cases": [
                Self.twoCredentials, Self.invalidClient,
                Self.missingToken, anotherClients("refresh"), anotherClients("access"),
                // With a refresh token goes all that it was used for (RFC 7009, section 2.1).
                branch("refresh", revoking: "*"), branch("access", revoking: "access"),
            ],
            "empty": true,
        ]
    }

    private static let missingToken = refusal(
        "invalid_request",
        "the request contains no token",
        when: ["form": ["token": ["exists": false]]]
    )

    var introspection: JSONValue {
        func branch(_ kind: String, type: JSONValue?, having facts: JSONObject = [:]) -> JSONValue {
            func fact(_ name: String) -> JSONValue { .string("{{presented.\(kind)#/\(name)}}") }
            func optional(_ name: String) -> JSONValue { .string("{{presented.\(kind)#/\(name) ?? omit}}") }
            var test: JSONObject = ["in": ["form": "token"]]
            if !facts.isEmpty { test["has"] = .object(facts) }
            var body: JSONObject = [
                "active": true, "scope": optional("scope"), "client_id": optional("client"),
                "username": fact("account"), "sub": fact("account"),
                "exp": fact("expiresAt"), "iat": fact("issuedAt"), "iss": optional("iss"), "cnf": optional("cnf"),
            ]
            // A refresh token has none (RFC 6749, section 7.1).
            body["token_type"] = type
            return ["when": ["token": [kind: .object(test)]], "json": .object(body)]
        }
        let bound = isBinding ? [branch("access", type: "DPoP", having: ["/cnf/jkt": ["exists": true]])] : []
        return [
            "find": ["client": findsClient],
            "cases": .array(
                [Self.twoCredentials, Self.invalidClient, Self.missingToken] + bound
                    + [branch("access", type: "Bearer"), branch("refresh", type: nil)]
            ),
            "json": ["active": false],
        ]
    }

    var deviceAuthorization: JSONValue {
        let code = "{{found.grant#/user_code}}"
        let base = base
        return [
            "find": ["client": findsClient],
            "cases": [
                Self.twoCredentials, Self.invalidClient, Self.refusal("invalid_scope", when: unknownScope("form")),
            ],
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

    var deviceDecision: JSONValue {
        func decided(_ status: String, when condition: JSONValue) -> JSONValue {
            [
                "when": condition, "headers": Self.html, "text": "<!doctype html><title>Done</title><p>Done.</p>",
                "then": [["update": "grant", "set": ["/status": .string(status)]]],
            ]
        }
        return [
            "find": ["grant": ["one": "deviceGrants", "where": ["/user_code": "{{request.form.user_code}}"]]],
            "cases": [
                Self.page(400, "The code does not exist.", when: ["found": ["grant": false]]),
                decided("denied", when: ["form": ["action": "deny"]]), decided("approved", when: ["form": [:]]),
            ],
        ]
    }

    /// The authentication of clients at every endpoint.
    private static let clientMethods: JSONValue = ["none", "client_secret_basic", "client_secret_post"]

    /// The base URL as documents tell it.
    var base: String { issuer.url }

    /// The claims of the user whose access token it is (OpenID Connect Core, section 5.3).
    var userInfo: JSONValue {
        var claims: JSONObject = ["sub": "{{account}}"]
        for name in profileMembers { claims[name] = .string("{{account#/\(name) ?? omit}}") }
        return ["requires": "access", "json": .object(claims)]
    }

    /// Authorization server metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3).
    var metadata: JSONValue {
        let base = base
        var grants: [JSONValue] = [
            "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
        ]
        if hasPasswords { grants.append("password") }
        if clients.contains(where: { $0.secret != nil }) { grants.append("client_credentials") }
        let algorithms: JSONValue = [.string(issuer.algorithm.rawValue)]
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
            "introspection_endpoint_auth_methods_supported": Self.clientMethods,
            "code_challenge_methods_supported": ["S256", "plain"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": algorithms,
            "claims_supported": .array(
                (["sub", "iss", "aud", "exp", "iat", "nonce"] + profileMembers).map(JSONValue.string)
            ),
        ]
        if isBinding { document["dpop_signing_alg_values_supported"] = ["ES256", "RS256"] }
        return ["json": .object(document)]
    }
}
