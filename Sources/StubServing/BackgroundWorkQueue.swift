import Basics
import EventLoops

/// Renders slow responses one after the other, on a separate thread while there are any.
///
/// A whole journal as JSON takes the time of thousands of exchanges, and an event loop has other clients. A class,
/// because the event loops share it.
final class BackgroundWorkQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let state = Lock(State())

    /// Does a job soon; at once where the system gives no thread.
    func take(_ job: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            defer { state.isBusy = true }
            state.jobs.append(job)
            return !state.isBusy
        }
        guard isIdle else { return }
        do {
            try LoopThread.start { [self] in work() }
        } catch {
            work()
        }
    }

    private func work() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                state.isBusy = !state.jobs.isEmpty
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job() }
        }
    }
}
