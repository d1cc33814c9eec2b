import Basics
public import Foundation
import ScenarioFormat
import StubServing

/// A server's clock, for clients that accept a clock; the test controls how long a sleep takes.
///
/// By default, the clock runs in real time; a story can configure another mode. `BacklotServer.advance(by:)` advances
/// the clock. If the story's clock is automatic, a sleeping client advances the clock as soon as no request is in
/// progress.
public struct ServerClock: Clock, Sendable {
    /// An instant on a server's clock.
    public struct Instant: InstantProtocol {
        /// The time since 1970-01-01T00:00:00Z.
        public let sinceEpoch: Duration

        /// Returns the instant that is later by the given duration.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceEpoch: sinceEpoch + duration) }

        /// Returns the duration until another instant.
        public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }

        /// Returns a Boolean value that indicates whether the first instant is before the second.
        public static func < (left: Instant, right: Instant) -> Bool { left.sinceEpoch < right.sinceEpoch }
    }

    let session: HostedSession

    /// The current instant.
    public var now: Instant { Instant(sinceEpoch: .microseconds(session.moment.microseconds)) }

    /// The current instant as a date.
    public var date: Date { Date(timeIntervalSince1970: Double(session.moment.microseconds) / 1e6) }

    /// The clock's resolution, which is one microsecond.
    public var minimumResolution: Duration { .microseconds(1) }

    /// Waits until the server's clock reaches an instant.
    ///
    /// - Throws: `CancellationError` if the task is canceled or the server stops first.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await wait(until: deadline, movesClock: true)
    }

    /// - Parameter movesClock: whether an automatic clock jumps to the moment when nothing else is under way.
    func wait(until deadline: Instant, movesClock: Bool) async throws {
        try Task.checkCancellation()
        let moment = VirtualTime(microseconds: deadline.sinceEpoch.wholeMicrosecondsRoundedUp)
        await session.suspend { session.wait(until: moment, movesClock: movesClock, $0) }
        guard now >= deadline, !Task.isCancelled else { throw CancellationError() }
    }
}

extension HostedSession {
    /// Suspends the task until a wait of this session is over or the task is canceled.
    ///
    /// - Parameter begin: begins the wait, whose end calls what it is given.
    func suspend(until begin: (@escaping @Sendable () -> Void) -> UInt64?) async {
        let wait = CancellableWait(self)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let number = begin({ continuation.resume() }) { wait.hasBegun(number) }
            }
        } onCancel: {
            wait.cancel()
        }
    }
}

/// A wait of a session that may be cancelled before it has begun.
///
/// A class, because the task that waits and the one that cancels mean the same wait.
private final class CancellableWait: Sendable {
    private struct State {
        var number: UInt64?
        var isCancelled = false
    }

    private let session: HostedSession
    private let state = Lock(State())

    init(_ session: HostedSession) {
        self.session = session
    }

    func hasBegun(_ number: UInt64) {
        let isCancelled = state.withLock { state in
            state.number = number
            return state.isCancelled
        }
        if isCancelled { session.cancelWait(number) }
    }

    func cancel() {
        let number = state.withLock { state in
            state.isCancelled = true
            return state.number
        }
        if let number { session.cancelWait(number) }
    }
}

extension Duration {
    /// In microseconds, never shorter than it is; within the bounds of 64 bits.
    fileprivate var wholeMicrosecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        let fraction = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, isBeyond) = whole.addingReportingOverflow(fraction)
        return isBeyond ? .max : sum
    }
}
