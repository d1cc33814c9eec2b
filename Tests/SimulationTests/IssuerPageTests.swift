import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures
import Simulation
import TestSupport
import Testing

/// The authorization endpoint, UserInfo, logout and the device flow; each test names the section.
@Suite
struct `The pages of an issuer, by its standards` {
    private typealias Client = IssuerTestClient

    // MARK: The authorization endpoint

    @Test
    func `takes an authorization request by POST (OpenID Connect Core, 3.1.2.1)`() throws {
        var client = try Client()
        let answer = client.post("/oauth/authorize", Client.request("nonce=n"))
        #expect(answer.status == 302 && answer.fields["Location"]?.hasPrefix("app://callback?code=") == true)
        #expect(answer.fields["Location"]?.hasSuffix("&state=x%26y") == true)
        var asking = try Client(#""consent": "button", "#)
        let shown = asking.post("/oauth/authorize", Client.request())
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
        let target = "/oauth/authorize?\(Client.request("id_token_hint=\(other)"))"
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
        #expect(client.token(exchange, Client.basic("web", "s3cr:t%/+")).status == 200)
    }

    @Test
    func `takes any port of a registered port and of IPv6 (RFC 8252, 7.3)`() throws {
        var client = try Client(
            clients: #""app": {"redirects": ["http://127.0.0.1:8000/cb", "http://[::1]/cb"]}, "svc": {"secret": "x"}"#
        )
        for uri in ["http://127.0.0.1:9000/cb", "http://127.0.0.1/cb", "http://[::1]:7/cb"] {
            let query = Client.request("redirect_uri=\(PercentEncoding.encode(uri))", without: "redirect_uri")
            #expect(client.base.send("GET /oauth/authorize?\(query)").status == 302, "\(uri)")
        }
    }

    @Test
    func `uses the only registered redirect URI where none is sent (RFC 6749, 3.1.2.3)`() throws {
        var client = try Client()
        let query =
            "response_type=code&client_id=app&scope=read&code_challenge=\(Client.challenge)&code_challenge_method=S256"
        let answer = client.base.send("GET /oauth/authorize?\(query)").fields["Location"]
        #expect(answer?.hasPrefix("app://callback?code=") == true)
        let code = try client.base.token("code").value
        let body = "grant_type=authorization_code&client_id=app&code=\(code)&code_verifier=\(Client.verifier)"
        #expect(client.token(body).status == 200)
        for id in ["two", "any", "web"] {
            let query = "client_id=\(id)&response_type=code&scope=read&code_challenge=\(Client.challenge)"
            #expect(client.base.send("GET /oauth/authorize?\(query)").status == 400, "\(id)")
        }
        // OpenID Connect requires it (Core, 3.1.2.1).
        #expect(client.authorize(without: "redirect_uri").status == 400)
        let fragment =
            "client_id=any&response_type=code&redirect_uri=app%3A%2F%2Fcb%23f&code_challenge=\(Client.challenge)"
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
        for twice in [access, "other"] {
            let repeated = client.post("/oauth/userinfo", "access_token=\(access)&access_token=\(twice)")
            #expect(repeated.status == 400 && repeated.json["error"] == "invalid_request")
        }
        // An empty parameter counts as omitted (RFC 6749, section 3.1).
        let empty = client.post("/oauth/userinfo", "access_token=", ["Authorization": "Bearer \(access)"])
        #expect(empty.status == 200 && empty.json["sub"] == "ada")
        for field in ["Basic YTpi", "Bearer", "Bearer made-up"] {
            let refused = client.post("/oauth/userinfo", "", ["Authorization": field])
            #expect(refused.status == 401, "\(field)")
            #expect(refused.fields["WWW-Authenticate"]?.hasPrefix("Bearer") == true, "\(field)")
        }
        let fields: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
        let get = client.base.send("GET /oauth/userinfo", headers: fields, body: "access_token=\(access)")
        #expect(get.status == 401)
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
        #expect(logout("client_id=unknown").status == 400)
        #expect(logout(web).status == 400)
        #expect(logout("client_id=web&\(web)&state=a%20b").fields["Location"] == "https://web.example/cb?state=a%20b")
        #expect(logout("client_id=any&post_logout_redirect_uri=https://else.example/").status == 302)
        #expect(logout("client_id=app&client_id=app").status == 400)
        let fragment = "client_id=any&post_logout_redirect_uri=https%3A%2F%2Felse.example%2Fy%3Fa%23f"
        #expect(logout(fragment).status == 400 && logout("\(fragment)&state=s").status == 400)
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

    @Test(arguments: [("approve", "approve"), ("approve", "deny"), ("deny", "approve"), ("deny", "deny")])
    func `decides about a code once, and gives tokens for it once (RFC 8628, 3.3 and 3.5)`(
        first: String,
        second: String
    ) throws {
        var client = try Client()
        let started = client.post("/oauth/device_authorization", "client_id=app").json
        let code = started["user_code"]?.string ?? ""
        func poll() -> Answer {
            client.base.advance(.seconds(20))
            let type = "urn:ietf:params:oauth:grant-type:device_code"
            return client.token(
                "grant_type=\(type)&client_id=app&device_code=\(started["device_code"]?.string ?? "")"
            )
        }
        #expect(client.post("/oauth/device", "user_code=\(code)&action=\(first)").status == 200)
        #expect(client.post("/oauth/device", "user_code=\(code)&action=\(second)").status == 400)
        #expect(poll().status == (first == "approve" ? 200 : 400))
        #expect(client.post("/oauth/device", "user_code=\(code)&action=\(second)").status == 400)
        let later = poll()
        #expect(later.status == 400)
        #expect(later.json["error"] == (first == "approve" ? "invalid_grant" : "access_denied"))
    }

    @Test
    func `does not approve a code that has expired (RFC 8628, 3.5)`() throws {
        var client = try Client()
        let started = client.post("/oauth/device_authorization", "client_id=app").json
        client.base.advance(.seconds(600))
        let page = client.post("/oauth/device", "user_code=\(started["user_code"]?.string ?? "")&action=approve")
        #expect(page.status == 400 && page.text.contains("expired"))
    }
}
