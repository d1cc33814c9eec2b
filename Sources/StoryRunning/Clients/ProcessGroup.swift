import Basics
import EventLoops
import ScenarioFormat

/// The processes of a client that run in one launch, with what the story does to them.
///
/// A class, because the server's threads freeze and end processes before a response leaves, while a task waits for their
/// ends.
final class ProcessGroup: Sendable {
    /// An event for the task that waits.
    enum Notification: Sendable {
        case started(order: Int, CommandClientSession.Started)
        case ended(order: Int, ClientLaunch)
        case failed(PlayProblem)
    }

    private struct Contents: Sendable {
        var running: [Int: CommandClientSession.Started] = [:]
        var suspended: Set<Int> = []
        /// Those that the story has ended.
        var ended: Set<Int> = []
        var count = 0
    }

    /// The time that processes may stay frozen after all others have ended, before they are killed as a phone would do.
    private static let longestFreeze = Duration.milliseconds(500)

    private let contents = Lock(Contents())
    let notifications: AsyncStream<Notification>
    private let continuation: AsyncStream<Notification>.Continuation

    init() {
        (notifications, continuation) = AsyncStream.makeStream(of: Notification.self)
    }

    func isRunning(_ name: String) -> Bool {
        contents.withLock { $0.running.values.contains { $0.name == name } }
    }

    func add(_ started: CommandClientSession.Started) {
        let order = contents.withLock { contents in
            contents.count += 1
            contents.running[contents.count] = started
            return contents.count
        }
        continuation.yield(.started(order: order, started))
    }

    func fail(_ problem: PlayProblem) {
        endAll()
        continuation.yield(.failed(problem))
    }

    /// Notes that a process has ended.
    func end(_ order: Int, _ launch: ClientLaunch) {
        var launch = launch
        launch.isEndedByStory = contents.withLock { contents in
            contents.running[order] = nil
            contents.suspended.remove(order)
            return contents.ended.contains(order)
        }
        continuation.yield(.ended(order: order, launch))
    }

    /// Freezes a process, lets it go on, or ends it; one that does not run is left alone.
    func act(_ action: ProcessAction) {
        contents.withLock { contents in
            for (order, started) in contents.running where started.name == action.process {
                switch action.kind {
                case .start: break
                case .suspend:
                    contents.suspended.insert(order)
                    started.child.signal(.suspend)
                case .resume:
                    contents.suspended.remove(order)
                    started.child.signal(.resume)
                case .kill:
                    contents.ended.insert(order)
                    started.child.signal(.kill)
                }
            }
        }
    }

    /// Ends what stays frozen although nothing else runs that could wake it.
    func endFrozen() async {
        guard isFrozen else { return }
        try? await Task.sleep(for: Self.longestFreeze)
        if isFrozen { endAll() }
    }

    private var isFrozen: Bool {
        contents.withLock { !$0.running.isEmpty && $0.running.keys.allSatisfy($0.suspended.contains) }
    }

    private func endAll() {
        contents.withLock { contents in
            for (order, started) in contents.running {
                contents.ended.insert(order)
                started.child.signal(.kill)
            }
        }
    }
}
