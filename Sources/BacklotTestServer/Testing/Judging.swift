extension BacklotServer {
    /// Starts a server, runs the body with it, judges the client and stops the server: for any test library.
    ///
    /// - Parameters:
    ///   - story: what it plays; see ``init(story:transport:seed:refusalHold:filePath:)``.
    ///   - body: what the client does.
    /// - Throws: what the body throws; otherwise ``VerdictFailure`` when the client did something wrong.
    public static func judging<Result: Sendable>(
        _ story: Story,
        transport: Transport = .socket,
        refusalHold: Duration? = nil,
        filePath: String = #filePath,
        _ body: (BacklotServer) async throws -> Result
    ) async throws -> Result {
        let server = try await BacklotServer(
            story: story,
            transport: transport,
            refusalHold: refusalHold,
            filePath: filePath
        )
        do {
            let result = try await body(server)
            let verdict = await server.verdict()
            if !verdict.failures.isEmpty { throw VerdictFailure(verdict: verdict) }
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}
