public import BacklotTestServer
public import Foundation
import Proxying

extension BacklotServer {
    /// Starts a server in front of a real backend, such as a staging server.
    ///
    /// The server sends the client's requests to the backend, and learns the backend's tokens from the responses. The
    /// tokens expire on the server's clock: ``BacklotServer/advance(by:)`` lets them expire, and an expired token is
    /// refused without being sent on. A sign-out, and a refresh token that was used before, are not sent on either, so
    /// the session at the backend stays intact.
    ///
    /// - Parameters:
    ///   - upstream: The base URL of the backend.
    ///   - transport: The transport for requests; in-process clients cannot use such a server.
    ///   - filePath: The source file of the test.
    /// - Throws: ``StoryProblem`` if the URL cannot be used, or ``ServerProblem`` if the server cannot listen.
    public convenience init(
        upstream: URL,
        transport: Transport = .socket,
        filePath: String = #filePath
    ) async throws {
        try await self.init(
            upstream: upstream.absoluteString,
            by: Forwarder(),
            transport: transport,
            filePath: filePath
        )
    }
}
