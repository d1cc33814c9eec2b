import Basics

/// The quiet time after which a session assumes that no further request comes.
///
/// Quiet proves nothing on a machine that is busy: a request may lie in the kernel while the loop lags, and a client that
/// has work to do may send one as soon as it gets the processor. So quiet counts from the last moment at which the client
/// was seen at work, and lasts longer by four times the measured lag. Both together add ``longestSlack`` at most.
struct QuietTime: Sendable {
    /// An automatic clock jumps when no request has come and none has ended for so long, on a machine that is not busy.
    static let usual = Duration.milliseconds(5)
    /// A client that is always at work, or a machine that is always late, is not waited for longer.
    static let longestSlack = Duration.milliseconds(500)
    /// The factor of the lag by which quiet is extended.
    private static let lags = 4

    /// A Boolean value that indicates whether the time between an alarm and its work says something of the machine; not
    /// where a test moves the time.
    let measuresLag: Bool
    /// The time of the last arrival of a request or end of an exchange.
    private(set) var lastTraffic = MonotonicTime(nanoseconds: 0)
    private var lag = Duration.zero
    private var lastWork = MonotonicTime(nanoseconds: 0)

    init(measuresLag: Bool) {
        self.measuresLag = measuresLag
    }

    mutating func noteTraffic(at now: MonotonicTime) {
        lastTraffic = now
    }

    /// Notes that the client was at work while nothing came.
    mutating func noteWork(at now: MonotonicTime) {
        lastWork = max(lastWork, now)
    }

    /// Notes when something is done that was due at a moment.
    mutating func noteAlarm(due: MonotonicTime, at now: MonotonicTime) {
        guard measuresLag else { return }
        // An alarm that goes off in time shows that the machine is less busy.
        lag = max(now > due ? now.since(due) : .zero, lag / 2)
    }

    /// The extension of the quiet time.
    var slack: Duration {
        let work = lastWork > lastTraffic ? lastWork.since(lastTraffic) : .zero
        return min(lag * Self.lags + work, Self.longestSlack)
    }

    /// The time at which an automatic clock may jump.
    var end: MonotonicTime { lastTraffic.advanced(by: Self.usual + slack) }
}
