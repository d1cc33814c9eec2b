import Basics
import ClientTesting
import Dispatch
import EventLoops
import Testing

/// What a client writes down in the order in which it happens.
private final class Notes: Sendable {
    private let lines = Lock<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}

private actor Counter {
    private(set) var count = 0

    /// Loses what another caller adds meanwhile.
    func addCarelessly() async {
        let before = count
        await Task.yield()
        count = before + 1
    }

    func add() -> Int {
        count += 1
        return count
    }
}

@MainActor private final class Screen {
    private(set) var count = 0

    func show() -> Int {
        MainActor.assertIsolated()
        count += 1
        return count
    }
}

@Suite struct `A world` {
    private func end(
        _ world: World,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> String {
        switch try await world.run(work) {
        case .threw(let error): "threw \(error)"
        case let end: "\(end)"
        }
    }

    private func passed(in world: World, since start: MonotonicTime) -> Duration {
        start.duration(to: world.now())
    }

    @Test(arguments: [JobOrder.Kind.firstInFirstOut, .random, .fewPreemptions(depth: 3)])
    func `runs child tasks, groups, actors, detached tasks, the main actor and continuations on its thread`(
        kind: JobOrder.Kind
    ) async throws {
        let world = World(JobOrder(kind, seed: 7))
        let notes = Notes()
        let end = try await end(world) {
            let counter = Counter()
            async let first = counter.add()
            async let second = counter.add()
            notes.add("children \(await [first, second].sorted())")
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<3 { group.addTask { await counter.add() } }
                notes.add("group \(await group.reduce(0, +))")
            }
            notes.add("detached \(await Task.detached { await counter.add() }.value)")
            notes.add("task \(await Task { await counter.add() }.value)")
            notes.add("main \(await Screen().show())")
            notes.add("main task \(await Task { @MainActor in Screen().show() }.value)")
            let value = await withCheckedContinuation { continuation in
                Task { continuation.resume(returning: 7) }
            }
            notes.add("continuation \(value)")
            await Task.yield()
            notes.add("yielded")
        }
        #expect(end == "returned")
        #expect(
            notes.all == [
                "children [1, 2]", "group 12", "detached 6", "task 7", "main 1", "main task 1", "continuation 7",
                "yielded",
            ]
        )
        #expect(!world.hasOutsideWork)
    }

    @Test func `lets every form of Task.sleep pass without waiting, also within an actor`() async throws {
        actor Sleeper {
            func sleep() async throws { try await Task.sleep(for: .seconds(50)) }
        }
        let world = World()
        let start = world.now()
        let end = try await end(world) {
            try await Task.sleep(for: .seconds(100))
            try await Task.sleep(nanoseconds: 100_000_000_000)
            try await Task.sleep(until: .now + .seconds(100), clock: .suspending)
            try await ContinuousClock().sleep(for: .seconds(100))
            try await Sleeper().sleep()
            async let long: Void = Task.sleep(for: .seconds(30))
            async let short: Void = Task.sleep(for: .seconds(20))
            _ = try await (long, short)
        }
        #expect(end == "returned")
        #expect(passed(in: world, since: start) == .seconds(480))
        #expect(!world.hasOutsideWork)
    }

    @Test func `wakes a pause that is cancelled, its own and the runtime's`() async throws {
        let world = World()
        let start = world.now()
        let end = try await end(world) { [world] in
            for sleep in [
                { try await world.sleep(for: .seconds(1_000)) }, { try await Task.sleep(for: .seconds(1_000)) },
            ] as [@Sendable () async throws -> Void] {
                let sleeper = Task { try await sleep() }
                try await world.sleep(for: .seconds(1))
                sleeper.cancel()
                guard case .failure(let error) = await sleeper.result, error is CancellationError else {
                    throw CocoaError()
                }
            }
        }
        #expect(end == "returned")
        #expect(passed(in: world, since: start) == .seconds(2))
    }

    private struct CocoaError: Error {}

    @Test func `is the same with the same seed, and not with every other one`() async throws {
        func order(_ seed: UInt64, _ kind: JobOrder.Kind) async throws -> [String] {
            let world = World(JobOrder(kind, seed: seed))
            let notes = Notes()
            _ = try await world.run {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<6 {
                        group.addTask {
                            notes.add("\(number) begins")
                            await Task.yield()
                            notes.add("\(number) ends")
                        }
                    }
                }
            }
            return notes.all
        }
        for kind in [JobOrder.Kind.random, .fewPreemptions(depth: 3)] {
            var orders: Set<[String]> = []
            for seed in 0..<20 as Range<UInt64> {
                let first = try await order(seed, kind)
                for _ in 0..<3 { #expect(try await order(seed, kind) == first) }
                orders.insert(first)
            }
            #expect(orders.count > 10, "\(kind)")
        }
    }

    @Test func `finds a lost update of a re-entrant actor, and again with the same seed`() async throws {
        func isLost(_ seed: UInt64, _ kind: JobOrder.Kind) async throws -> Bool {
            let counter = Counter()
            let notes = Notes()
            _ = try await World(JobOrder(kind, seed: seed)).run {
                async let first: Void = counter.addCarelessly()
                async let second: Void = counter.addCarelessly()
                _ = await (first, second)
                notes.add("\(await counter.count)")
            }
            return notes.all == ["1"]
        }
        for kind in [JobOrder.Kind.random, .fewPreemptions(depth: 3)] {
            var found: UInt64?
            for seed in 0..<100 as Range<UInt64> where found == nil {
                if try await isLost(seed, kind) { found = seed }
            }
            let seed = try #require(found, "\(kind)")
            for _ in 0..<100 { #expect(try await isLost(seed, kind)) }
        }
    }

    @Test func `says at once that nothing is under way any more`() async throws {
        var limits = World.Limits()
        limits.outside = .milliseconds(20)
        let world = World(JobOrder(.firstInFirstOut, seed: 0), .exact, limits)
        let end = try await end(world) { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        #expect(end == "stuck")
    }

    @Test func `ends what goes on and on, by jobs or by pauses`() async throws {
        var limits = World.Limits()
        limits.steps = 1_000
        limits.jumps = 50
        let busy = World(JobOrder(.firstInFirstOut, seed: 0), .exact, limits)
        #expect(try await end(busy) { while true { await Task.yield() } } == "endless")
        let lazy = World(JobOrder(.firstInFirstOut, seed: 0), .exact, limits)
        #expect(try await end(lazy) { while true { try await lazy.sleep(for: .seconds(60)) } } == "endless")
        #expect(passed(in: lazy, since: MonotonicTime(nanoseconds: 1_000_000_000_000)) >= .seconds(3_000))
    }

    @Test func `says that a client blocks its thread, and the next world runs all the same`() async throws {
        var limits = World.Limits()
        limits.blocked = .milliseconds(200)
        let semaphore = DispatchSemaphore(value: 0)
        let blocked = World(JobOrder(.firstInFirstOut, seed: 0), .exact, limits)
        #expect(try await end(blocked) { semaphore.waitForEver() } == "blocked")
        #expect(try await end(World()) { await Task.yield() } == "returned")
        semaphore.signal()
    }

    @Test func `waits for a thread of the client's own, and knows that it did`() async throws {
        let world = World()
        let end = try await end(world) {
            let hasSuspended = DispatchSemaphore(value: 0)
            // The world runs it once the client waits; before that, nothing would come from outside.
            Task { hasSuspended.signal() }
            let value = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    hasSuspended.wait()
                    continuation.resume(returning: 3)
                }
            }
            if value != 3 { throw CocoaError() }
        }
        #expect(end == "returned")
        #expect(world.hasOutsideWork)
    }

    @Test func `runs beside others in the same process`() async throws {
        let totals = try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
            for number in 1...8 {
                group.addTask {
                    let world = World(JobOrder(.random, seed: UInt64(number)))
                    let start = world.now()
                    let counter = Counter()
                    _ = try await world.run {
                        await withTaskGroup(of: Void.self) { group in
                            for _ in 0..<20 {
                                group.addTask {
                                    try? await Task.sleep(for: .seconds(number))
                                    _ = await counter.add()
                                }
                            }
                        }
                    }
                    return (await counter.count, start.duration(to: world.now()))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(totals.map(\.0) == Array(repeating: 20, count: 8))
        #expect(totals.map(\.1).sorted() == (1...8).map { .seconds($0) })
    }

    @Test func `leaves the jobs of others alone`() async throws {
        let outside = Task.detached { () -> Int in
            for _ in 0..<50 { await Task.yield() }
            try? await Task.sleep(for: .milliseconds(1))
            return await Screen().show()
        }
        #expect(try await end(World()) { for _ in 0..<50 { await Task.yield() } } == "returned")
        #expect(await outside.value == 1)
    }
}

extension DispatchSemaphore {
    /// What no async function should do, and some do.
    fileprivate func waitForEver() { wait() }
}
