import Synchronization

/// A client's time in which pauses take no real time.
///
/// When nothing is under way for a moment, the time jumps to the end of the pause that ends first; pauses side by side
/// overlap. A class, because it is one time for a client, its network and its test.
package final class SimulatedTime: ClientTime {
    private struct Sleeper {
        var number: Int
        var end: Double
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Double
        var sleepers: [Sleeper] = []
        var count = 0
        var cancelled: Set<Int> = []
        var isMoving = false
    }

    private let state: Mutex<State>
    private let activity: CallActivity
    private let grace: Duration

    /// - Parameters:
    ///   - start: seconds since 1970.
    ///   - activity: what is under way besides pauses.
    ///   - grace: how long, in real time, others may go on before the time jumps.
    package init(
        startingAt start: Double = 1_800_000_000,
        activity: CallActivity = CallActivity(),
        grace: Duration = .milliseconds(3)
    ) {
        state = Mutex(State(now: start))
        self.activity = activity
        self.grace = grace
    }

    package func now() -> Double { state.withLock { $0.now } }

    package func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        await activity.stopIfAbandoned()
        guard seconds > 0 else { return await Task.yield() }
        activity.pauseBegan()
        defer { activity.pauseEnded() }
        let (number, end) = state.withLock { state in
            state.count += 1
            return (state.count, state.now + seconds)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.sleepers.append(Sleeper(number: number, end: end, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { move() }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            if let index = state.sleepers.firstIndex(where: { $0.number == number }) {
                return state.sleepers.remove(at: index)
            }
            state.cancelled.insert(number)
            return nil
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Lets the time jump as long as somebody sleeps; one task does it for all.
    private func move() {
        let isFirst = state.withLock { state in
            defer { state.isMoving = true }
            return !state.isMoving
        }
        guard isFirst else { return }
        Task.detached { [self] in
            while true {
                let stamp = activity.stamp
                try? await Task.sleep(for: grace)
                let isQuiet = !activity.hasOpenRequests && activity.stamp == stamp
                guard let woken = jump(isAllowed: isQuiet) else { return }
                for sleeper in woken { sleeper.continuation.resume() }
            }
        }
    }

    /// - Returns: who wakes up; `nil` when nobody sleeps any more.
    private func jump(isAllowed: Bool) -> [Sleeper]? {
        state.withLock { state in
            guard let next = state.sleepers.map(\.end).min() else {
                state.isMoving = false
                return nil
            }
            guard isAllowed else { return [] }
            state.now = max(state.now, next)
            let woken = state.sleepers.filter { $0.end <= next }
            state.sleepers.removeAll { $0.end <= next }
            return woken
        }
    }
}
