import Basics
import TestSupport
import Testing

@testable import EventLoops

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Everything a loop promises, on every way of waiting that this platform has.
@Suite(.timeLimit(.minutes(15)))
struct EventLoopTests {
    @Test(arguments: SelectorKind.allCases)
    func `What is not read is told again`(kind: SelectorKind) throws {
        let (loop, pair, recorder) = (try EventLoop(selector: kind), try SocketPair(), Recorder())
        try loop.register(pair.near.descriptor, for: .read, handler: recorder)
        pair.far.write("hello")
        try loop.turn()
        try loop.turn()
        #expect(recorder.heard == [.read, .read])
        #expect(pair.near.readText() == "hello")
        try loop.turnAtOnce()
        #expect(recorder.heard.count == 2)
    }

    @Test(arguments: SelectorKind.allCases)
    func `Interest can be taken away and given back`(kind: SelectorKind) throws {
        let (loop, pair, recorder) = (try EventLoop(selector: kind), try SocketPair(), Recorder())
        try loop.register(pair.near.descriptor, for: .read, handler: recorder)
        pair.far.write("hello")
        try loop.change(pair.near.descriptor, to: [])
        try loop.turnAtOnce()
        #expect(recorder.heard == [])
        try loop.change(pair.near.descriptor, to: [.read, .write])
        try loop.turn()
        #expect(recorder.heard.reduce(Readiness()) { $0.union($1) } == [.read, .write])
    }

    @Test(arguments: SelectorKind.allCases)
    func `Room to write is told only after the peer has read`(kind: SelectorKind) throws {
        let (loop, pair, recorder) = (try EventLoop(selector: kind), try SocketPair(), Recorder())
        var pending = pair.near.fill()
        try loop.register(pair.near.descriptor, for: .write, handler: recorder)
        try loop.turnAtOnce()
        #expect(recorder.heard == [])
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while pending > 0, try pair.far.waitUntilReadable(until: .never) {
            guard case .bytes(let count) = bytes.withUnsafeMutableBytes({ pair.far.read(into: $0) }) else { break }
            pending -= count
        }
        try loop.turn()
        #expect(recorder.heard == [.write])
    }

    @Test(arguments: SelectorKind.allCases)
    func `Stale events after descriptor reuse are dropped`(kind: SelectorKind) throws {
        let loop = try EventLoop(selector: kind)
        let (first, second, third) = (try SocketPair(), try SocketPair(), try SocketPair())
        let newcomer = Recorder()
        // Whichever of the two is told first gives the other's number to a third connection, which has nothing to read.
        func reuse(_ victim: Descriptor) throws {
            loop.deregister(victim)
            #expect(dup2(third.near.descriptor.number, victim.number) == victim.number)
            try loop.register(victim, for: .read, handler: newcomer)
        }
        var hasReused = false
        func recorder(replacing victim: Descriptor) -> Recorder {
            let recorder = Recorder()
            recorder.whenReady = { _ in
                if hasReused { return }
                hasReused = true
                do { try reuse(victim) } catch { Issue.record(error) }
            }
            return recorder
        }
        let recorders = [recorder(replacing: second.near.descriptor), recorder(replacing: first.near.descriptor)]
        try loop.register(first.near.descriptor, for: .read, handler: recorders[0])
        try loop.register(second.near.descriptor, for: .read, handler: recorders[1])
        first.far.write("one")
        second.far.write("two")
        try loop.turn()
        #expect(hasReused)
        #expect(recorders.map(\.heard.count).sorted() == [0, 1])
        #expect(newcomer.heard == [])
        third.far.write("three")
        while newcomer.heard.isEmpty { try loop.turn() }
        #expect(newcomer.heard == [.read])
    }

    @Test(arguments: SelectorKind.allCases)
    func `A descriptor that was deregistered is not told of`(kind: SelectorKind) throws {
        let (loop, pair, recorder) = (try EventLoop(selector: kind), try SocketPair(), Recorder())
        try loop.register(pair.near.descriptor, for: .read, handler: recorder)
        pair.far.write("hello")
        loop.deregister(pair.near.descriptor)
        try loop.turnAtOnce()
        #expect(recorder.heard == [])
        #expect(loop.registrationCount == 0)
    }

    @Test(arguments: SelectorKind.allCases)
    func `A reset is told even to those who asked for nothing`(kind: SelectorKind) throws {
        #if canImport(Darwin)
            // Darwin's poll registers nothing for a descriptor that asks for nothing.
            if kind == .poll { return }
        #endif
        let (loop, recorder) = (try EventLoop(selector: kind), Recorder())
        var pair: SocketPair? = try SocketPair()
        let near = try #require(pair?.near)
        try loop.register(near.descriptor, for: [], handler: recorder)
        pair?.far.reset()
        pair = nil
        try loop.turn()
        #expect(recorder.heard == [.hangup])
    }

    @Test(arguments: SelectorKind.allCases)
    func `A half-closed peer is told without reading`(kind: SelectorKind) throws {
        #if canImport(Darwin)
            // Darwin's poll has no event for it.
            if kind == .poll { return }
        #endif
        let (loop, pair, recorder) = (try EventLoop(selector: kind), try SocketPair(), Recorder())
        try loop.register(pair.near.descriptor, for: .peerEnd, handler: recorder)
        pair.far.write("the last words")
        pair.far.endWriting()
        try loop.turn()
        #expect(recorder.heard == [.peerEnd])
        #expect(pair.near.readText() == "the last words")
        #expect(pair.near.readOutcome() == .endOfStream)
        #expect(pair.near.write("an answer") == .bytes(9))
    }

