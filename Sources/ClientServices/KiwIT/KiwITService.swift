public import Foundation

/// kiwIT's backend: sign in, read lectures, take quizzes, win trophies.
///
/// The service keeps its user signed in: when an access token has expired, it is renewed once for all calls that wait
/// for it, and each call is sent again. Every call ends, at the latest after ``TransportRequest/timeout``. It may be
/// copied and shared freely; all copies are of one session.
public struct KiwITService: Sendable {
    let client: ServiceClient
    let signingOut = SingleSubmission<String, Void, KiwITError>()

    /// - Parameters:
    ///   - baseURL: where the backend's paths begin, such as `https://api.example.com/api/v1`.
    ///   - transport: what carries the requests.
    ///   - store: where the tokens outlive the app.
    ///   - clock: the time that the service lives in.
    public init(
        baseURL: URL,
        transport: any Transport = URLSessionTransport(),
        store: any TokenStore = MemoryTokenStore(),
        clock: any ServiceClock = SystemServiceClock()
    ) {
        client = ServiceClient(
            baseURL: baseURL,
            transport: transport,
            clock: clock,
            session: TokenSession(
                rules: .kiwIT(baseURL: baseURL, clock: clock),
                transport: transport,
                clock: clock,
                store: store
            )
        )
    }

    /// Asks, and puts what goes wrong into kiwIT's words.
    func ask<Value>(_ endpoint: Endpoint<Value>) async throws(KiwITError) -> Value {
        do throws(ServiceProblem) {
            return try await client.value(endpoint)
        } catch {
            throw KiwITError(error)
        }
    }

    /// Asks for what the user has done, which is no more than a leftover.
    ///
    /// The server of July 2024 fails to write its answer, and no other one has it, so nothing is documented that could
    /// be returned; this throws what the server says instead.
    public func requestStatistics() async throws(KiwITError) {
        try await ask(.command(.get, "user", "stat"))
    }

    /// Whether the server is there.
    public func checkHealth() async throws(KiwITError) {
        try await ask(.command(.get, "healthCheck", authorization: .none))
    }
}
