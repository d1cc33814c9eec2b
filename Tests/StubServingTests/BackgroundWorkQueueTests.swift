import Basics
import Testing

@testable import StubServing

@Suite(.timeLimit(.minutes(15)))
struct `The clerk` {
    @Test func `does jobs in their order, never two at once`() async {
        let done = Lock<(numbers: [Int], running: Int, most: Int)>(([], 0, 0))
        let clerk = BackgroundWorkQueue()
        await withCheckedContinuation { continuation in
            for number in 1...1_000 {
                clerk.take {
                    done.withLock {
                        $0.running += 1
                        $0.most = max($0.most, $0.running)
                    }
                    done.withLock {
                        $0.numbers.append(number)
                        $0.running -= 1
                    }
                    if number == 1_000 { continuation.resume() }
                }
            }
        }
        #expect(done.withLock { $0.numbers } == Array(1...1_000))
        #expect(done.withLock { $0.most } == 1)
    }

    @Test func `goes back to work after a rest`() async {
        let clerk = BackgroundWorkQueue()
        for _ in 1...20 {
            await withCheckedContinuation { continuation in clerk.take { continuation.resume() } }
        }
    }
}
