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
    /// With `comparing`, each response is compared with that of a story or backend to the same request; see ``drift``.
    /// With `contract`, requests and responses are checked against an OpenAPI file, and the verdict contains the violations.
    ///
    /// The journal contains tokens, cookies and passwords only as stand-ins.
    ///
    /// - Parameters:
    ///   - upstream: The base URL of the backend, with the scheme `http` or `https`.
    ///   - story: The story or backend whose responses are compared with those of the backend, or `nil`.
    ///   - contract: The path of the OpenAPI file that requests and responses are checked against, or `nil`.
    ///   - keepsTokens: If true, the client gets tokens of this server, and the backend's tokens stay in memory. A lost
    ///     response, a refresh token that is sent twice, a revoked device and a long absence then leave the session at the
    ///     backend as it is. Tokens of clients that sign their requests or use DPoP are not replaced.
    ///   - authority: The DER certificate of the authority that signs the backend's certificate, or `nil` for the
    ///     authorities that the system trusts.
    ///   - timeout: The time to wait for the backend before a request gets 504.
    ///   - transport: The transport for requests to this server, which must have a port.
    ///   - refusalHold: The real time for which the server holds token refusals and refresh responses; see
    ///     ``BacklotTestServer/BacklotServer/init(story:contracts:transport:seed:refusalHold:filePath:)``.
    ///   - filePath: The source file whose folder and parent folders are used to resolve relative paths.
    /// - Throws: `StoryProblem` if the story or the contract cannot be used or requests cannot be sent to the URL, or `ServerProblem` if the server cannot listen.
    public convenience init(
        upstream: URL,
        comparing story: Story? = nil,
        contract: String? = nil,
        keepsTokens: Bool = false,
        authority: Data? = nil,
        timeout: Duration = .seconds(30),
        transport: Transport = .socket,
        refusalHold: Duration? = nil,
        filePath: String = #filePath
    ) async throws {
        let text = upstream.absoluteString
        var trust = ServerTrust()
        trust.environment = ProcessInfo.processInfo.environment
        trust.authorities = authority.map { [Array($0)] } ?? []
        let comparison = try story.map { story in
            let (loaded, files) = try story.loaded(from: filePath)
            return MockComparison(loaded, files: files)
        }
        var backend: JSONObject = ["backend": .string(upstream.host ?? "Upstream"), "upstream": .string(text)]
        backend["contract"] = contract.map(JSONValue.string)
        try await self.init(
            story: .text(JSONValue.object(backend).text(.compact)),
            contracts: contract == nil ? nil : .openAPI,
            forwarder: Forwarder(trust: trust, timeout: timeout, keepsTokens: keepsTokens, comparison: comparison),
            transport: transport,
            seed: nil,
            refusalHold: refusalHold,
            filePath: filePath
        )
    }

    /// The differences between a real backend and a story.
    public struct Drift: Sendable, CustomStringConvertible {
        /// The differences, each once for a route, with its place in the story.
        public let differences: [Finding]
        /// The reasons why responses were not compared.
        public let notCompared: [Finding]
        /// The number of compared responses.
        public let compared: Int

        /// The differences, one per line, or the number of compared responses.
        public var description: String {
            differences.isEmpty
                ? "no difference in \(compared) compared responses"
                : differences.map(\.description).joined(separator: "\n")
        }
    }

    /// The differences that were found until now, for a server that was started with `comparing`.
    ///
    /// ```swift
    /// let server = try await BacklotServer(upstream: staging, comparing: "Scenarios/shop")
    /// try await ShopClient(baseURL: server.url).signIn()
    /// #expect(server.drift.differences.isEmpty)
    /// #expect(server.drift.compared > 0)
    /// ```
    public var drift: Drift {
        let result = (forwarder as? Forwarder)?.comparison?.result ?? DriftResult()
        let findings = result.findings.map(Finding.init)
        return Drift(
            differences: findings.filter { $0.severity == .error },
            notCompared: findings.filter { $0.severity != .error },
            compared: result.compared
        )
    }
}
