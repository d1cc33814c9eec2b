import EventLoops

/// Measures one stretch of time after the other.
struct Stopwatch {
    private var start = SystemTime().now()

    /// Milliseconds since the last lap, or since the beginning.
    mutating func lap() -> Double {
        let now = SystemTime().now()
        defer { start = now }
        return start.milliseconds(to: now)
    }
}
