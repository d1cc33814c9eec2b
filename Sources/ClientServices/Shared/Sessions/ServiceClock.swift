public import Foundation

/// The time that a service lives in, so that a test can let two weeks pass.
public protocol ServiceClock: Sendable {
    /// The present moment.
    var now: Date { get }

    /// Waits.
    ///
    /// - Parameter seconds: how long, in seconds; none when it is negative or not a number, and for ever, until the task
    ///   is cancelled, when it is infinite.
    /// - Throws: `CancellationError` when the task that waits is cancelled.
    func sleep(seconds: TimeInterval) async throws
}

/// The device's own clock.
public struct SystemServiceClock: ServiceClock {
    /// The clock of the device.
    public init() {}

    /// The present moment.
    public var now: Date { Date() }

    /// Waits in real time.
    public func sleep(seconds: TimeInterval) async throws {
        // A day at a time: more than 584 years of nanoseconds are no `UInt64`.
        var remaining = seconds
        while remaining > 0 {
            let part = min(remaining, 86_400)
            try await Task.sleep(nanoseconds: UInt64(part * 1_000_000_000))
            remaining -= part
        }
    }
}
