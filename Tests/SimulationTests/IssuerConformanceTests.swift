import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures
import Simulation
import TestSupport
import Testing

/// The issuer's answers to requests that its standards require or forbid; each test names the section.
@Suite
struct `An issuer, by its standards` {
    private static let accounts = """
        "accounts": {"ada": {"username": "ada", "password": "secret", "email": "ada@example.com", "name": "Ada"},
            "bob": {"username": "bob", "password": "hidden", "email": "bob@example.com", "name": "Bob"}}
        """

    private static func backend(_ issuer: String, clients: String) -> String {
        """
        \(accounts), "issuer": {\(issuer)
            "scopes": ["openid", "profile", "email", "offline_access", "read", "write"], "clients": {\(clients)}},
        "routes": {"GET /me": {"requires": "access", "json": {"name": "{{account}}"}}}
        """
    }

    private static let clients = """
        "app": {"redirects": ["app://callback"]},
        "web": {"secret": "s3cr:t%/+", "redirects": ["https://web.example/cb", "http://127.0.0.1/rp/cb"]},
        "svc": {"secret": "svcsecret"}, "any": {"redirects": ["*"]}, "two": {"redirects": ["app://one", "app://two"]}
        """

    private struct Client {
        var base: SessionClient

        init(
            _ issuer: String = "",
            clients: String = `An issuer, by its standards`.clients,
            tokens: String = ""
        ) throws {
            base = try SessionClient(backend(issuer, clients: clients) + #", "tokens": {\#(tokens)}"#)
        }

        mutating func post(_ path: String, _ body: String, _ fields: HTTPFields = HTTPFields()) -> Answer {
            var fields = fields
            fields.append("Content-Type", "application/x-www-form-urlencoded")
            fields.append("Host", "id.test")
            return base.send("POST \(path)", headers: fields, body: body)
        }

        mutating func token(_ body: String, _ fields: HTTPFields = HTTPFields()) -> Answer {
            post("/oauth/token", body, fields)
        }

        mutating func password(
            _ scope: String = "openid%20read%20write%20offline_access",
            _ fields: HTTPFields = HTTPFields()
        ) -> Answer {
            token("grant_type=password&\(login)&scope=\(scope)", fields)
        }

        mutating func authorize(_ more: String = "", without name: String = "") -> Answer {
            base.send("GET /oauth/authorize?\(request(more, without: name))", headers: ["Host": "id.test"])
        }

        /// The ID token of an account, by its password.
        mutating func identity(_ user: String, _ password: String, client: String = "client_id=app") -> String {
            let body = "grant_type=password&\(client)&username=\(user)&password=\(password)&scope=openid"
            return token(body).json["id_token"]?.string ?? ""
        }

        mutating func me(_ field: String) -> Int {
            base.send("GET /me", headers: ["Authorization": field, "Host": "id.test"]).status
        }

        /// Expects an error of the token endpoint that grants nothing.
        mutating func expect(
            _ status: Int,
            _ error: String,
            _ answer: Answer,
            _ comment: Comment? = nil,
            at location: SourceLocation = #_sourceLocation
        ) throws {
            #expect(answer.status == status, comment, sourceLocation: location)
            #expect(answer.json["error"] == .string(error), comment, sourceLocation: location)
            #expect(try base.lastExchange.granted.isEmpty, comment, sourceLocation: location)
        }
    }

    private static let login = "client_id=app&username=ada&password=secret"
    /// The example of RFC 7636, appendix B.
    private static let (verifier, challenge) = (
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )

    /// An authorization request of `app`, with other items in place of those of their names.
    private static func request(_ more: String = "", without name: String = "") -> String {
        let usual = [
            "response_type=code", "client_id=app", "redirect_uri=app%3A%2F%2Fcallback", "state=x%26y", "scope=openid",
            "code_challenge=\(challenge)", "code_challenge_method=S256",
        ]
        let kept = usual.filter { item in name.isEmpty || !item.hasPrefix("\(name)=") }
        return (kept + (more.isEmpty ? [] : [more])).joined(separator: "&")
    }

    private static func basic(_ user: String, _ password: String) -> HTTPFields {
        ["Authorization": "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))"]
    }

    // MARK: Clients (RFC 6749, section 2.3)

