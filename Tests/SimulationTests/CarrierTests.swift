import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Tokens in forms, cookies and Basic credentials, and cases that want tokens of their own.
@Suite
struct `A token travels` {
    private static let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]

    // MARK: Forms

    private static let grants = """
        "tokens": {"kinds": {"access": {"lifetime": "15m"}, "refresh": {"lifetime": "14d", "rotate": true, "format": "opaque",
            "in": {"form": "refresh_token"}, "terminal": [400],
            "reject": {"*": {"status": 400, "json": {"error": "invalid_grant"}}}}}},
        "routes": {
            "POST /token": {"cases": [
                {"when": {"form": {"grant_type": "password"}}, "grants": {"access": "new", "refresh": "new"},
                 "json": {"access_token": "{{token.access}}", "refresh_token": "{{token.refresh}}"}},
                {"when": {"form": {"grant_type": "refresh_token"}}, "requires": "refresh",
                 "grants": {"access": "new", "refresh": "new"},
                 "json": {"access_token": "{{token.access}}", "refresh_token": "{{token.refresh}}"}}],
              "status": 400, "json": {"error": "unsupported_grant_type"}},
            "GET /me": {"requires": "access", "json": {"ok": true}}}
        """

    @Test
    func `in a form, and each grant of one endpoint requires its own`() throws {
        var client = try SessionClient(Self.grants)
        let signedIn = client.send("POST /token", headers: Self.form, body: "grant_type=password&username=ada")
        let refresh = try #require(signedIn.json["refresh_token"]?.string)
        #expect(try signedIn.status == 200 && client.lastExchange.answeredBy == "case 1")
        let renewed = client.send(
            "POST /token",
            headers: Self.form,
            body: "grant_type=refresh_token&refresh_token=\(refresh)"
        )
        #expect(renewed.status == 200 && renewed.json["refresh_token"]?.string != refresh)
        #expect(try client.offered == ["+refresh refresh-1 valid"])
        for made in ["made-up", refresh, "", "%ZZ"] {
            let refused = client.send(
                "POST /token",
                headers: Self.form,
                body: "grant_type=refresh_token&refresh_token=\(made)"
            )
            #expect(refused.status == 400 && refused.json["error"] == "invalid_grant", "\(made)")
            #expect(try client.lastExchange.granted.isEmpty)
        }
        #expect(
            client.send("POST /token", headers: Self.form, body: "grant_type=x").json["error"]
                == "unsupported_grant_type"
        )
    }

    @Test
    func `in a form only where the body is one`() throws {
        var client = try SessionClient(Self.grants)
        client.send("POST /token", headers: Self.form, body: "grant_type=password")
        let refresh = try client.token("refresh").value
        let body = "grant_type=refresh_token&refresh_token=\(refresh)"
        #expect(client.send("POST /token", headers: ["Content-Type": "text/plain"], body: body).status == 400)
        #expect(client.send("POST /token?\(body)").status == 400)
    }

    // MARK: Cookies

    private static let cookies = """
        "clock": {"start": "2026-03-01T09:00:00Z", "frozen": true},
        "tokens": {"kinds": {"session": {"lifetime": "1h", "in": {"cookie": "sid"}}}},
        "routes": {
            "POST /login": {"grants": {"session": "new"}, "cookies": {
                "sid": {"value": "{{token.session}}", "lifetime": "1h", "httpOnly": true, "secure": true, "sameSite": "Lax"},
                "theme": "dark"}, "status": 204},
            "POST /logout": {"requires": "session", "cookies": {"sid": {"value": "", "lifetime": "0s", "path": "/a"}},
                "then": [{"signOut": "caller"}], "status": 204},
            "GET /me": {"requires": "session", "json": "{{request.cookie.theme ?? \\"light\\"}}"},
            "GET /dark": {"cases": [{"when": {"cookie": {"theme": "dark"}}, "status": 200}], "status": 404}}
        """

    @Test
    func `in a cookie, which the response sets with its attributes by the virtual clock`() throws {
        var client = try SessionClient(Self.cookies, start: try #require(VirtualTime("2026-03-01T09:00:00Z")))
        let set = client.send("POST /login").fields.filter { $0.name == "Set-Cookie" }.map(\.value)
        let value = try client.token("session").value
        #expect(
            set == [
                "sid=\(value); Path=/; Max-Age=3600; Expires=Sun, 01 Mar 2026 10:00:00 GMT; Secure; HttpOnly; SameSite=Lax",
                "theme=dark; Path=/",
            ]
        )
        for field in ["sid=\(value)", "theme=dark; sid=\(value)", "a=1;sid=\"\(value)\" ;b=2", "junk; sid=\(value)"] {
            #expect(client.send("GET /me", headers: ["Cookie": field]).status == 200, "\(field)")
        }
        var split = HTTPFields()
        split.append("Cookie", "theme=dark")
        split.append("Cookie", "sid=\(value)")
        #expect(client.send("GET /me", headers: split).json == "dark")
        #expect(client.send("GET /dark", headers: split).status == 200)
        client.advance(.seconds(3_600))
        #expect(client.send("GET /me", headers: split).status == 401)
        #expect(try client.offered == ["-session session-1 expired"])
    }

    @Test
    func `in a cookie that a sign-out deletes, and whose token is refused then`() throws {
        var client = try SessionClient(Self.cookies, start: try #require(VirtualTime("2026-03-01T09:00:00Z")))
        client.send("POST /login")
        let cookie: HTTPFields = ["Cookie": "sid=\(try client.token("session").value)"]
        let deleted = client.send("POST /logout", headers: cookie).fields["Set-Cookie"]
        #expect(deleted == "sid=; Path=/a; Max-Age=0; Expires=Sat, 28 Feb 2026 09:00:00 GMT")
        #expect(client.send("GET /me", headers: cookie).status == 401)
    }

    @Test(arguments: [
        ("", "missing"), ("theme=dark", "missing"), ("sid", "malformed"), ("sid=; a=b", "missing"),
        ("SID=x", "missing"),
        (";;;", "missing"), ("=x", "malformed"), ("sid=made-up", "unknown"), ("sid=a; sid=b", "unknown"),
    ])
    func `in no broken cookie`(field: String, standing: String) throws {
        var client = try SessionClient(Self.cookies)
        #expect(client.send("GET /me", headers: ["Cookie": field]).status == 401)
        #expect(try client.offered.last?.hasSuffix(standing) == true)
    }

    // MARK: Basic

    @Test
    func `in the credentials of Basic`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"key": {"lifetime": "1h", "in": {"basic": "user"}},
                "both": {"foreign": true, "in": {"basic": "credentials"}}}},
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"GET /key": {"requires": "key", "json": {}},
                "GET /client": {"requires": "both", "cases": [
                    {"when": {"basic": {"user": "app", "password": {"startsWith": "s:"}}}, "json": "{{request.basic.user}}"}],
                    "status": 403}}
            """
        )
        func basic(_ text: String) -> HTTPFields { ["Authorization": "Basic \(Base64.encode(Array(text.utf8)))"] }
        #expect(client.send("GET /key", headers: basic("\(try client.token("key").value):")).status == 200)
        #expect(client.send("GET /key", headers: basic("x:")).status == 401)
        #expect(client.send("GET /client", headers: basic("app:s:x")).json == "app")
        #expect(client.send("GET /client", headers: basic("app:x")).status == 403)
        for (field, standing) in [
            ("Basic !!!", "malformed"), ("Bearer x", "malformed"),
            ("Basic \(Base64.encode(Array("app".utf8)))", "malformed"),
        ] {
            #expect(client.send("GET /client", headers: ["Authorization": field]).status == 401, "\(field)")
            #expect(try client.offered == ["-both ? \(standing)"], "\(field)")
        }
    }

    // MARK: GraphQL

    @Test
    func `to one URL whose operations differ, and is refused there with 200`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"access": {"lifetime": "15m", "reject": {"*": {"status": 200,
                "json": {"data": null, "errors": [{"extensions": {"code": "UNAUTHENTICATED"}}]}}}}}},
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"POST /graphql": {"cases": [
                {"when": {"body": {"/operationName": "Me"}}, "requires": "access", "json": {"data": {"me": {}}}},
                {"when": {"body": {"/operationName": "Articles"}}, "json": {"data": {"articles": []}}}],
              "status": 400, "json": {"errors": []}}}
            """
        )
        let (me, articles) = (#"{"operationName": "Me"}"#, #"{"operationName": "Articles"}"#)
        #expect(client.send("POST /graphql", body: articles).json["data"]?["articles"] != nil)
        #expect(
            client.send("POST /graphql", token: try client.token("access").value, body: me).json["data"]?["me"] != nil
        )
        client.advance(.seconds(900))
        let refused = client.send("POST /graphql", token: try client.token("access").value, body: me)
        #expect(refused.status == 200)
        #expect(refused.json["errors"]?.array?.first?["extensions"]?["code"] == "UNAUTHENTICATED")
        #expect(try client.offered == ["-access access-1 expired"])
        #expect(client.send("POST /graphql", body: #"{"operationName": "X"}"#).status == 400)
    }

    // MARK: What tokens remember

    private static let codes = """
        "tokens": {"kinds": {"access": {"lifetime": "15m"}, "refresh": {"lifetime": "14d", "in": {"form": "refresh_token"}},
            "code": {"lifetime": "1m", "in": {"form": "code"}, "once": true, "rotate": {"reuse": "revokeDevice"},
                "format": "opaque", "reject": {"*": {"status": 400, "json": {"error": "invalid_grant"}}}}}},
        "routes": {
            "GET /authorize": {"grants": {"code": "new"}, "remember": {"scope": "{{request.query.scope ?? \\"read\\"}}",
                "verifier": "{{request.query.code_challenge ?? omit}}"}, "signIn": true, "status": 302,
                "headers": {"Location": "app://cb?code={{token.code}}&state={{request.query.state as encoded}}"}},
            "POST /token": {"cases": [
                {"when": {"token": {"code": {"has": {"/verifier": {"not": "{{request.form.code_verifier}}"}}}}},
                 "status": 400, "json": {"error": "invalid_grant", "why": "verifier"}},
                {"when": {"form": {"grant_type": "authorization_code"}}, "requires": "code",
                 "grants": {"access": "new", "refresh": "new"}, "json": {"scope": "{{presented.code#/scope}}"}},
                {"when": {"form": {"grant_type": "refresh_token"}}, "requires": "refresh", "grants": {"access": "new"},
                 "json": {"scope": "{{presented.refresh#/scope}}"}}], "status": 400},
            "POST /introspect": {"cases": [
                {"when": {"token": {"access": {"in": {"form": "token"}}}},
                 "json": {"active": true, "scope": "{{presented.access#/scope}}", "exp": "{{presented.access#/expiresAt}}"}}],
                "json": {"active": false}},
            "GET /me": {"requires": "access", "json": {}}}
        """

    @Test
    func `with what it remembers, and passes that on`() throws {
        var client = try SessionClient(Self.codes)
        let sent = client.send("GET /authorize?scope=write&state=a%20b%26&code_challenge=abc").fields["Location"]
        let code = try client.token("code").value
        #expect(sent == "app://cb?code=\(code)&state=a%20b%26")
        let exchange = "grant_type=authorization_code&code=\(code)"
        let wrong = client.send("POST /token", headers: Self.form, body: exchange + "&code_verifier=xyz")
        #expect(wrong.status == 400 && wrong.json["why"] == "verifier")
        let right = client.send("POST /token", headers: Self.form, body: exchange + "&code_verifier=abc")
        #expect(right.status == 200 && right.json["scope"] == "write")
        let refresh = try client.token("refresh").value
        let renewed = client.send(
            "POST /token",
            headers: Self.form,
            body: "grant_type=refresh_token&refresh_token=\(refresh)"
        )
        #expect(renewed.json["scope"] == "write")
        let access = try client.token("access")
        let seen = client.send("POST /introspect", headers: Self.form, body: "token=\(access.value)")
        #expect(
            seen.json == ["active": true, "scope": "write", "exp": .number(JSONNumber(Int(access.expires.seconds)))]
        )
        #expect(client.send("POST /introspect", headers: Self.form, body: "token=x").json == ["active": false])
    }

    @Test
    func `once where it is good for one use, and takes all tokens of the device with it when it comes again`() throws {
        var client = try SessionClient(Self.codes)
        client.send("GET /authorize?state=1&code_challenge=abc")
        let body = "grant_type=authorization_code&code_verifier=abc&code=\(try client.token("code").value)"
        #expect(client.send("POST /token", headers: Self.form, body: body).status == 200)
        let access = try client.token("access").value
        #expect(client.send("GET /me", token: access).status == 200)
        #expect(client.send("POST /token", headers: Self.form, body: body).json["error"] == "invalid_grant")
        #expect(try client.offered == ["-code code-1 superseded"])
        #expect(client.send("GET /me", token: access).status == 401)
    }

    @Test
    func `once and only for as long as it lives`() throws {
        var client = try SessionClient(Self.codes)
        client.send("GET /authorize?state=1&code_challenge=abc")
        client.advance(.seconds(60))
        let body = "grant_type=authorization_code&code_verifier=abc&code=\(try client.token("code").value)"
        #expect(client.send("POST /token", headers: Self.form, body: body).json["error"] == "invalid_grant")
        #expect(try client.offered == ["-code code-1 expired"])
    }
}
