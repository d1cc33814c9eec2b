import Basics

/// A size limit for all sessions of a server together: of their journals, of what requests have stored, or of unfinished
/// WebSocket messages.
///
/// A class, because all sessions count on it. Each counts in steps, so that exchanges of different sessions rarely meet at
/// its lock.
final class MemoryBudget: Sendable {
    /// The size of a step: 64 KiB.
    static let step = 64 << 10
    private let capacity: Int
    private let used = Lock(0)

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A number of bytes in whole steps, the last of which counts as full.
    static func steps(_ bytes: Int) -> Int { (bytes + step - 1) / step * step }

    enum State {
        case fits
        /// All of them keep so much that some are to make room.
        case isFull
        /// They keep as much as they may.
        case isExceeded
    }

    /// Counts what a session has grown by.
    func count(_ change: Int) -> State {
        guard change != 0 else { return .fits }
        return used.withLock { used in
            used += change
            guard change > 0 else { return .fits }
            return used > capacity ? .isExceeded : used > capacity - capacity / 8 ? .isFull : .fits
        }
    }

    /// A Boolean value that indicates whether all of them together keep as much as they may.
    var isExceeded: Bool { used.withLock { $0 >= capacity } }

    /// A Boolean value that indicates whether there is room again after all of them kept too much.
    var hasRoom: Bool { used.withLock { $0 <= capacity - capacity / 4 } }
}
