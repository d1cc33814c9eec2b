import EventLoops
import Simulation

/// How long a session waits in quiet before it believes that no request comes any more.
///
/// Quiet proves nothing on a machine that is busy: a request may lie in the kernel while the loop lags, and a client that
/// has work to do may send one as soon as it gets the processor. So quiet counts from the last moment at which the client
/// was seen at work, and lasts longer by four times the measured lag. Both together add ``longestSlack`` at most.
struct QuietTime: Sendable {
    /// An automatic clock jumps when no request has come and none has ended for so long, on a machine that is not busy.
    static let usual = Duration.milliseconds(5)
    /// A client that is always at work, or a machine that is always late, is not waited for longer.
    static let longestSlack = Duration.milliseconds(500)
    /// How many times the lag quiet lasts longer.
    private static let lags = 4

    /// Whether the time between an alarm and its work says something of the machine; not where a test moves the time.
    let measuresLag: Bool
    /// When a request came or an exchange ended last.
    private(set) var lastTraffic = RealTime(nanoseconds: 0)
    private var lag = Duration.zero
    private var lastWork = RealTime(nanoseconds: 0)

    init(measuresLag: Bool) {
        self.measuresLag = measuresLag
    }

    mutating func noteTraffic(at now: RealTime) {
        lastTraffic = now
    }

    /// Notes that the client was at work while nothing came.
    mutating func noteWork(at now: RealTime) {
        lastWork = max(lastWork, now)
    }

    /// Notes when something is done that was due at a moment.
    mutating func noteAlarm(due: RealTime, at now: RealTime) {
        guard measuresLag else { return }
        // An alarm that goes off in time shows that the machine is less busy.
        lag = max(now > due ? now.since(due) : .zero, lag / 2)
    }

    /// How much longer than usual quiet has to last.
    var slack: Duration {
        let work = lastWork > lastTraffic ? lastWork.since(lastTraffic) : .zero
        return min(lag * Self.lags + work, Self.longestSlack)
    }

    /// When an automatic clock may jump.
    var end: RealTime { lastTraffic.shifted(by: Self.usual + slack) }
}
