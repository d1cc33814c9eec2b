package import Basics

/// Where event loops get their time from, so that tests can control it.
package protocol TimeSource: Sendable {
    /// The present moment.
    func now() -> MonotonicTime

    /// A Boolean value that indicates whether waiting makes time pass. Otherwise loops wait for wake-ups only, and
    /// report what they wait for.
    var passesByItself: Bool { get }

    /// A loop is about to wait until the deadline, or without a limit. Asked only when time does not pass by itself.
    ///
    /// - Parameter hasWorked: whether it had to do with descriptors since it last waited, so that there may be more.
    func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool)

    /// A loop has ended and needs no more wake-ups.
    func loopEnded(_ loop: EventLoop.Handle)
}

/// The machine's monotonic clock.
package struct SystemTime: TimeSource {
    package init() {}

    package var passesByItself: Bool { true }

    package func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: Platform.monotonicNanoseconds())
    }

    package func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool) {}

    package func loopEnded(_ loop: EventLoop.Handle) {}
}

/// Time that stands still until a test moves it.
///
/// Advancing wakes every loop that waits on this source, so everything due happens without a wait in
/// real time. A test that must know that a timer is set before it advances asks ``untilLoopAwaits(_:)``.
/// A class, because loops and tests share the one clock.
package final class ManualTime: TimeSource {
    private struct State {
        var now: MonotonicTime
        var loops: [ObjectIdentifier: LoopReport] = [:]
        var waiters: [Waiter] = []
    }

    private struct LoopReport {
        var handle: EventLoop.Handle
        /// The event that the loop waits for, or `nil` while it may still be working.
        var deadline: MonotonicTime?
    }

    private struct Waiter {
        /// The deadline that a loop shall wait for, or nil to wait until all loops rest.
        var deadline: MonotonicTime?
        /// The number of loops that are required before all of them can rest.
        var count = 0
        var continuation: CheckedContinuation<Void, Never>
    }

    private let state: Lock<State>

    /// Starts a thousand seconds after zero, so that subtracting a little is harmless.
    package init(now: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000_000)) {
        state = Lock(State(now: now))
    }

    package var passesByItself: Bool { false }

    package func now() -> MonotonicTime {
        state.withLock { $0.now }
    }

    /// Moves time forward and wakes the loops.
    package func advance(by duration: Duration) {
        let handles = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            for key in state.loops.keys { state.loops[key]?.deadline = nil }
            return state.loops.values.map(\.handle)
        }
        for handle in handles { handle.wake() }
    }

    /// Suspends until some loop rests whose next timer is due at the given moment or before it.
    package func untilLoopAwaits(_ deadline: MonotonicTime) async {
        await withCheckedContinuation { continuation in
            add(Waiter(deadline: deadline, continuation: continuation))
        }
    }

    /// The same, counted from the present moment.
    package func untilLoopAwaits(in duration: Duration) async {
        await untilLoopAwaits(now().advanced(by: duration))
    }

    /// Suspends until every loop has handled what the last advance made due and what other loops gave it, and waits again.
    ///
    /// - Parameter count: how many loops there must be; one that has not begun to wait is not known yet.
    package func untilLoopsRest(atLeast count: Int = 0) async {
        await withCheckedContinuation { continuation in
            add(Waiter(deadline: nil, count: count, continuation: continuation))
        }
    }

    package func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool) {
        settle { $0.loops[loop.identity] = LoopReport(handle: loop, deadline: deadline) }
    }

    package func loopEnded(_ loop: EventLoop.Handle) {
        settle { $0.loops[loop.identity] = nil }
    }

    private func add(_ waiter: Waiter) {
        settle { $0.waiters.append(waiter) }
    }

    /// Changes the state and resumes the tasks that waited for the new one.
    private func settle(_ change: (inout State) -> Void) {
        let satisfied = state.withLock { state in
            change(&state)
            let (loops, now) = (state.loops.values, state.now)
            let isSatisfied: (Waiter) -> Bool = { waiter in
                guard let wanted = waiter.deadline else {
                    return loops.count >= waiter.count && loops.allSatisfy { $0.deadline != nil && !$0.handle.isBusy }
                }
                return loops.contains { report in
                    guard let deadline = report.deadline else { return false }
                    return deadline <= wanted && (deadline > now || wanted <= now)
                }
            }
            // Each is asked once: a loop may begin to rest between two questions, and a waiter would be lost.
            let waiters = state.waiters
            state.waiters = []
            var satisfied: [Waiter] = []
            for waiter in waiters {
                if isSatisfied(waiter) { satisfied.append(waiter) } else { state.waiters.append(waiter) }
            }
            return satisfied
        }
        for waiter in satisfied { waiter.continuation.resume() }
    }
}

/// The machine's calendar clock, for timestamps; it may jump, so deadlines use a ``TimeSource``.
package enum WallClock {
    package static func secondsSince1970() -> Int64 {
        nanosecondsSince1970() / 1_000_000_000
    }

    package static func nanosecondsSince1970() -> Int64 {
        Platform.wallNanoseconds()
    }
}
