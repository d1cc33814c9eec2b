import Basics
import ClientServices
import Foundation

/// A clock whose pauses are over at once, and which knows how long they would have been.
final class StubClock: ServiceClock {
    private let state = Lock((now: Date(timeIntervalSince1970: 1_732_100_000), pauses: [TimeInterval]()))

    var now: Date { state.withLock { $0.now } }

    /// Seconds that somebody wanted to wait.
    var pauses: [TimeInterval] { state.withLock { $0.pauses } }

    func sleep(seconds: TimeInterval) async throws {
        state.withLock { $0.pauses.append(seconds) }
        pass(seconds)
    }

    /// Lets time pass for which nobody waits.
    func pass(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }
}
