import Basics
import Checking
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// Tokens of an upstream that live on the clock of the proxy.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamTokenTests {
    static let backend = """
        { "backend": "Real", "accounts": { "ada": {} },
          "tokens": { "kinds": {
            "access": { "lifetime": "15m" },
            "refresh": { "lifetime": "14d", "in": { "body": "/refreshToken" }, "rotate": true } } },
          "routes": {
            "POST /login": { "grants": { "access": "new", "refresh": "new" }, "signIn": true,
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}", "expires_in": 900 } },
            "POST /auth/refresh": { "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" } },
            "GET /me": { "requires": "access", "json": { "name": "Ada" } },
            "GET /orders": { "requires": "access", "json": [] },
            "POST /logout": { "requires": "access", "then": [{ "signOut": "caller" }], "status": 204 } } }
        """

    /// The number of requests that the backend has received.
    private func count(_ url: String) throws -> Int {
        let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
        let response = try HTTPClient(port: port).get("/__backlot/journal")
        return try response.json["exchanges"]?.array?.count ?? 0
    }

    private func signIn(_ client: HTTPClient) throws -> (access: String, refresh: String) {
        let tokens = try client.call(.post, "/login", ["Content-Type": "application/json"], #"{"user":"ada"}"#).json
        return (try #require(tokens["accessToken"]?.string), try #require(tokens["refreshToken"]?.string))
    }

    private func refresh(_ client: HTTPClient, _ token: String) throws -> HTTPReceivedResponse {
        try client.call(
            .post,
            "/auth/refresh",
            ["Content-Type": "application/json"],
            #"{"refreshToken":"\#(token)"}"#
        )
    }

    @Test func `An access token that has expired by the clock is refused here, and a refresh is sent on`() async throws
    {
        try await withBackend(Self.backend) { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (access, first) = try signIn(client)
                #expect(try client.get("/me", .bearer(access)).status == 200)
                try proxied.advance("16m")
                let before = try count(url)
                let refused = try client.get("/me", .bearer(access))
                #expect(refused.status == 401)
                #expect(refused.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
                // Also on a path that no request has shown yet.
                #expect(try client.get("/orders", .bearer(access)).status == 401)
                #expect(try count(url) == before)
                let renewed = try refresh(client, first).json
                let second = try #require(renewed["accessToken"]?.string)
                #expect(try client.get("/me", .bearer(second)).status == 200)
                #expect(try count(url) == before + 2)
                #expect(proxied.log.text.contains("access: response of POST /login, /accessToken, 15m"))
                let journal = try proxied.journal()
                #expect(journal.map { $0["status"]?.int } == [200, 200, 401, 401, 200, 200])
            }
        }
    }

    @Test func `A refresh token that was used is not sent on again`() async throws {
        try await withBackend(Self.backend) { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (_, first) = try signIn(client)
                let second = try #require(refresh(client, first).json["refreshToken"]?.string)
                let before = try count(url)
                #expect(try refresh(client, first).status == 401)
                #expect(try count(url) == before)
                #expect(try refresh(client, second).status == 200)
            }
        }
    }

    @Test func `The first refresh through a proxy uses its token up for the verdict, too`() async throws {
        try await withBackend(Self.backend) { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (access, first) = try signIn(client)
                try proxied.advance("16m")
                #expect(try client.get("/me", .bearer(access)).status == 401)
                let second = try #require(refresh(client, first).json["accessToken"]?.string)
                #expect(try client.get("/me", .bearer(second)).status == 200)
                #expect(try refresh(client, first).status == 401)
                let verdict = try proxied.admin(.get, "verdict").text(.compact)
                #expect(
                    verdict.contains("sent refresh-1 again, although exchange 3 had replaced the token"),
                    "\(verdict)"
                )
            }
        }
    }

    @Test func `A request that is refused here on an unknown path, or brings no token, is judged as well`() async throws
    {
        try await withBackend(Self.backend) { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (access, _) = try signIn(client)
                #expect(try client.get("/me", .bearer("null")).status == 401)
                #expect(try client.get("/me", .bearer(access)).status == 200)
                try proxied.advance("16m")
                for _ in 1...2 {
                    await proxied.pass(.seconds(2))
                    #expect(try client.get("/orders", .bearer(access)).status == 401)
                }
                let verdict = try proxied.admin(.get, "verdict").text(.compact)
                #expect(verdict.contains("exchange 4 refused access-1 (expired), and the client"), "\(verdict)")
                #expect(verdict.contains(#"exchange 2 GET /me sent the text \"null\" where"#), "\(verdict)")
            }
        }
    }

    /// A browser removes an expired cookie itself, and a page for anyone greets its user until then.
    @Test(arguments: [false, true]) func `A cookie that has expired here does not reach the upstream`(
        keepsTokens: Bool
    ) async throws {
        try await RawUpstream.run { request, _ in
            guard request.method == .post else { return .text(request.fields["Cookie"] ?? "no cookie") }
            return .text("", ["Set-Cookie": "sessionid=0123456789abcdef; Max-Age=900; Path=/"])
        } _: { _, url in
            try await withProxy(to: url, keepsTokens: keepsTokens) { proxied in
                let client = try proxied.client()
                #expect(try client.get("/login").text == "no cookie")
                let field = try #require(client.call(.post, "/login").fields["Set-Cookie"])
                let cookies: HTTPFields = ["Cookie": "theme=dark; \(field.prefix { $0 != ";" }); b=c"]
                #expect(try client.get("/login", cookies).text == cookies["Cookie"])
                try proxied.advance("16m")
                #expect(try client.get("/login", cookies).text == "theme=dark; b=c")
            }
        }
    }

    @Test func `A refusal of a request that may be forged leaves its tokens as they are`() async throws {
        try await RawUpstream.run { request, _ in
            let isOfPage = request.fields.contains("X-CSRF-Token")
            if request.path == "/auth/refresh", !isOfPage {
                return .text("Missing CSRF token", status: .unauthorized)
            }
            let tokens = #"{"accessToken":"access-0123456789","refreshToken":"refresh-0123456789"}"#
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: tokens)))
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (_, token) = try signIn(client)
                #expect(try refresh(client, token).status == 401)
                let fields: HTTPFields = ["Content-Type": "application/json", "X-CSRF-Token": "a"]
                let body = #"{"refreshToken":"\#(token)"}"#
                #expect(try client.call(.post, "/auth/refresh", fields, body).status == 200)
            }
        }
    }

    @Test(arguments: [false, true])
    func `A refresh token from before the proxy is sent on once`(rotates: Bool) async throws {
        let tokens = rotates ? #", "refreshToken": "refresh-after-0123456789""# : ""
        let answer = HTTPResponse(
            status: .ok,
            contentType: "application/json",
            body: #"{"accessToken":"access-0123456789"\#(tokens)}"#
        )
        try await RawUpstream.run { _, _ in
            .now(OutgoingResponse(answer))
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                #expect(try refresh(client, "refresh-before-0123456789").status == 200)
                #expect(try refresh(client, "refresh-before-0123456789").status == (rotates ? 401 : 200))
                #expect(upstream.requests.count == (rotates ? 1 : 2))
                if rotates { #expect(try refresh(client, "refresh-after-0123456789").status == 200) }
            }
        }
    }

    @Test(arguments: ["timeout", "leaves"])
    func `A refresh token that the upstream may have used is not sent again`(end: String) async throws {
        let body = #"{"accessToken":"access-0123456789","refreshToken":"refresh-0123456789-1"}"#
        let login = HTTPResponse(status: .ok, contentType: "application/json", body: body)
        try await RawUpstream.run { request, _ in
            request.path == "/login" ? .now(OutgoingResponse(login)) : .later
        } _: { upstream, url in
            try await withProxy(to: url, timeout: .seconds(5)) { proxied in
                let (_, token) = try signIn(try proxied.client())
                let first = try proxied.client()
                let fields: HTTPFields = ["Content-Type": "application/json"]
                let body = Array(#"{"refreshToken":"\#(token)"}"#.utf8)
                try first.send(HTTPRequest(method: .post, target: "/auth/refresh", fields: fields, body: body))
                try await until { upstream.requests.count == 2 }
                if end == "timeout" {
                    await proxied.pass(.seconds(5))
                    #expect(try first.receive().status == 504)
                } else {
                    first.reset()
                    try await until { try proxied.journal().last?["outcome"]?.string != "open" }
                }
                #expect(try refresh(try proxied.client(), token).status == 401)
                #expect(upstream.requests.count == 2)
            }
        }
    }

    @Test func `A refresh that did not reach the upstream can be repeated`() async throws {
        try await withProxy(to: "http://127.0.0.1:1") { proxied in
            let client = try proxied.client()
            for _ in 0..<2 { #expect(try refresh(client, "refresh-before-0123456789").status == 502) }
        }
    }

    @Test func `A refused resource leaves the refresh token in the cookie next to it valid`() async throws {
        let login = HTTPResponse(
            status: .ok,
            fields: ["Content-Type": "application/json", "Set-Cookie": "refresh_token=refresh-0123456789-1; Path=/"],
            body: Array(#"{"accessToken":"access-0123456789-1"}"#.utf8)
        )
        try await RawUpstream.run { request, _ in
            request.path == "/login" || request.path == "/auth/refresh"
                ? .now(OutgoingResponse(login)) : .text("", status: .unauthorized)
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let access = try client.call(.post, "/login", [:], "{}").json["accessToken"]?.string ?? ""
                let cookie: HTTPFields = ["Cookie": "refresh_token=refresh-0123456789-1"]
                var fields = cookie
                fields.append("Authorization", "Bearer \(access)")
                #expect(try client.get("/me", fields).status == 401)
                #expect(try client.call(.post, "/auth/refresh", cookie).status == 200)
            }
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/admin", 401, "Bearer", true),
        (.get, "/admin", 401, #"Bearer error="invalid_token""#, false),
        // Registers a device for pushes.
        (.post, "/devices/token", 422, "", true),
    ])
    func `An access token that one route refuses is sent on to others unless it is named as invalid`(
        method: HTTPMethod,
        path: String,
        status: Int,
        challenge: String,
        isSentOn: Bool
    ) async throws {
        try await RawUpstream.run { request, _ in
            switch request.path {
            case "/login": .text(#"{"accessToken":"access-0123456789-1"}"#)
            case path: .text("no", status: HTTPStatus(status), ["WWW-Authenticate": challenge])
            default: .text("Ada")
            }
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let access = try client.call(.post, "/login", [:], "{}").json["accessToken"]?.string ?? ""
                #expect(try client.get("/me", .bearer(access)).status == 200)
                let device = #"{"token":"fcm-0123456789-0123456789"}"#
                #expect(try client.call(method, path, .bearer(access), device).status.code == status)
                #expect(try client.get("/me", .bearer(access)).status == (isSentOn ? 200 : 401))
            }
        }
    }

    @Test func `A constant next to a refresh token is not taken for one`() async throws {
        let answer = { @Sendable (number: Int) -> OutgoingResponse in
            let tokens = #""accessToken":"access-0123456789-\#(number)","refreshToken":"refresh-0123456789-\#(number)""#
            return OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: "{\(tokens)}"))
        }
        let count = Lock(0)
        try await RawUpstream.run { _, _ in
            .now(
                answer(
                    count.withLock { count in
                        count += 1
                        return count
                    }
                )
            )
        } _: { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                var token = "refresh-before-0123456789"
                for _ in 0..<3 {
                    let body = #"{"refreshToken":"\#(token)","refreshTokenType":"rotating-token-0123456789"}"#
                    let response = try client.call(.post, "/auth/refresh", ["Content-Type": "application/json"], body)
                    token = try #require(response.json["refreshToken"]?.string)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `A token endpoint gets no refresh token twice`(keepsTokens: Bool) async throws {
        // Its first response does not show that it also refreshes.
        let upstream: RawUpstream.Answer = { request, _ in
            let number = request.body.contains(UInt8(ascii: "-")) ? 2 : 1
            let tokens =
                #""access_token":"access-\#(number)-0123456789","refresh_token":"refresh-\#(number)-0123456789""#
            let body = "{\(tokens),\"expires_in\":900}"
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: body)))
        }
        try await RawUpstream.run(upstream) { upstream, url in
            try await withProxy(to: url, keepsTokens: keepsTokens) { proxied in
                let client = try proxied.client()
                let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
                let body = "grant_type=password&username=ada&password=wonderland"
                let first = try client.call(.post, "/token", form, body).json["refresh_token"]?.string ?? ""
                let refresh = "grant_type=refresh_token&refresh_token=\(first)"
                #expect(try client.call(.post, "/token", form, refresh).status == 200)
                #expect(upstream.requests.count == 2)
                #expect(try client.call(.post, "/token", form, refresh).status == 401)
                #expect(upstream.requests.count == 2)
            }
        }
    }

    @Test(arguments: [0, 1])
    func `Of two refreshes at once, one is sent on`(earlierRefreshes: Int) async throws {
        let (count, held) = (Lock(0), Lock<ResponsePromise?>(nil))
        let answer = { @Sendable (number: Int) -> OutgoingResponse in
            let tokens = #""accessToken":"access-0123456789-\#(number)","refreshToken":"refresh-0123456789-\#(number)""#
            return OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: "{\(tokens)}"))
        }
        try await RawUpstream.run { request, promise in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == 2 + earlierRefreshes else { return .now(answer(number)) }
            held.withLock { $0 = promise }
            return .later
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                var (_, token) = try signIn(try proxied.client())
                for _ in 0..<earlierRefreshes {
                    token = try #require(refresh(try proxied.client(), token).json["refreshToken"]?.string)
                }
                let first = try proxied.client()
                let fields: HTTPFields = ["Content-Type": "application/json"]
                let body = Array(#"{"refreshToken":"\#(token)"}"#.utf8)
                try first.send(HTTPRequest(method: .post, target: "/auth/refresh", fields: fields, body: body))
                try await until { held.withLock { $0 != nil } }
                #expect(try refresh(try proxied.client(), token).status == 401)
                held.withLock { $0 }?.fulfil(answer(9))
                #expect(try first.receive().status == 200)
                #expect(upstream.requests.count == 2 + earlierRefreshes)
            }
        }
    }

    @Test func `Two requests at once use an access token on a path that sounds like a refresh`() async throws {
        let held = Lock<ResponsePromise?>(nil)
        let tokens = #"{"accessToken":"access-0123456789","refreshToken":"refresh-0123456789"}"#
        try await RawUpstream.run { request, promise in
            let isLate =
                request.path != "/login"
                && held.withLock { held in
                    defer { held = held ?? promise }
                    return held == nil
                }
            return isLate ? .later : .text(tokens, ["Content-Type": "application/json"])
        } _: { upstream, url in
            try await withProxy(to: url) { proxied in
                let (access, _) = try signIn(try proxied.client())
                let first = try proxied.client()
                try first.send(HTTPRequest(method: .get, target: "/timeline/refresh", fields: .bearer(access)))
                try await until { held.withLock { $0 != nil } }
                #expect(try proxied.client().get("/timeline/refresh", .bearer(access)).status == 200)
                held.withLock { $0 }?.fulfil(OutgoingResponse(HTTPResponse(status: .noContent)))
                #expect(try first.receive().status == 204)
            }
        }
    }

    @Test func `A refresh with an expired access token is sent on, also after the upstream has refused one`()
        async throws
    {
        let backend = """
            { "backend": "Both", "accounts": { "ada": {} },
              "tokens": { "kinds": { "access": { "lifetime": "15m", "in": { "header": "Authorization" } },
                "refresh": { "lifetime": "14d", "in": { "header": "Refresh" } } } },
              "routes": {
                "POST /login": { "grants": { "access": "new", "refresh": "new" }, "signIn": true,
                  "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" } },
                "GET /refresh": { "responses": [{ "status": 409, "empty": true }], "requires": "refresh",
                  "grants": { "access": "new" }, "json": { "accessToken": "{{token.access}}" } },
                "GET /me": { "requires": "access", "json": { "name": "Ada" } } } }
            """
        try await withBackend(backend) { server, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (access, token) = try signIn(client)
                let fields: HTTPFields = ["Authorization": access, "Refresh": token]
                #expect(try client.get("/me", fields).status == 200)
                #expect(try client.get("/refresh", fields).status == 409)
                try proxied.advance("16m")
                #expect(try client.get("/me", fields).status == 401)
                let renewed = try #require(client.get("/refresh", fields).json["accessToken"]?.string)
                #expect(try client.get("/me", ["Authorization": renewed]).status == 200)
                // The upstream may need both tokens, so no rule blames the client for the expired one.
                let findings = try proxied.admin(.get, "verdict")["findings"]?.array ?? []
                #expect(!findings.contains { $0["id"]?.string?.hasPrefix("B16") == true }, "\(findings)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `A token that the upstream hands out again is valid again`(keepsTokens: Bool) async throws {
        // As the tokens of a server without identifiers in one second.
        let tokens = #"{"accessToken":"access-0123456789","refreshToken":"refresh-0123456789","expiresIn":900}"#
        try await RawUpstream.run { request, _ in
            .text(request.method == .post ? tokens : "{}", ["Content-Type": "application/json"])
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: keepsTokens) { proxied in
                let client = try proxied.client()
                var (access, token) = try signIn(client)
                for _ in 1...2 {
                    #expect(try client.get("/me", .bearer(access)).status == 200)
                    try proxied.advance("16m")
                    #expect(try client.get("/me", .bearer(access)).status == 401)
                    let renewed = try refresh(client, token).json
                    (access, token) = (renewed["accessToken"]?.string ?? "", renewed["refreshToken"]?.string ?? "")
                }
                #expect(try client.get("/me", .bearer(access)).status == 200)
            }
        }
    }

    @Test(arguments: [false, true])
    func `A sign-out reaches the upstream only if that is allowed`(isAllowed: Bool) async throws {
        try await withBackend(Self.backend) { _, url in
            try await withProxy(to: url, { $0.allowsSignOut = isAllowed }) { proxied in
                let client = try proxied.client()
                let (access, _) = try signIn(client)
                let before = try count(url)
                #expect(try client.call(.post, "/logout", .bearer(access)).status == 204)
                #expect(try count(url) == before + (isAllowed ? 1 : 0))
                // For the client, it is signed out in any case.
                #expect(try client.get("/me", .bearer(access)).status == 401)
            }
        }
    }

    @Test(arguments: [
        ("POST /logout", true), ("GET /logout", true), ("POST /auth/sign-out", true), ("POST /Account/LogOff", true),
        ("GET /connect/endsession", true), ("POST /connect/revocation", true), ("POST /o/revoke_token/", true),
        ("POST /realms/a/protocol/openid-connect/revoke", true), ("POST /sessions/revoke-all", true),
        ("POST /v1/revoke", true), ("DELETE /auth/sessions", true), ("DELETE /sessions/current", true),
        ("DELETE /users/me", true), ("DELETE /api/v2/user", true), ("DELETE /users/withdrawal", true),
        ("OPTIONS /logout", false), ("HEAD /logout", false), ("GET /logout-reasons", false),
        ("GET /withdrawals", false), ("POST /wallet/withdraw", false),
        ("DELETE /push/token", false), ("DELETE /push/v1/token", false), ("DELETE /teams/7/user", false),
        ("POST /invitations/7/revoke", false), ("GET /auth/revoke", false), ("DELETE /posts/7/likes/me", false),
        ("GET /me", false),
    ])
    func `A sign-out is known by its method and path`(route: String, isSignOut: Bool) {
        let words = route.split(separator: " ")
        let method = HTTPMethod(rawValue: String(words[0]))
        let request = HTTPRequest(method: method, target: String(words[1]))
        #expect((MessageSurvey(request).purpose(of: request) == .signOut) == isSignOut)
    }

    @Test func `A scenario's route that is sent on is still a sign-out`() async throws {
        try await withBackend(Self.backend) { _, url in
            let scenario = """
                { "backend": "Partial", "upstream": "\(url)",
                  "tokens": { "kinds": { "access": { "lifetime": "15m" } } },
                  "routes": { "POST /logout": { "requires": "access", "forward": true } } }
                """
            try await withProxy(to: url, scenario: scenario) { proxied in
                let client = try proxied.client()
                let (access, _) = try signIn(client)
                let before = try count(url)
                #expect(try client.call(.post, "/logout", .bearer(access)).status == 204)
                #expect(try count(url) == before)
            }
        }
    }

    @Test func `No secret of the upstream is in the journal, the page's data, the tokens or the log`() async throws {
        try await withBackend(Self.backend) { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (access, first) = try signIn(client)
                let body = #"{"user":"ada","password":"correct-horse"}"#
                _ = try client.call(.post, "/login", ["Content-Type": "application/json"], body)
                _ = try client.get("/me?access_token=\(access)", .bearer(access))
                let second = try #require(refresh(client, first).json["refreshToken"]?.string)
                for part in ["journal", "tokens", "changes"] {
                    let text = try proxied.client().get("/__backlot/\(part)").text
                    for secret in [access, first, second, "correct-horse"] {
                        #expect(!text.contains(secret), "\(part) contains \(secret)")
                    }
                }
                #expect(![access, first, second, "correct-horse"].contains(where: proxied.log.text.contains))
            }
        }
    }

    @Test func `The upstream's refusal of a token is recorded, and given for tokens that expire here`() async throws {
        let backend = Self.backend.replacing(
            #""access": { "lifetime": "15m" }"#,
            with:
                #""access": { "lifetime": "15m", "reject": { "*": { "status": 419, "json": { "code": "E-TOKEN" } } } }"#
        )
        try await withBackend(backend) { _, url in
            try await withProxy(to: url) { proxied in
                let client = try proxied.client()
                let (access, _) = try signIn(client)
                #expect(try client.get("/me", .bearer(access)).status == 200)
                // The upstream refuses a token that this server does not know.
                #expect(try client.get("/me", .bearer("unknown-token-0123456789")).status == 419)
                try proxied.advance("16m")
                let refused = try client.get("/me", .bearer(access))
                #expect(refused.status == 419)
                #expect(try refused.json["code"]?.string == "E-TOKEN")
            }
        }
    }
}
