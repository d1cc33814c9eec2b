import SocketIO
import TestSupport
import Testing

@testable import ContractRunner

#if os(Linux)
    let seesThreads = true
#else
    let seesThreads = false
#endif

// What is missing elsewhere is a file system in which the kernel tells of threads.
@Suite(.timeLimit(.minutes(15)), .enabled(if: seesThreads, "the system does not say which threads work"))
struct `The turns of threads` {
    private let start = ContinuousClock.now

    /// Does something while a thread works without end.
    private func besideWork(_ body: () async throws -> Void) async throws {
        let isOver = Shared(false)
        try LoopThread.start { while !isOver.withLock({ $0 }) {} }
        defer { isOver.withLock { $0 = true } }
        while try #require(ThreadGlance.now()).showsOthers == false { await Task.yield() }
        try await body()
    }

    @Test func `are had by a thread that works`() async throws {
        try await besideWork {
            let first = try #require(ThreadGlance.now())
            #expect(first.showsStarvation(since: first))
            while try #require(ThreadGlance.now()).showsStarvation(since: first) { await Task.yield() }
        }
    }

    @Test func `are waited for, but not for ever`() async throws {
        try await besideWork {
            let glance = try #require(ThreadGlance.now())
            var turns = ThreadTurns()
            // The same look again and again is one at threads that are never let.
            let answers = [0, 10, 20, 30, 990, 1_000, 1_020].map { milliseconds in
                turns.hadEverybody(by: start + .milliseconds(milliseconds), glance)
            }
            #expect(answers == [false, false, false, false, false, false, true])
        }
    }

    @Test func `are had by all once nobody wants to work`() {
        var turns = ThreadTurns()
        let answers = [0, 19, 20].map { milliseconds in
            turns.hadEverybody(by: start + .milliseconds(milliseconds), ThreadGlance())
        }
        #expect(answers == [false, false, true])
    }
}
