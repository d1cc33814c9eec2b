import Basics
import Testing

@Suite struct `A lock` {
    @Test func `lets one task at a time change its value`() async {
        let count = Lock(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { count.withLock { $0 += 1 } }
                }
            }
        }
        #expect(count.withLock { $0 } == 80_000)
    }

    @Test func `is free again after an error, and keeps what was changed before it`() {
        struct Refusal: Error {}
        let names = Lock(["a"])
        #expect(throws: Refusal.self) {
            try names.withLock { names throws(Refusal) in
                names.append("b")
                throw Refusal()
            }
        }
        #expect(names.withLock { $0 } == ["a", "b"])
    }

    @Test func `releases its value at its end`() {
        final class Value: Sendable {}
        weak var value: Value?
        do {
            let made = Value()
            value = made
            let lock = Lock(made)
            #expect(lock.withLock { $0 } === value)
        }
        #expect(value == nil)
    }
}
