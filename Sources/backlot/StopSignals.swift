#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What ends a server: an interrupt from the keyboard, a polite request to terminate, or the admin API.
///
/// The handlers write into a pipe, on whichever thread the system runs them; ``wait()`` reads from it. (Holding the
/// signals back and waiting for them would need every thread to hold them, also those that the runtime has started.)
enum StopSignals {
    private static let numbers = [SIGINT, SIGTERM]

    /// The ends to read from and to write to.
    private static let ends: [Int32] = {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }()

    /// Catches the signals from now on.
    static func hold() {
        _ = ends
        // Also where whoever started us in the background told us to ignore an interrupt.
        for number in numbers { signal(number) { _ in StopSignals.raise() } }
        // A reader of our output that has gone away is no reason to stop serving.
        signal(SIGPIPE, SIG_IGN)
        // Where whoever started us ignores the ends of children, nobody could ask how a client ended.
        signal(SIGCHLD, SIG_DFL)
    }

    /// Waits for one of them; a second signal then ends the process at once.
    ///
    /// This blocks its thread, which has nothing else to do.
    static func wait() {
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) < 0 && errno == EINTR {}
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Whether one of them has come, for whoever must not wait; from then on a second signal ends the process at once.
    static var isRaised: Bool {
        var state = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) == 1 else { return false }
        for number in numbers { signal(number, SIG_DFL) }
        return true
    }

    /// Lets ``wait()`` return; safe in a signal handler.
    static func raise() {
        let reason = errno
        var byte: UInt8 = 1
        _ = write(ends[1], &byte, 1)
        errno = reason
    }
}
