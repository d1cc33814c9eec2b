import HTTPCodec
import HTTPServing
import JSON
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
