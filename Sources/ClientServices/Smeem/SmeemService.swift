public import Foundation

/// Smeem's server: diaries in a language that one learns, and what belongs to them.
///
/// ```swift
/// let smeem = SmeemService(baseURL: url, store: KeychainTokens())
/// switch await smeem.launch(version: Smeem.VersionNumber("2.0.1")) {
/// case .home: let list = try await smeem.diaries(in: .month(of: Date()))
/// case .start: showStart()
/// case .update(let notice): showUpdate(notice.title, notice.content)
/// }
/// ```
///
/// Tokens come and go by themselves: an expired access token is renewed once for all calls that wait for it, and each
/// of them is sent again. When the session cannot go on, ``events`` tells it once.
public struct SmeemService: Sendable {
    let client: ServiceClient
    private let submissions: Submissions

    /// A service that talks to a server.
    ///
    /// - Parameters:
    ///   - baseURL: the server's URL, below which `/api/v2` begins.
    ///   - transport: carries the requests.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - clock: tells the time and waits.
    ///   - timeout: seconds until an answer has to be there.
    public init(
        baseURL: URL,
        transport: any Transport = URLSessionTransport(),
        store: any TokenStore = MemoryTokenStore(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        let session = TokenSession(
            rules: .smeem(baseURL: baseURL, timeout: timeout),
            transport: transport,
            clock: clock,
            store: store
        )
        client = ServiceClient(
            baseURL: baseURL,
            transport: transport,
            clock: clock,
            session: session,
            timeout: timeout
        )
        submissions = Submissions()
    }

    /// What is under way and must not be sent twice.
    private struct Submissions: Sendable {
        let diaries = SingleSubmission<Smeem.DiaryDraft, Smeem.WrittenDiary, SmeemError>()
        let endings = SingleSubmission<Ending, Void, SmeemError>()
    }

    /// A way to end the session.
    enum Ending: Sendable, Hashable {
        case signOut
        case withdrawal
    }

    /// Asks the server with the session's token where one is needed.
    func ask<Value>(_ endpoint: Endpoint<Value>) async throws(SmeemError) -> Value {
        do throws(ServiceProblem) {
            return try await client.value(endpoint)
        } catch {
            throw SmeemError(error)
        }
    }

    /// Writes a diary once, also when it is asked for twice at a time.
    func submit(
        _ draft: Smeem.DiaryDraft,
        _ work: @escaping @Sendable () async throws(SmeemError) -> Smeem.WrittenDiary
    ) async throws(SmeemError) -> Smeem.WrittenDiary {
        try await submissions.diaries.submit(draft, work)
    }

    /// Ends the session once, also when it is asked for twice at a time.
    func submit(
        _ ending: Ending,
        _ work: @escaping @Sendable () async throws(SmeemError) -> Void
    ) async throws(SmeemError) {
        try await submissions.endings.submit(ending, work)
    }
}
