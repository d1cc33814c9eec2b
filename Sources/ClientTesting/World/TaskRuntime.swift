#if canImport(Darwin)
    import Darwin
#else
    import CLinux
#endif

/// What Swift's runtime exports and no module declares, by the name that the linker knows it by.
enum TaskRuntime: String {
    case globalHook = "swift_task_enqueueGlobal_hook"
    case delayHook = "swift_task_enqueueGlobalWithDelay_hook"
    case deadlineHook = "swift_task_enqueueGlobalWithDeadline_hook"
    case mainExecutorHook = "swift_task_getMainExecutor_hook"
    case time = "swift_get_time"
    case jobNumber = "swift_task_getJobTaskId"

    /// Where it is; nil in a runtime that does not have it.
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
