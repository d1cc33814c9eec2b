import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// The flows of OAuth 2, each by its RFC, on a backend that says "issuer" and little more.
@Suite
struct `An issuer` {
    private static let backend = """
        "accounts": {"ada": {"username": "ada", "password": "secret"}, "bo": {"username": "bo", "password": "hidden"}},
        "issuer": {"scopes": ["read", "write"], "clients": {"app": {"redirects": ["app://cb"]},
            "web": {"secret": "s3", "redirects": ["https://web.example.com/cb"]}}},
        "routes": {"GET /me": {"requires": "access", "json": {"name": "{{account}}"}}}
        """

    private struct Client {
        var base: SessionClient

        init(_ backend: String = backend) throws { base = try SessionClient(backend) }

        mutating func post(_ path: String, _ body: String, headers: HTTPFields = HTTPFields()) -> Answer {
            var fields = headers
            fields.append("Content-Type", "application/x-www-form-urlencoded")
            return base.send("POST \(path)", headers: fields, body: body)
        }

        mutating func token(_ body: String, headers: HTTPFields = HTTPFields()) -> Answer {
            post("/oauth/token", body, headers: headers)
        }

        mutating func password(_ more: String = "") -> Answer {
            token("grant_type=password&client_id=app&username=ada&password=secret\(more)")
        }

        mutating func refresh(_ token: String, _ more: String = "&client_id=app") -> Answer {
            self.token("grant_type=refresh_token&refresh_token=\(token)\(more)")
        }

        mutating func me(_ token: String?) -> Int { base.send("GET /me", token: token ?? "").status }
    }

    private static func basic(_ user: String, _ password: String) -> HTTPFields {
        ["Authorization": "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))"]
    }

    // MARK: RFC 6749

