import Basics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#endif

/// The system calls that both platforms share, with their differences removed.
///
/// Interrupted calls are repeated here, descriptors are opened non-blocking and close-on-exec, and no write raises
/// SIGPIPE. Sockets are in `Platform+Sockets.swift`, processes in `Platform+Processes.swift`; the selectors make their
/// own calls.
package enum Platform {
    static var lastError: ErrorNumber { ErrorNumber(rawValue: errno) }

    /// Repeats a call until it is not interrupted by a signal.
    @inline(__always)
    static func repeating<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result == -1, errno == EINTR { continue }
            return result
        }
    }

    static func close(_ descriptor: Int32) {
        // Not repeated when interrupted: Linux and Darwin have closed the descriptor by then, and its number may
        // already belong to another thread.
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #endif
    }

    /// A clock that nothing sets, and that stands still while the machine sleeps.
    static func monotonicNanoseconds() -> UInt64 {
        #if canImport(Darwin)
            // Darwin's CLOCK_MONOTONIC continues during sleep, so that every deadline would have passed on waking.
            return mach_absolute_time().scaled(by: UInt64(timebase.numer), over: UInt64(timebase.denom))
        #else
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        #endif
    }

    #if canImport(Darwin)
        /// Nanoseconds for each tick of `mach_absolute_time`, as a fraction.
        private static let timebase: mach_timebase_info_data_t = {
            var timebase = mach_timebase_info_data_t()
            mach_timebase_info(&timebase)
            return timebase
        }()
    #endif

    static func wallNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// A number that distinguishes the running thread from all others that run now.
    static func currentThread() -> UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }

    static func setNonBlockingAndCloseOnExec(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags != -1 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != -1
            && fcntl(descriptor, F_SETFD, FD_CLOEXEC) != -1
    }

    /// Creates a pipe, whose ends no started program inherits unless it is given one.
    ///
    /// - Parameter isBlocking: whether reading and writing wait; that is a property of the pipe for all processes.
    package static func pipe(isBlocking: Bool = false) throws(SystemError) -> (reading: Descriptor, writing: Descriptor)
    {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let result = Darwin.pipe(&ends)
        #elseif canImport(Glibc)
            let result = Glibc.pipe(&ends)
        #elseif canImport(Musl)
            let result = Musl.pipe(&ends)
        #endif
        guard result == 0 else { throw SystemError("pipe", lastError) }
        let pair = (reading: Descriptor(adopting: ends[0]), writing: Descriptor(adopting: ends[1]))
        let isSet = ends.allSatisfy { end in
            isBlocking ? fcntl(end, F_SETFD, FD_CLOEXEC) != -1 : setNonBlockingAndCloseOnExec(end)
        }
        guard isSet else { throw SystemError("fcntl", lastError) }
        return pair
    }

    /// Waits for one descriptor; returns false when the time is up first.
    ///
    /// For blocking callers such as the raw client, which have no loop.
    static func wait(
        for descriptor: Int32,
        toRead: Bool,
        until deadline: MonotonicTime
    ) throws(SystemError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(toRead ? POLLIN : POLLOUT), revents: 0)
        while true {
            let now = MonotonicTime(nanoseconds: monotonicNanoseconds())
            let milliseconds = (now.nanoseconds(until: deadline) + 999_999) / 1_000_000
            let result = poll(&entry, 1, deadline == .never ? -1 : Int32(clamping: milliseconds))
            if result > 0 { return true }
            if result == 0, milliseconds < UInt64(Int32.max) { return false }
            if result == -1, errno != EINTR { throw SystemError("poll", lastError) }
        }
    }

    /// Raises the soft limit of open descriptors as far as the system allows, and says where it stands then.
    @discardableResult
    package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 0 }
        let present = limit.rlim_cur
        // Darwin reports no upper limit and then refuses what is too much for it, so smaller steps follow.
        for candidate in [limit.rlim_max, 1 << 20, 1 << 18, 1 << 16, 1 << 15, 10_240]
        where candidate > present && candidate <= limit.rlim_max && candidate <= 1 << 20 {
            limit.rlim_cur = candidate
            if setrlimit(resource, &limit) == 0 { return Int(clamping: candidate) }
        }
        return Int(clamping: present)
    }
}
