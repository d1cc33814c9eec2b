/// Where event loops get their time from, so that tests can own it.
package protocol TimeSource: Sendable {
    /// The present moment.
    func now() -> MonotonicTime

    /// Whether waiting makes time pass. Otherwise loops wait for wake-ups only, and report what they wait for.
    var passesByItself: Bool { get }

    /// A loop is about to wait until the deadline, or for ever. Asked only when time does not pass by itself.
    ///
    /// - Parameter hasWorked: whether it had to do with descriptors since it last waited, so that there may be more.
    func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool)

    /// A loop has ended and wants no more wake-ups.
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
