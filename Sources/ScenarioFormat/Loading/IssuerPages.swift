import Basics
import JSON

/// The pages of an issuer to which a browser is sent: to sign in, to allow a device, and to sign out.
struct IssuerPages {
    let issuer: Issuer
    let accounts: [JSONObject.Member]

    private static let html: JSONValue = ["Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"]

    /// A Boolean value that indicates whether some account has both a name and a password.
    var hasPasswords: Bool {
        let names = [issuer.user, issuer.password]
        return accounts.contains { account in names.allSatisfy { account.value[$0] != nil } }
    }

    var user: JSONValue {
        let members = [(issuer.user, "username"), (issuer.password, "password")]
        let tests = members.map { ("\(JSONPointer(tokens: [$0.0]))", JSONValue.string("{{request.form.\($0.1)}}")) }
        return ["one": "accounts", "where": .object(JSONObject(tests))]
    }

    private static let authorizeParameters = [
        "response_type", "scope", "state", "response_mode", "nonce", "prompt", "max_age", "login_hint", "id_token_hint",
        "code_challenge", "code_challenge_method", "request", "request_uri", "registration", "dpop_jkt", "claims",
        "claims_locales", "display", "ui_locales", "acr_values",
    ]

    /// The authorization endpoint, whose parameters are in the query or in the form of a POST (OpenID Connect Core,
    /// section 3.1.2.1).
    ///
    /// The page sends its own form to the query of the request that it was shown for.
    func authorize(_ method: String) -> JSONValue {
        var finds: JSONObject = [
            "client": ["one": "oauthClients", "where": ["/id": "{{request.parameter.client_id}}"]]
        ]
        var cases = refusedPages + refusedRequests
        var granted: JSONObject = ["grants": ["code": "new"], "remember": .object(agreedOnPage)]
        let asks = issuer.consent == .button
        let isRequest: JSONObject = method == "GET" ? [:] : ["form": ["client_id": ["exists": true]]]
        func ofRequest(_ condition: JSONObject) -> JSONObject {
            JSONObject((isRequest.members + condition.members).map { ($0.name, $0.value) })
        }
        if asks {
            // No user is signed in at the authorize page, and it may not ask (OpenID Connect Core, section 3.1.2.6).
            cases.append(redirect("error=login_required", when: ofRequest(["parameter": ["prompt": "none"]])))
        } else {
            var immediate = granted
            immediate["signIn"] = signIn(hinting: &finds)
            // A client that insists on a page gets one (section 3.1.2.1).
            let insists = ["login", "consent", "select_account"].map { word -> JSONValue in
                ["parameter": ["prompt": ["words": ["contains": .string(word)]]]]
            }
            cases.append(redirect("code={{token.code}}", when: ofRequest(["not": ["any": .array(insists)]]), immediate))
        }
        guard method == "GET" else {
            // A request is shown a page by GET, so that the page's form has the parameters in its query.
            cases.append([
                "when": .object(isRequest), "status": 303, "empty": true,
                "headers": ["Location": "{{request.path}}?{{request.body}}", "Cache-Control": "no-store"],
            ])
            if hasPasswords {
                finds["user"] = user
                granted["signIn"] = ["account": "{{found.user.name}}"]
                cases.append(
                    Self.page(403, "The user name or password is wrong.", when: ["found": ["user": false]])
                )
                // Never another user than that of the hint (section 3.1.2.2).
                let other: JSONValue = ["/account": ["exists": true, "not": "{{found.user.name}}"]]
                cases.append(redirect("error=login_required", when: ["token": ["idToken": Self.hint(having: other)]]))
            } else {
                granted["signIn"] = signIn(hinting: &finds)
            }
            cases.append(redirect("code={{token.code}}", when: [:], granted))
            return ["find": .object(finds), "cases": .array(cases)]
        }
        return [
            "find": .object(finds), "cases": .array(cases), "headers": Self.html,
            "text": .string(hasPasswords ? Self.signInPage : Self.consentPage),
        ]
    }

    /// A wrong client or redirect URI is shown and never sent on (RFC 6749, section 4.1.2.1).
    private var refusedPages: [JSONValue] {
        [
            Self.page(
                400,
                "The request contains client_id or redirect_uri more than once.",
                when: IssuerExpansion.repeating(["client_id", "redirect_uri"])
            ),
            Self.page(400, "The client is unknown.", when: ["found": ["client": false]]),
            Self.page(
                400,
                "The redirect URI is not registered for this client.",
                when: [
                    "not": [
                        "any": .array(
                            registered("redirect_uri") + [
                                [
                                    // OpenID Connect requires the URI (Core, section 3.1.2.1).
                                    "parameter": [
                                        "redirect_uri": ["exists": false], "scope": ["not": IssuerExpansion.openID],
                                    ],
                                    "found": ["client": ["/redirect": ["exists": true]]],
                                ]
                            ]
                        )
                    ]
                ]
            ),
            Self.page(
                400,
                "The redirect URI contains a fragment.",
                when: ["parameter": ["redirect_uri": ["contains": "#"]]]
            ),
        ]
    }

