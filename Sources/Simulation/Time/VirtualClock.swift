package import ScenarioFormat

/// The only source of scenario time: it runs at any rate, stands still, or jumps, as the scenario and its user say.
///
/// Virtual time is a straight line through an anchor, so that reading it is arithmetic and never drifts. The anchor
/// moves with every command.
package struct VirtualClock: Sendable {
    package private(set) var mode: ClockMode
    /// How far the `Date` header is off.
    package var skew: Duration
    private var anchor: VirtualTime
    private var anchored: RealTime
    /// The rate that it goes on with after standing still.
    private var rate = 1.0

    package init(start: VirtualTime, settings: ClockSettings, at now: RealTime) {
        anchor = start
        anchored = now
        mode = settings.mode
        skew = settings.skew
        if case .running(let rate) = settings.mode { self.rate = rate }
    }

    /// The virtual time at a real moment.
    package func read(at now: RealTime) -> VirtualTime {
        guard case .running(let rate) = mode else { return anchor }
        let elapsed = now.since(anchored)
        guard rate != 1 else { return anchor + elapsed }
        let microseconds = Double(elapsed.wholeMicroseconds) * rate
        return anchor + .microseconds(Int64(min(microseconds, 9e18)))
    }

    /// Puts the clock at a virtual time; it goes on from there as before.
    package mutating func set(_ time: VirtualTime, at now: RealTime) {
        anchor = time
        anchored = now
    }

    package mutating func change(to mode: ClockMode, at now: RealTime) {
        set(read(at: now), at: now)
        self.mode = mode
        if case .running(let rate) = mode { self.rate = rate }
    }

    /// Lets a clock that stands still run again, as fast as it last did.
    package mutating func resume(at now: RealTime) {
        change(to: .running(rate: rate), at: now)
    }

    /// The real moment at which a virtual time comes by itself; `nil` when it does not.
    package func arrival(of time: VirtualTime, at now: RealTime) -> RealTime? {
        let ahead = time - read(at: now)
        guard ahead > .zero else { return now }
        guard case .running(let rate) = mode, rate > 0 else { return nil }
        let wait = Double(ahead.wholeMicroseconds) / rate * 1_000
        guard wait < 9e18 else { return nil }
        // Rounded up: a timer that comes a moment early would find nothing due.
        return RealTime(nanoseconds: now.nanoseconds &+ UInt64(wait.rounded(.up)) &+ 1)
    }
}
