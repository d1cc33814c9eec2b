import Basics
import Simulation

/// Runs a world's jobs, and takes those that a job puts off by itself.
///
/// To the runtime each job runs on such a serial executor. So a step from there to an actor, or back, is a separate
/// job, and the order may let another one go first. A world has another one for the main actor.
final class WorldExecutor: SerialExecutor {
    private struct Owner: Sendable {
        // The world owns its executors.
        weak var world: World?
    }

    private let isMain: Bool
    private let owner = Lock(Owner())

    init(isMain: Bool) {
        self.isMain = isMain
    }

    func serve(_ world: World) { owner.withLock { $0.world = world } }

    func enqueue(_ job: UnownedJob) {
        owner.withLock { $0.world }?.take(job, isMain: isMain)
    }

    func run(_ job: UnownedJob) {
        job.runSynchronously(on: asUnownedSerialExecutor())
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// In which order a world runs jobs that are ready at the same time.
package struct JobOrder: Sendable {
    package enum Kind: Sendable, Hashable {
        /// As they became ready.
        case firstInFirstOut
        /// Any of them, each as likely as the others.
        case random
        /// The task of the highest priority, where priorities are random and change at few random steps.
        ///
        /// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
        /// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010): a race that needs `depth` orderings among n tasks and k
        /// steps is found with a probability of at least 1 / (n k^(depth − 1)), which is far more than random choice
        /// gives.
        case fewPreemptions(depth: Int)
    }

    package let kind: Kind
    private var chance: Chance
    private var priorities: [Int: UInt64] = [:]
    /// Steps at which the task that would run next falls behind all others, the last one first.
    private var changes: [Int] = []
    private var step = 0

    /// About as many steps as a run takes; the changes lie within the first of them.
    private static let usualSteps = 60

    package init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        chance = Chance(seed: seed, stream: 0x6A6F_6273)
        if case .fewPreemptions(let depth) = kind {
            changes = (1..<max(2, depth)).map { _ in chance.integer(in: 0...Self.usualSteps) }.sorted(by: >)
        }
    }

    /// The order of a run: as jobs come for the usual seed, otherwise one or the other kind of random order.
    package init(seed: UInt64, usually usual: UInt64) {
        if seed == usual {
            self.init(.firstInFirstOut, seed: seed)
        } else {
            self.init(seed.isMultiple(of: 2) ? .random : .fewPreemptions(depth: 3), seed: seed)
        }
    }

    /// Which of some tasks goes on, by their numbers in the order in which they became ready; the network is number 0.
    mutating func choose(among tasks: [Int]) -> Int {
        step += 1
        guard tasks.count > 1 else { return 0 }
        switch kind {
        case .firstInFirstOut: return 0
        case .random: return chance.integer(in: 0...(tasks.count - 1))
        case .fewPreemptions:
            var best = first(of: tasks)
            if let change = changes.last, change <= step {
                changes.removeLast()
                // Lower than all that are drawn, and the later the lower.
                priorities[tasks[best]] = UInt64(changes.count)
                best = first(of: tasks)
            }
            return best
        }
    }

    private mutating func first(of tasks: [Int]) -> Int {
        for task in tasks where priorities[task] == nil { priorities[task] = max(1_000, chance.next()) }
        var best = 0
        for index in tasks.indices where (priorities[tasks[index]] ?? 0) > (priorities[tasks[best]] ?? 0) {
            best = index
        }
        return best
    }

    /// Returns the time for which a request or a response is under way: 1 ms where nothing is random, otherwise 0.1 to
    /// 8 ms.
    mutating func travelTime() -> Duration {
        kind == .firstInFirstOut ? .milliseconds(1) : .microseconds(chance.integer(in: 100...8_000))
    }
}
