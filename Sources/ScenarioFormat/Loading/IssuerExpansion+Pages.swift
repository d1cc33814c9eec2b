import Basics
import JSON

/// The pages that a browser is sent to: to sign in, and to sign out.
extension IssuerExpansion {
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

    func authorize(_ method: String) -> JSONValue {
        var finds: JSONObject = [
            "client": ["one": "oauthClients", "when": ["query": ["client_id": "{{item#/id}}"]]],
            "registered": [
                "one": "oauthClients",
                "when": [
                    "any": [
                        ["query": ["client_id": "{{item#/id}}", "redirect_uri": ["oneOf": "{{item#/redirects}}"]]],
                        ["query": ["client_id": "{{item#/anywhere}}", "redirect_uri": ["exists": true]]],
                    ]
                ],
            ],
        ]
        // A wrong client or redirect URI is shown and never sent on (RFC 6749, section 4.1.2.1).
        var cases: [JSONValue] = [
            Self.page(400, "The client is unknown.", when: ["found": ["client": false]]),
            Self.page(
                400,
                "The redirect URI is not registered for this client.",
                when: ["found": ["registered": false]]
            ),
        ]
        cases += redirect("error=invalid_request", when: ["query": ["response_type": ["exists": false]]])
        cases += redirect("error=unsupported_response_type", when: ["query": ["response_type": ["not": "code"]]])
        cases += redirect("error=invalid_scope", when: unknownScope("query"))
        let methods: JSONValue = ["exists": true, "not": ["oneOf": ["S256", "plain"]]]
        cases += redirect("error=invalid_request", when: ["query": ["code_challenge_method": methods]])
        if issuer.requiresChallenge, clients.contains(where: { $0.secret == nil }) {
            let isPublic: JSONValue = ["client": ["/public": ["exists": true]]]
            cases += redirect(
                "error=invalid_request",
                when: ["query": ["code_challenge": ["exists": false]], "found": isPublic]
            )
        }
        var granted: JSONObject = [
            "grants": ["code": "new"],
            "remember": .object(agreedOnPage),
        ]
        let asks = issuer.consent == .button
        if asks, method == "GET" {
            // No user is signed in at the authorize page, and it may not ask (OpenID Connect Core, section 3.1.2.6).
            cases += redirect("error=login_required", when: ["query": ["prompt": "none"]])
        }
        guard method == "GET" else {
            guard hasPasswords else {
                granted["signIn"] = signIn(hinting: &finds)
                cases += redirect("code={{token.code}}", when: [:], granted)
                return ["find": .object(finds), "cases": .array(cases)]
            }
            finds["user"] = user
            granted["signIn"] = ["account": "{{found.user.name}}"]
            cases.append(Self.page(403, "The user name or password is wrong.", when: ["found": ["user": false]]))
            cases += redirect("code={{token.code}}", when: [:], granted)
            return ["find": .object(finds), "cases": .array(cases)]
        }
        if !asks {
            granted["signIn"] = signIn(hinting: &finds)
            // A client that insists on a page gets one (section 3.1.2.1).
            let insists: JSONValue = ["exists": true, "matches": "(^| )(login|consent|select_account)( |$)"]
            cases += redirect("code={{token.code}}", when: ["not": ["query": ["prompt": insists]]], granted)
        }
        return [
            "find": .object(finds), "cases": .array(cases), "headers": Self.html,
            "text": .string(hasPasswords ? Self.signInPage : Self.consentPage),
        ]
    }

    /// The data of the authorization request that a code keeps.
    private var agreedOnPage: JSONObject {
        var facts = agreed(scope: "{{request.query.scope ?? \(JSONValue.string(scopes[0]))}}")
        facts["redirect"] = "{{request.query.redirect_uri}}"
        facts["challenge"] = "{{request.query.code_challenge ?? omit}}"
        facts["method"] = "{{request.query.code_challenge_method ?? \"plain\"}}"
        facts["nonce"] = "{{request.query.nonce ?? omit}}"
        if isBinding { facts["jkt"] = "{{request.query.dpop_jkt ?? omit}}" }
        return facts
    }

