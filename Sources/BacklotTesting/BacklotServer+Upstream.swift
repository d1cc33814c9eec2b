public import BacklotTestServer
import Basics
import Checking
public import Foundation
import JSON
import Proxying
import ScenarioFormat

extension BacklotServer {
    /// Starts a server in front of a real backend, such as a staging server.
    ///
    /// ```swift
    /// let server = try await BacklotServer(upstream: URL(string: "https://staging.example.com")!)
    /// let client = ShopClient(baseURL: server.url)
    /// try await client.signIn()
    /// server.advance(by: .seconds(3600))
    /// _ = try await client.orders()
    /// #expect(await server.verdict().failures.isEmpty)
    /// ```
    ///
    /// The server sends each request to the backend, and learns the backend's tokens from the responses. The tokens expire
    /// on the server's clock; an expired token is refused by this server and not sent. The requests are real: a POST creates,
    /// and a DELETE deletes. A sign-out and a refresh token that was used before are not sent, because the backend would end
    /// the session of the user. If the backend cannot be reached, the client gets 502 or 504 with the reason.
    ///
    /// The journal contains tokens, cookies and passwords only as stand-ins.
    ///
    /// - Parameters:
    ///   - upstream: The base URL of the backend, with the scheme `http` or `https`.
    ///   - keepsTokens: If true, the client gets tokens of this server, and the backend's tokens stay in memory. A lost
    ///     response, a refresh token that is sent twice, a revoked device and a long absence then leave the session at the
    ///     backend as it is. Tokens of clients that sign their requests or use DPoP are not replaced.
    ///   - authority: The DER certificate of the authority that signs the backend's certificate, or `nil` for the
    ///     authorities that the system trusts.
    ///   - timeout: The time to wait for the backend before a request gets 504.
    ///   - transport: The transport for requests to this server.
    ///   - refusalHold: The real time for which the server holds token refusals and refresh responses; see
    ///     ``BacklotTestServer/BacklotServer/init(story:contracts:transport:seed:refusalHold:filePath:)``.
    /// - Throws: `StoryProblem` if requests cannot be sent to the URL, or `ServerProblem` if the server cannot listen.
    public convenience init(
        upstream: URL,
        keepsTokens: Bool = false,
        authority: Data? = nil,
        timeout: Duration = .seconds(30),
        transport: Transport = .socket,
        refusalHold: Duration? = nil
    ) async throws {
        let text = upstream.absoluteString
        var trust = ServerTrust()
        trust.environment = ProcessInfo.processInfo.environment
        trust.authorities = authority.map { [Array($0)] } ?? []
        let backend: JSONValue = ["backend": .string(upstream.host ?? "Upstream"), "upstream": .string(text)]
        try await self.init(
            story: .text(backend.text(.compact)),
            contracts: nil,
            forwarder: Forwarder(trust: trust, timeout: timeout, keepsTokens: keepsTokens),
            transport: transport,
            seed: nil,
            refusalHold: refusalHold,
            filePath: "upstream.json"
        )
    }
}
