public import Foundation

/// The backend of WhipIt, where people show what they wear.
///
/// One service lasts as long as the app runs and may be used from any task. It keeps its user signed in by itself: calls
/// whose access token has expired wait for one refresh and are sent once more, pictures included. What ends the session
/// is told by ``events``, once.
public struct WhipItService: Sendable {
    /// The app's name on a server that several apps share; ``WhipIt/PostList/feed`` holds the posts of that name.
    public let productID: String
    let client: ServiceClient

    /// A service that talks to a server, with whatever tokens the store holds.
    ///
    /// - Parameters:
    ///   - baseURL: the server's address, with or without a slash at its end.
    ///   - appKey: what the server knows the app by; it goes with every request.
    ///   - productID: the app's name on the server.
    ///   - store: where the tokens outlive the app, such as the keychain.
    ///   - transport: what carries the requests.
    ///   - clock: the time for pauses between attempts and for taps that come too fast.
    ///   - timeout: seconds until an answer has to be there; uploads have two minutes.
    public init(
        baseURL: URL,
        appKey: String,
        productID: String = "whipit_style",
        store: any TokenStore,
        transport: any Transport = URLSessionTransport(),
        clock: any ServiceClock = SystemServiceClock(),
        timeout: TimeInterval = 30
    ) {
        self.productID = productID
        client = ServiceClient(
            baseURL: baseURL,
            rules: .whipIt(baseURL: baseURL, appKey: appKey, timeout: timeout),
            store: store,
            transport: transport,
            clock: clock,
            fields: ["SesacKey": appKey],
            timeout: timeout
        )
    }
}

extension WhipItService: AppService {
    typealias Failure = WhipItError
}
