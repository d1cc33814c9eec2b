import Basics

extension EventLoop {
    /// What other threads may hold of a loop: they can wake it and give it work.
    package struct Handle: Sendable {
        let core: Core

        /// Runs the work on the loop's thread, soon; false when the loop has ended and will not run it.
        @discardableResult
        package func execute(_ work: @escaping @Sendable (EventLoop) -> Void) -> Bool {
            core.jobs.post(work)
        }

        /// Whether the caller runs on the loop's own thread.
        package var isOnLoop: Bool {
            core.wakeUp.isOnLoop
        }

        /// Ends the loop's present wait, or the next one; wake-ups that come close together are one system call.
        package func wake() {
            core.wakeUp.wake()
        }

        package var identity: ObjectIdentifier { ObjectIdentifier(core) }
    }

    typealias Job = @Sendable (EventLoop) -> Void

    /// The part of a loop that threads share; a class, so that all handles mean the same loop.
    final class Core: Sendable {
        let wakeUp: WakeUp
        let jobs: Mailbox<Job>
        init(waker: any Waker) {
            wakeUp = WakeUp(waker)
            jobs = Mailbox(wakeUp)
        }
    }
}

/// Wakes a selector once, however often it is asked until the loop has noticed.
///
/// A class, because the flag is shared.
final class WakeUp: Sendable {
    private let waker: any Waker
    private let state = Lock(State())

    private struct State {
        var isPending = false
        /// The thread that runs the loop, zero before and after.
        var thread: UInt = 0
    }

    init(_ waker: any Waker) {
        self.waker = waker
    }

    var isOnLoop: Bool {
        let current = Platform.currentThread()
        return state.withLock { $0.thread == current }
    }

    func wake() {
        let current = Platform.currentThread()
        let wakes = state.withLock { state in
            defer { state.isPending = true }
            // The loop itself is awake, and looks at the flag before it waits.
            return !state.isPending && state.thread != current
        }
        if wakes { waker.wake() }
    }

    /// Whether the loop must not wait now.
    var wasAsked: Bool { state.withLock { $0.isPending } }

    /// Called by the loop before it looks at what it was woken for.
    func acknowledge() -> Bool {
        state.withLock { state in
            defer { state.isPending = false }
            return state.isPending
        }
    }

    func loopBegins() {
        let current = Platform.currentThread()
        state.withLock { $0.thread = current }
    }

    func loopEnds() {
        state.withLock { $0.thread = 0 }
    }
}
