import Basics
import ClientServices
import Foundation

/// A clock whose pauses are over at once, and which knows how long they would have been.
final class StubClock: ServiceClock {
    private let state = Lock((now: Date(timeIntervalSince1970: 1_732_099_200), pauses: [TimeInterval]()))
    private let work = Lock<(@Sendable () async -> Void)?>(nil)

    var now: Date { state.withLock { $0.now } }

    /// Seconds that somebody wanted to wait.
    var pauses: [TimeInterval] { state.withLock { $0.pauses } }

    func sleep(seconds: TimeInterval) async throws {
        state.withLock { $0.pauses.append(seconds) }
        pass(seconds)
        await work.withLock { $0.take() }?()
    }

    /// Does this once, during the next pause.
    func onPause(_ work: @escaping @Sendable () async -> Void) { self.work.withLock { $0 = work } }

    /// Lets time pass for which nobody waits.
    func pass(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }
}
