import Basics
import Console
import SocketIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `A watch over the pool` {
    private let time = ManualTime()
    private let blocked = Shared(0)

    private func watch(_ ask: @escaping PoolWatch.Question) throws -> PoolWatch {
        try PoolWatch(limit: .seconds(60), time: time, ask: ask) { [blocked] in blocked.withLock { $0 += 1 } }
    }

    private func pass(beats: Int) async {
        for _ in 0..<beats {
            await time.untilLoopAwaits(in: PoolWatch.beat)
            time.advance(by: PoolWatch.beat)
        }
    }

    @Test func `says once that nothing is answered any more, and ends`() async throws {
        let questions = Shared(0)
        _ = try watch { _ in questions.withLock { $0 += 1 } }
        await pass(beats: 59)
        await time.untilLoopAwaits(in: PoolWatch.beat)
        #expect(blocked.withLock { $0 } == 0)
        await pass(beats: 1)
        while blocked.withLock({ $0 }) == 0 { await Task.yield() }
        #expect(questions.withLock { $0 } == 1)
    }

    @Test func `says nothing while there are answers, however late`() async throws {
        let unanswered = Shared<[@Sendable () -> Void]>([])
        let watch = try watch { answer in unanswered.withLock { $0.append(answer) } }
        for _ in 0..<5 {
            await pass(beats: 50)
            await time.untilLoopAwaits(in: PoolWatch.beat)
            for answer in unanswered.withLock({ $0 }) { answer() }
            unanswered.withLock { $0 = [] }
        }
        watch.end()
        #expect(blocked.withLock { $0 } == 0)
    }

    @Test func `asks the pool that everybody is on`() async throws {
        let watch = try PoolWatch(limit: .seconds(60), time: time) { [blocked] in blocked.withLock { $0 += 1 } }
        for _ in 0..<3 {
            await pass(beats: 30)
            for _ in 0..<100 { await Task.yield() }
        }
        watch.end()
        #expect(blocked.withLock { $0 } == 0)
    }
}
