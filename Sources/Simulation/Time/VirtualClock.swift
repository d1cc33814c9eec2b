package import Basics
import JSON
package import ScenarioFormat

/// The only source of scenario time: it runs at any rate, stands still, or jumps, as the scenario and its user say.
///
/// Virtual time is a straight line through an anchor, so that reading it is arithmetic and never drifts. The anchor
/// moves with every command.
package struct VirtualClock: Sendable, Hashable {
    package private(set) var mode: ClockMode
    /// The offset of the `Date` header.
    package var skew: Duration
    private var anchor: VirtualTime
    private var anchored: MonotonicTime
    /// The rate that it continues with after it stands still.
    private var rate = 1.0

    package init(start: VirtualTime, settings: ClockSettings, at now: MonotonicTime) {
        anchor = start
        anchored = now
        mode = settings.mode
        skew = settings.skew
        if case .running(let rate) = settings.mode { self.rate = rate }
    }

    /// The virtual time at a real moment; before the anchor it is the anchor's.
    package func read(at now: MonotonicTime) -> VirtualTime {
        guard case .running(let rate) = mode, now > anchored else { return anchor }
        let elapsed = now.nanoseconds - anchored.nanoseconds
        let passed = rate == 1 ? Int64(elapsed / 1_000) : Int64(min(Double(elapsed) * rate / 1_000, 9e18))
        let (sum, overflows) = anchor.microseconds.addingReportingOverflow(passed)
        return VirtualTime(microseconds: overflows ? .max : sum)
    }

    /// The second of the `Date` field of a response that leaves at a time.
    func dateSecond(at time: VirtualTime) -> Int64 { skew == .zero ? time.seconds : (time + skew).seconds }

    /// Sets the clock to a virtual time; it continues from there as before.
    package mutating func set(_ time: VirtualTime, at now: MonotonicTime) {
        anchor = time
        anchored = now
    }

    /// Puts the clock forward, or back by a negative duration.
    mutating func shift(by duration: Duration, at now: MonotonicTime) {
        set(read(at: now) + duration, at: now)
    }

    package mutating func change(to mode: ClockMode, at now: MonotonicTime) {
        set(read(at: now), at: now)
        self.mode = mode
        if case .running(let rate) = mode { self.rate = rate }
    }

    /// Lets a clock that stands still run again, as fast as it last did.
    package mutating func resume(at now: MonotonicTime) {
        change(to: .running(rate: rate), at: now)
    }

    /// The real moment at which a virtual time comes by itself; `nil` when it does not.
    package func arrival(of time: VirtualTime, at now: MonotonicTime) -> MonotonicTime? {
        guard time > read(at: now) else { return now }
        return moment(of: time)
    }

    /// Goes back to the real moment at which a virtual time came, which lies behind, and returns it.
    ///
    /// What happened then can so be made up for as if it had been seen at once: a clock that was to stop stopped then.
    /// A time that the clock did not run through but was put past came when it was put.
    mutating func revisit(_ time: VirtualTime, by now: MonotonicTime) -> MonotonicTime {
        guard time > anchor, let moment = moment(of: time) else { return anchored }
        set(time, at: min(moment, now))
        return anchored
    }

    /// The real moment at which a time beyond the anchor comes by itself.
    private func moment(of time: VirtualTime) -> MonotonicTime? {
        guard case .running(let rate) = mode, rate > 0 else { return nil }
        let (ahead, overflows) = time.microseconds.subtractingReportingOverflow(anchor.microseconds)
        guard ahead > 0, !overflows, let wait = Self.nanoseconds(of: ahead, rate: rate) else { return nil }
        let (moment, isBeyond) = anchored.nanoseconds.addingReportingOverflow(wait)
        return isBeyond ? nil : MonotonicTime(nanoseconds: moment)
    }

    /// The duration of a number of microseconds; rounded up, because an early timer would find nothing due.
    private static func nanoseconds(of microseconds: Int64, rate: Double) -> UInt64? {
        if rate == 1 {
            let (wait, overflows) = UInt64(microseconds).multipliedReportingOverflow(by: 1_000)
            return overflows ? nil : wait
        }
        let wait = (Double(microseconds) / rate * 1_000).rounded(.up) + 1
        return wait < 9e18 ? UInt64(wait) : nil
    }
}

extension VirtualClock {
    func json(at time: VirtualTime, start: VirtualTime) -> JSONValue {
        var object = JSONObject()
        object["now"] = .string(time.description)
        object["start"] = .string(start.description)
        switch mode {
        case .running(let rate):
            object["mode"] = "running"
            object["rate"] = JSONNumber(rate).map(JSONValue.number)
        case .frozen: object["mode"] = "frozen"
        case .automatic: object["mode"] = "automatic"
        }
        if skew != .zero { object["skew"] = .string(DurationText.text(skew)) }
        return .object(object)
    }
}
