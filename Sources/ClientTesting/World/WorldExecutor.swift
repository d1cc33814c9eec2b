import Basics

/// Runs a world's jobs, and takes those that a job puts off by itself.
///
/// To the runtime each job runs on such a serial executor. So a step from there to an actor, or back, is a job of its
/// own, and the order may let another one go first. A world has another one for the main actor.
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
