import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures
import Simulation
import TestSupport
import Testing

/// The issuer's responses to requests that its standards require or forbid; each test names the section.
@Suite
struct `An issuer, by its standards` {
    private typealias Client = IssuerTestClient

    // MARK: Clients (RFC 6749, section 2.3)

    @Test(arguments: [
        ("svc", "WRONG", "client_id=app"), ("svc", "", "client_id=app"), ("app", "anything", "client_id=app"),
        ("unknown", "x", "client_id=app"), ("app", "anything", "a=b"),
    ])
    func `gives no tokens to a client whose Basic credentials are wrong (RFC 6749, 5.2)`(
        user: String,
        password: String,
        form: String
    ) throws {
        var client = try Client()
        let body = "grant_type=password&username=ada&password=secret&\(form)"
        let answer = client.token(body, Client.basic(user, password))
        try client.expect(401, "invalid_client", answer)
        #expect(answer.fields["WWW-Authenticate"]?.hasPrefix("Basic") == true)
        for field in ["Basic", "Basic !!!", "basic \(Base64.encode(Array("unknown".utf8)))"] {
            try client.expect(401, "invalid_client", client.token(body, ["Authorization": field]), "\(field)")
        }
    }

    @Test(arguments: ["svcsecret", "WRONG"])
    func `refuses two fields with credentials (RFC 6749, 2.3)`(second: String) throws {
        var client = try Client()
        var fields = Client.basic("svc", "svcsecret")
        for (name, value) in Client.basic("svc", second) { fields.append(name, value) }
        try client.expect(401, "invalid_client", client.token("grant_type=client_credentials", fields))
        let form = "grant_type=client_credentials&client_id=svc&client_secret=svcsecret"
        try client.expect(401, "invalid_client", client.token(form, fields))
    }

    @Test
    func `refuses a secret of a client that has none (RFC 6749, 2.3.1)`() throws {
        var client = try Client()
        let body = "grant_type=password&\(Client.login)"
        try client.expect(401, "invalid_client", client.token("\(body)&client_secret=x"))
        #expect(client.token("\(body)&client_secret=").status == 200)
        #expect(client.token(body, Client.basic("app", "")).status == 200)
    }

    @Test
    func `refuses Basic credentials of one client with the client_id of another (RFC 6749, 2.3)`() throws {
        var client = try Client()
        let answer = client.token("grant_type=client_credentials&client_id=web", Client.basic("svc", "svcsecret"))
        try client.expect(400, "invalid_request", answer)
        let own = client.token("grant_type=client_credentials&client_id=svc", Client.basic("svc", "svcsecret"))
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
        #expect(client.token("grant_type=client_credentials", Client.basic(user, password)).status == status)
    }

