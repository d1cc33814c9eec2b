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

/// The bytes of one connection that a ``ByteBudget`` counts.
struct ByteReservation {
    private let budget: ByteBudget
    private(set) var count = 0

    /// The number of bytes that are counted together, so that small amounts cost nothing.
    static let share = 64 << 10

    init(in budget: ByteBudget) {
        self.budget = budget
    }

    /// Reserves more bytes, or releases some; returns `false`, and reserves no more, if the limit is reached.
    mutating func change(to wanted: Int) -> Bool {
        if wanted > count {
            guard budget.take(wanted - count) else { return false }
        } else if wanted < count {
            budget.giveBack(count - wanted)
        }
        count = wanted
        return true
    }

    mutating func release() {
        guard count > 0 else { return }
        budget.giveBack(count)
        count = 0
    }
}
