package import Basics
package import HTTPCodec
package import HTTPServing
package import JSON
package import Simulation

/// Sends requests on to other servers.
///
/// A server knows other servers by this protocol only, so that a program that sends nothing on compiles nothing of it.
package protocol RequestForwarder: Sendable {
    /// A Boolean value that indicates whether clients have other tokens than the other servers.
    var replacesTokens: Bool { get }

    /// The reason why requests cannot be sent to a base URL; `nil` if they can.
    func refusal(of upstream: String) -> Finding?

    /// Looks at the tokens of a request, without its history.
    func remarks(on request: HTTPRequest) -> ForwardingRemarks

    /// Makes what sends a request on and gets its response.
    func producer(for exchange: ForwardedExchange, of host: any ForwardingHost) -> (any ResponseProducer)?

    /// Records a response whose effect on the session is known already.
    ///
    /// - Parameters:
    ///   - secrets: The texts that no file may contain, apart from those of the two messages.
    ///   - hasBody: Whether the response has its body, or has none.
    func record(_ response: HTTPResponse, to exchange: ForwardedExchange, secrets: [String], hasBody: Bool)
}

/// A request that a session sends on.
package struct ForwardedExchange: Sendable {
    /// The server's number for the exchange.
    package let handle: UInt64
    /// The request as the client has sent it, perhaps without its body.
    package var request: HTTPRequest
    /// The base URL of the other server.
    package let upstream: String
    package var forwarding: Decision.Forwarding
    /// A Boolean value that indicates whether no client has sent such a request, and the server may not understand it.
    package var isGuess = false

    /// The upstream, the method and the path.
    package var route: String { "\(upstream) \(request.method) \(request.path)" }

    /// The most bytes of a body, on either side, that are kept for its tokens, the contract and the journal: 1 MB.
    package static let longestKept = 1 << 20
    /// The field that names a session of this server, in lower case; other servers do not get it.
    package static let sessionField = SessionAddress.header.lowercased()

    init(
        _ handle: UInt64,
        _ request: HTTPRequest,
        to upstream: String,
        _ forwarding: Decision.Forwarding
    ) {
        (self.handle, self.upstream, self.forwarding) = (handle, upstream, forwarding)
        self.request = request.withoutCookies(of: Set(forwarding.deadTokens))
    }
}

/// The tokens and routes of an upstream, as a scenario has them.
package struct LearnedParts: Sendable {
    /// Increases with each change, so that loops which learn at the same time agree on the newest parts.
    package let number: Int
    let root: JSONObject

    package init(_ root: JSONObject, number: Int) {
        (self.root, self.number) = (root, number)
    }
}
