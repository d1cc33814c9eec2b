import Basics
import Checking
import EventLoops
import HTTPCodec
import HTTPServing

/// A server that requests are sent on to, with the addresses of its host.
///
/// A class, because all loops share it.
final class Upstream: Sendable {
    let way: ServerWay
    private let known = Lock<[SocketAddress]>([])

    init(_ way: ServerWay) {
        self.way = way
        addresses = SocketAddress.resolve(way.url.host, port: way.url.port)
    }

    /// `https://staging.example`, without the path.
    var origin: String { way.url.origin }

    /// The value of `Host`.
    var authority: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

    /// The path that all requests begin with, without a slash at its end.
    var basePath: String { way.url.basePath ?? "" }

    /// The addresses that the host had when it was last looked up, in the order in which they are tried.
    var addresses: [SocketAddress] {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }

    /// The limits of a response, whose fields may be more and longer than those that this server takes.
    static func limits(body: Int) -> HTTPLimits { HTTPLimits(fieldSection: 256 << 10, fieldCount: 1_000, body: body) }

    /// Looks the host up again, because a connection could not be opened.
    func lookUp() {
        // On another thread, because the system's resolver may wait for the network.
        try? LoopThread.start { [self] in
            let found = SocketAddress.resolve(way.url.host, port: way.url.port)
            if !found.isEmpty { addresses = found }
        }
    }

    /// The remedy if the URL or the trust may be wrong, without a full stop; `nil` for other failures.
    func advice(after failure: HTTPClientFailure) -> String? {
        switch failure {
        case .tls(let sentence) where sentence.contains("certificate"):
            "If the certificate is that of a private authority, trust the authority with --ca FILE, or accept every "
                + "certificate of the host with --insecure \(way.url.host)"
        case .tls: "If the server does not use TLS on this port, write http:// in the URL of the upstream"
        case .closedWithoutResponse where !way.url.isSecure, .malformed where !way.url.isSecure && !failure.isOfHTTP:
            "If the server uses TLS on this port, write https:// in the URL of the upstream"
        case .refused: "Start the server, or correct the port in the URL of the upstream"
        case .unreachable: "Correct the host in the URL of the upstream, or connect this machine to its network"
        default: nil
        }
    }
}
