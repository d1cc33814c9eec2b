import BacklotTestServer
import BacklotTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers of tests in front of another server.
@Suite struct UpstreamServerTests {
    private static let backend = BacklotServer.Story.text(
        """
        { "backend": "Real", "accounts": { "ada": {} },
          "tokens": { "kinds": {
            "access": { "lifetime": "15m", "format": "opaque" },
            "refresh": { "lifetime": "14d", "format": "opaque", "in": { "body": "/refreshToken" }, "rotate": true } } },
          "routes": {
            "POST /login": { "grants": { "access": "new", "refresh": "new" }, "signIn": true,
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" } },
            "POST /refresh": { "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "accessToken": "{{token.access}}", "refreshToken": "{{token.refresh}}" } },
            "GET /me": { "requires": "access", "json": { "name": "Ada" } } } }
        """
    )

    private struct Tokens: Decodable {
        var accessToken: String
        var refreshToken: String
    }

    private let session = URLSession.patient

    private func send(
        _ method: String,
        _ path: String,
        to server: BacklotServer,
        token: String? = nil,
        body: String = ""
    ) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: server.url.appendingPathComponent(path))
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if !body.isEmpty {
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }

    @Test(arguments: [false, true]) func `tokens of the upstream expire on the server's clock`(keepsTokens: Bool)
        async throws
    {
        let upstream = try await BacklotServer(story: Self.backend)
        let server = try await BacklotServer(upstream: upstream.url, keepsTokens: keepsTokens)
        let login = try await send("POST", "login", to: server, body: #"{"user":"ada"}"#)
        let tokens = try JSONDecoder().decode(Tokens.self, from: login.body)
        #expect(try await send("GET", "me", to: server, token: tokens.accessToken).status == 200)
        #expect(
            try await send("GET", "me", to: upstream, token: tokens.accessToken).status == (keepsTokens ? 401 : 200)
        )
        let count = upstream.journal.count
        // Longer than each kind of token lives, unless its lifetime is unknown.
        try server.change(["expire": "access"])
        #expect(try await send("GET", "me", to: server, token: tokens.accessToken).status == 401)
        #expect(upstream.journal.count == count)
        let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        let renewed = try await send("POST", "refresh", to: server, body: body)
        #expect(renewed.status == 200, "\(String(decoding: renewed.body, as: UTF8.self))")
        #expect(try await send("POST", "refresh", to: server, body: body).status == 401)
        #expect(upstream.journal.count == count + 1)
        #expect(server.journal.map(\.route) == ["POST /login", "GET /me", "GET /me", "POST /refresh", "POST /refresh"])
        #expect(
            !server.journal.contains { String(decoding: $0.responseBody, as: UTF8.self).contains(tokens.accessToken) }
        )
    }

    @Test func `an upstream that is down gets 502, and one that is no server a problem`() async throws {
        // The port of a server that has stopped may be another test's by now.
        let server = try await BacklotServer(upstream: try #require(URL(string: "http://127.0.0.1:1")))
        #expect(try await send("GET", "me", to: server).status == 502)
        let ftp = try #require(URL(string: "ftp://127.0.0.1"))
        await #expect(throws: StoryProblem.self) { try await BacklotServer(upstream: ftp) }
    }

    @Test func `differences from a story are found, and violations of a contract are in the verdict`() async throws {
        let upstream = try await BacklotServer(
            story: .text(
                #"""
                { "backend": "Real", "routes": {
                    "GET /me": { "json": { "fullName": "Ada" } }, "GET /orders": { "json": [] } } }
                """#
            )
        )
        let mock = BacklotServer.Story.text(
            #"{ "backend": "Mock", "routes": { "GET /me": { "json": { "name": "Ada" } } } }"#
        )
        let server = try await BacklotServer(upstream: upstream.url, comparing: mock, contract: "Support/me.json")
        #expect(server.drift.compared == 0)
        for path in ["me", "me", "orders"] { #expect(try await send("GET", path, to: server).status == 200) }
        let drift = server.drift
        #expect(drift.compared == 2)
        #expect(drift.differences.count == 2, "\(drift)")
        #expect(drift.differences.allSatisfy { $0.id == "drift/shape" && $0.line == 1 })
        #expect(drift.notCompared.count == 1)
        let verdict = await server.verdict()
        #expect((verdict.failures + verdict.notes).contains { $0.id == "contract/response-body" }, "\(verdict.notes)")
    }

    @Test func `uploads reach the upstream, also long ones`() async throws {
        let upstream = try await BacklotServer(
            story: .text(
                #"""
                { "backend": "Real", "routes": { "POST /files": {
                    "status": 201, "json": { "type": "{{request.header.Content-Type}}" } } } }
                """#
            )
        )
        let server = try await BacklotServer(upstream: upstream.url)
        for size in [10, 3 << 20] {
            var request = URLRequest(url: server.url.appendingPathComponent("files"))
            request.httpMethod = "POST"
            request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            let (data, response) = try await session.upload(for: request, from: Data(count: size))
            #expect((response as? HTTPURLResponse)?.statusCode == 201)
            #expect(String(decoding: data, as: UTF8.self).contains("octet-stream"))
            #expect(upstream.journal.last?.requestBody.count == size)
        }
    }

    @Test func `a server without a port cannot have an upstream`() async throws {
        let upstream = try await BacklotServer(story: Self.backend)
        await #expect(throws: ServerProblem.self) {
            try await BacklotServer(upstream: upstream.url, transport: .inProcess)
        }
    }
}
