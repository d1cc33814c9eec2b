import Basics
package import SocketIO

/// Watches, from a thread of its own, whether Swift's pool of threads still gets round to anything.
///
/// Code that blocks its thread, such as an async function that waits for a semaphore, takes one of a few. With all of
/// them taken nothing goes on, and nobody who is on the pool can notice.
package struct PoolWatch: Sendable {
    /// How often the pool is asked for a sign of life.
    package static let beat = Duration.seconds(1)

    /// Asks the pool to say that it lives.
    package typealias Question = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private let loop: EventLoop.Handle

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - limit: how long the pool may leave a question unanswered.
    ///   - ask: asks the pool; told otherwise by tests alone.
    ///   - onBlocked: told once, on the watch's own thread.
    /// - Throws: `SystemError` when the system has no thread or descriptor left.
    package init(
        limit: Duration,
        time: any TimeSource = SystemTime(),
        ask: @escaping Question = { answer in Task.detached { answer() } },
        onBlocked: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let events = try EventLoop(time: time)
        loop = events.handle
        try LoopThread.start {
            let pulse = Pulse(events, limit: limit, ask: ask, onBlocked: onBlocked)
            pulse.feel()
            // Without a selector there is nothing to wait on, and so nothing to watch.
            do { try events.run() } catch {}
        }
    }

    /// Watches no longer.
    package func end() {
        loop.execute { $0.stop() }
    }
}

/// The questions of a watch; a class, because the timers of its loop mean the same one.
private final class Pulse {
    private let events: EventLoop
    private let limit: Duration
    private let ask: PoolWatch.Question
    private let onBlocked: @Sendable () -> Void
    private let answered = Answer()
    private var asked: MonotonicTime

    init(
        _ events: EventLoop,
        limit: Duration,
        ask: @escaping PoolWatch.Question,
        onBlocked: @escaping @Sendable () -> Void
    ) {
        self.events = events
        self.limit = limit
        self.ask = ask
        self.onBlocked = onBlocked
        asked = events.now
        ask(answered.give)
    }

    func feel() {
        events.schedule(at: events.now.advanced(by: PoolWatch.beat)) { [self] in
            if answered.take() {
                asked = events.now
                ask(answered.give)
            } else if asked.duration(to: events.now) >= limit {
                onBlocked()
                return events.stop()
            }
            feel()
        }
    }
}

/// Whether a question was answered; a class, because the pool answers what the watch asks.
private final class Answer: Sendable {
    private let isGiven = Lock(false)

    func give() { isGiven.withLock { $0 = true } }

    func take() -> Bool {
        isGiven.withLock { isGiven in
            defer { isGiven = false }
            return isGiven
        }
    }
}
