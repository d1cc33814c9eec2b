import Basics
import Checking
import EventLoops
import HTTPCodec
import HTTPServing
import ScenarioFormat
import Simulation
import StubServing

/// A refresh at an upstream, by a client or because the upstream's access token has expired.
struct UpstreamRefresh: Sendable {
    /// The response, in which the tokens are replaced, and the tokens that the upstream has sent in it.
    typealias Result = Swift.Result<(HTTPReceivedResponse, secrets: [String]), HTTPClientFailure>

    /// The exchange as a client has begun it, with the client's tokens.
    let exchange: ForwardedExchange
    /// The number of the sign-in whose tokens it renews.
    let family: Int
    let upstream: Upstream
    /// A Boolean value that indicates whether no client has sent it.
    let isHidden: Bool
    let start: MonotonicTime
}

/// A relay that another thread lets continue.
struct RelayOnLoop: Sendable {
    /// Used on its loop alone.
    private nonisolated(unsafe) weak var relay: UpstreamRelay?
    private let loop: EventLoop.Handle

    init(_ relay: UpstreamRelay, _ loop: EventLoop.Handle) { (self.relay, self.loop) = (relay, loop) }

    func perform(_ work: @escaping @Sendable (UpstreamRelay) -> Void) {
        loop.execute { _ in if let relay { work(relay) } }
    }
}

extension ForwardedExchange {
    /// The audience for which a refresh wants an access token; empty for all other requests.
    var audience: String {
        guard forwarding.purpose == .refresh else { return "" }
        return (try? request.decoded(limit: Self.longestRefresh))?.tokenAudience ?? ""
    }

    /// The longest body of a refresh: 16 kB.
    private static let longestRefresh = 16 << 10

    /// An exchange by which the tokens that it has granted are refreshed; `nil` if that is unknown.
    ///
    /// - Parameter token: The refresh token of the client.
    func refresh(with token: String?) -> ForwardedExchange? {
        guard !request.isBodyPending, request.body.count <= Self.longestRefresh else { return nil }
        if forwarding.purpose == .refresh { return self }
        // The token endpoint of OAuth takes another grant (RFC 6749, section 6).
        guard let token, let decoded = try? request.decoded(limit: Self.longestRefresh),
            CapturedStrings.isForm(type: request.fields["Content-Type"])
        else { return nil }
        let items = QueryItems(parsingForm: decoded.body).items
        guard items.contains(where: { $0.name == "grant_type" }) else { return nil }
        let kept = items.filter { ["client_id", "client_secret"].contains($0.name) }.map { ($0.name, $0.value) }
        let all = [("grant_type", "refresh_token"), ("refresh_token", token)] + kept
        var refresh = self
        refresh.request = decoded
        refresh.request.body = Array(all.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&").utf8)
        (refresh.forwarding.purpose, refresh.isGuess) = (.refresh, true)
        return refresh
    }
}
