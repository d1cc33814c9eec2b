import Basics
import Checking
import EventLoops

/// A server that requests are sent on to, with the addresses of its host.
///
/// A class, because all loops share it.
final class Upstream: Sendable {
    let way: ServerWay
    private let known = Lock<(addresses: [SocketAddress], isCurrent: Bool)>(([], false))

    init(_ way: ServerWay) {
        self.way = way
        known.withLock { $0 = (SocketAddress.resolve(way.url.host, port: way.url.port), true) }
    }

    /// `https://staging.example`, without the path.
    var origin: String { way.url.origin }

    /// The value of `Host`.
    var authority: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

    /// The path that all requests begin with, without a slash at its end.
    var basePath: String { way.url.basePath ?? "" }

    /// Returns the addresses that the host had when it was last looked up; looks it up again after a failure.
    func addresses() -> [SocketAddress] {
        let (addresses, isCurrent) = known.withLock { known in
            defer { known.isCurrent = true }
            return known
        }
        guard !isCurrent else { return addresses }
        let url = way.url
        // On another thread, because the system's resolver may wait for the network.
        try? LoopThread.start { [known] in
            let found = SocketAddress.resolve(url.host, port: url.port)
            if !found.isEmpty { known.withLock { $0.addresses = found } }
        }
        return addresses
    }

    /// Notes that no address could be reached.
    func forgetAddresses() {
        known.withLock { $0.isCurrent = false }
    }
}
