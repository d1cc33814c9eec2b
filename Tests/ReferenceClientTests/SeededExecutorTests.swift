import Basics
import Testing

@Suite struct `A seeded executor` {
    /// Lets tasks and actors take turns, and returns the order in which they did.
    @available(macOS 15, iOS 18, *)
    private func order(seed: UInt64) -> [Int] {
        let executor = SeededExecutor(seed: seed)
        let log = TurnLog()
        let turns = Lock<[Int]?>(nil)
        executor.start {
            await withTaskGroup { group in
                for number in 0..<4 {
                    group.addTask {
                        for turn in 0..<3 {
                            await log.note(number * 10 + turn)
                            await Task.yield()
                        }
                    }
                }
            }
            let all = await log.turns
            turns.withLock { $0 = all }
        }
        while executor.runNext() {}
        return turns.withLock { $0 } ?? []
    }

    private actor TurnLog {
        var turns: [Int] = []

        func note(_ turn: Int) { turns.append(turn) }
    }

    @available(macOS 15, iOS 18, *)
    @Test func `runs tasks and actors to their end on the caller's thread`() {
        for seed in 0..<20 as Range<UInt64> {
            let turns = order(seed: seed)
            #expect(turns.count == 12)
            #expect(Set(turns).count == 12)
        }
    }

    @available(macOS 15, iOS 18, *)
    @Test func `does the same again with the same seed`() {
        for seed in 0..<20 as Range<UInt64> { #expect(order(seed: seed) == order(seed: seed)) }
    }

    @available(macOS 15, iOS 18, *)
    @Test func `does it in many orders with many seeds`() {
        let orders = Set((0..<20 as Range<UInt64>).map(order))
        #expect(orders.count > 10)
    }
}
