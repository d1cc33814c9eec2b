import Basics
import Simulation
import Testing

@testable import StubServing

/// How long quiet has to last until a gate or an automatic clock takes it for an end.
@Suite struct `Quiet time` {
    private static let traffic = MonotonicTime(nanoseconds: 1_000_000_000)

    private static func moment(_ milliseconds: Int) -> MonotonicTime {
        traffic.advanced(by: .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            ("no alarm", [], 0), ("an alarm in time", [(5, 5)], 0), ("a late alarm", [(5, 15)], 40),
            ("a late alarm, then one in time", [(5, 15), (20, 20)], 20),
            ("a later one counts whole", [(5, 6), (10, 20)], 40),
            ("a machine that is always late", [(5, 900)], 500),
        ] as [(String, [(due: Int, at: Int)], Int)]
    )
    func `4.2 and 4.3 lasts longer by four times the lag`(_ name: String, _ alarms: [(due: Int, at: Int)], slack: Int) {
        var measured = QuietTime(measuresLag: true)
        var standing = QuietTime(measuresLag: false)
        for alarm in alarms {
            measured.noteAlarm(due: Self.moment(alarm.due), at: Self.moment(alarm.at))
            standing.noteAlarm(due: Self.moment(alarm.due), at: Self.moment(alarm.at))
        }
        #expect(measured.slack == .milliseconds(slack))
        #expect(standing.slack == .zero)
        measured.noteTraffic(at: Self.traffic)
        #expect(measured.end == Self.moment(5 + slack))
    }

    @Test func `counts from the last moment at which the client was at work, until traffic comes`() {
        var quiet = QuietTime(measuresLag: true)
        quiet.noteTraffic(at: Self.traffic)
        #expect(quiet.end == Self.moment(5))
        quiet.noteWork(at: Self.moment(5))
        quiet.noteWork(at: Self.moment(10))
        #expect(quiet.end == Self.moment(15))
        quiet.noteWork(at: Self.moment(900))
        #expect(quiet.end == Self.moment(505))
        quiet.noteTraffic(at: Self.moment(901))
        #expect(quiet.end == Self.moment(906))
    }
}
