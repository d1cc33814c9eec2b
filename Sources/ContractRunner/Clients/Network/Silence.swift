package import HTTPServing
import Synchronization

/// Where a server in this process says which connections will get no answer, so that nobody waits for one.
///
/// A class, because the server and the network must mean the same one. Connections are known by the client's port.
package final class Silence: Sendable {
    private let ports = Mutex<Set<UInt16>>([])

    package init() {}

    /// The request that came last on a connection will never be answered.
    package func fall(on peer: Peer) {
        ports.withLock { _ = $0.insert(peer.port) }
    }

    /// Whether a connection's last request will never be answered.
    func hasFallen(on port: UInt16) -> Bool {
        ports.withLock { $0.contains(port) }
    }

    /// Another connection has got this port, or the connection is gone.
    func lift(from port: UInt16) {
        ports.withLock { _ = $0.remove(port) }
    }
}