    @Test(arguments: SelectorKind.allCases)
    func `Many descriptors are told in one turn`(kind: SelectorKind) throws {
        let loop = try EventLoop(selector: kind)
        let pairs = try (0..<100).map { _ in try SocketPair() }
        let recorders = pairs.map { _ in Recorder() }
        for (pair, recorder) in zip(pairs, recorders) {
            try loop.register(pair.near.descriptor, for: .read, handler: recorder)
            pair.far.write("x")
        }
        // The first turn may fill the selector's buffer, which then grows.
        for _ in 0..<3 { try loop.turn() }
        #expect(recorders.allSatisfy { !$0.heard.isEmpty })
    }

    @Test(arguments: SelectorKind.allCases)
    func `Jobs from many threads run on the loop, each thread's in order`(kind: SelectorKind) async throws {
        let loop = try EventLoop(selector: kind)
        let handle = loop.handle
        let seen = Shared<[Int: [Int]]>([:])
        try LoopThread.start { try? loop.run() }
        await withTaskGroup { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        handle.execute { _ in
                            #expect(handle.isOnLoop)
                            seen.withLock { $0[sender, default: []].append(number) }
                        }
                    }
                }
            }
        }
        await withCheckedContinuation { done in
            handle.execute { loop in
                loop.stop()
                done.resume()
            }
        }
        #expect(!handle.isOnLoop)
        #expect(seen.withLock { $0.values.allSatisfy { $0 == Array(0..<500) } && $0.count == 4 })
    }

    // It would be SIGPIPE that ends the tests, where the loop's end of a pipe is closed by then.
    @Test(arguments: SelectorKind.allCases)
    func `A wake-up after the end of the loop harms nobody`(kind: SelectorKind) throws {
        let handle = try EventLoop(selector: kind).handle
        handle.wake()
    }

    @Test(arguments: SelectorKind.allCases)
    func `A job posted by a job needs no second wake-up`(kind: SelectorKind) throws {
        let loop = try EventLoop(selector: kind)
        let count = Shared(0)
        let handle = loop.handle
        handle.execute { _ in
            handle.execute { _ in count.withLock { $0 += 1 } }
        }
        try loop.turn()
        try loop.turn()
        #expect(count.withLock { $0 } == 1)
    }

    @Test(arguments: SelectorKind.allCases)
    func `A loop that has ended takes no more jobs`(kind: SelectorKind) throws {
        let loop = try EventLoop(selector: kind)
        let handle = loop.handle
        handle.execute { $0.stop() }
        try loop.run()
        #expect(handle.execute { _ in Issue.record("nobody should run this") } == false)
    }

    @Test(arguments: SelectorKind.allCases)
    func `A timer fires a millisecond later and not before`(kind: SelectorKind) throws {
        let (loop, recorder) = (try EventLoop(selector: kind), Recorder())
        let deadline = SystemTime().now().advanced(by: .milliseconds(1))
        let timer = loop.schedule(at: deadline, handler: recorder)
        while recorder.fired.isEmpty { try loop.turn() }
        #expect(recorder.fired == [timer])
        #expect(loop.now >= deadline)
    }

    @Test(arguments: SelectorKind.allCases)
    func `Advancing manual time wakes a waiting loop and fires what is due, in order`(kind: SelectorKind) async throws {
        let time = ManualTime()
        let start = time.now()
        let loop = try EventLoop(selector: kind, time: time)
        let handle = loop.handle
        let fired = Shared<[Int]>([])
        try LoopThread.start { try? loop.run() }
        handle.execute { loop in
            for seconds in [3, 1, 2, 9] {
                loop.schedule(at: start.advanced(by: .seconds(seconds))) {
                    fired.withLock { $0.append(seconds) }
                }
            }
        }
        await time.untilLoopAwaits(in: .seconds(1))
        time.advance(by: .seconds(5))
        await time.untilLoopsRest()
        #expect(fired.withLock { $0 } == [1, 2, 3])
        time.advance(by: .seconds(5))
        await time.untilLoopsRest()
        #expect(fired.withLock { $0 } == [1, 2, 3, 9])
        handle.execute { $0.stop() }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A loop that was given work does not rest before it has done it`(kind: SelectorKind) async throws {
        let time = ManualTime()
        let loop = try EventLoop(selector: kind, time: time)
        let handle = loop.handle
        let fired = Shared(0)
        try LoopThread.start { try? loop.run() }
        await time.untilLoopsRest(atLeast: 1)
        for count in 1...100 {
            handle.execute { loop in
                loop.schedule(at: loop.now.advanced(by: .seconds(1))) { fired.withLock { $0 += 1 } }
            }
            await time.untilLoopsRest()
            time.advance(by: .seconds(1))
            await time.untilLoopsRest()
            #expect(fired.withLock { $0 } == count)
        }
        handle.execute { $0.stop() }
    }

    @Test(arguments: SelectorKind.allCases)
    func `Timers set by a timer wait for the next turn`(kind: SelectorKind) throws {
        let loop = try EventLoop(selector: kind)
        var count = 0
        func again() {
            count += 1
            if count < 5 { loop.schedule(at: loop.now) { again() } }
        }
        loop.schedule(at: loop.now) { again() }
        try loop.turn()
        #expect(count == 1)
        for _ in 0..<4 { try loop.turn() }
        #expect(count == 5)
        #expect(loop.timerCount == 0)
    }
}

extension EventLoop {
    /// A turn that does not wait when nothing is ready.
    func turnAtOnce() throws {
        handle.wake()
        try turn()
    }
}
