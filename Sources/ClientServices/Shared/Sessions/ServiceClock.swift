public import Foundation

/// A service's clock, which a test can replace to simulate the passage of time.
public protocol ServiceClock: Sendable {
    /// The current time.
    var now: Date { get }

    /// Waits for the given duration.
    ///
    /// - Parameter seconds: The duration in seconds. If the duration is negative or not a number, the method returns
    ///   immediately. If the duration is infinite, the method waits until the task is canceled.
    /// - Throws: `CancellationError` if the task is canceled.
    func sleep(seconds: TimeInterval) async throws
}

/// A clock that uses the device's time.
public struct SystemServiceClock: ServiceClock {
    /// Creates a clock that uses the device's time.
    public init() {}

    /// The current time.
    public var now: Date { Date() }

    /// Waits in real time.
    public func sleep(seconds: TimeInterval) async throws {
        // A day at a time: more than 584 years of nanoseconds do not fit `UInt64`.
        var remaining = seconds
        while remaining > 0 {
            let part = min(remaining, 86_400)
            try await Task.sleep(nanoseconds: UInt64(part * 1_000_000_000))
            remaining -= part
        }
    }
}
