import Basics
import EventLoops
import HTTPCodec
import TLS

/// A limit on the number of bytes that all connections of a server keep for one purpose, on all its loops.
///
/// A class, because the loops share it.
final class ByteBudget: Sendable {
    let limit: Int
    private let held = Lock(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes room for so many bytes more; false without room.
    func take(_ count: Int) -> Bool {
        held.withLock { held in
            guard held + count <= limit else { return false }
            held += count
            return true
        }
    }

    func giveBack(_ count: Int) {
        held.withLock { $0 -= count }
    }
}
