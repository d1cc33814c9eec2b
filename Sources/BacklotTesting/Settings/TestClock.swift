import ClientTesting
public import Foundation

/// The time of a test, in which no pause takes real time.
///
/// The server lives in the same time: what expires there after an hour has expired when a client has slept for one.
public struct TestClock: Clock {
    /// A moment of that time.
    public struct Instant: InstantProtocol {
        /// The time since 1970.
        public let sinceEpoch: Duration

        /// The moment so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceEpoch: sinceEpoch + duration) }

        /// How much later the other one is.
        public func duration(to other: Instant) -> Duration { other.sinceEpoch - sinceEpoch }

        /// Whether a moment is before another one.
        public static func < (left: Instant, right: Instant) -> Bool { left.sinceEpoch < right.sinceEpoch }
    }

    let time: any ClientTime

    /// The moment that it is.
    public var now: Instant { Instant(sinceEpoch: .seconds(time.now())) }

    /// The moment that it is, as dates have it.
    public var date: Date { Date(timeIntervalSince1970: time.now()) }

    /// Pauses can be as short as anybody likes.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Lets time pass until a moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await time.sleep(seconds: max(0, now.duration(to: deadline) / .seconds(1)))
    }
}
