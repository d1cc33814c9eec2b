public import Foundation

/// kiwIT's backend: sign in, read lectures, take quizzes, win trophies.
///
/// The service keeps its user signed in: when an access token has expired, it is renewed once for all calls that wait
/// for it, and each call is sent again. Every call ends, at the latest after ``TransportRequest/timeout``. It may be
/// copied and shared freely; all copies are of one session.
public struct KiwITService: Sendable {
    let client: ServiceClient
    let signingOut = SingleSubmission<String, Void, KiwITError>()

    /// A service that talks to a server, with whatever tokens the store holds.
    ///
    /// - Parameters:
    ///   - baseURL: where the backend's paths begin, such as `https://api.example.com/api/v1`.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts, and by which a refresh token has expired.
    ///   - timeout: seconds until an answer has to be there.
    public init(
        baseURL: URL,
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        client = ServiceClient(
            baseURL: baseURL,
            rules: .kiwIT(baseURL: baseURL, clock: clock, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            timeout: timeout
        )
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

extension KiwITService: AppService {
    typealias Failure = KiwITError
}
