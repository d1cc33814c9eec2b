import Basics
import Dispatch
import EventLoops

/// The threads that run worlds, one world after the other: many a client is done sooner than a thread is started.
final class WorldThread: Sendable {
    private static let idle = Lock<[WorldThread]>([])
    /// The maximum number of threads that wait for a world.
    private static let mostIdle = 16

    private let next = Lock<(@Sendable () -> Void)?>(nil)
    private let wake = DispatchSemaphore(value: 0)

    /// Runs the body on a thread that nothing else uses during that time.
    ///
    /// - Throws: `SystemError` when the system has no thread left.
    static func run(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        if let thread = idle.withLock({ $0.popLast() }) {
            thread.next.withLock { $0 = body }
            thread.wake.signal()
        } else {
            try LoopThread.start { WorldThread().goOn(with: body) }
        }
    }

    private func goOn(with first: @escaping @Sendable () -> Void) {
        first()
        while waits() {
            wake.wait()
            next.withLock({ $0.take() })?()
        }
    }

    /// Returns whether it is among the threads that wait for a world now.
    private func waits() -> Bool {
        Self.idle.withLock { idle in
            guard idle.count < Self.mostIdle else { return false }
            idle.append(self)
            return true
        }
    }
}

/// Says that a client blocks its thread; looks count and not the clock, so that a busy machine does not cause it.
///
/// One task looks after all worlds that are looked at equally often.
enum WorldWatch {
    private struct Entry: Sendable {
        let world: World
        let ending: Ending
        var steps: Int?
        var looks = 0
    }

    /// The number of consecutive checks that must find a client in the same job.
    static let looks = 20

    private static let entries = Lock<[Duration: [ObjectIdentifier: Entry]]>([:])

    static func begin(_ world: World, _ ending: Ending, every beat: Duration) {
        let isFirst = entries.withLock { entries in
            let isFirst = entries[beat] == nil
            entries[beat, default: [:]][ObjectIdentifier(ending)] = Entry(world: world, ending: ending)
            return isFirst
        }
        guard isFirst else { return }
        // It outlives the world that it began with.
        TaskHooks.outsideOfWorlds {
            Task.detached {
                repeat { try? await Task.sleep(for: beat) } while look(every: beat)
            }
        }
    }

    static func end(_ ending: Ending, every beat: Duration) {
        entries.withLock { $0[beat]?[ObjectIdentifier(ending)] = nil }
    }

    /// - Returns: whether there is anything left to look after.
    private static func look(every beat: Duration) -> Bool {
        let blocked = entries.withLock { entries -> [Entry]? in
            guard var watched = entries[beat], !watched.isEmpty else {
                entries[beat] = nil
                return nil
            }
            for key in watched.keys {
                let steps = watched[key]?.world.stepsWithRunningJob
                if let steps, steps == watched[key]?.steps {
                    watched[key]?.looks += 1
                } else {
                    watched[key]?.steps = steps
                    watched[key]?.looks = 0
                }
            }
            entries[beat] = watched
            return watched.values.filter { $0.looks > looks }
        }
        for entry in blocked ?? [] {
            entry.world.end()
            entry.ending.set(.blocked)
        }
        return blocked != nil
    }
}

/// The end of a run, which one waits for; only the first counts.
final class Ending: Sendable {
    private struct State {
        var end: World.End?
        var waiting: CheckedContinuation<World.End, Never>?
    }

    private let state = Lock(State())

    func set(_ end: World.End) {
        let waiting = state.withLock { state -> CheckedContinuation<World.End, Never>? in
            guard state.end == nil else { return nil }
            state.end = end
            return state.waiting.take()
        }
        waiting?.resume(returning: end)
    }

    var value: World.End {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.end == nil { state.waiting = continuation }
                    return state.end
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
