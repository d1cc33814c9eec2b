public import Foundation

/// RunwithU's server, for somebody who runs and tells of it.
///
/// Whoever has logged in stays so until the refresh token expires: an access token that has expired is renewed once
/// for all calls that wait, pictures and uploads among them, and each of those calls is sent again. No password is
/// kept, and nobody is ever signed in as somebody else.
///
/// ```swift
/// let runwithU = RunwithUService(baseURL: url, appKey: key, store: keychain)
/// try await runwithU.signIn(email: "dahan@example.com", password: "run1234")
/// for try await posts in runwithU.posts(in: .community) { show(posts) }
/// ```
public struct RunwithUService: Sendable {
    let client: ServiceClient
    let checkout = RunwithUCheckout()

    /// A service that talks to a server, with whatever tokens the store holds.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, without the version in front of its paths.
    ///   - appKey: what the server knows the app by; it goes with every request, and nowhere else.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts, and by which runs are over.
    ///   - timeout: seconds until an answer has to be there.
    public init(
        baseURL: URL,
        appKey: String,
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        let key: HeaderFields = ["SesacKey": appKey]
        client = ServiceClient(
            baseURL: baseURL,
            rules: .runwithU(baseURL, key: key, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            fields: key,
            timeout: timeout
        )
    }
}

extension RunwithUService: AppService {
    typealias Failure = RunwithUError
}
