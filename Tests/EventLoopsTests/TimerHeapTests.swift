import Basics
import Testing

@testable import EventLoops

struct TimerHeapTests {
    private func moment(_ nanoseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    @Test func `Timers come out by deadline, equal ones in the order of scheduling`() {
        var heap = TimerHeap<Int>()
        let deadlines: [UInt64] = [5, 3, 9, 3, 1, 5, 7, 1]
        for (index, deadline) in deadlines.enumerated() { _ = heap.schedule(at: moment(deadline), index) }
        var order: [Int] = []
        while let due = heap.popDue(at: moment(8), before: heap.horizon) { order.append(due.payload) }
        #expect(order == [4, 7, 1, 3, 0, 5, 6])
        #expect(heap.earliest == moment(9))
    }

    @Test func `A cancelled timer leaves nothing behind, and its name means nothing more`() {
        var heap = TimerHeap<Int>()
        func cancel(_ timer: TimerID) -> Bool { heap.cancel(timer) }
        let first = heap.schedule(at: moment(1), 1)
        #expect(cancel(first))
        #expect(cancel(first) == false)
        let second = heap.schedule(at: moment(2), 2)
        #expect(second != first)
        #expect(cancel(first) == false)
        #expect(heap.count == 1)
        let due = heap.popDue(at: moment(2), before: heap.horizon)
        #expect(due?.id == second)
        #expect(heap.earliest == .never)
    }

    @Test func `Removing from anywhere keeps the order`() {
        var heap = TimerHeap<Int>()
        // A fixed permutation of 0..<1009: 1009 is prime.
        let values = (1...1009).map { $0 * 387 % 1009 }
        let timers = values.map { heap.schedule(at: moment(UInt64($0)), $0) }
        for (timer, value) in zip(timers, values) where value % 3 != 0 { heap.cancel(timer) }
        var order: [Int] = []
        while let due = heap.popDue(at: moment(2000), before: heap.horizon) { order.append(due.payload) }
        #expect(order == Array(stride(from: 0, to: 1009, by: 3)))
    }

    @Test func `What is scheduled after the horizon waits`() {
        var heap = TimerHeap<Int>()
        _ = heap.schedule(at: moment(1), 1)
        let horizon = heap.horizon
        _ = heap.schedule(at: moment(0), 0)
        let payloads = [horizon, heap.horizon, horizon].map { heap.popDue(at: moment(5), before: $0)?.payload }
        #expect(payloads == [nil, 0, 1])
    }
}

struct MonotonicTimeTests {
    @Test(
        arguments: [
            (Duration.milliseconds(1), UInt64(1_001_000)), (.zero, 1_000), (.nanoseconds(-400), 600),
            (.seconds(-5), 0), (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
        ]
    )
    func `Moving a moment stops at the ends of time`(by duration: Duration, result: UInt64) {
        #expect(MonotonicTime(nanoseconds: 1_000).advanced(by: duration).nanoseconds == result)
    }

    @Test func `The way to a moment that has passed is zero, or negative as a duration`() {
        let (early, late) = (MonotonicTime(nanoseconds: 10), MonotonicTime(nanoseconds: 25))
        #expect(early.nanoseconds(until: late) == 15)
        #expect(late.nanoseconds(until: early) == 0)
        #expect(late.duration(to: early) == .nanoseconds(-15))
    }
}
