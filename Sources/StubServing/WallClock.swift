package import ScenarioFormat

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The calendar time of the machine, with which scenarios begin unless they say otherwise.
///
/// This is the only place that reads it; everything after a scenario's start goes by its virtual clock.
package enum WallClock {
    package static func now() -> VirtualTime {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return VirtualTime(seconds: 0) }
        return VirtualTime(seconds: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
