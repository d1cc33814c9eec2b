import Basics
import EventLoops
import HTTPCodec
import TLS

/// The number of connections of a server, on all its loops.
///
/// A class, because the loops share it.
final class ConnectionCount: Sendable {
    private struct State {
        var count = 0
        var isAwaited = false
        var resume: (@Sendable () -> Void)?
    }

    private let limit: Int
    private let state = Lock(State())

    init(limit: Int?) {
        self.limit = limit ?? .max
    }

    /// The callback when a connection has ended after ``awaitRoom()``.
    func whenRoom(_ resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.resume = resume }
    }

    var current: Int { state.withLock { $0.count } }

    /// Answers whether there is room for another connection, and takes it.
    func enter() -> Bool {
        state.withLock { state in
            guard state.count < limit else { return false }
            state.count += 1
            return true
        }
    }

    /// Gives back a place that no connection came to use.
    func withdraw() {
        state.withLock { $0.count -= 1 }
    }

    /// A connection has ended.
    func leave() {
        let resume = state.withLock { state -> (@Sendable () -> Void)? in
            state.count -= 1
            defer { state.isAwaited = false }
            return state.isAwaited ? state.resume : nil
        }
        resume?()
    }

    /// Requests a notification of the next connection that ends.
    func awaitRoom() {
        state.withLock { $0.isAwaited = true }
    }
}
