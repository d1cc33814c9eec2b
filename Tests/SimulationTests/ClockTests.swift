import Basics
import ScenarioFormat
import Testing

@testable import Simulation

/// The virtual clock and its agenda by themselves.
struct ClockTests {
    private static let start = VirtualTime(seconds: 1_000)

    private func clock(_ mode: ClockMode = .running(rate: 1)) -> VirtualClock {
        var settings = Scenario(backend: "Test").clock
        settings.mode = mode
        return VirtualClock(start: Self.start, settings: settings, at: at(0))
    }

    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 5_000_000_000 + UInt64(milliseconds) * 1_000_000)
    }

    private func elapsed(_ clock: VirtualClock, _ milliseconds: Int) -> Duration {
        clock.read(at: at(milliseconds)) - Self.start
    }

    @Test(
        arguments: [
            (.running(rate: 1), .milliseconds(1_500)), (.running(rate: 60), .seconds(90)), (.running(rate: 0), .zero),
            (.running(rate: 0.001), .microseconds(1_500)), (.running(rate: 1_000_000), .seconds(1_500_000)),
            (.frozen, .zero), (.automatic, .zero),
        ] as [(ClockMode, Duration)]
    )
    func `After a second and a half`(mode: ClockMode, passed: Duration) {
        #expect(elapsed(clock(mode), 1_500) == passed)
    }

    @Test func `Commands move the line and the clock goes on from there`() {
        var clock = clock()
        clock.change(to: .frozen, at: at(100))
        #expect(elapsed(clock, 900) == .milliseconds(100))
        clock.shift(by: .seconds(7_200), at: at(900))
        #expect(elapsed(clock, 5_000) == .milliseconds(7_200_100))
        clock.resume(at: at(5_000))
        #expect(elapsed(clock, 5_250) == .milliseconds(7_200_350))
        clock.change(to: .running(rate: 10), at: at(5_250))
        clock.change(to: .automatic, at: at(5_350))
        #expect(elapsed(clock, 9_000) == .milliseconds(7_201_350))
        // It runs again as fast as it last did.
        clock.resume(at: at(9_000))
        #expect(elapsed(clock, 9_100) == .milliseconds(7_202_350))
        clock.set(Self.start, at: at(9_100))
        #expect(elapsed(clock, 9_101) == .milliseconds(10))
    }

    @Test func `A real moment before the last command is that command's`() {
        var clock = clock()
        clock.set(Self.start + .seconds(10), at: at(1_000))
        #expect(elapsed(clock, 500) == .seconds(10))
    }

    @Test(arguments: [1.0, 60, 0.5, 3, 7.3, 1_000_000, 0.001, 1 / 3.0])
    func `The clock has come to a time when it arrives, and not long before`(rate: Double) throws {
        let clock = clock(.running(rate: rate))
        for microseconds: Int64 in [1, 7, 999, 1_000_000, 3_600_000_003, 86_400_000_001] {
            let time = Self.start + .microseconds(microseconds)
            let arrival = try #require(clock.arrival(of: time, at: at(0)))
            #expect(clock.read(at: arrival) >= time)
            let before = MonotonicTime(nanoseconds: arrival.nanoseconds - 2 - UInt64(max(0, 1_000 / rate)))
            #expect(clock.read(at: before) < time)
        }
    }

    @Test func `A time that has come arrives now, and one that does not come never`() {
        var clock = clock()
        #expect(clock.arrival(of: Self.start, at: at(50)) == at(50))
        #expect(clock.arrival(of: VirtualTime(microseconds: .max), at: at(0)) == nil)
        for mode in [ClockMode.frozen, .automatic, .running(rate: 0)] {
            clock.change(to: mode, at: at(60))
            #expect(clock.arrival(of: Self.start + .seconds(1), at: at(70)) == nil)
        }
    }

    @Test(arguments: [1.0, 60, 1_000_000])
    func `A clock at the end of time stays there`(rate: Double) {
        var clock = clock(.running(rate: rate))
        for step in 1...40 { clock.shift(by: DurationText.maximum, at: at(step)) }
        #expect(clock.read(at: at(1_000)).microseconds == .max)
        #expect(clock.read(at: MonotonicTime(nanoseconds: .max)).microseconds == .max)
        clock.shift(by: .zero - DurationText.maximum, at: at(2_000))
        #expect(clock.read(at: at(2_000)).microseconds < .max)
    }

    // MARK: Agenda

    @Test func `Things come in the order of their moments, and of being added`() {
        var agenda = Agenda()
        var chance = Chance(seed: 1, stream: 1)
        var expected: [(due: Int64, number: UInt64)] = []
        for number in 1...2_000 as ClosedRange<UInt64> {
            let due = Int64(chance.integer(in: 0...150))
            agenda.add(.response(exchange: number), due: VirtualTime(microseconds: due))
            expected.append((due, number))
        }
        expected.sort { ($0.due, $0.number) < ($1.due, $1.number) }
        var taken: [(due: Int64, number: UInt64)] = []
        for limit: Int64 in [-1, 0, 50, 149, 200] {
            while let (due, item) = agenda.take(dueBy: VirtualTime(microseconds: limit)) {
                #expect(due.microseconds <= limit)
                if case .response(let number) = item { taken.append((due.microseconds, number)) }
            }
        }
        #expect(taken.map(\.number) == expected.map(\.number))
        #expect(agenda.next == nil)
    }

    @Test func `A response that nobody waits for is never the next thing`() {
        var agenda = Agenda()
        for number in 1...6 as ClosedRange<UInt64> {
            agenda.add(.response(exchange: number), due: VirtualTime(microseconds: Int64(number)))
        }
        agenda.add(.event(Event(.freeze(true))), due: VirtualTime(microseconds: 4))
        for number in [3, 1, 2] as [UInt64] { agenda.removeResponse(number) }
        #expect(agenda.next == VirtualTime(microseconds: 4))
        agenda.removeResponse(4)
        agenda.removeTimedEvents()
        #expect(agenda.next == VirtualTime(microseconds: 5))
        agenda.removeResponse(6)
        #expect(agenda.take(dueBy: VirtualTime(microseconds: 9))?.due == VirtualTime(microseconds: 5))
        #expect(agenda.next == nil)
    }
}
