#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The signals that end a server or a run: an interrupt from the keyboard, a polite request to terminate, a terminal that is
/// closed, or the admin API.
///
/// The handlers write into a pipe, on whichever thread the system runs them; ``wait()`` reads from it. (Holding the
/// signals back and waiting for them would need every thread to hold them, also those that the runtime has started.)
package enum StopSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    /// After this number of them the next ends the process at once.
    private static let signalsUntilDefault = 2

    /// The ends to read from and to write to.
    private static let ends: [Int32] = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }()

    /// Catches the signals from now on.
    package static func hold() {
        _ = ends
        // Also if the parent process has made this one ignore interrupts.
        for number in numbers {
            let former = signal(number) { StopSignals.take($0) }
            // A user who starts a program with nohup needs it to outlive the terminal.
            if number == SIGHUP, isIgnored(former) { signal(number, SIG_IGN) }
        }
        // A reader of our output that has gone away is not a reason to stop serving.
        signal(SIGPIPE, SIG_IGN)
        // Where the parent process ignores the ends of children, we could not ask how a client ended.
        signal(SIGCHLD, SIG_DFL)
    }

    /// Waits for one of them; a second signal then ends the process at once.
    ///
    /// This blocks its thread, which has nothing else to do.
    package static func wait() {
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) < 0 && errno == EINTR {}
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Waits for one of them, which ``count`` then contains, and changes nothing.
    ///
    /// This blocks its thread, which has nothing else to do.
    static func notice() {
        var state = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, -1) < 0 && errno == EINTR {}
    }

    /// The number of received signals that were not awaited; the third ends the process immediately.
    ///
    /// The pipe counts them, because a handler may neither take a lock nor change a variable of Swift's.
    package static var count: Int {
        var count: Int32 = 0
        return ioctl(ends[0], bytesToRead, &count) == 0 ? Int(count) : 0
    }

    /// Asks how many bytes a pipe holds; on Darwin the value of a macro that Swift does not import.
    private static var bytesToRead: UInt {
        #if canImport(Darwin)
            0x4004_667F
        #else
            UInt(FIONREAD)
        #endif
    }

    private static func take(_ number: Int32) {
        raise()
        if count >= signalsUntilDefault { signal(number, SIG_DFL) }
    }

    /// Lets ``wait()`` return; safe in a signal handler.
    package static func raise() {
        let reason = errno
        var byte: UInt8 = 1
        _ = write(ends[1], &byte, 1)
        errno = reason
    }

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
