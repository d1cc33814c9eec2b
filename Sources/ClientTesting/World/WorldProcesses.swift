import ScenarioFormat

/// Which process of the client what happens in a world belongs to.
///
/// A task belongs to the process whose job, or whose event on the network, made it. Processes of a world share a thread,
/// and all shared code; each comes to a stop where one of its jobs has ended, and nowhere else.
struct WorldProcesses: Sendable {
    /// The process that does what happens now; `nil` for the world itself, and where the client is one process.
    private(set) var current: Int?
    private var last = 0
    /// By the runtime's number of each task.
    private var tasks: [UInt64: Int] = [:]
    private var frozen: Set<Int> = []
    private var ended: Set<Int> = []

    /// Begins another process, and returns its number, which is never used again.
    mutating func begin() -> Int {
        last += 1
        return last
    }

    /// - Returns: the process that did what happened before.
    mutating func enter(_ process: Int?) -> Int? {
        defer { current = process }
        return current
    }

    /// The process of a task that becomes ready; one that is new belongs to the one that makes it.
    ///
    /// - Parameter number: 0 for an actor's own jobs, which belong to the one that they become ready for.
    mutating func process(ofTask number: UInt64) -> Int? {
        // Most clients are one process.
        guard last > 0 else { return nil }
        if let known = tasks[number] { return known }
        if number != 0, let current { tasks[number] = current }
        return current
    }

    mutating func act(_ kind: ProcessAction.Kind, on process: Int) {
        switch kind {
        case .start: break
        case .suspend: frozen.insert(process)
        case .resume: frozen.remove(process)
        case .kill:
            frozen.remove(process)
            ended.insert(process)
        }
    }

    func isFrozen(_ process: Int?) -> Bool { process.map(frozen.contains) ?? false }

    func hasEnded(_ process: Int?) -> Bool { process.map(ended.contains) ?? false }
}

/// The process of a world in which something happens, for what is done for it by others.
package struct WorldPlace: Sendable {
    private weak var world: World?
    /// The number of the process; `nil` outside of a world, and where the client is one process.
    package let process: Int?

    /// The process of the calling job.
    package static var current: WorldPlace {
        let world = TaskHooks.current
        return WorldPlace(world: world, process: world?.currentOwner)
    }

    /// Suspends the calling task permanently if the process has ended.
    func endIfProcessHas() async { await world?.endIfHasEnded(process) }

    /// Does something whose consequences belong to the process.
    package func perform(_ work: () -> Void) {
        guard let world else { return work() }
        world.perform(as: process, work)
    }
}
