public import Foundation

/// The backend of WhipIt, where people show what they wear.
///
/// One service lasts as long as the app runs and may be used from any task. It keeps its user signed in by itself: calls
/// whose access token has expired wait for one refresh and are sent once more, pictures included. What ends the session
/// is told by ``events()``, once.
public struct WhipItService: Sendable {
    /// The app's name on a server that several apps share; ``WhipItPostList/feed`` holds the posts of that name.
    public let productID: String
    let client: ServiceClient

    /// Makes a service that begins with whatever tokens the store holds.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, with or without a slash at its end.
    ///   - appKey: what the server knows the app by; it goes with every request.
    ///   - store: where tokens outlive the app.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts and for taps that come too fast.
    ///   - productID: the app's name on the server.
    public init(
        baseURL: URL,
        appKey: String,
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        productID: String = "whipit_style"
    ) {
        self.productID = productID
        let rules = SessionRules.whipIt(baseURL: baseURL, appKey: appKey)
        client = ServiceClient(
            baseURL: baseURL,
            transport: transport,
            clock: clock,
            session: TokenSession(rules: rules, transport: transport, clock: clock, store: store),
            fields: ["SesacKey": appKey]
        )
    }

    /// Asks, and puts whatever goes wrong into WhipIt's words.
    func value<Value>(_ endpoint: Endpoint<Value>) async throws(WhipItError) -> Value {
        do throws(ServiceProblem) {
            return try await client.value(endpoint)
        } catch {
            throw WhipItError(error)
        }
    }
}
