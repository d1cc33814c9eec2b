import Basics
import EventLoops

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import CLinux
    import Musl
#else
    import CLinux
    import Glibc
#endif

/// Takes the jobs of Swift's tasks for the world that they belong to.
///
/// Tasks that are made with `Task {}` and `Task.detached`, child tasks and actors without a custom executor all
/// go to the global executor. The runtime has a variable for a function that sees each job first. A job belongs to the
/// world whose thread enqueues it, or to the world that its task began in when another thread does, such as that of
/// a dispatch queue. Every other job runs as before. Code in a world uses that world's main actor.
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

    /// A Boolean value that indicates whether the runtime lets jobs be taken; asking for it the first time begins to
    /// take them.
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

    /// Returns the time for which a pause was meant to be that has just begun and is given as a moment of a real clock.
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

    /// Makes the calling thread the one that runs a world; the caller keeps the world during that time.
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

/// The symbols that Swift's runtime exports and no module declares, by their linker names.
enum TaskRuntime: String {
    case globalHook = "swift_task_enqueueGlobal_hook"
    case delayHook = "swift_task_enqueueGlobalWithDelay_hook"
    case deadlineHook = "swift_task_enqueueGlobalWithDeadline_hook"
    case mainExecutorHook = "swift_task_getMainExecutor_hook"
    case time = "swift_get_time"
    case jobNumber = "swift_task_getJobTaskId"

    /// The place where it is; nil in a runtime that does not have it.
    private var address: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            // This pointer is RTLD_DEFAULT: every library of the process is searched, and the runtime is one of them.
            dlsym(UnsafeMutableRawPointer(bitPattern: -2), rawValue)
        #else
            switch self {
            case .globalHook: ctask_global_hook()
            case .delayHook: ctask_delay_hook()
            case .deadlineHook: ctask_deadline_hook()
            case .mainExecutorHook: ctask_main_executor_hook()
            case .time: ctask_get_time()
            case .jobNumber: ctask_get_job_number()
            }
        #endif
    }

    /// A variable of this type, which must be the one that the runtime's source declares.
    func variable<Value>(_: Value.Type) -> UnsafeMutablePointer<Value>? {
        address?.assumingMemoryBound(to: Value.self)
    }

    private typealias TimeFunction =
        @convention(thin) @Sendable (UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>, CInt) -> Void
    private typealias NumberFunction = @convention(thin) @Sendable (UnownedJob) -> UInt64

    private static let getTime = TaskRuntime.time.address.map { unsafeBitCast($0, to: TimeFunction.self) }
    private static let getJobNumber = TaskRuntime.jobNumber.address.map { unsafeBitCast($0, to: NumberFunction.self) }

    /// The present moment of one of the runtime's clocks in nanoseconds, as deadlines have it.
    ///
    /// It is 0 where the runtime does not tell.
    static func nanoseconds(_ clock: CInt) -> Int64 {
        guard let getTime else { return 0 }
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
        getTime(&seconds, &nanoseconds, clock)
        return seconds &* 1_000_000_000 &+ nanoseconds
    }

    /// A number that no other task of the process ever has, or 0 where the runtime does not tell.
    ///
    /// That of an actor's own jobs is any.
    static func number(of job: UnownedJob) -> UInt64 { getJobNumber?(job) ?? 0 }
}
