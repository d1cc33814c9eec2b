import Basics

/// Watches what a client is asked for: lets time go on when everybody waits for it, and ends what does not end.
struct WorkWatch: Sendable {
    let time: JumpingTime
    let network: LoopNetwork
    var patience = ClientPatience()
    /// Whether requests wait for each other on the server, so that one more may be on its way.
    var isHolding: @Sendable () -> Bool = { false }
    /// Whether the whole run is to end.
    var isInterrupted: @Sendable () -> Bool = { false }

    /// How the work has ended.
    enum End: Sendable {
        case returned
        case threw(any Error)
        /// Nothing was under way that could have brought it on.
        case stuck
        /// It went on and on.
        case endless
        case interrupted
    }

    /// A class, because the work and its watch mean the same end.
    private final class Ending: Sendable {
        private let value = Lock<End?>(nil)

        var end: End? { value.withLock { $0 } }

        func set(_ end: End) { value.withLock { $0 = end } }
    }

    /// How long work that was told to end may take to do so.
    private static let grace = Duration.milliseconds(50)
    /// How long the watch rests between two looks.
    private static let pause = Duration.milliseconds(1)
    /// So often it has looked before it says that nothing happens, or that it never ends.
    ///
    /// A watch waits for its turn as the work does. Where a machine is too busy to let the one go on, it keeps the
    /// other from looking; so looks tell what a clock cannot, whether the work has had its opportunities.
    private static let leastLooks = (idle: 50, ever: 2_000)
    /// So often it lets others of Swift's pool of threads go first, which may be about to do something.
    private static let courtesies = 16

    /// Leaves work behind that does not end by itself.
    ///
    /// It is not cancelled where Foundation's own networking may be under way on Linux: there a cancellation and an
    /// answer at the same moment lock each other out for ever, and with them one of Swift's few threads.
    static func leave(_ task: Task<Void, Never>) {
        #if canImport(Darwin)
            task.cancel()
        #endif
    }

    func see(_ work: @escaping @Sendable () async throws -> Void) async -> End {
        let ending = Ending()
        let task = Task.detached { [time] in
            do {
                try await work()
                ending.set(.returned)
            } catch {
                ending.set(.threw(error))
            }
            time.note()
        }
        let verdict = await wait(for: ending)
        if ending.end == nil {
            Self.leave(task)
            let deadline = ContinuousClock.now + Self.grace
            while ending.end == nil, ContinuousClock.now < deadline { await rest() }
        }
        // What it has left under way is seen by the server, and waited for by nobody.
        await time.untilLoopsHaveSettled()
        return verdict
    }

    private func wait(for ending: Ending) async -> End {
        let start = ContinuousClock.now
        var (seen, lastChange, looks, allLooks, jumps) = (time.activity, start, 0, 0, 0)
        var turns = ThreadTurns()
        while true {
            await rest()
            if let end = ending.end { return end }
            if isInterrupted() || Task.isCancelled { return .interrupted }
            let now = ContinuousClock.now
            allLooks += 1
            if now - start > patience.limit, allLooks > Self.leastLooks.ever { return .endless }
            if network.requestCount > UInt64(patience.mostRequests) { return .endless }
            if time.activity != seen {
                (seen, lastChange, looks, turns) = (time.activity, now, 0, ThreadTurns())
                continue
            }
            looks += 1
            guard now - lastChange >= patience.quiet, await isQuiet(since: seen) else { continue }
            let glance = patience.looksAround ? ThreadGlance.now() : nil
            let isAlone = !patience.looksAround || glance?.showsOthers == false
            if !isAlone {
                if let glance, !turns.hadEverybody(by: now, glance) { continue }
                guard now - lastChange >= patience.quietAmongOthers else { continue }
            }
            if isHolding(), now - lastChange < patience.quietAtGates { continue }
            switch time.jump(unlessChangedSince: seen) {
            case .done: jumps += 1
            case .tooEarly: break
            case .nowhere:
                let limit = isAlone ? patience.idle : patience.idle * 3
                if now - lastChange > limit, looks > Self.leastLooks.idle { return .stuck }
            }
            if jumps > patience.mostJumps { return .endless }
        }
    }

    /// Whether still nothing has happened once everybody has had the opportunity.
    private func isQuiet(since activity: UInt64) async -> Bool {
        await time.untilLoopsHaveSettled()
        for _ in 0..<Self.courtesies { await Task.yield() }
        return time.activity == activity
    }

    /// Rests also where the task was cancelled, so that nobody spins.
    private func rest() async {
        await Task.detached { try? await Task.sleep(for: Self.pause) }.value
    }
}
