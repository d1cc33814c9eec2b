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

    /// A service that talks to a server, with whatever tokens the store holds.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, below which `/api/v2` begins.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts.
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
            rules: .smeem(baseURL: baseURL, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
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

extension SmeemService: AppService {
    typealias Failure = SmeemError
}
