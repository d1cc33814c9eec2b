package import HTTPCodec
package import HTTPServing

/// Where a client finds itself when it is made.
package struct ClientSetting: Sendable {
    /// The server's base URL, without a slash at its end.
    package var url: String
    /// The base URLs of a story's other servers, by name.
    package var origins: [String: String]
    /// What was stored before, by the kind of token; empty when nobody was signed in.
    package var tokens: [String: String]
    /// The name of the device in a story with several.
    package var device: String?
    package var network: Network
    package var time: any ClientTime

    /// How the client's requests travel.
    package enum Network: Sendable {
        /// Over the raw client: exactly what it sends, and time-outs that need no waiting.
        case raw(any RawNetwork)
        /// Over the platform's own networking.
        case urlSession
    }

    package init(
        url: String,
        origins: [String: String] = [:],
        tokens: [String: String] = [:],
        device: String? = nil,
        network: Network,
        time: any ClientTime
    ) {
        self.url = url
        self.origins = origins
        self.tokens = tokens
        self.device = device
        self.network = network
        self.time = time
    }
}

/// Carries raw requests.
package protocol RawNetwork: Sendable {
    /// Sends a request to an origin such as `http://127.0.0.1:8080`.
    ///
    /// - Parameter timeout: seconds of the client's time; an answer that never comes costs no real time.
    func send(
        _ request: HTTPRequest,
        to origin: String,
        timeout: Double
    ) async throws(HTTPClientFailure) -> HTTPResponse
}

/// The time that a client under test lives in.
package protocol ClientTime: Sendable {
    /// Seconds since 1970.
    func now() -> Double

    /// Lets time pass for the client and its server, without waiting for it.
    func sleep(seconds: Double) async throws
}
