import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Signatures
import Simulation
import TestSupport
import Testing

/// OpenID Connect and DPoP on a backend that says "issuer", verified by what the server itself publishes.
@Suite
struct `An identity provider` {
    private static func backend(_ issuer: String = "", rules: String = "") -> String {
        """
        "accounts": {"ada": {"username": "ada", "password": "secret", "email": "ada@example.com"},
            "bo": {"username": "bo", "password": "hidden"}},
        "issuer": {\(issuer)"clients": {"app": {"redirects": ["app://cb"]},
            "web": {"secret": "s3", "redirects": ["https://web.example.com/cb"]}}, "pkce": false},
        \(rules)"routes": {"GET /me": {"requires": "access", "json": {"name": "{{account}}"}}}
        """
    }

    private struct Client {
        var base: SessionClient

        init(_ issuer: String = "", rules: String = "") throws {
            base = try SessionClient(backend(issuer, rules: rules))
        }

        mutating func token(_ body: String, _ fields: HTTPFields = HTTPFields()) -> Answer {
            var fields = fields
            fields.append("Content-Type", "application/x-www-form-urlencoded")
            fields.append("Host", "id.test")
            return base.send("POST /oauth/token", headers: fields, body: body)
        }

        mutating func password(_ fields: HTTPFields = HTTPFields(), scope: String = "openid%20email") -> Answer {
            token("grant_type=password&client_id=app&username=ada&password=secret&scope=\(scope)", fields)
        }

        mutating func refresh(_ token: JSONValue?, _ fields: HTTPFields = HTTPFields()) -> Answer {
            self.token("grant_type=refresh_token&client_id=app&refresh_token=\(token?.string ?? "")", fields)
        }

        mutating func keys() throws -> JSONWebKeySet {
            try JSONWebKeySet(reading: base.send("GET /oauth/jwks").json)
        }

        /// The claims of a token, verified with the published keys.
        mutating func claims(_ token: JSONValue?) throws -> JSONObject {
            let signature = try JSONWebSignature(unverified: try #require(token?.string))
            #expect(signature.keyID != nil)
            try signature.verify(with: try keys())
            return try #require(signature.claims)
        }
    }

    // MARK: Keys