    /// The account that is signed in without a form: that of `login_hint`, otherwise the first one.
    private func signIn(hinting finds: inout JSONObject) -> JSONValue {
        let member = issuer.user
        guard let first = accounts.first, accounts.contains(where: { $0.value[member] != nil }) else { return true }
        finds["hinted"] = [
            "one": "accounts", "where": ["\(JSONPointer(tokens: [member]))": "{{request.query.login_hint}}"],
        ]
        return ["account": .string("{{found.hinted.name ?? \(JSONValue.string(first.name))}}")]
    }

    /// Sends the browser back to the client, with its state if it has sent one.
    private func redirect(_ query: String, when condition: JSONObject, _ more: JSONObject = [:]) -> [JSONValue] {
        marks.flatMap { mark in
            [true, false].map { hasState in
                var all = condition
                var items = condition["query"]?.object ?? [:]
                if hasState { items["state"] = ["exists": true] }
                if mark == "&" { items["redirect_uri"] = Self.hasQuery }
                if !items.isEmpty { all["query"] = .object(items) }
                let state = hasState ? "&state={{request.query.state as encoded}}" : ""
                var branch: JSONObject = ["when": .object(all), "status": 302]
                for member in more.members { branch.set(member) }
                branch["headers"] = [
                    "Location": .string("{{request.query.redirect_uri}}\(mark)\(query)\(state)"),
                    "Cache-Control": "no-store",
                ]
                return .object(branch)
            }
        }
    }

    /// The separator before the parameters that are added to a redirect URI; its query is kept (RFC 6749, section 3.1.2).
    private var marks: [String] {
        clients.contains { $0.redirects.contains { $0 == "*" || $0.contains("?") } } ? ["&", "?"] : ["?"]
    }

    private static let hasQuery: JSONValue = ["matches": "[?]"]

    private func redirect(_ query: String, when condition: JSONValue) -> [JSONValue] {
        redirect(query, when: condition.object ?? [:], [:])
    }

    static func page(_ status: Int, _ text: String, when condition: JSONValue) -> JSONValue {
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

    static let devicePage = """
        <!doctype html><meta name="viewport" content="width=device-width"><title>Connect a device</title>
        <form method="post"><p><label>Code <input name="user_code" autocomplete="one-time-code"></label></p>
        <p><button name="action" value="approve">Allow</button> <button name="action" value="deny">Refuse</button></p></form>
        """

    // MARK: The end of a session

    /// Ends the session of an ID token, and sends the browser to a registered URI (OpenID Connect RP-Initiated Logout).
    ///
    /// - Parameter part: where the parameters are.
    func endSession(_ part: String) -> JSONValue {
        let known: JSONValue = ["valid", "expired", "revoked"]
        let hinted: JSONValue = ["is": known, "in": [[part: "id_token_hint"]]]
        let address = "{{request.\(part).post_logout_redirect_uri}}"
        var cases: [JSONValue] = [
            Self.page(
                400,
                "This server did not issue the ID token.",
                when: [part: ["id_token_hint": ["exists": true]], "not": ["token": ["idToken": hinted]]]
            ),
            Self.page(
                400,
                "The redirect URI is not registered for this client.",
                when: [part: ["post_logout_redirect_uri": ["exists": true]], "found": ["registered": false]]
            ),
        ]
        for isHinted in [true, false] {
            for mark in marks.map(Optional.some) + [nil] {
                let state = mark.map { "\($0)state={{request.\(part).state as encoded}}" }
                var sent: JSONObject = ["post_logout_redirect_uri": mark == "&" ? Self.hasQuery : ["exists": true]]
                if state != nil { sent["state"] = ["exists": true] }
                var condition: JSONObject = [part: .object(sent)]
                if isHinted { condition["token"] = ["idToken": hinted] }
                var branch: JSONObject = [
                    "when": .object(condition), "status": 302,
                    "headers": ["Location": .string(address + (state ?? "")), "Cache-Control": "no-store"],
                ]
                if isHinted { branch["then"] = [["revoke": "*"]] }
                cases.append(.object(branch))
            }
        }
        var done = Self.page(200, "You are signed out.", when: ["token": ["idToken": hinted]]).object ?? [:]
        done["then"] = [["revoke": "*"]]
        cases.append(.object(done))
        return [
            "find": [
                "registered": [
                    "one": "oauthClients",
                    "when": [part: ["post_logout_redirect_uri": ["oneOf": "{{item#/redirects}}"]]],
                ]
            ],
            "cases": .array(cases), "headers": Self.html,
            "text": "<!doctype html><title>Sign in</title><p>No user was signed in.</p>",
        ]
    }
}