    @Test(arguments: [
        ("svc", "WRONG", "client_id=app"), ("svc", "", "client_id=app"), ("app", "anything", "client_id=app"),
        ("nobody", "x", "client_id=app"), ("app", "anything", "a=b"),
    ])
    func `gives no tokens to a client whose Basic credentials are wrong (RFC 6749, 5.2)`(
        user: String,
        password: String,
        form: String
    ) throws {
        var client = try Client()
        let body = "grant_type=password&username=ada&password=secret&\(form)"
        let answer = client.token(body, Self.basic(user, password))
        try client.expect(401, "invalid_client", answer)
        #expect(answer.fields["WWW-Authenticate"]?.hasPrefix("Basic") == true)
        for field in ["Basic", "Basic !!!", "basic \(Base64.encode(Array("nobody".utf8)))"] {
            try client.expect(401, "invalid_client", client.token(body, ["Authorization": field]), "\(field)")
        }
    }

    @Test
    func `refuses a secret of a client that has none (RFC 6749, 2.3.1)`() throws {
        var client = try Client()
        let body = "grant_type=password&\(Self.login)"
        try client.expect(401, "invalid_client", client.token("\(body)&client_secret=x"))
        #expect(client.token("\(body)&client_secret=").status == 200)
        #expect(client.token(body, Self.basic("app", "")).status == 200)
    }

    @Test
    func `refuses Basic credentials of one client with the client_id of another (RFC 6749, 2.3)`() throws {
        var client = try Client()
        let answer = client.token("grant_type=client_credentials&client_id=web", Self.basic("svc", "svcsecret"))
        try client.expect(400, "invalid_request", answer)
        let own = client.token("grant_type=client_credentials&client_id=svc", Self.basic("svc", "svcsecret"))
        #expect(own.status == 200)
    }

    @Test(arguments: [
        ("web", "s3cr%3At%25%2F%2B", 200), ("web", "s3cr:t%/+", 200), ("web", "s3cr%3at%25/%2b", 200),
        ("web", "s3cr:t%25/+", 401), ("web", "s3cr:t%25/ ", 401), ("%77eb", "s3cr%3At%25%2F%2B", 200),
    ])
    func `decodes form-encoded Basic credentials (RFC 6749, 2.3.1 and appendix B)`(
        user: String,
        password: String,
        status: Int
    ) throws {
        var client = try Client()
        #expect(client.token("grant_type=client_credentials", Self.basic(user, password)).status == status)
    }

