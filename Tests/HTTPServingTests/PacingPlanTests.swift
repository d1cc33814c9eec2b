import HTTPCodec
import Testing

@testable import HTTPServing

struct PacingPlanTests {
    /// When how many bytes had left, played through without a clock; milliseconds.
    private func course(_ pacing: Pacing, head: Int, body: Int) -> [[Int]] {
        let plan = PacingPlan(pacing, headBytes: head, bodyBytes: body)
        var (sent, now) = (0, UInt64(0))
        var course: [[Int]] = []
        while course.count < 1_000 {
            let allowance = plan.allowance(after: now)
            #expect(allowance >= sent)
            if allowance > sent { course.append([Int(now / 1_000_000), allowance]) }
            sent = max(sent, allowance)
            guard let due = plan.nextDue(afterSending: sent) else { return course }
            #expect(due > now)
            now = due
        }
        return course
    }

    @Test(
        arguments: [
            (4, 1_000, 40, 100, [[0, 40], [250, 65], [500, 90], [750, 115], [1_000, 140]]),
            (3, 1_000, 10, 10, [[0, 10], [333, 13], [666, 16], [1_000, 20]]),
            (5, 1_000, 10, 2, [[0, 10], [500, 11], [1_000, 12]]), (1, 200, 10, 5, [[0, 10], [200, 15]]),
            (0, 200, 10, 5, [[0, 10], [200, 15]]), (4, 0, 10, 5, [[0, 15]]), (4, 1_000, 10, 0, [[0, 10]]),
        ]
    )
    func `A dribbled body comes in equal parts and ends on time`(
        chunks: Int,
        milliseconds: Int,
        head: Int,
        body: Int,
        expected: [[Int]]
    ) {
        #expect(course(.dribble(chunks: chunks, over: .milliseconds(milliseconds)), head: head, body: body) == expected)
    }

    @Test func `Bandwidth counts the head, and goes by the fiftieth of a second`() {
        let course = course(.bandwidth(bytesPerSecond: 1_000), head: 40, body: 60)
        #expect(course == [[20, 20], [40, 40], [60, 60], [80, 80], [100, 100]])
    }

    @Test func `A crawling bandwidth goes byte by byte`() {
        let course = course(.bandwidth(bytesPerSecond: 3), head: 2, body: 2)
        #expect(course == [[333, 1], [666, 2], [1_000, 3], [1_333, 4]])
    }

    @Test(arguments: [
        Pacing.bandwidth(bytesPerSecond: .max), .bandwidth(bytesPerSecond: -5),
        .dribble(chunks: .max, over: .seconds(Int64.max)),
    ])
    func `Absurd numbers do no harm`(pacing: Pacing) {
        let plan = PacingPlan(pacing, headBytes: 100, bodyBytes: 1 << 40)
        #expect(plan.allowance(after: .max) <= 100 + 1 << 40)
        #expect((plan.nextDue(afterSending: 100) ?? 0) > 0)
    }

    @Test func `Many pieces are found without looking at all of them`() {
        let plan = PacingPlan(.dribble(chunks: 1_000_000, over: .seconds(1_000)), headBytes: 10, bodyBytes: 3_000_000)
        #expect(plan.nextDue(afterSending: 10 + 2_999_997) == 1_000_000_000_000)
        #expect(plan.nextDue(afterSending: 10 + 1_500_000) == 500_001_000_000)
    }
}

struct DurationNanosecondsTests {
    @Test(
        arguments: [
            (Duration.zero, UInt64(0)), (.milliseconds(1), 1_000_000), (.seconds(-1), 0), (.nanoseconds(-1), 0),
            (.seconds(Int64.max), .max), (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
        ] as [(Duration, UInt64)]
    )
    func `Durations become whole nanoseconds within bounds`(duration: Duration, expected: UInt64) {
        #expect(duration.wholeNanoseconds == expected)
    }
}