    @Test(arguments: ["a+b", "a b", "50%", "%41", "a:b", "a&b=c", "pässwörd €", "%", "\\\"", "a%2Bb"])
    func `takes any characters in a secret (RFC 6749, 2.3.1)`(secret: String) throws {
        let text = JSONValue.string(secret).text(.compact)
        var client = try Client(clients: #""svc": {"secret": \#(text), "redirects": []}"#)
        let encoded = PercentEncoding.encode(secret)
        let plus = encoded.split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
        for password in [secret, encoded, plus] {
            #expect(client.token("grant_type=client_credentials", Client.basic("svc", password)).status == 200)
        }
        let form = "grant_type=client_credentials&client_id=svc&client_secret=\(encoded)"
        #expect(client.token(form).status == 200)
        try client.expect(401, "invalid_client", client.token("\(form)x"))
        try client.expect(
            401,
            "invalid_client",
            client.token("grant_type=client_credentials", Client.basic("svc", "\(secret)x"))
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
        let body = "grant_type=password&\(Client.login)&scope=openid&code_verifier=x&\(item)"
        try client.expect(400, "invalid_request", client.token(body))
        let device = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=app&device_code=a&device_code=a"
        try client.expect(400, "invalid_request", client.token(device))
        #expect(client.token("grant_type=password&\(Client.login)&resource=a%3A&resource=b%3A").status == 200)
    }

    @Test(arguments: [
        "state=z", "scope=openid", "response_type=code", "nonce=a&nonce=b", "code_challenge=\(Client.challenge)",
        "code_challenge_method=S256", "prompt=none&prompt=none", "claims=%7B%7D&claims=%7B%7D",
        "display=page&display=page",
        "ui_locales=ko&ui_locales=en", "claims_locales=ko&claims_locales=en", "acr_values=0&acr_values=1",
        "max_age=1&max_age=1",
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

    @Test(arguments: [("abc", false), ("-1", false), ("1.5", false), ("0", true), ("3600", true), ("", true)])
    func `takes a number of seconds as max_age (OpenID Connect Core, 3.1.2.1)`(age: String, isValid: Bool) throws {
        var client = try Client()
        let location = client.authorize("max_age=\(age)").fields["Location"] ?? ""
        #expect(location.hasPrefix("app://callback?\(isValid ? "code=" : "error=invalid_request")"), "\(location)")
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
        let tokens = client.token("\(exchange)&code_verifier=\(Client.verifier)&scope=").json
        let claims = try JSONWebSignature(unverified: tokens["id_token"]?.string ?? "").claims
        #expect(claims?["sub"] == "ada" && claims?["nonce"] == nil)
        #expect(client.token("grant_type=password&\(Client.login)&scope=").json["scope"] == "openid")
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

    // MARK: Introspection and metadata

    @Test
    func `lets clients with a secret alone introspect (RFC 7662, 2.1)`() throws {
        var client = try Client()
        let access = client.password().json["access_token"]?.string ?? ""
        let open = client.post("/oauth/introspect", "client_id=app&token=\(access)")
        #expect(open.status == 401 && open.json["error"] == "invalid_client" && open.json["active"] == nil)
        #expect(client.post("/oauth/introspect", "client_id=app&client_secret=&token=\(access)").status == 401)
        #expect(client.post("/oauth/introspect", "token=\(access)", Client.basic("app", "")).status == 401)
        let own = client.post("/oauth/introspect", "token=\(access)", Client.basic("svc", "svcsecret"))
        #expect(own.json["active"] == true && own.json["username"] == "ada")
        let document = client.base.send("GET /.well-known/openid-configuration").json
        #expect(
            document["introspection_endpoint_auth_methods_supported"] == ["client_secret_basic", "client_secret_post"]
        )
        #expect(
            client.post("/oauth/introspect", "token=\(access)&token=\(access)", Client.basic("svc", "svcsecret")).status
                == 400
        )
        #expect(client.post("/oauth/introspect", "token=", Client.basic("svc", "svcsecret")).status == 400)
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
        let text = client.token(body, Client.basic("web", "s3cr:t%/+")).json["id_token"]?.string ?? ""
        let token = try JSONWebSignature(unverified: text)
        try token.verify(with: JSONWebKeySet([JSONWebKey(SigningKey.secret(Array("s3cr:t%/+".utf8)))]))
        let other = client.token(body, Client.basic("svc", "svcsecret")).json["id_token"]?.string ?? ""
        try JSONWebSignature(unverified: other)
            .verify(with: JSONWebKeySet([JSONWebKey(SigningKey.secret(Array("svcsecret".utf8)))]))
        let open = client.password("openid").json
        #expect(open["access_token"] != nil && open["id_token"] == nil)
    }

    // MARK: Tokens

    @Test
    func `lets a client act for itself (RFC 9068, 2.2; RFC 7662, 2.2)`() throws {
        var client = try Client()
        let answer = client.token("grant_type=client_credentials&scope=read", Client.basic("svc", "svcsecret")).json
        let access = answer["access_token"]?.string ?? ""
        let claims = try JSONWebSignature(unverified: access).claims
        #expect(claims?["sub"] == "svc" && claims?["client_id"] == "svc")
        let seen = client.post("/oauth/introspect", "token=\(access)", Client.basic("svc", "svcsecret")).json
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
        let first = client.token("\(exchange)&code_verifier=\(Client.verifier)").json
        let claims = try JSONWebSignature(unverified: first["id_token"]?.string ?? "").claims
        #expect(claims?["nonce"] == "n1")
        let body = "grant_type=refresh_token&client_id=app&refresh_token=\(first["refresh_token"]?.string ?? "")"
        let second = try JSONWebSignature(unverified: client.token(body).json["id_token"]?.string ?? "").claims
        #expect(second?["nonce"] == nil)
        for name in ["iss", "sub", "aud", "auth_time"] { #expect(second?[name] == claims?[name]) }
    }
}
