// Since Swift 6.3 `Task.yield` and `Task.sleep` ask the default executor itself and pass the hooks by. It can be replaced
// through an interface that Linux's toolchains show and Apple's do not. Where it cannot, code that yields or sleeps within
// an actor leaves its world for a moment of real time, and the world waits for it as for any other thread.
#if compiler(>=6.3) && !canImport(Darwin)
    @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

    /// The default executor of this process: gives jobs to their worlds, and all others to the executor that was there.
    enum TaskExecutors: ExecutorFactory {
        static let mainExecutor: any MainExecutor = MainActor.executor
        static let defaultExecutor: any TaskExecutor = WorldTaskExecutor(Task.defaultExecutor)

        /// Called once, before there is a world.
        static func install() {
            // Both are asked for before they are replaced.
            _ = (mainExecutor, defaultExecutor)
            _createExecutors(factory: TaskExecutors.self)
        }
    }

    private final class WorldTaskExecutor: TaskExecutor, SchedulingExecutor {
        private let original: any TaskExecutor

        init(_ original: any TaskExecutor) {
            self.original = original
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            if !TaskHooks.take(job) { original.enqueue(ExecutorJob(job)) }
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            after delay: C.Duration,
            tolerance: C.Duration?,
            clock: C
        ) {
            let job = UnownedJob(job)
            if let world = TaskHooks.world(of: job), let delay = delay as? Duration {
                world.take(job, after: TaskHooks.rounded(delay))
            } else if let original = original as? any SchedulingExecutor {
                original.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
            } else {
                original.enqueue(ExecutorJob(job))
            }
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            at instant: C.Instant,
            tolerance: C.Duration?,
            clock: C
        ) {
            let job = UnownedJob(job)
            if let world = TaskHooks.world(of: job), let delay = clock.now.duration(to: instant) as? Duration {
                world.take(job, after: TaskHooks.rounded(delay))
            } else if let original = original as? any SchedulingExecutor {
                original.enqueue(ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
            } else {
                original.enqueue(ExecutorJob(job))
            }
        }
    }
#endif
