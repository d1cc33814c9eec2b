import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Signatures
import StubServing
import TestSupport
import Testing

/// Clients with tokens of the proxy in place of the upstream's.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamVaultTests {
    private struct Tokens {
        var access: String
        var refresh: String

        init(_ response: HTTPReceivedResponse) throws {
            let json = try response.json
            access = try #require(json["accessToken"]?.string, "\(response.text)")
            refresh = try #require(json["refreshToken"]?.string)
        }
    }

    /// The number of requests with a path that the upstream has received.
    private func count(_ path: String, at url: String) throws -> Int {
        let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
        let journal = try HTTPClient(port: port).get("/__backlot/journal").json
        return journal["exchanges"]?.array?.count { $0["path"]?.string == path } ?? 0
    }

    /// The states of the upstream's tokens by id.
    private func states(at url: String) throws -> [String: String] {
        let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
        let devices = try HTTPClient(port: port).get("/__backlot/tokens").json["devices"]?.array ?? []
        let tokens = devices.flatMap { $0["tokens"]?.array ?? [] }
        return Dictionary(tokens.map { ($0["id"]?.string ?? "", $0["state"]?.string ?? "") }) { $1 }
    }

    private func signIn(_ client: HTTPClient) throws -> Tokens {
        try Tokens(client.call(.post, "/login", ["Content-Type": "application/json"], #"{"user":"ada"}"#))
    }

    private func refresh(_ client: HTTPClient, _ token: String) throws -> HTTPReceivedResponse {
        let body = #"{"refreshToken":"\#(token)"}"#
        return try client.call(.post, "/auth/refresh", ["Content-Type": "application/json"], body)
    }

    /// Runs a proxy with a vault in front of a mock backend.
    private func withVault(
        scenario: (String) -> String? = { _ in nil },
        format: String = "opaque",
        _ body: (Proxied, HTTPClient, String) async throws -> Void
    ) async throws {
        let backend = UpstreamTokenTests.backend.replacing(
            "\"tokens\": { \"kinds\"",
            with: "\"tokens\": { \"format\": \"\(format)\", \"kinds\""
        )
        try await withBackend(backend) { _, url in
            try await withProxy(to: url, scenario: scenario(url), keepsTokens: true) { proxied in
                try await body(proxied, try proxied.client(), url)
            }
        }
    }

    @Test func `The client has tokens of the proxy, and the upstream gets its own`() async throws {
        try await withVault { proxied, client, url in
            let tokens = try signIn(client)
            #expect(tokens.access.utf8.count == 32)
            #expect(try client.get("/me", .bearer(tokens.access)).status == 200)
            let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
            #expect(try HTTPClient(port: port).get("/me", .bearer(tokens.access)).status == 401)
            let renewed = try Tokens(refresh(client, tokens.refresh))
            #expect(renewed.access != tokens.access)
            #expect(renewed.refresh != tokens.refresh)
            #expect(try client.get("/me", .bearer(renewed.access)).status == 200)
            #expect(try states(at: url)["refresh-2"] == "valid")
        }
    }

    @Test func `A refresh is sent on only if the upstream's token has expired in real time`() async throws {
        try await withVault { proxied, client, url in
            var tokens = try signIn(client)
            for number in 1...3 {
                try proxied.advance("16m")
                #expect(try client.get("/me", .bearer(tokens.access)).status == 401)
                tokens = try Tokens(refresh(client, tokens.refresh))
                #expect(try client.get("/me", .bearer(tokens.access)).status == 200, "\(number)")
                // The first one shows what the response looks like.
                #expect(try count("/auth/refresh", at: url) == 1)
            }
            await proxied.pass(.seconds(16 * 60))
            let last = try Tokens(refresh(try proxied.client(), tokens.refresh))
            #expect(try count("/auth/refresh", at: url) == 2)
            #expect(try proxied.client().get("/me", .bearer(last.access)).status == 200)
        }
    }

    @Test func `A lost response and the reuse of a refresh token leave the upstream's session as it is`() async throws {
        try await withVault { proxied, client, url in
            let first = try signIn(client)
            let second = try Tokens(refresh(client, first.refresh))
            try proxied.admin(.post, "faults", ["route": "POST /auth/refresh", "fault": "lost"])
            #expect(throws: HTTPClientFailure.self) { try refresh(client, second.refresh) }
            let again = try proxied.client()
            #expect(try refresh(again, second.refresh).status == 401)
            // The reuse has ended the session of the client, and of the client alone.
            #expect(try again.get("/me", .bearer(second.access)).status == 401)
            #expect(try count("/auth/refresh", at: url) == 1)
            let states = try states(at: url)
            #expect(states["access-2"] == "valid")
            #expect(states["refresh-2"] == "valid")
        }
    }

    @Test func `The upstream's expired token is refreshed before a request, once for all of them`() async throws {
        try await withVault { proxied, client, url in
            let tokens = try signIn(client)
            let renewed = try Tokens(refresh(client, tokens.refresh))
            await proxied.pass(.seconds(16 * 60))
            let clients = try (1...6).map { _ in try proxied.client() }
            let request = HTTPRequest(method: .get, target: "/me", fields: .bearer(renewed.access))
            for client in clients { try client.send(request) }
            for client in clients { #expect(try client.receive().status == 200) }
            #expect(try count("/auth/refresh", at: url) == 2)
            #expect(proxied.log.text.contains("the upstream's access token has expired: \(url) POST /auth/refresh 200"))
            // The refresh token of the client means the upstream's new one.
            #expect(try refresh(try proxied.client(), renewed.refresh).status == 200)
            #expect(try states(at: url)["refresh-3"] == "valid")
        }
    }

    /// A response with tokens of a number.
    private static func tokens(_ number: Int, _ extra: String = "", _ fields: HTTPFields = [:]) -> HTTPResponse {
        let tokens = #""accessToken":"access-0123456789-\#(number)","refreshToken":"refresh-0123456789-\#(number)""#
        let body = #"{\#(tokens),"token_type":"Bearer","expiresIn":900\#(extra)}"#
        var response = HTTPResponse(status: .ok, contentType: "application/json", body: body)
        for (name, value) in fields { response.fields.append(name, value) }
        return response
    }

    /// Runs a proxy with a vault in front of a server that grants the next tokens.
    private func withGrants(
        _ answer: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse,
        _ body: (Proxied, RawUpstream) async throws -> Void
    ) async throws {
        let last = Lock(0)
        try await RawUpstream.run { request, _ in
            guard request.path != "/me" else { return .text("me") }
            let number = last.withLock { last in
                last += 1
                return last
            }
            return .now(OutgoingResponse(answer(request, number)))
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { try await body($0, upstream) }
        }
    }

    @Test(arguments: [500, 302, 200, 401])
    func `A request is sent on after one refresh, however that ends`(status: Int) async throws {
        try await withGrants { _, number in
            number < 3 ? Self.tokens(number) : HTTPResponse(status: HTTPStatus(status))
        } _: { proxied, upstream in
            let client = try proxied.client()
            let renewed = try Tokens(refresh(client, signIn(client).refresh))
            await proxied.pass(.seconds(16 * 60))
            #expect(try proxied.client().get("/me", .bearer(renewed.access)).text == "me")
            #expect(upstream.requests.map(\.path) == ["/login", "/auth/refresh", "/auth/refresh", "/me"])
        }
    }

    /// FastAPI and others refresh on another path than that of the sign-in.
    @Test(arguments: [422, 404, 400])
    func `A refresh that the upstream does not understand leaves the client's refresh token as it is`(
        status: Int
    ) async throws {
        try await withGrants { request, number in
            let isGuess = String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token")
            return isGuess ? HTTPResponse(status: HTTPStatus(status)) : Self.tokens(number)
        } _: { proxied, upstream in
            let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
            let body = "grant_type=password&username=ada&password=secret-0123"
            let tokens = try Tokens(proxied.client().call(.post, "/token", form, body))
            await proxied.pass(.seconds(16 * 60))
            for _ in 1...2 { #expect(try proxied.client().get("/me", .bearer(tokens.access)).text == "me") }
            #expect(try refresh(try proxied.client(), tokens.refresh).status == 200)
            #expect(upstream.requests.map(\.path) == ["/token", "/token", "/me", "/me", "/auth/refresh"])
        }
    }

    @Test(arguments: [true, false])
    func `A refresh token whose response was lost is not sent again`(isHidden: Bool) async throws {
        try await RawUpstream.run { request, _ in
            guard request.path == "/auth/refresh" else {
                return .now(OutgoingResponse(request.path == "/login" ? Self.tokens(1) : HTTPResponse(status: 401)))
            }
            let isFirst = String(decoding: request.body, as: UTF8.self).contains("refresh-0123456789-1")
            return isHidden && isFirst ? .now(OutgoingResponse(Self.tokens(2))) : .raw("")
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                var tokens = try signIn(client)
                if isHidden {
                    tokens = try Tokens(refresh(client, tokens.refresh))
                    await proxied.pass(.seconds(16 * 60))
                    #expect(try proxied.client().get("/me", .bearer(tokens.access)).status == 401)
                } else {
                    #expect(try refresh(client, tokens.refresh).status == 502)
                }
                let count = upstream.requests.count { $0.path == "/auth/refresh" }
                #expect(try refresh(try proxied.client(), tokens.refresh).status == 401)
                #expect(upstream.requests.count { $0.path == "/auth/refresh" } == count)
            }
        }
    }

    @Test func `A response to a refresh that cannot be decoded does not pass`() async throws {
        try await RawUpstream.run { request, _ in
            var response = Self.tokens(1)
            if request.path == "/auth/refresh" { response.fields.append("Content-Encoding", "gzip") }
            return .now(OutgoingResponse(response))
        } _: { _, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                #expect(try refresh(client, signIn(client).refresh).status == 502)
            }
        }
    }

    @Test func `Tokens that expire at once are refreshed once for a request`() async throws {
        try await withGrants { _, number in
            Self.tokens(number, #","expires_in":0"#)
        } _: { proxied, upstream in
            let client = try proxied.client()
            let renewed = try Tokens(refresh(client, signIn(client).refresh))
            await proxied.pass(.seconds(16 * 60))
            #expect(try proxied.client().get("/me", .bearer(renewed.access)).text == "me")
            #expect(upstream.requests.count == 4)
        }
    }

    @Test(
        arguments: [
            ("", [:], 1), (#","user_id":42"#, [:], 2), (#","mfa":true"#, [:], 2), (#","scope":"orders""#, [:], 2),
            (#","user_type":"admin""#, [:], 2), ("", ["Set-Cookie": "uid=alice; Path=/"], 2),
            ("", ["X-User": "alice"], 2),
        ] as [(String, HTTPFields, Int)]
    )
    func `A response to a refresh is given to another user only if it has nothing but tokens`(
        extra: String,
        fields: HTTPFields,
        count: Int
    ) async throws {
        try await withGrants { _, number in
            Self.tokens(number, extra, fields)
        } _: { proxied, upstream in
            let client = try proxied.client()
            for _ in ["ada", "bob"] { #expect(try refresh(client, signIn(client).refresh).status == 200) }
            #expect(upstream.requests.count { $0.path == "/auth/refresh" } == count)
        }
    }

    @Test func `A response to a refresh with two tokens of one kind is not repeated`() async throws {
        try await withGrants { _, number in
            Self.tokens(number, #","token":"other-0123456789-\#(number)""#)
        } _: { proxied, upstream in
            let client = try proxied.client()
            var tokens = try signIn(client)
            for count in 2...3 {
                let response = try refresh(client, tokens.refresh)
                tokens = try Tokens(response)
                #expect(try response.json["token"]?.string != tokens.access)
                #expect(upstream.requests.count == count)
            }
        }
    }

    @Test func `Tokens in the trailers of a request become those of the upstream`() async throws {
        try await withGrants { _, number in
            Self.tokens(number)
        } _: { proxied, upstream in
            let client = try proxied.client()
            let token = try signIn(client).access
            try client.send(
                "POST /me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Token: \(token)\r\n\r\n"
            )
            client.expectResponse(to: .post)
            #expect(try client.receive().text == "me")
            #expect(upstream.requests.last?.trailers["X-Token"] == "access-0123456789-1")
        }
    }

    @Test func `A client that leaves does not end its refresh`() async throws {
        let held = Lock<ResponsePromise?>(nil)
        try await RawUpstream.run { request, promise in
            guard request.path == "/auth/refresh" else { return .now(OutgoingResponse(Self.tokens(1))) }
            let isFirst = held.withLock { held in
                guard held == nil else { return false }
                held = promise
                return true
            }
            return isFirst ? .later : .now(OutgoingResponse(Self.tokens(3)))
        } _: { upstream, url in
            try await withProxy(to: url, timeout: .seconds(900), keepsTokens: true) { proxied in
                let tokens = try signIn(try proxied.client())
                let leaving = try proxied.client()
                let body = Array(#"{"refreshToken":"\#(tokens.refresh)"}"#.utf8)
                let fields: HTTPFields = ["Content-Type": "application/json"]
                try leaving.send(HTTPRequest(method: .post, target: "/auth/refresh", fields: fields, body: body))
                try await until { held.withLock { $0 != nil } }
                leaving.reset()
                try await until { try proxied.journal().last?["outcome"]?.string != "open" }
                // A second refresh waits for the first one, and does not use the upstream's token again.
                let second = try proxied.client()
                try second.send(HTTPRequest(method: .post, target: "/auth/refresh", fields: fields, body: body))
                held.withLock { $0 }?.fulfil(OutgoingResponse(Self.tokens(2)))
                #expect(try second.receive().status == 200)
                let refreshes = upstream.requests.filter { $0.path == "/auth/refresh" }
                #expect(refreshes.count == 1, "\(proxied.log.text)")
                #expect(String(decoding: refreshes[0].body, as: UTF8.self).contains("refresh-0123456789-1"))
            }
        }
    }

    @Test func `A refresh token is valid for its grace`() async throws {
        let scenario: (String) -> String? = { url in
            """
            { "backend": "Graceful", "upstream": "\(url)",
              "tokens": { "kinds": {
                "access": { "lifetime": "15m", "format": "opaque" },
                "refresh": { "lifetime": "14d", "format": "opaque", "in": { "body": "/refreshToken" },
                  "rotate": { "grace": "10s", "reuse": "revokeDevice" } } } },
              "routes": {
                "POST /login": { "forward": true, "grants": { "access": "new", "refresh": "new" }, "signIn": true },
                "POST /auth/refresh": { "forward": true, "requires": "refresh",
                  "grants": { "access": "new", "refresh": "new" } },
                "GET /me": { "forward": true, "requires": "access" } } }
            """
        }
        try await withVault(scenario: scenario) { proxied, client, url in
            let first = try signIn(client)
            let second = try Tokens(refresh(client, first.refresh))
            try proxied.advance("9s")
            let twin = try Tokens(refresh(client, first.refresh))
            for tokens in [second, twin] { #expect(try client.get("/me", .bearer(tokens.access)).status == 200) }
            try proxied.advance("2s")
            #expect(try refresh(client, first.refresh).status == 401)
            #expect(try client.get("/me", .bearer(twin.access)).status == 401)
            #expect(try count("/auth/refresh", at: url) == 1)
            #expect(try states(at: url)["refresh-2"] == "valid")
        }
    }

    @Test func `Fourteen days later, the client has to sign in, and the upstream knows nothing of it`() async throws {
        try await withVault(format: "jwt") { proxied, client, url in
            let tokens = try signIn(client)
            try proxied.advance("15d")
            #expect(try refresh(client, tokens.refresh).status == 401)
            #expect(try count("/auth/refresh", at: url) == 0)
            #expect(try states(at: url)["refresh-1"] == "valid")
            let next = try signIn(client)
            #expect(try client.get("/me", .bearer(next.access)).status == 200)
        }
    }

    @Test func `One device is signed out, and another one is not`() async throws {
        try await withVault { proxied, client, url in
            let (first, second) = (try signIn(client), try signIn(client))
            let devices = try proxied.admin(.get, "tokens")["devices"]?.array ?? []
            let name = try #require(devices.first?["device"])
            try proxied.admin(.post, "tokens", ["signOut": name])
            #expect(try client.get("/me", .bearer(first.access)).status == 401)
            #expect(try refresh(client, first.refresh).status == 401)
            #expect(try client.get("/me", .bearer(second.access)).status == 200)
            #expect(try Set(states(at: url).values) == ["valid"])
        }
    }

    // MARK: Forms of tokens

    @Test(arguments: [
        #"{"access_token":"a/b+c/d0123456789==","refresh_token":"R.0123456789abcdef"}"#,
        #"{"access_token":"a\/b\u002Bc\/d0123456789\u003d\u003D","refresh_token":"R.0123456789abcdef"}"#,
    ])
    func `Tokens are replaced in each form in which they are written`(body: String) async throws {
        let token = "a/b+c/d0123456789=="
        try await RawUpstream.run { request, _ in
            if request.path == "/token" {
                return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: body)))
            }
            return .text(request.fields["Authorization"] ?? "")
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
                let tokens = try client.call(.post, "/token", form, "grant_type=password&password=x").json
                let access = try #require(tokens["access_token"]?.string)
                let refresh = try #require(tokens["refresh_token"]?.string)
                #expect(access.utf8.count == token.utf8.count)
                #expect(access != token)
                // The upstream shows its token, and the client sees its own.
                #expect(try client.get("/me", .bearer(access)).text == "Bearer " + access)
                #expect(upstream.requests.last?.fields["Authorization"] == "Bearer " + token)
                _ = try client.get("/me?access_token=\(access)&a=b")
                #expect(upstream.requests.last?.target == "/me?access_token=a%2Fb%2Bc%2Fd0123456789%3D%3D&a=b")
                _ = try client.call(.post, "/introspect", form, "token=\(access)&hint=\(refresh)")
                #expect(
                    String(decoding: upstream.requests.last?.body ?? [], as: UTF8.self)
                        == "token=a%2Fb%2Bc%2Fd0123456789%3D%3D&hint=R.0123456789abcdef"
                )
                let journal = try proxied.client().get("/__backlot/journal").text
                #expect(!journal.contains("d0123456789"))
            }
        }
    }

    /// A client may send the tokens of two users at once, for example to merge their accounts.
    @Test func `A response shows the client's own tokens, also those of another sign-in`() async throws {
        try await RawUpstream.run { request, _ in
            guard request.path == "/token" else {
                let shown = "\(request.fields["Authorization"] ?? "") \(request.fields["X-Other-Token"] ?? "")"
                return .text(shown)
            }
            let user = String(decoding: request.body.suffix(1), as: UTF8.self)
            let tokens = #"{"access_token":"access-0123456789-\#(user)","refresh_token":"refresh-0123456789-\#(user)"}"#
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: tokens)))
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
                let own = try ["1", "2"].map { user in
                    let body = "grant_type=password&username=\(user)"
                    return try #require(client.call(.post, "/token", form, body).json["access_token"]?.string)
                }
                var fields: HTTPFields = .bearer(own[0])
                fields.append("X-Other-Token", own[1])
                #expect(try client.get("/merge", fields).text == "Bearer \(own[0]) \(own[1])")
                let sent = try #require(upstream.requests.last?.fields)
                #expect(sent["Authorization"] == "Bearer access-0123456789-1")
                #expect(sent["X-Other-Token"] == "access-0123456789-2")
            }
        }
    }

    @Test func `A response to a refresh that repeats its token is not given to a later refresh`() async throws {
        let last = Lock(0)
        try await RawUpstream.run { request, _ in
            let number = last.withLock { last in
                last += 1
                return last
            }
            let sent = (try? JSONParser().parse(request.body).root["refreshToken"]?.string) ?? ""
            let body =
                #"{"accessToken":"a-0123456789-abc-\#(number)","refreshToken":"r-0123456789-abc-\#(number)","was":["\#(sent)"]}"#
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: body)))
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                var tokens = try Tokens(client.call(.post, "/login", ["Content-Type": "application/json"], "{}"))
                for count in 2...4 {
                    let response = try refresh(client, tokens.refresh)
                    #expect(try response.json["was"]?[0]?.string == tokens.refresh)
                    #expect(!response.text.contains("-0123456789-abc-"))
                    #expect(upstream.requests.count == count)
                    tokens = try Tokens(response)
                }
            }
        }
    }

    /// A refresh token of OAuth is good for the access tokens of several audiences.
    @Test(arguments: ["audience=b", "resource=https%3A%2F%2Fb.example", "scope=b"])
    func `An access token for another audience leaves the first one as it is`(audience: String) async throws {
        let number = Lock(0)
        try await RawUpstream.run { request, _ in
            guard request.path == "/token" else { return .text(request.fields["Authorization"] ?? "") }
            let next = number.withLock {
                $0 += 1; return $0
            }
            let tokens = #"{"access_token":"access-0123456789-\#(next)","refresh_token":"refresh-0123456789"}"#
            return .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: tokens)))
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
                let first = try client.call(.post, "/token", form, "grant_type=password&username=ada").json
                let (access, refresh) = (first["access_token"]?.string, first["refresh_token"]?.string)
                let token = try #require(refresh)
                for _ in 1...2 {
                    let body = "grant_type=refresh_token&refresh_token=\(token)&\(audience)"
                    let other = try client.call(.post, "/token", form, body).json["access_token"]?.string
                    _ = try client.get("/me", .bearer(#require(access)))
                    #expect(upstream.requests.last?.fields["Authorization"] == "Bearer access-0123456789-1")
                    _ = try client.get("/me", .bearer(#require(other)))
                    #expect(upstream.requests.last?.fields["Authorization"] == "Bearer access-0123456789-2")
                }
                // Without an audience, the first access token is renewed, which is good in real time.
                let body = "grant_type=refresh_token&refresh_token=\(token)"
                _ = try client.call(.post, "/token", form, body)
                #expect(upstream.requests.count { $0.path == "/token" } == 3)
            }
        }
    }

    @Test func `A session cookie is replaced, also when a response renews it`() async throws {
        let number = Lock(0)
        try await RawUpstream.run { request, _ in
            guard request.path != "/me" else { return .text(request.fields["Cookie"] ?? "") }
            let next = number.withLock {
                $0 += 1; return $0
            }
            return .text("", ["Set-Cookie": "sessionid=0123456789abcdef\(next); Path=/; HttpOnly"])
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                func cookie(_ response: HTTPReceivedResponse) throws -> String {
                    let field = try #require(response.fields["Set-Cookie"])
                    return String(field.prefix { $0 != ";" })
                }
                let first = try cookie(client.call(.post, "/login", [:], ""))
                #expect(!first.contains("0123456789abcdef"))
                let second = try cookie(client.get("/renew", ["Cookie": "a=b; \(first)"]))
                #expect(upstream.requests.last?.fields["Cookie"] == "a=b; sessionid=0123456789abcdef1")
                #expect(try client.get("/me", ["Cookie": second]).text == second)
                #expect(upstream.requests.last?.fields["Cookie"] == "sessionid=0123456789abcdef2")
            }
        }
    }

    @Test func `A JSON Web Token has the same claims, and this server's key verifies it`() async throws {
        let key = try #require(TestKeys.rsa.last)
        let claims: JSONObject = [
            "iss": "https://id.example", "sub": "ada", "iat": 1_700_000_000, "exp": 1_700_000_900,
        ]
        let token = JSONWebSignature.compact(
            JSONValue.object(claims).utf8(.compact),
            header: ["kid": "k1", "typ": "at+jwt"],
            key: try #require(key.signingKey)
        )
        var published = key
        published.id = "k1"
        let keys: JSONValue = ["keys": .array([try #require(published.publicJSON)])]
        try await RawUpstream.run { request, _ in
            let origin = "http://\(request.fields["Host"] ?? "")"
            let body: JSONValue =
                switch request.path {
                case "/keys": keys
                case "/.well-known/openid-configuration":
                    ["issuer": "https://id.example", "jwks_uri": .string(origin + "/keys")]
                default: ["access_token": .string(token)]
                }
            return .now(
                OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: body.text(.compact)))
            )
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                let text = try client.call(.post, "/login").json["access_token"]?.string ?? ""
                let own = try JSONWebSignature(unverified: text)
                #expect(throws: JSONWebSignatureError.self) { try own.verify(with: JSONWebKeySet(reading: keys)) }
                let discovery = try client.get("/.well-known/openid-configuration").json
                #expect(discovery["issuer"]?.string == "https://id.example")
                let path = try #require(discovery["jwks_uri"]?.string)
                #expect(path.hasSuffix(":\(proxied.port)/keys"))
                let set = try JSONWebKeySet(reading: client.get("/keys").json)
                #expect(try own.verify(with: set).id == "k1")
                #expect(own.header["typ"] == "at+jwt")
                let received = try #require(own.claims)
                #expect(received["sub"] == "ada")
                #expect(received["iss"] == "https://id.example")
                let (begin, end) = (received["iat"]?.int ?? 0, received["exp"]?.int ?? 0)
                #expect(end - begin == 900)
                _ = try client.get("/me", .bearer(text))
                #expect(upstream.requests.last?.fields["Authorization"] == "Bearer " + token)
            }
        }
    }

    @Test(
        arguments: [
            ["DPoP": "eyJ"], ["Signature": "sig1=:YQ==:", "Signature-Input": "sig1=()"],
            ["Authorization": "AWS4-HMAC-SHA256 Credential=a"],
        ] as [HTTPFields]
    )
    func `Tokens of clients whose requests are signed stay as they are`(fields: HTTPFields) async throws {
        let body = #"{"access_token":"real-token-0123456789"}"#
        try await RawUpstream.run { request, _ in
            .now(OutgoingResponse(HTTPResponse(status: .ok, contentType: "application/json", body: body)))
        } _: { upstream, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let client = try proxied.client()
                for _ in 1...2 { #expect(try client.call(.post, "/login", fields, "").text == body) }
                let lines = proxied.log.text.split(separator: "\n").filter { $0.contains("left as they are") }
                #expect(lines.count == 1)
                let journal = try proxied.client().get("/__backlot/journal").text
                #expect(!journal.contains("real-token-0123456789"))
            }
        }
    }

    @Test(arguments: [false, true])
    func `Tokens in the head of a long body or a stream are replaced`(isStream: Bool) async throws {
        let cookie = "Set-Cookie: sessionid=0123456789abcdef; Path=/\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + cookie
        let body = String(repeating: "a", count: 3 << 20)
        let raw =
            isStream
            ? head + "Content-Type: text/event-stream\r\n\r\ndata: 1\n\n"
            : head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        try await RawUpstream.run { _, _ in
            .raw(raw)
        } _: { _, url in
            try await withProxy(to: url, keepsTokens: true) { proxied in
                let response = try proxied.client().call(.post, "/login")
                let field = try #require(response.fields["Set-Cookie"])
                #expect(field.hasPrefix("sessionid=") && !field.contains("0123456789abcdef"))
                let tokens = try proxied.admin(.get, "tokens").text(.compact)
                #expect(!tokens.contains("0123456789abcdef"))
            }
        }
    }
}
