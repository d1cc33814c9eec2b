import Basics
import EventLoops

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Takes the jobs of Swift's tasks for the world that they belong to.
///
/// Tasks that are made with `Task {}` and `Task.detached`, child tasks and actors without an executor of their own all
/// go to the global executor. The runtime has a variable for a function that sees each job first. A job belongs to the
/// world whose thread enqueues it, or to the world that its task began in when another thread does, such as that of
/// a dispatch queue. Every other job goes on as before. What runs in a world finds that world's main actor.
enum TaskHooks {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void
    private typealias DelayedEnqueue = @convention(thin) (UInt64, UnownedJob) -> Void
    private typealias DelayHook = @convention(thin) (UInt64, UnownedJob, DelayedEnqueue) -> Void
    private typealias DeadlineEnqueue = @convention(thin) (Int64, Int64, Int64, Int64, CInt, UnownedJob) -> Void
    private typealias DeadlineHook =
        @convention(thin) (Int64, Int64, Int64, Int64, CInt, UnownedJob, DeadlineEnqueue)
        -> Void

    private typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
    private typealias MainHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

    /// The worlds of tasks that have run in one, by the number of the task.
    private static let owners = Lock<[UInt64: Owner]>([:])

    private struct Owner: Sendable {
        weak var world: World?
    }

    /// Whether the runtime lets jobs be taken; asking for it the first time begins to take them.
    static let areInstalled: Bool = {
        guard let global = TaskRuntime.globalHook.variable(Hook?.self),
            let delay = TaskRuntime.delayHook.variable(DelayHook?.self),
            let deadline = TaskRuntime.deadlineHook.variable(DeadlineHook?.self)
        else { return false }
        global.pointee = { job, original in
            if !TaskHooks.take(job) { original(job) }
        }
        TaskRuntime.mainExecutorHook.variable(MainHook?.self)?.pointee = { original in
            TaskHooks.current?.mainExecutor ?? original()
        }
        delay.pointee = { delay, job, original in
            guard let world = TaskHooks.world(of: job) else { return original(delay, job) }
            world.take(job, after: .nanoseconds(Int64(clamping: delay)))
        }
        deadline.pointee = { seconds, nanoseconds, leeway, leewayNanoseconds, clock, job, original in
            guard let world = TaskHooks.world(of: job) else {
                return original(seconds, nanoseconds, leeway, leewayNanoseconds, clock, job)
            }
            world.take(job, after: TaskHooks.pause(until: (seconds, nanoseconds), on: clock))
        }
        #if compiler(>=6.3) && !canImport(Darwin)
            TaskExecutors.install()
        #endif
        return true
    }()

    private static func pause(until deadline: (seconds: Int64, nanoseconds: Int64), on clock: CInt) -> Duration {
        let end = deadline.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !end.overflow else { return World.longestPause }
        let left = end.partialValue.subtractingReportingOverflow(TaskRuntime.nanoseconds(clock) - deadline.nanoseconds)
        guard !left.overflow else { return World.longestPause }
        return rounded(.nanoseconds(left.partialValue))
    }

    /// How long a pause was meant to be that has just begun and is given as a moment of a real clock.
    ///
    /// The way from there to here takes a little of it, never the same, so it is rounded up: to a hundredth of a second
    /// from 20 ms on, to a tenth from half a second on.
    static func rounded(_ pause: Duration) -> Duration {
        guard pause < World.longestPause else { return World.longestPause }
        let nanoseconds = max(0, Int64(pause / .nanoseconds(1)))
        let unit: Int64 =
            switch nanoseconds {
            case ..<20_000_000: 1_000_000
            case ..<500_000_000: 10_000_000
            default: 100_000_000
            }
        return .nanoseconds((nanoseconds + unit - 1) / unit * unit)
    }

    // MARK: Worlds

    /// - Returns: whether the job belongs to a world.
    static func take(_ job: UnownedJob) -> Bool {
        guard let world = world(of: job) else { return false }
        world.take(job)
        return true
    }

    static func world(of job: UnownedJob) -> World? {
        if let world = current { return world }
        let number = TaskRuntime.number(of: job)
        guard number != 0, let world = owners.withLock({ $0[number]?.world }) else { return nil }
        world.noteOutsideWork()
        return world
    }

    /// From now on the task's jobs go to a world, wherever they come from.
    static func own(_ task: UInt64, by world: World) { owners.withLock { $0[task] = Owner(world: world) } }

    static func disown(_ tasks: some Sequence<UInt64>) {
        owners.withLock { owners in
            for task in tasks { owners[task] = nil }
        }
    }

    // MARK: Threads

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The world that the calling thread runs.
    static var current: World? {
        pthread_getspecific(key).map { Unmanaged<World>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Makes the calling thread the one that runs a world; the caller keeps the world meanwhile.
    static func enter(_ world: World?) {
        pthread_setspecific(key, world.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }

    /// Does something on the calling thread as if it ran no world.
    static func outsideOfWorlds(_ work: () -> Void) {
        let world = current
        enter(nil)
        work()
        enter(world)
    }

    /// Rests the calling thread.
    static func rest(milliseconds: Int) {
        var time = timespec()
        time.tv_nsec = milliseconds * 1_000_000
        nanosleep(&time, nil)
    }
}
