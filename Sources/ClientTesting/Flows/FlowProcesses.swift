import Basics
import HTTPServing
import ScenarioFormat
import StoryRunning
import StubServing

/// The processes of a client in one launch of a story: several clients over one store, in one world.
///
/// A class, because the server starts, freezes and ends processes before a response leaves, while a task waits for their
/// ends.
final class FlowProcesses<Adapter: ClientAdapter>: Sendable {
    /// One start of a process, and how it ended.
    struct Process: Sendable {
        var name: String
        var context: FlowLaunch<Adapter>
        /// Its number in the world.
        var number = 0
        var end: World.End?
        var isKilled = false
        var isFrozen = false

        var isRunning: Bool { end == nil && !isKilled }
    }

    private struct Contents {
        /// In the order of their starts.
        var processes: [Process] = []
        var waiting: UnsafeContinuation<Void, Never>?

        /// The tasks that wait for the end of all processes.
        mutating func takeWaiting() -> UnsafeContinuation<Void, Never>? {
            processes.contains(where: \.isRunning) ? nil : waiting.take()
        }
    }

    private let session: FlowClientSession<Adapter>
    private let launch: StoryLaunch
    private let contents = Lock(Contents())

    init(_ session: FlowClientSession<Adapter>, _ launch: StoryLaunch) {
        self.session = session
        self.launch = launch
    }

    /// Every start of a process, in their order.
    var ends: [Process] { contents.withLock { $0.processes } }

    /// Starts those that run from the start, and returns when all have ended.
    func run() async {
        let later = launch.server.processes.filter { $0.beginning == .later }.map(\.name)
        for process in launch.processes where !later.contains(process.name) { start(process) }
        await withUnsafeContinuation { waiting in
            let isOver = contents.withLock { contents in
                contents.waiting = waiting
                return contents.takeWaiting() != nil
            }
            if isOver { waiting.resume() }
        }
    }

    private func start(_ process: (name: String, url: String)) {
        guard !ends.contains(where: { $0.name == process.name && $0.isRunning }) else { return }
        launch.server.begin(process: process.name)
        let place = ends.count
        // More devices than these no process has.
        let context = session.context(of: launch, as: (process.name, process.url, (place + 1) * 1_000))
        contents.withLock { $0.processes.append(Process(name: process.name, context: context)) }
        let number = session.world.start { [self] number in
            let end: World.End
            do {
                try await session.play(context)
                end = .returned
            } catch {
                end = .threw(error)
            }
            note(end, ofProcess: number, at: place)
        }
        contents.withLock { $0.processes[place].number = number }
    }

    private func note(_ end: World.End, ofProcess number: Int, at place: Int) {
        release(number)
        let waiting = contents.withLock { contents in
            contents.processes[place].end = end
            return contents.takeWaiting()
        }
        // Its unfinished work ends with it.
        session.world.act(.kill, on: number)
        session.network?.dropClients(of: number)
        session.world.perform(as: nil) { waiting?.resume() }
    }

    private func release(_ number: Int) {
        for store in session.stores.all { store.release(of: number) }
    }

    /// Does to a process what the story says; one that does not run is left alone.
    func act(_ action: ProcessAction) {
        guard action.kind == .start else { return act(action.kind, on: action.process) }
        guard let process = launch.processes.first(where: { $0.name == action.process }) else { return }
        session.world.perform(as: nil) { start(process) }
    }

    private func act(_ kind: ProcessAction.Kind, on name: String) {
        let found = contents.withLock { contents -> (number: Int, UnsafeContinuation<Void, Never>?)? in
            guard let place = contents.processes.firstIndex(where: { $0.name == name && $0.isRunning }) else {
                return nil
            }
            contents.processes[place].isFrozen = kind == .suspend
            contents.processes[place].isKilled = kind == .kill
            return (contents.processes[place].number, contents.takeWaiting())
        }
        guard let (number, waiting) = found else { return }
        session.world.act(kind, on: number)
        guard kind == .kill else { return }
        session.network?.dropClients(of: number)
        release(number)
        session.world.perform(as: nil) { waiting?.resume() }
    }

    /// Ends processes that stay frozen although nothing else can continue, as a phone does.
    ///
    /// - Returns: false when nothing is.
    func endFrozen() -> Bool {
        let frozen = ends.filter { $0.isRunning && $0.isFrozen }
        for process in frozen { act(.kill, on: process.name) }
        return !frozen.isEmpty
    }
}
