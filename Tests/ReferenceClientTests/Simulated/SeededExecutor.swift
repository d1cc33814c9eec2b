import Basics
import TestSupport

/// Runs every job of a play on the thread that asks for it, one at a time, in an order that a seed decides.
///
/// So the tasks of a client interleave as they might on many cores, and do so again with the same seed.
@available(macOS 15, iOS 18, *)
final class SeededExecutor: TaskExecutor {
    private struct Ready {
        var jobs: [UnownedJob] = []
        var chance: SeededGenerator
    }

    private let ready: Lock<Ready>

    init(seed: UInt64) {
        ready = Lock(Ready(chance: SeededGenerator(seed: seed)))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.jobs.append(job) }
    }

    /// Runs one of the jobs that are ready; false when there is none.
    func runNext() -> Bool {
        let job = ready.withLock { ready -> UnownedJob? in
            guard !ready.jobs.isEmpty else { return nil }
            return ready.jobs.remove(at: Int.random(in: ready.jobs.indices, using: &ready.chance))
        }
        guard let job else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