    @Test
    func `grants tokens for a password, and says how long they live`() throws {
        var client = try Client()
        let answer = client.password("&scope=write")
        #expect(answer.status == 200 && answer.fields["Cache-Control"] == "no-store")
        #expect(
            answer.json["token_type"] == "Bearer" && answer.json["expires_in"] == 900 && answer.json["scope"] == "write"
        )
        let access = answer.json["access_token"]?.string
        #expect(client.me(access) == 200 && client.me("made-up") == 401)
        client.base.advance(.seconds(900))
        #expect(client.me(access) == 401)
        #expect(try client.base.lastExchange.response.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
        #expect(client.password().json["scope"] == "read")
    }

    @Test(arguments: [
        ("grant_type=password&client_id=app&username=ada&password=wrong", 400, "invalid_grant"),
        ("grant_type=password&client_id=app&username=eve&password=secret", 400, "invalid_grant"),
        ("grant_type=password&client_id=app", 400, "invalid_request"),
        ("grant_type=password&client_id=unknown&username=ada&password=secret", 401, "invalid_client"),
        ("grant_type=password&username=ada&password=secret", 401, "invalid_client"),
        ("grant_type=password&client_id=web&username=ada&password=secret", 401, "invalid_client"),
        ("grant_type=password&client_id=web&client_secret=x&username=ada&password=secret", 401, "invalid_client"),
        ("client_id=app", 400, "invalid_request"), ("grant_type=magic&client_id=app", 400, "unsupported_grant_type"),
        ("grant_type=password&client_id=app&username=ada&password=secret&scope=admin", 400, "invalid_scope"),
        ("grant_type=password&client_id=app&username=ada&password=secret&scope=read%20admin", 400, "invalid_scope"),
        ("grant_type=client_credentials&client_id=app", 400, "unauthorized_client"),
        ("grant_type=refresh_token&client_id=app", 400, "invalid_request"),
        ("grant_type=refresh_token&client_id=app&refresh_token=made-up", 400, "invalid_grant"),
        ("grant_type=authorization_code&client_id=app&code=made-up&redirect_uri=app://cb", 400, "invalid_grant"),
        ("", 401, "invalid_client"),
    ])
    func `refuses in the words of RFC 6749`(body: String, status: Int, error: String) throws {
        var client = try Client()
        let answer = client.token(body)
        #expect(answer.status == status && answer.json["error"] == .string(error))
        #expect(try client.base.lastExchange.granted.isEmpty)
        if status == 401 { #expect(answer.fields["WWW-Authenticate"]?.hasPrefix("Basic") == true) }
    }

    @Test
    func `knows a client with a secret by Basic and by the form`() throws {
        var client = try Client()
        let body = "grant_type=client_credentials&scope=read%20write"
        let basic = client.token(body, headers: Self.basic("web", "s3"))
        #expect(basic.status == 200 && basic.json["refresh_token"] == nil && basic.json["scope"] == "read write")
        #expect(client.token(body + "&client_id=web&client_secret=s3").status == 200)
        #expect(client.token(body, headers: Self.basic("web", "x")).json["error"] == "invalid_client")
        #expect(client.me(basic.json["access_token"]?.string) == 200)
    }

    @Test
    func `rotates refresh tokens, keeps their scope, and ends the session when one comes twice`() throws {
        var client = try Client()
        let first = try #require(client.password("&scope=write").json["refresh_token"]?.string)
        let renewed = client.refresh(first)
        let second = try #require(renewed.json["refresh_token"]?.string)
        #expect(renewed.json["scope"] == "write" && second != first)
        #expect(client.refresh(second, "&client_id=web&client_secret=s3").json["error"] == "invalid_grant")
        let access = client.refresh(second).json["access_token"]?.string
        #expect(client.me(access) == 200)
        #expect(client.refresh(first).json["error"] == "invalid_grant")
        #expect(try client.base.offered.contains("-refresh refresh-1 superseded"))
        #expect(client.me(access) == 401)
        #expect(client.refresh(try client.base.token("refresh").value).status == 400)
    }

    // MARK: Codes, RFC 7636

    /// The example of RFC 7636, appendix B.
    private static let (verifier, challenge) = (
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )

    private static func authorize(_ more: String = "", state: String = "x%26y") -> String {
        "GET /oauth/authorize?response_type=code&client_id=app&redirect_uri=app%3A%2F%2Fcb&state=\(state)"
            + "&code_challenge=\(challenge)&code_challenge_method=S256\(more)"
    }

    private static func exchange(_ code: String, _ verifier: String? = verifier, redirect: String = "app://cb")
        -> String
    {
        "grant_type=authorization_code&client_id=app&code=\(code)&redirect_uri=\(redirect)"
            + (verifier.map { "&code_verifier=\($0)" } ?? "")
    }

    @Test
    func `gives a code for a challenge, and tokens for the verifier`() throws {
        var client = try Client()
        let sent = client.base.send(Self.authorize("&scope=write"))
        let code = try client.base.token("code").value
        #expect(sent.status == 302 && sent.fields["Location"] == "app://cb?code=\(code)&state=x%26y")
        let answer = client.token(Self.exchange(code))
        #expect(answer.status == 200 && answer.json["scope"] == "write")
        #expect(client.me(answer.json["access_token"]?.string) == 200)
        let again = client.token(Self.exchange(code))
        #expect(again.json["error"] == "invalid_grant" && client.me(answer.json["access_token"]?.string) == 401)
    }

    @Test(arguments: [
        (Optional("wrong"), "app://cb", "app"), (nil, "app://cb", "app"), (Optional(challenge), "app://cb", "app"),
        (Optional(verifier), "app://other", "app"), (Optional(verifier), "", "app"),
    ])
    func `refuses a code with another verifier, redirect or client`(verifier: String?, redirect: String, id: String)
        throws
    {
        var client = try Client()
        client.base.send(Self.authorize())
        let code = try client.base.token("code").value
        #expect(client.token(Self.exchange(code, verifier, redirect: redirect)).json["error"] == "invalid_grant")
        // A mistake does not use the code up.
        #expect(client.token(Self.exchange(code)).status == 200)
    }

    @Test
    func `refuses another client's code, an old one, and a plain challenge's wrong verifier`() throws {
        var client = try Client()
        client.base.send(Self.authorize())
        let foreign = Self.exchange(try client.base.token("code").value).replacing(
            "client_id=app",
            with: "client_id=web&client_secret=s3"
        )
        #expect(client.token(foreign).json["error"] == "invalid_grant")
        client.base.advance(.seconds(60))
        #expect(client.token(Self.exchange(try client.base.token("code").value)).json["error"] == "invalid_grant")
        let plain = Self.authorize().replacing("code_challenge_method=S256", with: "code_challenge_method=plain")
        client.base.send(plain)
        let code = try client.base.token("code").value
        #expect(client.token(Self.exchange(code)).json["error"] == "invalid_grant")
        #expect(client.token(Self.exchange(code, Self.challenge)).status == 200)
    }

    @Test(arguments: [
        ("client_id=app", "client_id=unknown", 400, nil), ("app%3A%2F%2Fcb", "app%3A%2F%2Fevil", 400, nil),
        ("response_type=code&", "", 302, "error=invalid_request&state=x%26y"),
        ("response_type=code", "response_type=token", 302, "error=unsupported_response_type&state=x%26y"),
        ("state=x%26y", "scope=admin", 302, "error=invalid_scope"),
        ("code_challenge_method=S256", "code_challenge_method=S1", 302, "error=invalid_request&state=x%26y"),
        ("&code_challenge=\(challenge)", "", 302, "error=invalid_request&state=x%26y"),
    ])
    func `sends a mistake of the client back, and what may be an attack nowhere`(
        old: String,
        new: String,
        status: Int,
        query: String?
    ) throws {
        var client = try Client()
        let answer = client.base.send(Self.authorize().replacing(old, with: new))
        #expect(answer.status == status && answer.fields["Location"] == query.map { "app://cb?\($0)" })
        #expect(try client.base.lastExchange.granted.isEmpty)
    }

    @Test
    func `asks for user and password where the page has a button`() throws {
        var client = try Client(Self.backend.replacing(#""scopes""#, with: #""consent": "button", "scopes""#))
        let page = client.base.send(Self.authorize())
        #expect(
            page.status == 200 && page.fields["Content-Type"] == "text/html; charset=utf-8"
                && page.text.contains("<form")
        )
        let target = String(Self.authorize().dropFirst(4))
        #expect(client.post(target, "username=bo&password=x").status == 403)
        let sent = client.post(target, "username=bo&password=hidden")
        #expect(sent.status == 302 && sent.fields["Location"]?.hasPrefix("app://cb?code=") == true)
        let access = client.token(Self.exchange(try client.base.token("code").value)).json["access_token"]?.string
        #expect(client.base.send("GET /me", token: access).json["name"] == "bo")
    }

    // MARK: RFC 7009, 7662, 8414, 8628

    @Test
    func `revokes a token, and with a refresh token all of its session`() throws {
        var client = try Client()
        let tokens = client.password().json
        let (access, refresh) = (tokens["access_token"]?.string ?? "", tokens["refresh_token"]?.string ?? "")
        let other = client.password().json["access_token"]?.string
        #expect(client.post("/oauth/revoke", "client_id=app&token=\(access)").status == 200)
        #expect(client.me(access) == 401 && client.me(other) == 200)
        let renewed = client.refresh(refresh).json
        let latest = renewed["refresh_token"]?.string ?? ""
        #expect(
            client.post("/oauth/revoke", "client_id=app&token=\(latest)&token_type_hint=refresh_token").status == 200
        )
        #expect(client.me(renewed["access_token"]?.string) == 401 && client.refresh(latest).status == 400)
        #expect(client.me(other) == 200)
        #expect(client.post("/oauth/revoke", "client_id=app&token=made-up").status == 200)
        #expect(client.post("/oauth/revoke", "client_id=app").json["error"] == "invalid_request")
        #expect(client.post("/oauth/revoke", "token=\(latest)").status == 401)
        let foreign = client.password().json["access_token"]?.string ?? ""
        for token in [foreign, client.password().json["refresh_token"]?.string ?? ""] {
            let answer = client.post("/oauth/revoke", "token=\(token)", headers: Self.basic("web", "s3"))
            #expect(answer.status == 400 && answer.json["error"] == "invalid_grant")
        }
        #expect(client.me(foreign) == 200)
    }

    @Test
    func `refuses a request in which a parameter comes twice`() throws {
        var client = try Client()
        let refresh = client.password().json["refresh_token"]?.string ?? ""
        for body in ["refresh_token=\(refresh)&refresh_token=x", "refresh_token=x&refresh_token=\(refresh)"] {
            let answer = client.token("grant_type=refresh_token&client_id=app&\(body)")
            #expect(answer.status == 400 && answer.json["error"] == "invalid_request")
        }
        #expect(client.refresh(refresh).status == 200)
    }

    @Test
    func `writes down that a request brings two tokens`() throws {
        var base = try SessionClient(
            #""tokens": {"kinds": {"key": {"lifetime": "1h", "in": [{"header": "X-Key"}, {"query": "key"}]}}}, "#
                + #""routes": {"POST /key": {"grants": {"key": "new"}}, "GET /me": {"requires": "key", "json": 1}}"#
        )
        base.send("POST /key")
        let key = try base.token("key").value
        #expect(base.send("GET /me?key=other", headers: ["X-Key": key]).status == 200)
        #expect(
            try base.lastExchange.findings.map(\.message) == [
                "the request contains 2 different tokens of the kind key; only the token in the first location is used"
            ]
        )
        #expect(base.send("GET /me?key=\(key)&key=other").status == 401)
        #expect(base.send("GET /me?key=\(key)").status == 200)
    }

    @Test
    func `adds its parameters to a redirect URI that has some, and keeps those`() throws {
        var client = try Client(Self.backend.replacing("app://cb", with: "app://cb?from=id"))
        client.base.send(Self.authorize().replacing("app%3A%2F%2Fcb", with: "app%3A%2F%2Fcb%3Ffrom%3Did"))
        let code = try client.base.token("code").value
        #expect(
            try client.base.lastExchange.response.fields["Location"] == "app://cb?from=id&code=\(code)&state=x%26y"
        )
        #expect(client.token(Self.exchange(code, redirect: "app%3A%2F%2Fcb%3Ffrom%3Did")).status == 200)
    }

    @Test
    func `tells what a token is`() throws {
        var client = try Client()
        let tokens = client.password("&scope=write").json
        func seen(_ token: String?) -> JSONValue {
            client.post("/oauth/introspect", "token=\(token ?? "")", headers: Self.basic("web", "s3")).json
        }
        let access = seen(tokens["access_token"]?.string)
        #expect(access["active"] == true && access["scope"] == "write" && access["client_id"] == "app")
        #expect(access["sub"] == "ada" && access["exp"]?.int == (access["iat"]?.int ?? 0) + 900)
        #expect(seen(tokens["refresh_token"]?.string)["active"] == true)
        #expect(access["token_type"] == "Bearer" && seen(tokens["refresh_token"]?.string)["token_type"] == nil)
        #expect(seen("made-up") == ["active": false])
        let empty = client.post("/oauth/introspect", "a=b", headers: Self.basic("web", "s3"))
        #expect(empty.status == 400 && empty.json["error"] == "invalid_request")
        client.base.advance(.seconds(900))
        #expect(seen(tokens["access_token"]?.string) == ["active": false])
        #expect(client.post("/oauth/introspect", "token=x").status == 401)
    }

    @Test(arguments: ["oauth-authorization-server", "openid-configuration"])
    func `describes itself`(name: String) throws {
        var client = try Client()
        let document = client.base.send("GET /.well-known/\(name)", headers: ["Host": "127.0.0.1:8080"]).json
        #expect(document["issuer"] == "http://127.0.0.1:8080")
        #expect(document["token_endpoint"] == "http://127.0.0.1:8080/oauth/token")
        #expect(document["grant_types_supported"]?.array?.contains("password") == true)
        var named = try Client(
            Self.backend.replacing(#""scopes""#, with: #""url": "https://id.example.com", "path": "/id", "scopes""#)
        )
        let other = named.base.send("GET /.well-known/\(name)").json
        #expect(other["token_endpoint"] == "https://id.example.com/id/token")
        #expect(named.post("/id/token", "grant_type=password&client_id=app&username=ada&password=secret").status == 200)
    }

    @Test
    func `lets a device wait for its user`() throws {
        var client = try Client()
        let started = client.post("/oauth/device_authorization", "client_id=app&scope=write").json
        let (device, code) = (started["device_code"]?.string ?? "", started["user_code"]?.string ?? "")
        #expect(started["interval"] == 5 && started["expires_in"] == 600 && device.utf8.count == 40)
        func poll(_ code: String? = nil) -> Answer {
            client.token(
                "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=app&device_code=\(code ?? device)"
            )
        }
        #expect(poll().json["error"] == "authorization_pending")
        #expect(poll().json["error"] == "slow_down")
        client.base.advance(.seconds(5))
        #expect(poll().json["error"] == "slow_down")
        #expect(client.post("/oauth/device", "user_code=wrong&action=approve").status == 400)
        #expect(client.post("/oauth/device", "user_code=\(code)&action=approve").status == 200)
        client.base.advance(.seconds(10))
        let granted = poll()
        #expect(
            granted.status == 200 && granted.json["scope"] == "write"
                && client.me(granted.json["access_token"]?.string) == 200
        )
        #expect(poll().json["error"] == "invalid_grant" && poll("made-up").json["error"] == "invalid_grant")
    }

    @Test
    func `tells a device that its user refused, or was too late`() throws {
        var client = try Client()
        func begin() -> JSONValue { client.post("/oauth/device_authorization", "client_id=app").json }
        func poll(_ started: JSONValue) -> JSONValue? {
            let code = started["device_code"]?.string ?? ""
            return client.token(
                "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=app&device_code=\(code)"
            ).json["error"]
        }
        let refused = begin()
        _ = client.post("/oauth/device", "user_code=\(refused["user_code"]?.string ?? "")&action=deny")
        #expect(poll(refused) == "access_denied")
        let late = begin()
        client.base.advance(.seconds(600))
        #expect(poll(late) == "expired_token")
    }

    // MARK: What a backend says besides

    @Test
    func `is changed by what the backend says of its routes and kinds`() throws {
        let own = #"""
            "tokens": {"kinds": {"access": {"lifetime": "1m"}}},
            "routes": {"POST /oauth/token": {"responses": [{"status": 503, "headers": {"Retry-After": "1"}, "empty": true}]},
                "POST /oauth/revoke": null, "GET /me"
            """#
        var client = try Client(Self.backend.replacing(#""routes": {"GET /me""#, with: own))
        #expect(client.password().status == 503)
        let answer = client.password()
        #expect(answer.status == 200 && answer.json["expires_in"] == 60)
        #expect(client.post("/oauth/revoke", "").status == 404)
    }

    @Test
    func `tells what each request is for, by its grant`() throws {
        let scenario = try SessionClient.load(Self.backend).scenario
        let purposes = RoutePurposes(scenario)
        func table(_ key: String) throws -> RoutePurposeTable {
            purposes.purposes(of: try #require(scenario.routes.first { $0.key.text == key }))
        }
        let token = try table("POST /oauth/token")
        #expect(token.common == .signIn && token.refreshKinds == ["refresh"])
        #expect(Set(token.cases.values) == [.signIn, .refresh])
        #expect(try table("GET /oauth/authorize").common == .open && table("GET /me").common == .resource)
        #expect(scenario.routes.first?.key.text == "GET /me")
    }
}

extension String {
    fileprivate func replacing(_ old: String, with new: String) -> String {
        guard let range = firstRange(of: old) else { return self }
        return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
    }

    private func firstRange(of other: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(other), let end = index(start, offsetBy: other.count, limitedBy: endIndex) {
                return start..<end
            }
            start = index(after: start)
        }
        return nil
    }
}
