public import Foundation

/// The time that a service lives in, so that a test can let two weeks pass.
public protocol ServiceClock: Sendable {
    /// The present moment.
    var now: Date { get }

    /// Waits.
    ///
    /// - Parameter seconds: how long, in seconds.
    /// - Throws: `CancellationError` when whoever waits no longer wants to.
    func sleep(seconds: TimeInterval) async throws
}

/// The device's own clock.
public struct SystemServiceClock: ServiceClock {
    /// A clock that nobody can put forward.
    public init() {}

    /// The present moment.
    public var now: Date { Date() }

    /// Waits in real time.
    public func sleep(seconds: TimeInterval) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000))
    }
}
