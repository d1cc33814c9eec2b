#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The signals that end a server: an interrupt from the keyboard and a polite request to terminate.
enum StopSignals {
    private static let numbers = [SIGINT, SIGTERM]

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    /// Keeps the signals back from every thread that is made from now on, so that ``wait()`` gets them.
    static func hold() {
        // Whoever started us in the background may have told us to ignore an interrupt; a held signal that is
        // ignored is dropped, and would never be seen.
        for number in numbers { signal(number, SIG_DFL) }
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of the signals; a second one then ends the process at once.
    static func wait() {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Sends this process the polite request, as somebody outside would.
    static func raise() {
        kill(getpid(), SIGTERM)
    }
}