    /// The ways in which a URI in a parameter is registered for the client that was found.
    private func registered(_ name: String) -> [JSONValue] {
        [
            ["found": ["client": ["/redirects": ["contains": "{{request.parameter.\(name)}}"]]]],
            // The port of a loopback URI is free (RFC 8252, section 7.3).
            ["found": ["client": ["/loopback": ["contains": "{{request.parameter.\(name) as loopback}}"]]]],
            ["parameter": [name: ["exists": true]], "found": ["client": ["/anywhere": ["exists": true]]]],
        ]
    }

    /// The errors that are sent back to the client (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6).
    private var refusedRequests: [JSONValue] {
        var cases = [redirect("error=invalid_request", when: IssuerExpansion.repeating(Self.authorizeParameters))]
        func refuse(_ error: String, _ parameters: JSONValue, found: JSONValue? = nil) {
            var condition: JSONObject = ["parameter": parameters]
            condition["found"] = found
            cases.append(redirect("error=\(error)", when: condition))
        }
        refuse("invalid_request", ["response_type": ["exists": false]])
        refuse("unsupported_response_type", ["response_type": ["not": "code"]])
        for name in ["request", "request_uri", "registration"] {
            refuse("\(name)_not_supported", [name: ["exists": true]])
        }
        refuse("invalid_request", ["response_mode": ["exists": true, "not": "query"]])
        refuse("invalid_request", ["max_age": ["exists": true, "not": ["matches": "^[0-9]+$"]]])
        cases.append(redirect("error=invalid_scope", when: issuer.unknownScope))
        refuse("invalid_request", ["code_challenge_method": ["exists": true, "not": ["oneOf": ["S256", "plain"]]]])
        refuse(
            "invalid_request",
            ["code_challenge": ["exists": true, "not": ["matches": IssuerExpansion.challengePattern]]]
        )
        if issuer.requiresChallenge, issuer.clients.contains(where: { $0.secret == nil }) {
            refuse(
                "invalid_request",
                ["code_challenge": ["exists": false]],
                found: ["client": ["/public": ["exists": true]]]
            )
        }
        refuse("invalid_request", ["prompt": ["words": ["contains": "none"], "not": "none"]])
        cases.append(
            redirect(
                "error=login_required",
                when: [
                    "parameter": ["id_token_hint": ["exists": true]], "not": ["token": ["idToken": Self.hint()]],
                ]
            )
        )
        return cases
    }

    /// The test of an ID token that this issuer has issued at any time.
    private static func hint(having facts: JSONValue? = nil) -> JSONValue {
        var test: JSONObject = ["is": ["valid", "expired", "revoked"]]
        test["has"] = facts
        return .object(test)
    }

    /// The data of the authorization request that a code keeps.
    private var agreedOnPage: JSONObject {
        var facts = issuer.agreed(scope: "{{request.parameter.scope ?? \(JSONValue.string(issuer.scopes[0]))}}")
        facts["redirect"] = "{{request.parameter.redirect_uri ?? omit}}"
        facts["challenge"] = "{{request.parameter.code_challenge ?? omit}}"
        facts["method"] = "{{request.parameter.code_challenge_method ?? \"plain\"}}"
        facts["nonce"] = "{{request.parameter.nonce ?? omit}}"
        if issuer.binding != nil { facts["jkt"] = "{{request.parameter.dpop_jkt ?? omit}}" }
        return facts
    }

    /// The account that is signed in without a form: that of `id_token_hint` or `login_hint`, otherwise the first one.
    private func signIn(hinting finds: inout JSONObject) -> JSONValue {
        let member = issuer.user
        guard let first = accounts.first else { return true }
        var sources = ["presented.idToken#/account"]
        if accounts.contains(where: { $0.value[member] != nil }) {
            finds["hinted"] = [
                "one": "accounts", "where": ["\(JSONPointer(tokens: [member]))": "{{request.parameter.login_hint}}"],
            ]
            sources.append("found.hinted.name")
        }
        return ["account": .string("{{\((sources + ["\(JSONValue.string(first.name))"]).joined(separator: " ?? "))}}")]
    }

    /// Sends the browser back to the client, with its state if it has sent one.
    private func redirect(_ query: String, when condition: JSONObject, _ more: JSONObject = [:]) -> JSONValue {
        var branch: JSONObject = ["when": .object(condition), "status": 302]
        for member in more.members { branch.set(member) }
        let uri = "{{request.parameter.redirect_uri as prefix ?? found.client#/redirect as prefix}}"
        let state = "{{request.parameter.state as pair(state) ?? \"\"}}"
        branch["headers"] = ["Location": .string("\(uri)\(query)\(state)"), "Cache-Control": "no-store"]
        return .object(branch)
    }

