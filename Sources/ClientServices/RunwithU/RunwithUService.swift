public import Foundation

/// RunwithU's server, for somebody who runs and tells of it.
///
/// Whoever has logged in stays so until the refresh token expires: an access token that has expired is renewed once
/// for all calls that wait, pictures and uploads among them, and each of those calls is sent again. No password is
/// kept, and nobody is ever signed in as somebody else.
///
/// ```swift
/// let runwithU = RunwithUService(baseURL: url, serviceKey: key, store: keychain)
/// try await runwithU.logIn(email: "dahan@example.com", password: "run1234")
/// for try await posts in runwithU.posts(in: .community) { show(posts) }
/// ```
public struct RunwithUService: Sendable {
    let client: ServiceClient
    let checkout = RunwithUCheckout()

    /// Makes a service; nothing is sent before it is asked for something.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, without the version in front of its paths.
    ///   - serviceKey: what lets the app in; it goes with every request, and nowhere else.
    ///   - transport: carries the requests.
    ///   - clock: the time in which pauses pass.
    ///   - store: where the tokens outlive the app.
    ///   - timeout: seconds until an answer has to be there.
    public init(
        baseURL: URL,
        serviceKey: String,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        store: any TokenStore,
        timeout: TimeInterval = 30
    ) {
        let key: HeaderFields = ["SesacKey": serviceKey]
        let rules = SessionRules.runwithU(baseURL, key: key, timeout: timeout)
        client = ServiceClient(
            baseURL: baseURL,
            transport: transport,
            clock: clock,
            session: TokenSession(rules: rules, transport: transport, clock: clock, store: store),
            fields: key,
            timeout: timeout
        )
    }

    /// Whether somebody is signed in, as far as anybody knows without asking the server.
    public var isSignedIn: Bool {
        get async throws(RunwithUError) {
            do {
                return try await client.session.tokens() != nil
            } catch {
                throw RunwithUError(error)
            }
        }
    }

    /// What happens to the session from now on: each end is told once, however many calls it has cost.
    public func events() async -> AsyncStream<SessionEvent> {
        await client.session.events()
    }

    func value<Value>(_ endpoint: Endpoint<Value>) async throws(RunwithUError) -> Value {
        do {
            return try await client.value(endpoint)
        } catch {
            throw RunwithUError(error)
        }
    }
}
