import Basics
package import SocketIO

/// A time in which a server, a network and clients live together.
///
/// It stands still while anybody works and jumps to what comes next when everybody waits, so that no pause, latency or
/// time-out takes real time, and as much of it passes for the one as for the others. An answer takes a little while to
/// reach its client, so that what follows from it comes clearly later. A class, because all of them mean the same time.
package final class JumpingTime: TimeSource {
    fileprivate struct State {
        var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        /// In the order in which they came, each with what it waits for; `nil` while it may still be working.
        var loops: [(handle: EventLoop.Handle, deadline: MonotonicTime?)] = []
        /// How many loops there will be at least; one that has not begun to wait is not known yet.
        var expectedLoops: Int
        var sleepers: [Sleeper] = []
        var lastSleeper: UInt64 = 0
        /// Sleepers whose tasks were cancelled before they lay down.
        var cancelled: Set<UInt64> = []
        var activity: UInt64 = 0
        var isOver = false
        /// Who waits for all loops to rest.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    fileprivate struct Sleeper {
        var number: UInt64
        var end: MonotonicTime
        var continuation: UnsafeContinuation<Bool, Never>
    }

    /// Whose moment has come; told so once nobody holds the lock any more.
    fileprivate struct Woken {
        var loops: [EventLoop.Handle] = []
        var sleepers: [Sleeper] = []

        func go() {
            for loop in loops { loop.wake() }
            for sleeper in sleepers { sleeper.continuation.resume(returning: false) }
        }
    }

    /// What is due later than this never comes, such as the end of a connection's patience.
    fileprivate static let horizon = Duration.seconds(1_000_000_000)

    private let state: Lock<State>

    /// - Parameter loops: how many loops of servers there will be in this time; each network brings its own.
    package init(loops: Int = 1) {
        state = Lock(State(expectedLoops: loops))
    }

    /// There will be another loop.
    func expectLoop() { state.withLock { $0.expectedLoops += 1 } }

    package var passesByItself: Bool { false }

    package func now() -> MonotonicTime { state.withLock { $0.now } }

    package func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool) {
        let satisfied = state.withLock { state in
            // More may be on its way in the system, such as the rest of a long body.
            if hasWorked { state.activity += 1 }
            if let index = state.loops.firstIndex(where: { $0.handle.identity == loop.identity }) {
                state.loops[index].deadline = deadline
            } else {
                state.loops.append((loop, deadline))
            }
            return state.takeSatisfied()
        }
        for continuation in satisfied { continuation.resume() }
    }

    package func loopEnded(_ loop: EventLoop.Handle) {
        let satisfied = state.withLock { state in
            state.loops.removeAll { $0.handle.identity == loop.identity }
            state.expectedLoops -= 1
            return state.takeSatisfied()
        }
        for continuation in satisfied { continuation.resume() }
    }

    // MARK: Activity

    /// A number that changes whenever a client does something, or anything goes over a connection.
    var activity: UInt64 { state.withLock { $0.activity } }

    /// Whether a pause is under way.
    var isAnybodyAsleep: Bool { state.withLock { !$0.sleepers.isEmpty } }

    /// Something was done.
    func note() { state.withLock { $0.activity += 1 } }

    /// Nobody cares for the clients of this time any more: whoever of them wants to wait, waits for ever.
    func end() { state.withLock { $0.isOver = true } }

    /// Returns at once, and never once the time is over: a client that goes on and on would hinder all others.
    func stopIfOver() async {
        guard state.withLock({ $0.isOver }) else { return }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    // MARK: Sleeping

    /// Returns when so much time has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before or meanwhile.
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        await stopIfOver()
        guard duration > .zero else { return await Task.yield() }
        let number = state.withLock { state in
            state.activity += 1
            state.lastSleeper += 1
            return state.lastSleeper
        }
        let isCancelled = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    let end = state.now.advanced(by: duration)
                    state.sleepers.append(Sleeper(number: number, end: end, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(returning: true) }
            }
        } onCancel: {
            wake(cancelled: number)
        }
        if isCancelled { throw CancellationError() }
    }

    private func wake(cancelled number: UInt64) {
        let sleeper = state.withLock { state -> Sleeper? in
            state.activity += 1
            guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(returning: true)
    }

    // MARK: Passing

    /// The next moment at which something is due; `nil` when nothing will ever happen by itself.
    var next: MonotonicTime? { state.withLock { $0.next } }

    /// What came of an attempt to jump.
    enum Jump {
        case done
        /// Nothing will ever happen by itself.
        case nowhere
        /// Somebody has begun to do something.
        case tooEarly
    }

    /// Lets time pass until the next thing is due, unless anything has happened since ``activity`` was looked at.
    func jump(unlessChangedSince activity: UInt64) -> Jump {
        let (jump, woken) = state.withLock { state -> (Jump, Woken) in
            guard state.activity == activity, state.isResting else { return (.tooEarly, Woken()) }
            guard let next = state.next else { return (.nowhere, Woken()) }
            return (.done, state.go(to: next))
        }
        woken.go()
        return jump
    }

    /// Lets a little time pass.
    func pass(_ duration: Duration) {
        state.withLock { $0.go(to: $0.now.advanced(by: duration)) }.go()
    }

    // MARK: Loops

    /// Returns when every loop has looked at all that was sent up to now, and at what the others made of it.
    func untilLoopsHaveSettled() async {
        // What a server answers in the first round reaches the network in the second.
        for _ in 0..<2 {
            await untilLoopsRest()
            for handle in state.withLock({ $0.loops.map(\.handle) }) { await turn(handle) }
            await untilLoopsRest()
        }
    }

    private func untilLoopsRest() async {
        await withCheckedContinuation { continuation in
            let satisfied = state.withLock { state in
                state.waiting.append(continuation)
                return state.takeSatisfied()
            }
            for continuation in satisfied { continuation.resume() }
        }
    }

    /// Returns when a loop has asked its selector once more.
    private func turn(_ handle: EventLoop.Handle) async {
        await withCheckedContinuation { continuation in
            // The first job may run in a turn that has asked already; the second runs in the next.
            let isTaken = handle.execute { [self] _ in
                let isTaken = handle.execute { [self] _ in
                    state.withLock { state in
                        for index in state.loops.indices where state.loops[index].handle.identity == handle.identity {
                            state.loops[index].deadline = nil
                        }
                    }
                    continuation.resume()
                }
                if !isTaken { continuation.resume() }
            }
            if !isTaken { continuation.resume() }
        }
    }
}

extension JumpingTime.State {
    /// Whether every loop waits for something.
    fileprivate var isResting: Bool { loops.count >= expectedLoops && loops.allSatisfy { $0.deadline != nil } }

    fileprivate var next: MonotonicTime? {
        let moments = loops.compactMap(\.deadline) + sleepers.map(\.end)
        return moments.min().flatMap { $0 < now.advanced(by: JumpingTime.horizon) ? $0 : nil }
    }

    fileprivate mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
        guard isResting else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Moves the time forward, and returns whose moment has come.
    fileprivate mutating func go(to moment: MonotonicTime) -> JumpingTime.Woken {
        now = max(now, moment)
        activity += 1
        var woken = JumpingTime.Woken()
        for index in loops.indices {
            guard let deadline = loops[index].deadline, deadline <= now else { continue }
            loops[index].deadline = nil
            woken.loops.append(loops[index].handle)
        }
        let now = now
        woken.sleepers = sleepers.filter { $0.end <= now }.sorted { ($0.end, $0.number) < ($1.end, $1.number) }
        sleepers.removeAll { $0.end <= now }
        return woken
    }
}