    private func redirect(_ query: String, when condition: JSONValue) -> JSONValue {
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

    private static let consentPage = """
        <!doctype html><meta name="viewport" content="width=device-width"><title>Sign in</title>
        <form method="post"><p><button>Continue</button></p></form>
        """

    // MARK: Devices

    /// The page for a device's code, which `verification_uri_complete` brings along (RFC 8628, section 3.3.1).
    var device: JSONValue {
        [
            "cases": [
                [
                    "when": ["query": ["user_code": ["matches": "^[A-Za-z0-9-]+$"]]], "headers": Self.html,
                    "text": .string(Self.devicePage(" value=\"{{request.query.user_code}}\"")),
                ]
            ],
            "headers": Self.html, "text": .string(Self.devicePage("")),
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
            // Users write a code in any case, with any dashes (RFC 8628, section 6.1).
            "find": [
                "grant": [
                    "one": "deviceGrants", "where": ["/user_code": "{{request.form.user_code as alphanumeric}}"],
                ]
            ],
            "cases": [
                Self.page(400, "The code does not exist.", when: ["found": ["grant": false]]),
                Self.page(
                    400,
                    "The code has expired.",
                    when: ["found": ["grant": ["/expires": ["atMost": "{{clock(format: seconds)}}"]]]]
                ),
                // A decision is final (RFC 8628, section 3.3), as is the use of the code (section 3.5).
                Self.page(
                    400,
                    "The code was used before.",
                    when: ["found": ["grant": ["/status": ["not": "pending"]]]]
                ),
                decided("denied", when: ["form": ["action": "deny"]]), decided("approved", when: ["form": [:]]),
            ],
        ]
    }

    /// - Parameter value: the attribute with the code, if it is known.
    private static func devicePage(_ value: String) -> String {
        """
        <!doctype html><meta name="viewport" content="width=device-width"><title>Connect a device</title>
        <form method="post"><p><label>Code <input name="user_code" autocomplete="one-time-code"\(value)></label></p>
        <p><button name="action" value="approve">Allow</button> <button name="action" value="deny">Refuse</button></p></form>
        """
    }

    // MARK: The end of a session

    /// Ends the session of an ID token, and sends the browser to a URI of the client (OpenID Connect RP-Initiated
    /// Logout, sections 2 and 3).
    var endSession: JSONValue {
        let uri = "post_logout_redirect_uri"
        // An ID token without a remembered client belongs to the only client, if there is only one.
        let only = issuer.clients.count == 1 ? " ?? \(JSONValue.string(issuer.clients[0].id))" : ""
        let hinted: JSONObject = ["token": ["idToken": Self.hint()]]
        var cases: [JSONValue] = [
            Self.page(
                400,
                "The request contains a parameter more than once.",
                when: IssuerExpansion.repeating(["id_token_hint", "client_id", uri, "state"])
            ),
            Self.page(
                400,
                "This server did not issue the ID token.",
                when: ["parameter": ["id_token_hint": ["exists": true]], "not": .object(hinted)]
            ),
            Self.page(
                400,
                "The ID token is for another client.",
                when: [
                    "parameter": ["client_id": ["exists": true]],
                    "token": [
                        "idToken": Self.hint(
                            having: ["/client": ["exists": true, "not": "{{request.parameter.client_id}}"]]
                        )
                    ],
                ]
            ),
            Self.page(
                400,
                "The client is unknown.",
                when: ["parameter": ["client_id": ["exists": true]], "found": ["client": false]]
            ),
            Self.page(
                400,
                "The redirect URI is not registered for this client.",
                when: ["parameter": [uri: ["exists": true]], "not": ["any": .array(registered(uri))]]
            ),
            Self.page(400, "The redirect URI contains a fragment.", when: ["parameter": [uri: ["contains": "#"]]]),
        ]
        for isHinted in [true, false] {
            for hasState in [true, false] {
                var sent: JSONObject = [uri: ["exists": true]]
                if hasState { sent["state"] = ["exists": true] }
                var condition: JSONObject = ["parameter": .object(sent)]
                if isHinted { condition["token"] = hinted["token"] }
                let location =
                    hasState
                    ? "{{request.parameter.\(uri) as prefix}}state={{request.parameter.state as encoded}}"
                    : "{{request.parameter.\(uri)}}"
                var branch: JSONObject = [
                    "when": .object(condition), "status": 302,
                    "headers": ["Location": .string(location), "Cache-Control": "no-store"],
                ]
                if isHinted { branch["then"] = [["revoke": "*"]] }
                cases.append(.object(branch))
            }
        }
        var done = Self.page(200, "You are signed out.", when: .object(hinted)).object ?? [:]
        done["then"] = [["revoke": "*"]]
        cases.append(.object(done))
        return [
            "find": [
                "client": [
                    "one": "oauthClients",
                    "where": ["/id": .string("{{request.parameter.client_id ?? presented.idToken#/client\(only)}}")],
                ]
            ],
            "cases": .array(cases), "headers": Self.html,
            "text": "<!doctype html><title>Sign in</title><p>No user was signed in.</p>",
        ]
    }
}
