import Basics
import Checking
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import TestSupport
import Testing

/// Values that are named like tokens and are none, and tokens in the forms of many servers.
@Suite(.timeLimit(.minutes(15)))
struct OrdinaryValueTests {
    private static let tokens =
        #"{"accessToken":"access-0123456789-1","refreshToken":"refresh-0123456789-1","expiresIn":900}"#

    private static func json(_ body: String, status: HTTPStatus = .ok) -> OutgoingResponse {
        OutgoingResponse(
            HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
        )
    }

    /// Runs a proxy in front of a server that signs in with these tokens and answers everything else by a path.
    private func withSession(
        tokens: String = tokens,
        keepsTokens: Bool = false,
        _ answer: @escaping @Sendable (HTTPRequest) -> OutgoingResponse?,
        _ body: (Proxied, HTTPClient, HTTPReceivedResponse) async throws -> Void
    ) async throws {
        try await RawUpstream.run { request, _ in
            if request.path == "/login" { return .now(Self.json(tokens)) }
            return .now(answer(request) ?? Self.json(#"{"name":"Ada"}"#))
        } _: { _, url in
            try await withProxy(to: url, keepsTokens: keepsTokens) { proxied in
                let client = try proxied.client()
                let signedIn = try client.call(.post, "/login", ["Content-Type": "application/json"], "{}")
                try await body(proxied, client, signedIn)
            }
        }
    }

    private static let values: [(HTTPMethod, String, String)] = [
        (.get, "/coins/1", #"{"token":"USDC"}"#), (.get, "/packages/1", #"{"access":"public","auth":"none"}"#),
        (.get, "/alarm", #"{"session":"morning","sid":"abcd","refresh":"daily"}"#),
        (.get, "/tokens/1", #"{"tokenName":"Dai-2024-Stable-Coin","tokenAddress":"0x6B175474E89094C44Da98b95"}"#),
        (.get, "/events/1", #"{"sessionStart":"2026-11-27T10:00:00Z","sessionTitle":"Opening-keynote-2026"}"#),
        (.post, "/swap", #"{"token":"USDC"}"#), (.post, "/packages", #"{"access":"restricted"}"#),
        (.post, "/devices/token", #"{"token":"fcm-0123456789-0123456789"}"#),
        (.get, "/ws-token", #"{"token":"ws-0123456789-0123456789"}"#),
        (.post, "/organizations/2/switch", #"{"accessToken":"access-0123456789-of-organization-2"}"#),
        (.post, "/images/7/rotate", "{}"), (.post, "/cache/refresh", "{}"), (.get, "/refresh-rates", "{}"),
        (.post, "/users/renew-license", "{}"),
    ]

    @Test(arguments: values.indices, [false, true])
    func `An ordinary value does not end the session or cause a finding`(
        index: Int,
        keepsTokens: Bool
    ) async throws {
        let (method, path, body) = Self.values[index]
        try await withSession(keepsTokens: keepsTokens) { request in
            request.path == path ? Self.json(body) : nil
        } _: { proxied, client, signedIn in
            let access = try #require(try signedIn.json["accessToken"]?.string)
            for _ in 1...2 {
                let fields: HTTPFields = ["Authorization": "Bearer \(access)", "Content-Type": "application/json"]
                let response = try client.call(method, path, fields, method == .post ? body : "")
                #expect(response.status == 200)
                if !body.contains("0123456789") { #expect(response.text == body) }
                #expect(try client.get("/me", .bearer(access)).status == 200, "\(proxied.log.text)")
            }
            let findings = try proxied.admin(.get, "verdict")["findings"]?.array ?? []
            #expect(!findings.contains { $0["severity"] == "error" }, "\(findings)")
        }
    }

    @Test func `A discovery document has the URLs of the proxy`() async throws {
        let body = #"{"issuer":"http://x","token_endpoint":"/token","token_endpoint_auth_methods_supported":["none"]}"#
        try await withSession(keepsTokens: true) { request in
            request.path.hasSuffix("configuration") ? Self.json(body) : nil
        } _: { _, client, _ in
            let text = try client.get("/.well-known/openid-configuration").text
            #expect(text == body)
        }
    }

    @Test(arguments: [
        (#""expiresIn":"10m""#, "10m"), (#""ttl":600"#, "10m"), (#""expires_at":"2099-01-01T00:00:00Z""#, nil),
        (#""refreshTokenExpiresIn":1209600,"accessTokenExpiresIn":600"#, "10m"), (#""expires_in":"600""#, "10m"),
        (#""user":{"trialExpiresIn":"5m"},"expires_in":600"#, "10m"), (#""refresh_expires_in":60"#, "lifetime unknown"),
    ])
    func `A lifetime is understood in the forms of many servers`(members: String, expected: String?) async throws {
        let tokens = #"{"accessToken":"access-0123456789-1","refreshToken":"refresh-0123456789-1",\#(members)}"#
        try await withSession(tokens: tokens) { _ in
            nil
        } _: { proxied, _, _ in
            let line = "access: response of POST /login, /accessToken, "
            #expect(proxied.log.text.contains(line))
            if let expected {
                #expect(proxied.log.text.contains(line + expected))
            } else {
                #expect(!proxied.log.text.contains(line + "lifetime unknown"))
            }
        }
    }

    @Test func `Tokens in objects of their own are told apart`() async throws {
        let tokens = #"""
            {"tokens":{"access":{"token":"access-0123456789-1","expires":"15m"},
            "refresh":{"token":"refresh-0123456789-1","expires":"30d"}}}
            """#
        try await withSession(tokens: tokens) { _ in
            nil
        } _: { proxied, client, _ in
            #expect(proxied.log.text.contains("access: response of POST /login, /tokens/access/token, 15m"))
            #expect(proxied.log.text.contains("refresh: response of POST /login, /tokens/refresh/token, 30d"))
            try proxied.advance("16m")
            #expect(try client.get("/me", .bearer("access-0123456789-1")).status == 401)
            let body = #"{"refreshToken":"refresh-0123456789-1"}"#
            let fields: HTTPFields = ["Content-Type": "application/json"]
            #expect(try client.call(.post, "/v1/auth/refresh-tokens", fields, body).status == 200)
        }
    }

    @Test(arguments: [false, true])
    func `Setting a cookie again extends the session`(keepsTokens: Bool) async throws {
        try await withSession(keepsTokens: keepsTokens) { _ in
            var response = Self.json("{}")
            response.response.fields.append("Set-Cookie", "session=abcdefghijklmnop1234; Max-Age=1800")
            return response
        } _: { proxied, client, _ in
            let first = try client.get("/start").fields["Set-Cookie"]?.split(separator: ";").first
            let cookie = String(try #require(first))
            for _ in 1...3 {
                try proxied.advance("20m")
                #expect(try client.get("/me", ["Cookie": cookie]).status == 200)
            }
            try proxied.advance("31m")
            #expect(try client.get("/me", ["Cookie": cookie]).status == 401)
        }
    }

    /// A JSON Web Token with an expiration time, in seconds since 1970, and an arbitrary signature.
    private static func token(expiring seconds: Int64) -> String {
        let parts = [#"{"alg":"RS256"}"#, #"{"sub":"1","exp":\#(seconds)}"#].map { Base64.encodeURL(Array($0.utf8)) }
        return parts.joined(separator: ".") + ".c2lnbmF0dXJlLW9mLWFub3RoZXItc2VydmVy"
    }

    @Test func `A token of an identity provider expires as it says`() async throws {
        let now: Int64 = 2_000_000_000
        try await withSession { _ in
            var response = Self.json("{}")
            response.response.fields.append("Date", HTTPDate.text(secondsSince1970: now))
            return response
        } _: { proxied, client, _ in
            let token = Self.token(expiring: now + 600)
            #expect(try client.get("/me", .bearer(token)).status == 200)
            try proxied.advance("9m")
            #expect(try client.get("/me", .bearer(token)).status == 200)
            try proxied.advance("2m")
            #expect(try client.get("/me", .bearer(token)).status == 401)
            #expect(try client.get("/me", .bearer(Self.token(expiring: now + 1_200))).status == 200)
        }
    }

    @Test func `A redirect to the URL that the client has named is passed on`() async throws {
        try await withSession { request in
            guard ["/authorize", "/consent"].contains(request.path) else { return nil }
            return OutgoingResponse(
                HTTPResponse(status: 302, fields: ["Location": "http://127.0.0.1:55555/cb?code=0123456789abcdef"])
            )
        } _: { proxied, client, _ in
            let query = "/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A55555%2Fcb&state=1"
            let response = try client.get(query)
            #expect(response.status == 302)
            #expect(response.fields["Location"]?.hasPrefix("http://127.0.0.1:55555/cb?code=") == true)
            let referer: HTTPFields = ["Referer": "http://127.0.0.1:\(proxied.port)\(query)"]
            #expect(try client.call(.post, "/consent", referer, "").status == 302)
            #expect(try client.get("/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A55555%2Fc").status == 502)
            #expect(try client.get("/authorize").status == 502)
        }
    }
}