    @Test(arguments: ["RS256", "ES256"])
    func `signs ID and access tokens with published keys, before and after a rotation`(algorithm: String) throws {
        var client = try Client(
            #""algorithm": "\#(algorithm)", "#,
            rules: #""timeline": [{"at": "1m", "rotateKeys": "2m"}], "#
        )
        let first = client.password().json
        #expect(try client.claims(first["id_token"])["aud"] == "app")
        #expect(try client.claims(first["access_token"])["client_id"] == "app")
        client.base.advance(.seconds(60))
        let second = client.refresh(first["refresh_token"]).json
        #expect(try client.keys().keys.count == 2)
        for tokens in [first, second] { #expect(try client.claims(tokens["id_token"])["sub"] == "ada") }
        #expect(client.base.send("GET /me", token: first["access_token"]?.string).status == 200)
        client.base.advance(.seconds(120))
        #expect(try client.keys().keys.count == 1)
        #expect(throws: JSONWebSignatureError.self) { try client.claims(first["id_token"]) }
        #expect(try client.claims(second["id_token"])["sub"] == "ada")
    }

    @Test
    func `publishes no key of HS256, and none of another session`() throws {
        var secret = try Client(#""algorithm": "HS256", "#)
        #expect(secret.base.send("GET /oauth/jwks").json == ["keys": []])
        let token = secret.password().json["access_token"]?.string ?? ""
        #expect(try JSONWebSignature(unverified: token).header["alg"] == "HS256")
        var one = try Client()
        one.base = try SessionClient(Self.backend(), name: "one")
        var other = try Client()
        let access = one.password().json["access_token"]
        #expect(other.base.send("GET /me", token: access?.string).status == 401)
        #expect(throws: JSONWebSignatureError.self) { try other.claims(access) }
    }

    @Test
    func `accepts its tokens after a restart, and none that is changed, unsigned or of an unknown key`() throws {
        var client = try Client()
        let access = client.password().json["access_token"]?.string ?? ""
        var restarted = try Client()
        #expect(restarted.base.send("GET /me", token: access).json["name"] == "ada")
        let parts = access.split(separator: ".").map(String.init)
        let none = Base64.encodeURL(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let key = TestKeys.p256(seed: "another")
        let foreign = JSONWebSignature.compact(
            Base64.decodeURL(parts[1].utf8) ?? [],
            header: JSONObject([("kid", "unknown")]),
            key: try #require(key.signingKey)
        )
        for text in ["\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", access.dropLast(4) + "AAAA", foreign] {
            let answer = client.base.send("GET /me", token: String(text))
            #expect(answer.status == 401 && answer.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
            let exchange = try client.base.lastExchange
            #expect(exchange.offered.map(\.standing) == [.unknown])
            #expect(exchange.findings.map(\.id) == ["traffic/unverified-token"])
        }
    }

    // MARK: ID tokens

    @Test
    func `gives an ID token where the scope has openid, with what the client sent`() throws {
        var client = try Client()
        #expect(client.password(scope: "email").json["id_token"] == nil)
        let query = "response_type=code&client_id=app&redirect_uri=app%3A%2F%2Fcb&scope=openid&nonce=n-1&login_hint=bo"
        client.base.send("GET /oauth/authorize?\(query)", headers: ["Host": "id.test"])
        let code = try client.base.token("code").value
        let answer = client.token("grant_type=authorization_code&client_id=app&code=\(code)&redirect_uri=app://cb").json
        let claims = try client.claims(answer["id_token"])
        #expect(claims["iss"] == "http://id.test" && claims["sub"] == "bo" && claims["nonce"] == "n-1")
        #expect((claims["exp"]?.int ?? 0) - (claims["iat"]?.int ?? 0) == 3_600 && claims["auth_time"] == claims["iat"])
        let user = client.base.send("GET /oauth/userinfo", token: client.password().json["access_token"]?.string)
        #expect(user.json == ["sub": "ada", "email": "ada@example.com"])
        let document = client.base.send("GET /.well-known/openid-configuration", headers: ["Host": "id.test"]).json
        #expect(document["issuer"] == claims["iss"] && document["jwks_uri"] == "http://id.test/oauth/jwks")
        #expect(document["id_token_signing_alg_values_supported"] == ["RS256"])
    }

    @Test(arguments: [
        (#""consent": "button", "#, "prompt=none", 302, "error=login_required"),
        (#""consent": "button", "#, "prompt=login", 200, ""), ("", "prompt=none", 302, "code="),
        ("", "prompt=login", 200, ""),
    ])
    func `shows a page where prompt says so`(issuer: String, prompt: String, status: Int, query: String) throws {
        var client = try Client(issuer)
        let answer = client.base.send(
            "GET /oauth/authorize?response_type=code&client_id=app&redirect_uri=app%3A%2F%2Fcb&\(prompt)"
        )
        #expect(answer.status == status && answer.fields["Location"]?.contains(query) ?? answer.text.contains("<form"))
    }

    @Test
    func `ends the session of an ID token, and sends the browser to registered places only`() throws {
        var client = try Client()
        let tokens = client.password().json
        let (hint, access) = (tokens["id_token"]?.string ?? "", tokens["access_token"]?.string)
        func logout(_ query: String) -> Answer { client.base.send("GET /oauth/logout?\(query)") }
        #expect(logout("id_token_hint=made-up").status == 400)
        #expect(logout("id_token_hint=\(hint)&post_logout_redirect_uri=https://evil.example").status == 400)
        #expect(logout("").status == 200 && client.base.send("GET /me", token: access).status == 200)
        let sent = logout("id_token_hint=\(hint)&post_logout_redirect_uri=app://cb&state=a%20b")
        #expect(sent.status == 302 && sent.fields["Location"] == "app://cb?state=a%20b")
        #expect(client.base.send("GET /me", token: access).status == 401)
        #expect(client.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant")
    }

    @Test
    func `refuses a client that authenticates in two ways`() throws {
        var client = try Client()
        let basic: HTTPFields = ["Authorization": "Basic \(Base64.encode(Array("web:s3".utf8)))"]
        let answer = client.token("grant_type=client_credentials&client_id=web&client_secret=s3", basic)
        #expect(answer.status == 400 && answer.json["error"] == "invalid_request")
        #expect(client.token("grant_type=client_credentials", basic).status == 200)
    }

    // MARK: DPoP, RFC 9449

    /// Proofs of one key.
    private struct Prover {
        var key = TestKeys.p256(seed: "client")
        var number = 0

        mutating func proof(
            _ method: String,
            _ uri: String,
            at time: Int = Int(SessionClient.start.seconds),
            token: String? = nil,
            nonce: String? = nil
        ) throws -> String {
            number += 1
            var claims = JSONObject([
                ("jti", .string("\(key.thumbprint) \(number)")), ("htm", .string(method)), ("htu", .string(uri)),
                ("iat", .number(JSONNumber(time))),
            ])
            if let token { claims["ath"] = .string(Base64.encodeURL(SHA256.hash(Array(token.utf8)))) }
            if let nonce { claims["nonce"] = .string(nonce) }
            var jwk = try #require(key.publicJSON?.object)
            for name in ["alg", "use", "kid"] { jwk[name] = nil }
            let header = JSONObject([("typ", "dpop+jwt"), ("jwk", .object(jwk))])
            let payload = JSONValue.object(claims).utf8(.compact)
            return JSONWebSignature.compact(payload, header: header, key: try #require(key.signingKey))
        }
    }

    private static let endpoint = "http://id.test/oauth/token"

    @Test
    func `binds tokens to the key of a proof`() throws {
        var (client, prover, thief) = (
            try Client(#""dpop": "optional", "#), Prover(), Prover(key: TestKeys.p256(seed: "thief"))
        )
        let tokens = client.password(["DPoP": try prover.proof("POST", Self.endpoint)]).json
        let access = tokens["access_token"]?.string ?? ""
        #expect(tokens["token_type"] == "DPoP")
        #expect(try client.claims(tokens["access_token"])["cnf"] == ["jkt": .string(prover.key.thumbprint)])
        func me(_ proof: String?, scheme: String = "DPoP") -> Answer {
            var fields: HTTPFields = ["Authorization": "\(scheme) \(access)", "Host": "id.test"]
            if let proof { fields.append("DPoP", proof) }
            return client.base.send("GET /me", headers: fields)
        }
        let good = try prover.proof("GET", "http://id.test/me", token: access)
        #expect(me(good).json["name"] == "ada")
        #expect(me(good).json["error"] == "invalid_dpop_proof")
        let (other, blank) = (
            try prover.proof("POST", "http://id.test/me", token: access), try prover.proof("GET", "http://id.test/me")
        )
        let foreign = try thief.proof("GET", "http://id.test/me", token: access)
        #expect(me(nil).status == 401 && me(other).status == 401)
        #expect(me(blank).json["error"] == "invalid_dpop_proof" && me(foreign).json["error"] == "invalid_token")
        let next = try prover.proof("GET", "http://id.test/me", token: access)
        #expect(me(next, scheme: "Bearer").status == 401)
        let stolen = client.refresh(tokens["refresh_token"], ["DPoP": try thief.proof("POST", Self.endpoint)])
        #expect(stolen.json["error"] == "invalid_grant")
        #expect(client.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant")
        let renewed = client.refresh(tokens["refresh_token"], ["DPoP": try prover.proof("POST", Self.endpoint)])
        #expect(renewed.json["token_type"] == "DPoP")
        let plain = client.password().json
        #expect(plain["token_type"] == "Bearer")
        #expect(client.base.send("GET /me", token: plain["access_token"]?.string).status == 200)
    }

    @Test
    func `asks for a nonce, and for a new one when that is old`() throws {
        var client = try Client(#""dpop": "required", "#, rules: #""tokens": {"dpop": {"nonce": "1m"}}, "#)
        var prover = Prover()
        #expect(client.password().json["error"] == "invalid_dpop_proof")
        let asked = client.password(["DPoP": try prover.proof("POST", Self.endpoint)])
        let nonce = try #require(asked.fields["DPoP-Nonce"])
        #expect(asked.status == 400 && asked.json["error"] == "use_dpop_nonce")
        let answer = client.password(["DPoP": try prover.proof("POST", Self.endpoint, nonce: nonce)])
        #expect(answer.status == 200 && answer.fields["DPoP-Nonce"] == nonce)
        client.base.advance(.seconds(120))
        let access = answer.json["access_token"]?.string ?? ""
        let time = Int(SessionClient.start.seconds) + 120
        let late = try prover.proof("GET", "http://id.test/me", at: time, token: access, nonce: nonce)
        let fields: HTTPFields = ["Authorization": "DPoP \(access)", "Host": "id.test"]
        let refused = client.base.send("GET /me", headers: fields + ["DPoP": late])
        #expect(refused.status == 401 && refused.fields["WWW-Authenticate"]?.contains("use_dpop_nonce") == true)
        let next = try #require(refused.fields["DPoP-Nonce"])
        let proof = try prover.proof("GET", "http://id.test/me", at: time, token: access, nonce: next)
        #expect(next != nonce && client.base.send("GET /me", headers: fields + ["DPoP": proof]).status == 200)
    }

    // MARK: Profiles

    @Test(arguments: [
        ("apple", 3_600, 3_600, "same"), ("auth0", 86_400, 0, "ends"), ("cognito", 3_600, 3_600, "same"),
        ("firebase", 3_600, 3_600, "same"), ("gotrue", 3_600, 9, "ends"), ("keycloak", 300, 299, "stays"),
        ("okta", 3_600, 29, "ends"),
    ])
    func `has the lifetimes of a known provider, and its grace and reuse`(
        profile: String,
        lifetime: Int,
        grace: Int,
        reuse: String
    ) throws {
        var client = try Client(#""profile": "\#(profile)", "algorithm": "HS256", "#)
        let tokens = client.password().json
        #expect(tokens["expires_in"] == .number(JSONNumber(lifetime)))
        let renewed = client.refresh(tokens["refresh_token"]).json
        #expect((renewed["refresh_token"] == nil) == (reuse == "same"))
        client.base.advance(.seconds(grace))
        if grace > 0 { #expect(client.refresh(tokens["refresh_token"]).status == 200) }
        guard reuse == "ends" else { return }
        client.base.advance(.seconds(1))
        let refused = client.refresh(tokens["refresh_token"])
        #expect(refused.status == (profile == "auth0" ? 403 : 400) && refused.json["error"] == "invalid_grant")
        #expect(client.base.send("GET /me", token: renewed["access_token"]?.string).status == 401)
    }

    @Test(arguments: ["apple", "auth0", "cognito", "firebase", "gotrue", "keycloak", "okta"])
    func `refuses whatever was never issued, in every grant`(profile: String) throws {
        var client = try Client(#""profile": "\#(profile)", "dpop": "optional", "#)
        for grant in [
            "refresh_token&refresh_token=made-up", "authorization_code&code=made-up&redirect_uri=app://cb",
            "urn:ietf:params:oauth:grant-type:device_code&device_code=made-up", "password&username=eve&password=x",
        ] {
            let answer = client.token("client_id=app&grant_type=\(grant)")
            #expect(answer.status >= 400 && answer.json["error"] == "invalid_grant", "\(grant)")
            #expect(try client.base.lastExchange.granted.isEmpty)
        }
    }

    @Test
    func `lets what is written go before its profile`() throws {
        var client = try Client(#""profile": "okta", "algorithm": "HS256", "access": "1m", "rotate": false, "#)
        let answer = client.password().json
        #expect(answer["expires_in"] == 60 && client.refresh(answer["refresh_token"]).json["refresh_token"] == nil)
    }
}

extension HTTPFields {
    fileprivate static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
        var fields = left
        for field in right { fields.append(field.name, field.value) }
        return fields
    }
}
