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
        var stage = try Stage(Self.grants)
        let signedIn = stage.send("POST /token", headers: Self.form, body: "grant_type=password&username=ada")
        let refresh = try #require(signedIn.json["refresh_token"]?.string)
        #expect(try signedIn.status == 200 && stage.lastExchange.answeredBy == "case 1")
        let renewed = stage.send(
            "POST /token",
            headers: Self.form,
            body: "grant_type=refresh_token&refresh_token=\(refresh)"
        )
        #expect(renewed.status == 200 && renewed.json["refresh_token"]?.string != refresh)
        #expect(try stage.offered == ["+refresh refresh-1 valid"])
        for made in ["made-up", refresh, "", "%ZZ"] {
            let refused = stage.send(
                "POST /token",
                headers: Self.form,
                body: "grant_type=refresh_token&refresh_token=\(made)"
            )
            #expect(refused.status == 400 && refused.json["error"] == "invalid_grant", "\(made)")
            #expect(try stage.lastExchange.granted.isEmpty)
        }
        #expect(
            stage.send("POST /token", headers: Self.form, body: "grant_type=x").json["error"]
                == "unsupported_grant_type"
        )
    }

    @Test
    func `in a form only where the body is one`() throws {
        var stage = try Stage(Self.grants)
        stage.send("POST /token", headers: Self.form, body: "grant_type=password")
        let refresh = try stage.token("refresh").value
        let body = "grant_type=refresh_token&refresh_token=\(refresh)"
        #expect(stage.send("POST /token", headers: ["Content-Type": "text/plain"], body: body).status == 400)
        #expect(stage.send("POST /token?\(body)").status == 400)
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
        var stage = try Stage(Self.cookies, start: try #require(VirtualTime("2026-03-01T09:00:00Z")))
        let set = stage.send("POST /login").fields.filter { $0.name == "Set-Cookie" }.map(\.value)
        let value = try stage.token("session").value
        #expect(
            set == [
                "sid=\(value); Path=/; Max-Age=3600; Expires=Sun, 01 Mar 2026 10:00:00 GMT; Secure; HttpOnly; SameSite=Lax",
                "theme=dark; Path=/",
            ]
        )
        for field in ["sid=\(value)", "theme=dark; sid=\(value)", "a=1;sid=\"\(value)\" ;b=2", "junk; sid=\(value)"] {
            #expect(stage.send("GET /me", headers: ["Cookie": field]).status == 200, "\(field)")
        }
        var split = HTTPFields()
        split.append("Cookie", "theme=dark")
        split.append("Cookie", "sid=\(value)")
        #expect(stage.send("GET /me", headers: split).json == "dark")
        #expect(stage.send("GET /dark", headers: split).status == 200)
        stage.advance(.seconds(3_600))
        #expect(stage.send("GET /me", headers: split).status == 401)
        #expect(try stage.offered == ["-session session-1 expired"])
    }

    @Test
    func `in a cookie that a sign-out deletes, and whose token is refused then`() throws {
        var stage = try Stage(Self.cookies, start: try #require(VirtualTime("2026-03-01T09:00:00Z")))
        stage.send("POST /login")
        let cookie: HTTPFields = ["Cookie": "sid=\(try stage.token("session").value)"]
        let deleted = stage.send("POST /logout", headers: cookie).fields["Set-Cookie"]
        #expect(deleted == "sid=; Path=/a; Max-Age=0; Expires=Sat, 28 Feb 2026 09:00:00 GMT")
        #expect(stage.send("GET /me", headers: cookie).status == 401)
    }

    @Test(arguments: [
        ("", "missing"), ("theme=dark", "missing"), ("sid", "malformed"), ("sid=; a=b", "missing"),
        ("SID=x", "missing"),
        (";;;", "missing"), ("=x", "malformed"), ("sid=made-up", "unknown"), ("sid=a; sid=b", "unknown"),
    ])
    func `in no broken cookie`(field: String, standing: String) throws {
        var stage = try Stage(Self.cookies)
        #expect(stage.send("GET /me", headers: ["Cookie": field]).status == 401)
        #expect(try stage.offered.last?.hasSuffix(standing) == true)
    }

    // MARK: Basic

    @Test
    func `in the credentials of Basic`() throws {
        var stage = try Stage(
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
        #expect(stage.send("GET /key", headers: basic("\(try stage.token("key").value):")).status == 200)
        #expect(stage.send("GET /key", headers: basic("x:")).status == 401)
        #expect(stage.send("GET /client", headers: basic("app:s:x")).json == "app")
        #expect(stage.send("GET /client", headers: basic("app:x")).status == 403)
        for (field, standing) in [
            ("Basic !!!", "malformed"), ("Bearer x", "malformed"),
            ("Basic \(Base64.encode(Array("app".utf8)))", "malformed"),
        ] {
            #expect(stage.send("GET /client", headers: ["Authorization": field]).status == 401, "\(field)")
            #expect(try stage.offered == ["-both ? \(standing)"], "\(field)")
        }
    }

    // MARK: GraphQL

    @Test
    func `to one URL whose operations differ, and is refused there with 200`() throws {
        var stage = try Stage(
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
        #expect(stage.send("POST /graphql", body: articles).json["data"]?["articles"] != nil)
        #expect(
            stage.send("POST /graphql", token: try stage.token("access").value, body: me).json["data"]?["me"] != nil
        )
        stage.advance(.seconds(900))
        let refused = stage.send("POST /graphql", token: try stage.token("access").value, body: me)
        #expect(refused.status == 200)
        #expect(refused.json["errors"]?.array?.first?["extensions"]?["code"] == "UNAUTHENTICATED")
        #expect(try stage.offered == ["-access access-1 expired"])
        #expect(stage.send("POST /graphql", body: #"{"operationName": "X"}"#).status == 400)
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
        var stage = try Stage(Self.codes)
        let sent = stage.send("GET /authorize?scope=write&state=a%20b%26&code_challenge=abc").fields["Location"]
        let code = try stage.token("code").value
        #expect(sent == "app://cb?code=\(code)&state=a%20b%26")
        let exchange = "grant_type=authorization_code&code=\(code)"
        let wrong = stage.send("POST /token", headers: Self.form, body: exchange + "&code_verifier=xyz")
        #expect(wrong.status == 400 && wrong.json["why"] == "verifier")
        let right = stage.send("POST /token", headers: Self.form, body: exchange + "&code_verifier=abc")
        #expect(right.status == 200 && right.json["scope"] == "write")
        let refresh = try stage.token("refresh").value
        let renewed = stage.send(
            "POST /token",
            headers: Self.form,
            body: "grant_type=refresh_token&refresh_token=\(refresh)"
        )
        #expect(renewed.json["scope"] == "write")
        let access = try stage.token("access")
        let seen = stage.send("POST /introspect", headers: Self.form, body: "token=\(access.value)")
        #expect(
            seen.json == ["active": true, "scope": "write", "exp": .number(JSONNumber(Int(access.expires.seconds)))]
        )
        #expect(stage.send("POST /introspect", headers: Self.form, body: "token=x").json == ["active": false])
    }

    @Test
    func `once where it is good for one use, and takes all tokens of the device with it when it comes again`() throws {
        var stage = try Stage(Self.codes)
        stage.send("GET /authorize?state=1&code_challenge=abc")
        let body = "grant_type=authorization_code&code_verifier=abc&code=\(try stage.token("code").value)"
        #expect(stage.send("POST /token", headers: Self.form, body: body).status == 200)
        let access = try stage.token("access").value
        #expect(stage.send("GET /me", token: access).status == 200)
        #expect(stage.send("POST /token", headers: Self.form, body: body).json["error"] == "invalid_grant")
        #expect(try stage.offered == ["-code code-1 superseded"])
        #expect(stage.send("GET /me", token: access).status == 401)
    }

    @Test
    func `once and only for as long as it lives`() throws {
        var stage = try Stage(Self.codes)
        stage.send("GET /authorize?state=1&code_challenge=abc")
        stage.advance(.seconds(60))
        let body = "grant_type=authorization_code&code_verifier=abc&code=\(try stage.token("code").value)"
        #expect(stage.send("POST /token", headers: Self.form, body: body).json["error"] == "invalid_grant")
        #expect(try stage.offered == ["-code code-1 expired"])
    }
}
