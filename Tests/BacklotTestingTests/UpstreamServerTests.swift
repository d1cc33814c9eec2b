import BacklotTestServer
import BacklotTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server in front of another one, in a test.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamServerTests {
    static let staging = """
        { "backend": "Staging",
          "tokens": { "kinds": { "access": { "lifetime": "15m" } } },
          "routes": {
            "POST /login": { "grants": { "access": "new" }, "json": { "accessToken": "{{token.access}}" } },
            "GET /me": { "requires": "access", "json": { "name": "Ada" } } } }
        """

    private struct Tokens: Decodable { var accessToken: String }

    private func status(_ url: URL, _ token: String) async throws -> Int? {
        var request = URLRequest(url: url.appending(path: "me"))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
    }

    @Test func `A token of the upstream expires on the clock of the server in front of it`() async throws {
        let staging = try await BacklotServer(story: .text(Self.staging))
        let server = try await BacklotServer(upstream: staging.url)
        var request = URLRequest(url: server.url.appending(path: "login"))
        request.httpMethod = "POST"
        let token = try JSONDecoder().decode(Tokens.self, from: await URLSession.shared.data(for: request).0)
            .accessToken
        #expect(try await status(server.url, token) == 200)
        server.advance(by: .seconds(16 * 60))
        // Requests are sent on, but the tokens of a server in a test are not learned yet.
        await withKnownIssue("the token is not known, so it does not expire") {
            #expect(try await status(server.url, token) == 401)
        }
        // For the upstream, it is still valid.
        #expect(try await status(staging.url, token) == 200)
        await server.stop()
        await staging.stop()
    }
}
