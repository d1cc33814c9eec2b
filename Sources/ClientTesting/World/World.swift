package import Basics
import Dispatch
package import EventLoops
import HTTPServing
import ScenarioFormat

/// A time and an executor for one client in this process: its jobs run one at a time on one thread, and time advances
/// when none is ready.
///
/// What a client does in a world is decided by its code, the seed of the order and what the network brings: two runs
/// with the same of these are the same. When no job is ready, time jumps to the next event; without one, the
/// client hangs. Worlds run side by side in one process, each on a separate thread; code that shares state across
/// clients, such as a static actor, shares it across worlds.
///
/// A class, because the thread that runs it, the network and the client's clock mean the same one.
package final class World: EventSchedule {
    /// The limits of a client.
    package struct Limits: Sendable {
        /// A client that runs more jobs, or for which more happens on the network, is taken for endless.
        package var steps = 500_000
        /// A client for which time jumps more often, with nothing on the network, is taken for endless.
        package var jumps = 5_000
        /// The real time that one job may keep the thread before the client counts as blocking it.
        package var blocked = Duration.seconds(30)
        /// The real time that a client may wait for other threads with nothing pending; a busy machine is given
        /// as much more as its pool of threads needs to run a few jobs in turn.
        package var outside = Duration.seconds(1)

        package init() {}
    }

    /// The event that a client waits for.
    package enum Quiescence: Sendable, Hashable {
        /// All of it happens in Swift's tasks; time jumps as soon as no job is ready.
        case exact
        /// Parts of it happen on threads that the world does not run, such as those of `URLSession`: time jumps after a
        /// moment of real time in which nothing has come from there.
        case outside
    }

    /// The outcome of some work.
    package enum End: Sendable {
        case returned
        case threw(any Error)
        /// No job is ready, and nothing is due that could make one ready.
        case stuck
        /// It did not stop.
        case endless
        /// One job has kept the thread for too long.
        case blocked
        case interrupted
    }

    fileprivate struct ReadyJob: Sendable {
        var job: UnownedJob
        /// From 1; by the first job of each task.
        var task: Int
        var isMain: Bool
        var since: MonotonicTime
        var process: Int?
    }

    fileprivate struct Event: Sendable {
        var due: MonotonicTime
        var number: UInt64
        /// A Boolean value that indicates whether it is a pause of the client's own, and nothing on the network.
        var isPause: Bool
        /// The process of the current job, so that jobs that it makes ready belong to the same process.
        var process: Int?
        var work: @Sendable () -> Void
    }

    private struct State {
        var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        var ready: [ReadyJob] = []
        /// In the order of time; the next one comes last.
        var events: [Event] = []
        var lastEvent: UInt64 = 0
        var order: JobOrder
        /// The tasks that have run here, by the runtime's number.
        var tasks: [UInt64: Int] = [:]
        var lastTask = 0
        var processes = WorldProcesses()
        var steps = 0
        var jumps = 0
        /// A Boolean value that indicates whether no job runs any more.
        var isOver = false
        var isRunningJob = false
        var outsideArrivals = 0

        mutating func takeJob(at index: Int) -> ReadyJob {
            steps += 1
            isRunningJob = true
            return ready.remove(at: index)
        }
    }

    /// Later events never happen: about thirty years.
    private static let horizon = Duration.seconds(1_000_000_000)
    /// The maximum of a pause: about ten years.
    package static let longestPause = Duration.seconds(300_000_000)
    /// The maximum delay after which a network event may still overtake a ready job.
    private static let overtaking = Duration.milliseconds(5)

    private let limits: Limits
    private let quiescence: Quiescence
    private let state: Lock<State>
    /// Taken while a job runs.
    private let turn = DispatchSemaphore(value: 1)
    private let serial = WorldExecutor(isMain: false)
    private let main = WorldExecutor(isMain: true)

    package init(
        _ order: JobOrder = JobOrder(.firstInFirstOut, seed: 0),
        _ quiescence: Quiescence = .exact,
        _ limits: Limits = Limits()
    ) {
        self.limits = limits
        self.quiescence = quiescence
        state = Lock(State(order: order))
        serial.serve(self)
        main.serve(self)
    }

    deinit { TaskHooks.disown(state.withLock { Array($0.tasks.keys) }) }

    // MARK: Time

    package func now() -> MonotonicTime { state.withLock { $0.now } }

    package var passesByItself: Bool { false }

    package func loop(_ loop: EventLoop.Handle, waitsUntil deadline: MonotonicTime, hasWorked: Bool) {}

    package func loopEnded(_ loop: EventLoop.Handle) {}

    /// The latency of a message, by the order's seed.
    package func travelTime() -> Duration { state.withLock { $0.order.travelTime() } }

    @discardableResult
    package func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> UInt64 {
        schedule(at: moment, of: nil, isPause: false, work)
    }

    @discardableResult
    package func schedule(
        at moment: MonotonicTime,
        of process: Int?,
        _ work: @escaping @Sendable () -> Void
    ) -> UInt64 {
        schedule(at: moment, of: process, isPause: false, work)
    }

    private func schedule(
        at moment: MonotonicTime,
        of process: Int?,
        isPause: Bool,
        _ work: @escaping @Sendable () -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.lastEvent += 1
            let event = Event(
                due: moment,
                number: state.lastEvent,
                isPause: isPause,
                process: process ?? state.processes.current,
                work: work
            )
            // There is a handful of events at a time, so looking through them is the quickest.
            let place = state.events.firstIndex { $0.due <= moment } ?? state.events.endIndex
            state.events.insert(event, at: place)
            return state.lastEvent
        }
    }

    package func cancel(_ event: UInt64) {
        state.withLock { state in state.events.removeAll { $0.number == event } }
    }

    /// Returns when this time has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before or during the wait.
    package func sleep(for duration: Duration) async throws {
        await endIfHasEnded(currentOwner)
        try Task.checkCancellation()
        guard duration > .zero else { return await Task.yield() }
        let pause = Pause()
        let isOver = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard pause.begin(continuation) else { return }
                let due = now().advanced(by: min(duration, Self.longestPause))
                pause.note(event: schedule(at: due, of: nil, isPause: true) { pause.end(isOver: true) })
            }
        } onCancel: {
            if let event = pause.end(isOver: false) { cancel(event) }
        }
        if !isOver { throw CancellationError() }
    }

    // MARK: Jobs

    /// A Boolean value that indicates whether a job of this world came from a thread that the world does not run.
    package var hasOutsideWork: Bool { state.withLock { $0.outsideArrivals > 0 } }

    /// The executor of the main actor, as this world's jobs find it.
    var mainExecutor: UnownedSerialExecutor { main.asUnownedSerialExecutor() }

    func noteOutsideWork() { state.withLock { $0.outsideArrivals += 1 } }

    func take(_ job: UnownedJob, isMain: Bool = false) {
        let number = TaskRuntime.number(of: job)
        let isNew = state.withLock { state -> Bool in
            guard !state.isOver else { return false }
            var task = state.tasks[number]
            let isNew = task == nil
            if task == nil {
                state.lastTask += 1
                task = state.lastTask
                // An actor's own jobs have no number.
                if number != 0 { state.tasks[number] = state.lastTask }
            }
            let process = state.processes.process(ofTask: number)
            // An actor may be shared with processes that go on.
            if number != 0, state.processes.hasEnded(process) { return isNew }
            state.ready.append(
                ReadyJob(job: job, task: task ?? 0, isMain: isMain, since: state.now, process: process)
            )
            return isNew
        }
        if isNew, number != 0 { TaskHooks.own(number, by: self) }
    }

    func take(_ job: UnownedJob, after delay: Duration) {
        let due = now().advanced(by: min(delay, Self.longestPause))
        _ = schedule(at: due, of: nil, isPause: true) { [weak self] in self?.take(job) }
    }

    // MARK: Processes

    package var currentOwner: Int? { state.withLock { $0.processes.current } }

    /// Begins a process of the client: a task with all that it starts.
    ///
    /// - Returns: the number of the process, which ``act(_:on:)`` takes.
    func start(_ work: @escaping @Sendable (Int) async -> Void) -> Int {
        let number = state.withLock { $0.processes.begin() }
        perform(as: number) { Task.detached { await work(number) } }
        return number
    }

    /// Does something whose consequences belong to a process, such as to resume a task of it.
    package func perform(as process: Int?, _ work: () -> Void) {
        let before = state.withLock { $0.processes.enter(process) }
        work()
        state.withLock { _ = $0.processes.enter(before) }
    }

    /// Freezes a process, lets it go on, or ends it.
    func act(_ kind: ProcessAction.Kind, on process: Int) {
        state.withLock { state in
            state.processes.act(kind, on: process)
            guard kind == .kill else { return }
            state.events.removeAll { $0.isPause && $0.process == process }
            state.ready.removeAll { $0.process == process && TaskRuntime.number(of: $0.job) != 0 }
        }
    }

    /// Suspends the calling task permanently if a process has ended.
    func endIfHasEnded(_ process: Int?) async {
        guard state.withLock({ $0.processes.hasEnded(process) }) else { return }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    // MARK: Running

    /// Runs some work of the client, with everything that it starts, until it has ended or cannot end any more.
    ///
    /// Its unfinished work continues for a moment: ready jobs, and immediate network events.
    ///
    /// - Parameters:
    ///   - isInterrupted: whether the caller no longer waits for the end; asked between two jobs.
    ///   - wake: brings something about where nothing else would, such as the data of a phone that is unlocked; false
    ///     where it cannot.
    /// - Throws: `SystemError` when the system has no thread left.
    package func run(
        until isInterrupted: @escaping @Sendable () -> Bool = { false },
        otherwise wake: @escaping @Sendable () -> Bool = { false },
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws(SystemError) -> End {
        _ = TaskHooks.areInstalled
        let outcome = OneShot<End>()
        let ending = Ending()
        do throws(SystemError) {
            try WorldThread.run { [self] in
                TaskHooks.enter(self)
                Task.detached {
                    do {
                        try await work()
                        outcome.keep(.returned)
                    } catch {
                        outcome.keep(.threw(error))
                    }
                }
                let end = drive(until: outcome, isInterrupted, wake)
                if case .returned = end { settle() }
                if case .threw = end { settle() }
                // The caller that waits for the end is outside this world.
                TaskHooks.enter(nil)
                ending.set(end)
            }
        } catch {
            throw error
        }
        let beat = limits.blocked / WorldWatch.looks
        WorldWatch.begin(self, ending, every: beat)
        let end = await ending.value
        WorldWatch.end(ending, every: beat)
        return end
    }

    /// A Boolean value that indicates whether no job of the world runs any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends the world: no job of it runs any more.
    package func end() {
        let tasks = state.withLock { state in
            state.isOver = true
            state.ready = []
            state.events = []
            return Array(state.tasks.keys)
        }
        TaskHooks.disown(tasks)
    }

    /// The number of pending pauses of the client.
    package var pauseCount: Int { state.withLock { $0.events.count(where: \.isPause) } }

    /// Forgets the pauses of a client that is gone: its paused tasks stay paused.
    package func dropPauses() {
        state.withLock { state in state.events.removeAll(where: \.isPause) }
    }

    private enum Step {
        case job(ReadyJob)
        case event(Event)
        case nothing
        case over
    }

    private func drive(until outcome: OneShot<End>, _ isInterrupted: () -> Bool, _ wake: () -> Bool) -> End {
        var quiet = Quiet()
        var turns = 0
        while true {
            if let end = outcome.value { return end }
            // To ask takes a call of the system.
            if turns.isMultiple(of: 16), isInterrupted() { return .interrupted }
            turns += 1
            let (steps, jumps) = state.withLock { ($0.steps, $0.jumps) }
            if steps > limits.steps || jumps > limits.jumps { return .endless }
            switch next(quiet) {
            case .job(let ready):
                run(ready)
                quiet = Quiet()
            case .event(let event):
                run(event)
                quiet = Quiet()
            case .nothing:
                if quiescence == .exact, wake() {
                    quiet = Quiet()
                    continue
                }
                if quiet.has(lasted: quiescence == .exact ? limits.outside : limits.outside * 3) {
                    guard wake() else { return .stuck }
                    quiet = Quiet()
                }
                quiet.rest()
            case .over: return .interrupted
            }
        }
    }

    /// Runs what is ready, and lets the network bring what is on its way.
    private func settle() {
        let horizon = now().advanced(by: .milliseconds(50))
        for _ in 0..<1_000 {
            let step = state.withLock { state -> Step in
                if state.isOver { return .over }
                if !state.ready.isEmpty { return .job(state.takeJob(at: 0)) }
                guard let place = state.events.lastIndex(where: { !$0.isPause }),
                    state.events[place].due <= horizon
                else { return .nothing }
                let event = state.events.remove(at: place)
                state.now = max(state.now, event.due)
                return .event(event)
            }
            switch step {
            case .job(let ready): run(ready)
            case .event(let event): run(event)
            case .nothing, .over: return
            }
        }
    }

    private func next(_ quiet: Quiet) -> Step {
        state.withLock { state in
            if state.isOver { return .over }
            let ready = state.ready.indices.filter { !state.processes.isFrozen(state.ready[$0].process) }
            if !ready.isEmpty {
                var tasks = ready.map { state.ready[$0].task }
                if let event = state.events.last, !event.isPause, state.order.kind != .firstInFirstOut,
                    let oldest = ready.map({ state.ready[$0].since }).min(),
                    event.due <= oldest.advanced(by: Self.overtaking)
                {
                    tasks.append(0)
                }
                let choice = state.order.choose(among: tasks)
                if choice < ready.count { return .job(state.takeJob(at: ready[choice])) }
            }
            guard let event = state.events.last, event.due < state.now.advanced(by: Self.horizon) else {
                return .nothing
            }
            if quiescence == .outside, ready.isEmpty,
                !quiet.has(lasted: Quiet.wanted(before: event.due, from: state.now))
            {
                return .nothing
            }
            state.events.removeLast()
            state.steps += 1
            if event.isPause { state.jumps += 1 }
            state.now = max(state.now, event.due)
            return .event(event)
        }
    }

    private func run(_ event: Event) {
        state.withLock { _ = $0.processes.enter(event.process) }
        event.work()
        state.withLock { _ = $0.processes.enter(nil) }
    }

    private func run(_ ready: ReadyJob) {
        state.withLock { _ = $0.processes.enter(ready.process) }
        turn.wait()
        if ready.isMain {
            // There is one main actor, and worlds run side by side.
            MainJobs.turn.withLock { _ in main.run(ready.job) }
        } else {
            serial.run(ready.job)
        }
        turn.signal()
        state.withLock { state in
            state.isRunningJob = false
            _ = state.processes.enter(nil)
        }
    }

    /// Runs code between two jobs; within a job, at once.
    ///
    /// A job that keeps the thread is not waited for: it may be waiting for what the code brings.
    func betweenJobs(_ body: () -> Void) {
        guard TaskHooks.current !== self else { return body() }
        let isTaken = turn.wait(timeout: .now() + .milliseconds(50)) == .success
        body()
        if isTaken { turn.signal() }
    }

    /// The number of steps that have been made, where a job has the thread; nil where none has.
    var stepsWithRunningJob: Int? { state.withLock { $0.isRunningJob ? $0.steps : nil } }
}

/// The process whose turn it is to run jobs of the main actor.
private enum MainJobs {
    static let turn = Lock(())
}

/// The time without external events: in real time, and by the jobs that the process's other threads have run.
///
/// A second proves nothing on a machine that does not let the other threads run. So jobs are sent through Swift's pool, one
/// after the other; what a client waits for there had its turn as soon as a few of them did.
private struct Quiet {
    private var time = Duration.zero
    private var jobs: OutsideJobs?

    /// The required number of consecutive jobs.
    private static let wantedTurns = 8

    func has(lasted limit: Duration) -> Bool {
        time >= limit && (jobs?.turns ?? Self.wantedTurns) >= Self.wantedTurns
    }

    mutating func rest() {
        let jobs = jobs ?? OutsideJobs()
        jobs.sendNext()
        self.jobs = jobs
        // Shortly at first, for what comes at once; to wake up a thousand times a second would cost the others time, most
        // of all where the machine is too busy to run the jobs that are waited for.
        let milliseconds = time < .milliseconds(20) ? 1 : time < .milliseconds(100) ? 5 : 20
        TaskHooks.rest(milliseconds: milliseconds)
        time += .milliseconds(milliseconds)
    }

    /// Before pending network events, almost none; before events that would end a client's wait, more.
    static func wanted(before moment: MonotonicTime, from now: MonotonicTime) -> Duration {
        now.duration(to: moment) < .milliseconds(50) ? .milliseconds(1) : .milliseconds(60)
    }
}

/// Jobs that belong to no world, sent one after the other.
///
/// A class, because the job that has run and the thread that asks mean the same ones.
private final class OutsideJobs: Sendable {
    private let counts = Lock((sent: 0, run: 0))

    /// The number of jobs that have run.
    var turns: Int { counts.withLock { $0.run } }

    /// Sends a job when the one before has run.
    func sendNext() {
        let isDue = counts.withLock { counts in
            guard counts.sent == counts.run else { return false }
            counts.sent += 1
            return true
        }
        guard isDue else { return }
        TaskHooks.outsideOfWorlds {
            Task.detached { [self] in counts.withLock { $0.run += 1 } }
        }
    }
}

/// A pause that ends by itself or by cancellation, whichever comes first.
private final class Pause: Sendable {
    private struct State {
        var continuation: UnsafeContinuation<Bool, Never>?
        var event: UInt64?
        var isEnded = false
    }

    private let state = Lock(State())

    /// - Returns: false when it was cancelled already.
    func begin(_ continuation: UnsafeContinuation<Bool, Never>) -> Bool {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.continuation = continuation }
            return state.isEnded
        }
        if isEnded { continuation.resume(returning: false) }
        return !isEnded
    }

    func note(event: UInt64) { state.withLock { $0.event = event } }

    /// - Returns: the event that would have ended it.
    @discardableResult
    func end(isOver: Bool) -> UInt64? {
        let (continuation, event) = state.withLock { state in
            state.isEnded = true
            return (state.continuation.take(), state.event)
        }
        continuation?.resume(returning: isOver)
        return event
    }
}