    @Test(arguments: ["a+b", "a b", "50%", "%41", "a:b", "a&b=c", "pässwörd €", "%", "\\\"", "a%2Bb"])
    func `takes any characters in a secret (RFC 6749, 2.3.1)`(secret: String) throws {
        let text = JSONValue.string(secret).text(.compact)
        var client = try Client(clients: #""svc": {"secret": \#(text), "redirects": []}"#)
        let encoded = PercentEncoding.encode(secret)
        let plus = encoded.split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
        for password in [secret, encoded, plus] {
            #expect(client.token("grant_type=client_credentials", Self.basic("svc", password)).status == 200)
        }
        let form = "grant_type=client_credentials&client_id=svc&client_secret=\(encoded)"
        #expect(client.token(form).status == 200)
        try client.expect(401, "invalid_client", client.token("\(form)x"))
        try client.expect(
            401,
            "invalid_client",
            client.token("grant_type=client_credentials", Self.basic("svc", "\(secret)x"))
        )
    }

    // MARK: The scope of a refresh (RFC 6749, section 6)

    @Test
    func `narrows the scope of a refresh, and keeps that of the refresh token (RFC 6749, 6)`() throws {
        var client = try Client()
        let first = client.password().json["refresh_token"]?.string ?? ""
        let body = "grant_type=refresh_token&client_id=app"
        let narrow = client.token("\(body)&refresh_token=\(first)&scope=openid%20read").json
        #expect(narrow["scope"] == "openid read")
        let claims = try JSONWebSignature(unverified: narrow["access_token"]?.string ?? "").claims
        #expect(claims?["scope"] == "openid read")
        let second = narrow["refresh_token"]?.string ?? ""
        let alone = client.token("\(body)&refresh_token=\(second)&scope=read").json
        #expect(alone["scope"] == "read" && alone["id_token"] == nil)
        let whole = client.token("\(body)&refresh_token=\(alone["refresh_token"]?.string ?? "")").json
        #expect(whole["scope"] == "openid read write offline_access" && whole["id_token"] != nil)
    }

    @Test
    func `refuses a scope that was not granted (RFC 6749, 6)`() throws {
        var client = try Client()
        let refresh = client.password("openid%20read").json["refresh_token"]?.string ?? ""
        let body = "grant_type=refresh_token&client_id=app&refresh_token=\(refresh)"
        for scope in ["openid%20read%20write", "write", "reading", "read%20%20openid"] {
            try client.expect(400, "invalid_scope", client.token("\(body)&scope=\(scope)"), "\(scope)")
        }
        #expect(client.token("\(body)&scope=read").status == 200)
    }

    // MARK: Parameters (RFC 6749, sections 3.1 and 3.2)

    @Test(arguments: ["grant_type=password", "client_id=app", "username=ada", "scope=openid", "code_verifier=x"])
    func `refuses a repeated parameter at the token endpoint (RFC 6749, 3.2)`(item: String) throws {
        var client = try Client()
        let body = "grant_type=password&\(Self.login)&scope=openid&code_verifier=x&\(item)"
        try client.expect(400, "invalid_request", client.token(body))
        let device = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=app&device_code=a&device_code=a"
        try client.expect(400, "invalid_request", client.token(device))
        #expect(client.token("grant_type=password&\(Self.login)&resource=a%3A&resource=b%3A").status == 200)
    }

    @Test(arguments: [
        "state=z", "scope=openid", "response_type=code", "nonce=a&nonce=b", "code_challenge=\(challenge)",
        "code_challenge_method=S256", "prompt=none&prompt=none",
    ])
    func `refuses a repeated parameter at the authorization endpoint (RFC 6749, 3.1)`(item: String) throws {
        var client = try Client()
        let answer = client.authorize(item)
        #expect(answer.status == 302)
        #expect(answer.fields["Location"]?.hasPrefix("app://callback?error=invalid_request") == true)
        for item in ["client_id=app", "redirect_uri=app%3A%2F%2Fcallback"] {
            #expect(client.authorize(item).status == 400)
        }
    }

    @Test
    func `takes an empty parameter for an omitted one (RFC 6749, 3.1 and 3.2)`() throws {
        var client = try Client()
        func location(_ more: String, without name: String) -> String? {
            client.authorize(more, without: name).fields["Location"]
        }
        #expect(location("scope=", without: "scope")?.contains("?code=") == true)
        let state = location("state=", without: "state")
        #expect(state?.contains("?code=") == true && state?.contains("state") == false)
        for name in ["response_type", "code_challenge"] {
            let answer = location("\(name)=", without: name)
            #expect(answer?.contains("error=invalid_request") == true, "\(name)")
        }
        _ = client.authorize("nonce=")
        let code = try client.base.token("code").value
        let exchange = "grant_type=authorization_code&client_id=app&redirect_uri=app://callback&code=\(code)"
        let tokens = client.token("\(exchange)&code_verifier=\(Self.verifier)&scope=").json
        let claims = try JSONWebSignature(unverified: tokens["id_token"]?.string ?? "").claims
        #expect(claims?["sub"] == "ada" && claims?["nonce"] == nil)
        #expect(client.token("grant_type=password&\(Self.login)&scope=").json["scope"] == "openid")
        try client.expect(400, "invalid_request", client.token("grant_type=&client_id=app"))
    }

    @Test(arguments: [
        "authorization_code", "refresh_token", "password", "password&username=ada", "password&password=secret",
        "authorization_code&code=", "urn:ietf:params:oauth:grant-type:device_code",
    ])
    func `names a missing parameter an invalid request (RFC 6749, 5.2; RFC 8628, 3.4)`(grant: String) throws {
        var client = try Client()
        try client.expect(400, "invalid_request", client.token("client_id=app&grant_type=\(grant)"))
    }

    @Test
    func `takes the parameters of the token endpoint from the body alone (RFC 6749, 2.3.1 and 3.2)`() throws {
        var client = try Client()
        let answer = client.post("/oauth/token?grant_type=client_credentials&client_id=svc&client_secret=svcsecret", "")
        try client.expect(400, "invalid_request", answer)
        let secret = client.post("/oauth/token?client_secret=svcsecret", "grant_type=client_credentials&client_id=svc")
        try client.expect(400, "invalid_request", secret)
    }

    // MARK: The authorization endpoint

    @Test
    func `takes an authorization request by POST (OpenID Connect Core, 3.1.2.1)`() throws {
        var client = try Client()
        let answer = client.post("/oauth/authorize", Self.request("nonce=n"))
        #expect(answer.status == 302 && answer.fields["Location"]?.hasPrefix("app://callback?code=") == true)
        #expect(answer.fields["Location"]?.hasSuffix("&state=x%26y") == true)
        var asking = try Client(#""consent": "button", "#)
        let shown = asking.post("/oauth/authorize", Self.request())
        #expect(shown.status == 303)
        let page = asking.base.send("GET \(shown.fields["Location"] ?? "")")
        #expect(page.status == 200 && page.text.contains("<form"))
        let signedIn = asking.post(shown.fields["Location"] ?? "", "username=bob&password=hidden")
        #expect(signedIn.fields["Location"]?.hasPrefix("app://callback?code=") == true)
    }

    @Test(arguments: [
        ("request=x", "request_not_supported"), ("request_uri=https%3A%2F%2Fa", "request_uri_not_supported"),
        ("registration=x", "registration_not_supported"), ("response_mode=form_post", "invalid_request"),
        ("response_mode=fragment", "invalid_request"),
    ])
    func `refuses what it does not support (OpenID Connect Core, 3.1.2.6 and 6)`(item: String, error: String) throws {
        var client = try Client()
        let location = client.authorize(item).fields["Location"]
        #expect(location == "app://callback?error=\(error)&state=x%26y")
        #expect(client.authorize("response_mode=query").fields["Location"]?.contains("?code=") == true)
    }

    @Test(arguments: ["", #""consent": "button", "#], ["none%20login", "login%20none"])
    func `refuses prompt none next to another value (OpenID Connect Core, 3.1.2.1)`(issuer: String, prompt: String)
        throws
    {
        var client = try Client(issuer)
        let location = client.authorize("prompt=\(prompt)").fields["Location"]
        #expect(location?.hasPrefix("app://callback?error=invalid_request") == true)
    }

    @Test
    func `answers for the user of id_token_hint alone (OpenID Connect Core, 3.1.2.2)`() throws {
        var client = try Client()
        let hint = client.identity("bob", "hidden")
        for more in ["prompt=none&", "", "login_hint=ada&"] {
            let sent = client.authorize("\(more)id_token_hint=\(hint)")
            #expect(sent.fields["Location"]?.contains("?code=") == true)
            #expect(try client.base.token("code").account == "bob")
        }
        let unknown = client.authorize("prompt=none&id_token_hint=made-up").fields["Location"]
        #expect(unknown?.contains("error=login_required") == true)
        var asking = try Client(#""consent": "button", "#)
        let other = asking.identity("bob", "hidden")
        let target = "/oauth/authorize?\(Self.request("id_token_hint=\(other)"))"
        let ada = asking.post(target, "username=ada&password=secret").fields["Location"]
        #expect(ada?.contains("error=login_required") == true)
        let bob = asking.post(target, "username=bob&password=hidden").fields["Location"]
        #expect(bob?.contains("?code=") == true)
    }

    @Test(arguments: [
        ("http://127.0.0.1:5555/rp/cb", 302), ("http://127.0.0.1/rp/cb", 302), ("http://127.0.0.1:5555/rp/other", 400),
        ("https://127.0.0.1:5555/rp/cb", 400), ("http://127.0.0.1:x/rp/cb", 400), ("https://web.example:81/cb", 400),
        ("http://127.0.0.1.evil.example/rp/cb", 400), ("http://127.0.0.1:80@evil.example/rp/cb", 400),
    ])
    func `takes any port of a loopback redirect URI (RFC 8252, 7.3)`(uri: String, status: Int) throws {
        var client = try Client()
        let query = "client_id=web&response_type=code&redirect_uri=\(PercentEncoding.encode(uri))"
        let answer = client.base.send("GET /oauth/authorize?\(query)")
        #expect(answer.status == status)
        guard status == 302 else { return }
        #expect(answer.fields["Location"]?.hasPrefix("\(uri)?code=") == true)
        let code = try client.base.token("code").value
        let exchange = "grant_type=authorization_code&code=\(code)&redirect_uri=\(PercentEncoding.encode(uri))"
        #expect(client.token(exchange, Self.basic("web", "s3cr:t%/+")).status == 200)
    }

    @Test
    func `takes any port of a registered port and of IPv6 (RFC 8252, 7.3)`() throws {
        var client = try Client(
            clients: #""app": {"redirects": ["http://127.0.0.1:8000/cb", "http://[::1]/cb"]}, "svc": {"secret": "x"}"#
        )
        for uri in ["http://127.0.0.1:9000/cb", "http://127.0.0.1/cb", "http://[::1]:7/cb"] {
            let query = Self.request("redirect_uri=\(PercentEncoding.encode(uri))", without: "redirect_uri")
            #expect(client.base.send("GET /oauth/authorize?\(query)").status == 302, "\(uri)")
        }
    }

    @Test
    func `uses the only registered redirect URI where none is sent (RFC 6749, 3.1.2.3)`() throws {
        var client = try Client()
        let query =
            "response_type=code&client_id=app&scope=read&code_challenge=\(Self.challenge)&code_challenge_method=S256"
        let answer = client.base.send("GET /oauth/authorize?\(query)").fields["Location"]
        #expect(answer?.hasPrefix("app://callback?code=") == true)
        let code = try client.base.token("code").value
        let body = "grant_type=authorization_code&client_id=app&code=\(code)&code_verifier=\(Self.verifier)"
        #expect(client.token(body).status == 200)
        for id in ["two", "any", "web"] {
            let query = "client_id=\(id)&response_type=code&scope=read&code_challenge=\(Self.challenge)"
            #expect(client.base.send("GET /oauth/authorize?\(query)").status == 400, "\(id)")
        }
        // OpenID Connect requires it (Core, 3.1.2.1).
        #expect(client.authorize(without: "redirect_uri").status == 400)
        let fragment =
            "client_id=any&response_type=code&redirect_uri=app%3A%2F%2Fcb%23f&code_challenge=\(Self.challenge)"
        #expect(client.base.send("GET /oauth/authorize?\(fragment)").status == 400)
    }

    @Test
    func `refuses a challenge or verifier that is too short, too long or odd (RFC 7636, 4.1 and 4.2)`() throws {
        var client = try Client()
        let letters = String(repeating: "a", count: 129)
        for text in [String(letters.prefix(42)), letters, "\(letters.prefix(42))%2B", "\(letters.prefix(42))%20"] {
            let location = client.authorize("code_challenge=\(text)", without: "code_challenge").fields["Location"]
            #expect(location?.contains("error=invalid_request") == true, "\(text)")
        }
        for (text, status) in [(letters, 400), (String(letters.prefix(42)), 400), (String(letters.prefix(43)), 200)] {
            let challenge = Base64.encodeURL(SHA256.hash(Array(text.utf8)))
            _ = client.authorize("code_challenge=\(challenge)", without: "code_challenge")
            let code = try client.base.token("code").value
            let body = "grant_type=authorization_code&client_id=app&code=\(code)&redirect_uri=app://callback"
            #expect(client.token("\(body)&code_verifier=\(text)").status == status)
        }
    }

    // MARK: Introspection and metadata

    @Test
    func `lets clients with a secret alone introspect (RFC 7662, 2.1)`() throws {
        var client = try Client()
        let access = client.password().json["access_token"]?.string ?? ""
        let open = client.post("/oauth/introspect", "client_id=app&token=\(access)")
        #expect(open.status == 401 && open.json["error"] == "invalid_client" && open.json["active"] == nil)
        #expect(client.post("/oauth/introspect", "client_id=app&client_secret=&token=\(access)").status == 401)
        #expect(client.post("/oauth/introspect", "token=\(access)", Self.basic("app", "")).status == 401)
        let own = client.post("/oauth/introspect", "token=\(access)", Self.basic("svc", "svcsecret"))
        #expect(own.json["active"] == true && own.json["username"] == "ada")
        let document = client.base.send("GET /.well-known/openid-configuration").json
        #expect(
            document["introspection_endpoint_auth_methods_supported"] == ["client_secret_basic", "client_secret_post"]
        )
        #expect(
            client.post("/oauth/introspect", "token=\(access)&token=\(access)", Self.basic("svc", "svcsecret")).status
                == 400
        )
        #expect(client.post("/oauth/introspect", "token=", Self.basic("svc", "svcsecret")).status == 400)
    }

    @Test(arguments: ["RS256", "ES256", "HS256"])
    func `lists RS256 in its metadata (OpenID Connect Discovery, 3)`(algorithm: String) throws {
        var client = try Client(#""algorithm": "\#(algorithm)", "#)
        let document = client.base.send("GET /.well-known/openid-configuration").json
        let listed = document["id_token_signing_alg_values_supported"]?.array ?? []
        #expect(listed.first == .string(algorithm) && listed.contains("RS256"))
        #expect(
            document["request_uri_parameter_supported"] == false && document["request_parameter_supported"] == false
        )
        #expect(document["claims_parameter_supported"] == false)
        #expect(document["claims_supported"]?.array?.contains("auth_time") == true)
    }

    @Test
    func `signs ID tokens of HS256 with the client's secret (OpenID Connect Core, 10.1)`() throws {
        var client = try Client(#""algorithm": "HS256", "#)
        let body = "grant_type=password&username=ada&password=secret&scope=openid"
        let text = client.token(body, Self.basic("web", "s3cr:t%/+")).json["id_token"]?.string ?? ""
        let token = try JSONWebSignature(unverified: text)
        try token.verify(with: JSONWebKeySet([JSONWebKey(SigningKey.secret(Array("s3cr:t%/+".utf8)))]))
        let other = client.token(body, Self.basic("svc", "svcsecret")).json["id_token"]?.string ?? ""
        try JSONWebSignature(unverified: other)
            .verify(with: JSONWebKeySet([JSONWebKey(SigningKey.secret(Array("svcsecret".utf8)))]))
        let open = client.password("openid").json
        #expect(open["access_token"] != nil && open["id_token"] == nil)
    }

    // MARK: Tokens

    @Test
    func `lets a client act for itself (RFC 9068, 2.2; RFC 7662, 2.2)`() throws {
        var client = try Client()
        let answer = client.token("grant_type=client_credentials&scope=read", Self.basic("svc", "svcsecret")).json
        let access = answer["access_token"]?.string ?? ""
        let claims = try JSONWebSignature(unverified: access).claims
        #expect(claims?["sub"] == "svc" && claims?["client_id"] == "svc")
        let seen = client.post("/oauth/introspect", "token=\(access)", Self.basic("svc", "svcsecret")).json
        #expect(seen["active"] == true && seen["sub"] == "svc" && seen["username"] == nil)
        let me = client.base.send("GET /me", token: access)
        #expect(me.status == 200 && me.json["name"] != "ada")
    }

    @Test
    func `leaves the nonce out of a refreshed ID token (OpenID Connect Core, 12.2)`() throws {
        var client = try Client()
        _ = client.authorize("nonce=n1")
        let code = try client.base.token("code").value
        let exchange = "grant_type=authorization_code&client_id=app&redirect_uri=app://callback&code=\(code)"
        let first = client.token("\(exchange)&code_verifier=\(Self.verifier)").json
        let claims = try JSONWebSignature(unverified: first["id_token"]?.string ?? "").claims
        #expect(claims?["nonce"] == "n1")
        let body = "grant_type=refresh_token&client_id=app&refresh_token=\(first["refresh_token"]?.string ?? "")"
        let second = try JSONWebSignature(unverified: client.token(body).json["id_token"]?.string ?? "").claims
        #expect(second?["nonce"] == nil)
        for name in ["iss", "sub", "aud", "auth_time"] { #expect(second?[name] == claims?[name]) }
    }

    // MARK: UserInfo (OpenID Connect Core, section 5.3)

    @Test
    func `shows the claims of the scope alone (OpenID Connect Core, 5.4)`() throws {
        var client = try Client()
        func claims(_ scope: String) -> JSONValue {
            client.base.send("GET /oauth/userinfo", token: client.password(scope).json["access_token"]?.string).json
        }
        #expect(claims("openid") == ["sub": "ada"])
        #expect(claims("openid%20email") == ["sub": "ada", "email": "ada@example.com"])
        #expect(claims("openid%20profile") == ["sub": "ada", "name": "Ada"])
        #expect(claims("openid%20profile%20email") == ["sub": "ada", "name": "Ada", "email": "ada@example.com"])
        let refused = client.base.send(
            "GET /oauth/userinfo",
            token: client.password("read").json["access_token"]?.string
        )
        #expect(refused.status == 403 && refused.json["error"] == "insufficient_scope")
        let challenge = refused.fields["WWW-Authenticate"] ?? ""
        #expect(challenge.hasPrefix("Bearer") && challenge.contains("insufficient_scope"))
    }

    @Test
    func `takes a token from the form of a POST, but not from two places (RFC 6750, 2 and 2.2)`() throws {
        var client = try Client()
        let access = client.password("openid").json["access_token"]?.string ?? ""
        let form = client.post("/oauth/userinfo", "access_token=\(access)")
        #expect(form.status == 200 && form.json["sub"] == "ada")
        let both = client.post("/oauth/userinfo", "access_token=\(access)", ["Authorization": "Bearer \(access)"])
        #expect(both.status == 400 && both.json["error"] == "invalid_request")
        #expect(client.post("/oauth/userinfo", "access_token=made-up").status == 401)
        #expect(client.base.send("GET /oauth/userinfo?access_token=\(access)").status == 401)
        #expect(client.base.send("GET /oauth/userinfo").status == 401)
    }

    // MARK: Logout (OpenID Connect RP-Initiated Logout)

    @Test
    func `returns to the client's own URIs alone (RP-Initiated Logout, 2 and 3)`() throws {
        var client = try Client()
        let hint = client.identity("ada", "secret")
        func logout(_ query: String) -> Answer { client.base.send("GET /oauth/logout?\(query)") }
        let web = "post_logout_redirect_uri=https://web.example/cb"
        #expect(logout("id_token_hint=\(hint)&\(web)").status == 400)
        #expect(logout("client_id=web&id_token_hint=\(hint)&\(web)").status == 400)
        #expect(logout("client_id=web&id_token_hint=\(hint)").status == 400)
        #expect(logout("client_id=nobody").status == 400)
        #expect(logout(web).status == 400)
        #expect(logout("client_id=web&\(web)&state=a%20b").fields["Location"] == "https://web.example/cb?state=a%20b")
        #expect(logout("client_id=any&post_logout_redirect_uri=https://else.example/").status == 302)
        #expect(logout("client_id=app&client_id=app").status == 400)
        let own = logout("client_id=app&id_token_hint=\(hint)&post_logout_redirect_uri=app://callback&state=")
        #expect(own.status == 302 && own.fields["Location"] == "app://callback")
        let form = client.post("/oauth/logout", "client_id=app&post_logout_redirect_uri=app://callback&state=s")
        #expect(form.fields["Location"] == "app://callback?state=s")
    }

    // MARK: Devices (RFC 8628)

    @Test
    func `shows the code of verification_uri_complete, and takes it in any writing (RFC 8628, 3.3.1 and 6.1)`() throws {
        var client = try Client()
        let started = client.post("/oauth/device_authorization", "client_id=app").json
        let code = started["user_code"]?.string ?? ""
        let page = client.base.send("GET /oauth/device?user_code=\(code)")
        #expect(page.text.contains("value=\"\(code)\""))
        #expect(!client.base.send("GET /oauth/device?user_code=%22%3E%3Cscript%3E").text.contains("script"))
        let written = "\(code.prefix(4).uppercased())-\(code.dropFirst(4).uppercased())"
        #expect(client.post("/oauth/device", "user_code=\(written)&action=approve").status == 200)
        client.base.advance(.seconds(5))
        let body = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=app&device_code="
        #expect(client.token(body + (started["device_code"]?.string ?? "")).status == 200)
        for request in ["client_id=app&client_id=app", "client_id=app&scope=read&scope=read"] {
            #expect(client.post("/oauth/device_authorization", request).json["error"] == "invalid_request")
        }
        #expect(client.post("/oauth/device", "user_code=").status == 400)
    }

    // MARK: DPoP (RFC 9449)

    private struct Prover {
        var key = TestKeys.p256(seed: "client")
        var number = 0

        mutating func fields(
            _ method: String = "POST",
            _ uri: String = "http://id.test/oauth/token",
            token: String? = nil,
            time: JSONValue = .number(JSONNumber(Int(SessionClient.start.seconds))),
            type: String = "dpop+jwt",
            nonce: String? = nil
        ) throws -> HTTPFields {
            number += 1
            var claims = JSONObject([
                ("jti", .string("\(key.thumbprint) \(number)")), ("htm", .string(method)), ("htu", .string(uri)),
                ("iat", time),
            ])
            if let token { claims["ath"] = .string(Base64.encodeURL(SHA256.hash(Array(token.utf8)))) }
            if let nonce { claims["nonce"] = .string(nonce) }
            var jwk = try #require(key.publicJSON?.object)
            for name in ["alg", "use", "kid"] { jwk[name] = nil }
            let header = JSONObject([("typ", .string(type)), ("jwk", .object(jwk))])
            let payload = JSONValue.object(claims).utf8(.compact)
            let proof = JSONWebSignature.compact(payload, header: header, key: try #require(key.signingKey))
            return ["DPoP": proof]
        }
    }

    @Test
    func `writes descriptions of errors in the characters that are allowed (RFC 6749, 5.2)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        let proofs = [
            try prover.fields("GET"), try prover.fields("POST", "http://other.test/\"ü\\"), ["DPoP": "x"],
            try prover.fields(time: 5), try prover.fields(type: "JWT"), ["DPoP": "a.b.c"],
            try prover.fields(time: "soon"),
        ]
        for proof in proofs {
            let answer = client.password("openid", proof)
            try client.expect(400, "invalid_dpop_proof", answer)
            let text = answer.json["error_description"]?.string ?? ""
            #expect(!text.isEmpty)
            #expect(text.utf8.allSatisfy { 0x20...0x21 ~= $0 || 0x23...0x5B ~= $0 || 0x5D...0x7E ~= $0 }, "\(text)")
        }
    }

    @Test
    func `keeps bound tokens and Bearer tokens apart (RFC 9449, 7.1 and 7.2)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        let bound = client.password("openid", try prover.fields()).json["access_token"]?.string ?? ""
        let free = client.password("openid").json["access_token"]?.string ?? ""
        func me(_ scheme: String, _ token: String, proven: Bool) throws -> Int {
            var fields: HTTPFields = ["Authorization": "\(scheme) \(token)", "Host": "id.test"]
            if proven {
                let proof = try prover.fields("GET", "http://id.test/me", token: token)
                fields.append("DPoP", proof["DPoP"] ?? "")
            }
            return client.base.send("GET /me", headers: fields).status
        }
        for scheme in ["DPoP", "dpop", "DPOP"] { #expect(try me(scheme, bound, proven: true) == 200) }
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            #expect(try me(scheme, bound, proven: true) == 401, "\(scheme)")
            #expect(try me(scheme, free, proven: false) == 200, "\(scheme)")
        }
        for isProven in [false, true] {
            for scheme in ["DPoP", "dpop"] { #expect(try me(scheme, free, proven: isProven) == 401) }
        }
    }

    @Test
    func `binds refresh tokens of clients without a secret alone (RFC 9449, 5)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        var other = Prover(key: TestKeys.p256(seed: "other"))
        let secret = Self.basic("svc", "svcsecret")
        func fields(_ proof: HTTPFields) -> HTTPFields {
            var fields = secret
            for field in proof { fields.append(field.name, field.value) }
            return fields
        }
        let login = "grant_type=password&username=ada&password=secret&scope=openid"
        var answer = client.token(login, fields(try prover.fields())).json
        func refresh(_ proof: HTTPFields) -> JSONValue {
            client.token(
                "grant_type=refresh_token&refresh_token=\(answer["refresh_token"]?.string ?? "")",
                fields(proof)
            ).json
        }
        answer = refresh(try other.fields())
        #expect(answer["token_type"] == "DPoP")
        let claims = try JSONWebSignature(unverified: answer["access_token"]?.string ?? "").claims
        #expect(claims?["cnf"] == ["jkt": .string(other.key.thumbprint)])
        answer = refresh(HTTPFields())
        #expect(answer["token_type"] == "Bearer")
        let free = try JSONWebSignature(unverified: answer["access_token"]?.string ?? "").claims
        #expect(free != nil && free?["cnf"] == nil)
        #expect(client.me("Bearer \(answer["access_token"]?.string ?? "")") == 200)
        let open = client.password("openid", try prover.fields()).json["refresh_token"]?.string ?? ""
        let body = "grant_type=refresh_token&client_id=app&refresh_token=\(open)"
        try client.expect(400, "invalid_grant", client.token(body, try other.fields()))
        #expect(client.token(body, try prover.fields()).status == 200)
    }

    @Test
    func `takes a nonce for its lifetime and no longer (RFC 9449, 8)`() throws {
        var (client, prover) = (try Client(#""dpop": "required", "#, tokens: #""dpop": {"nonce": "1m"}"#), Prover())
        let nonce = client.password("openid", try prover.fields()).fields["DPoP-Nonce"] ?? ""
        client.base.advance(.seconds(59))
        let time = JSONValue.number(JSONNumber(Int(SessionClient.start.seconds) + 59))
        #expect(client.password("openid", try prover.fields(time: time, nonce: nonce)).status == 200)
        client.base.advance(.seconds(1))
        let late = client.password("openid", try prover.fields(time: time, nonce: nonce))
        try client.expect(400, "use_dpop_nonce", late)
        #expect(late.fields["DPoP-Nonce"]?.isEmpty == false && late.fields["DPoP-Nonce"] != nonce)
        for made in ["", "1700000060", "1700000060.x", ".", "99999999999999999999.x", "\(nonce)x"] {
            let answer = client.password("openid", try prover.fields(time: time, nonce: made))
            try client.expect(400, "use_dpop_nonce", answer)
        }
    }

    @Test
    func `takes an iat with a fraction (RFC 7519, 2)`() throws {
        var (client, prover) = (try Client(#""dpop": "optional", "#), Prover())
        let time = try JSONParser().parse(Array("\(SessionClient.start.seconds).25".utf8)).root
        #expect(client.password("openid", try prover.fields(time: time)).json["token_type"] == "DPoP")
    }
}
