import Basics
import EventLoops

/// Makes responses that take long one after the other, on a thread of its own while there are any.
///
/// A whole journal as JSON takes the time of thousands of exchanges, and an event loop has other clients. A class,
/// because the event loops share it.
final class BackgroundWorkQueue: Sendable {
    private struct Desk {
        var jobs: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let desk = Lock(Desk())

    /// Does a job soon; at once where the system gives no thread.
    func take(_ job: @escaping @Sendable () -> Void) {
        let isIdle = desk.withLock { desk in
            defer { desk.isBusy = true }
            desk.jobs.append(job)
            return !desk.isBusy
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
            let jobs = desk.withLock { desk in
                defer { desk.jobs = [] }
                desk.isBusy = !desk.jobs.isEmpty
                return desk.jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job() }
        }
    }
}
