import Synchronization

/// What of a client is under way: requests without an answer yet, and pauses.
///
/// A class, because the network, the time, the server and the watch for hangs must mean the same one.
package final class CallActivity: Sendable {
    private struct State {
        var openRequests = 0
        var pauses = 0
        var pauseCount = 0
        var stamp: UInt64 = 0
        var isAbandoned = false
        var whenRestless: (@Sendable () -> Void)?
    }

    /// A call that pauses more often than this never ends.
    private static let pauseLimit = 200

    private let state = Mutex(State())

    package init() {}

    /// Changes whenever something happens.
    var stamp: UInt64 { state.withLock { $0.stamp } }

    var hasOpenRequests: Bool { state.withLock { $0.openRequests > 0 } }

    /// Whether nothing is under way that could bring the client on.
    var isIdle: Bool { state.withLock { $0.openRequests == 0 && $0.pauses == 0 } }

    /// Whether whoever asked the client no longer waits.
    package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Something has happened that is not over, nor has begun.
    func touch() { state.withLock { $0.stamp += 1 } }

    func requestBegan() {
        state.withLock { state in
            state.openRequests += 1
            state.stamp += 1
        }
    }

    func requestEnded() {
        state.withLock { state in
            state.openRequests -= 1
            state.stamp += 1
        }
    }

    func pauseBegan() {
        let whenRestless = state.withLock { state in
            state.pauses += 1
            state.pauseCount += 1
            state.stamp += 1
            return state.pauseCount > Self.pauseLimit ? state.whenRestless : nil
        }
        whenRestless?()
    }

    func pauseEnded() {
        state.withLock { state in
            state.pauses -= 1
            state.stamp += 1
        }
    }

    /// A call begins; the closure is told when it goes on and on.
    func begin(whenRestless: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.pauseCount = 0
            state.stamp += 1
            state.whenRestless = whenRestless
        }
    }

    /// Whoever asked the client has given up: from now on nothing comes back to it.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.whenRestless = nil
        }
    }

    /// Returns at once for a client that somebody waits for, and never for one that was abandoned.
    ///
    /// A client that goes on and on would take the machine's time from all others.
    func stopIfAbandoned() async {
        guard isAbandoned else { return }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}
