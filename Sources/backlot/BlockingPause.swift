import CommandLineInterface

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A wait that blocks its thread, and that a stop signal cuts short.
enum BlockingPause {
    private static let slice = Duration.milliseconds(100)

    static func wait(_ duration: Duration) {
        let end = ContinuousClock.now.advanced(by: duration)
        while StopSignals.count == 0 {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return }
            let part = min(rest, slice).components
            var time = timespec(tv_sec: Int(part.seconds), tv_nsec: Int(part.attoseconds / 1_000_000_000))
            nanosleep(&time, nil)
        }
    }
}
