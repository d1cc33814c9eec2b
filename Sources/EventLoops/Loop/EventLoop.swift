package import Basics

/// Handles the events of one descriptor; a class, because registrations refer to it.
package protocol DescriptorHandler: AnyObject {
    /// The descriptor is ready for something that was asked for, or hung up.
    func descriptorIsReady(_ readiness: Readiness)
}

/// Is called when a timer is due; a class, because timers refer to it.
package protocol TimerHandler: AnyObject {
    func timerFired(_ timer: TimerID)
}

/// Is called when the loop was woken, so that it can look into its mailboxes.
package protocol LoopResident: AnyObject {
    func loopWoke()
}

/// Waits for descriptors, timers and messages on one thread, and calls their handlers.
///
/// A class, because it is the identity that a thread is bound to: everything except the ``Handle`` belongs to the
/// thread in ``run()``. Handlers may register, change, deregister and schedule anything while they run.
package final class EventLoop {
    private struct Registration {
        var handler: (any DescriptorHandler)?
        /// Zero while the descriptor is not registered.
        var id: UInt32 = 0
        var interest: Interest = []
    }

    package let handle: Handle
    /// The moment of the last wake-up; handlers use it instead of asking the clock again.
    package private(set) var now: MonotonicTime
    /// The maximum age of the current events at ``now``, because the loop was busy; zero if it waited.
    package private(set) var lag = Duration.zero
    /// Counts the wake-ups.
    package private(set) var turns: UInt64 = 0
    /// Reported after every wake-up from another thread, until ``run()`` ends.
    ///
    /// Held strongly: a weak reference would make every other reference to the resident slower.
    package var resident: (any LoopResident)?

    private let selector: any Selector
    private let time: any TimeSource
    private let timePassesByItself: Bool
    private var registrations: [Registration] = []
    private var lastID: UInt32 = 0
    private var timers = TimerHeap<any TimerHandler>()
    private var events: [SelectorEvent] = []
    private var isStopping = false
    /// A Boolean value that indicates whether a handler was called for its descriptor in the present turn or the last
    /// one.
    private var hasWorked = false

    package init(selector kind: SelectorKind = .system, time: any TimeSource = SystemTime()) throws(SystemError) {
        selector = try kind.makeSelector()
        self.time = time
        timePassesByItself = time.passesByItself
        now = time.now()
        handle = Handle(core: Core(waker: selector.waker))
    }

    /// The number of descriptors that are registered; for tests and reports.
    package var registrationCount: Int { registrations.count { $0.id != 0 } }

    /// The number of waiting timers; for tests and reports.
    package var timerCount: Int { timers.count }

    // MARK: Descriptors

    /// Starts to watch a descriptor, which the caller keeps open until it is deregistered.
    package func register(
        _ descriptor: Descriptor,
        for interest: Interest,
        handler: any DescriptorHandler
    ) throws(SystemError) {
        let index = Int(descriptor.number)
        while registrations.count <= index { registrations.append(Registration()) }
        lastID = lastID == .max ? 1 : lastID + 1
        try selector.add(RegistrationToken(descriptor: descriptor.number, id: lastID), interest)
        registrations[index] = Registration(handler: handler, id: lastID, interest: interest)
    }

    /// Asks for other events from now on; free when nothing changes.
    package func change(_ descriptor: Descriptor, to interest: Interest) throws(SystemError) {
        guard let (index, token) = registration(of: descriptor) else { return }
        let old = registrations[index].interest
        if old == interest { return }
        try selector.change(token, from: old, to: interest)
        registrations[index].interest = interest
    }

    /// Stops watching, before the descriptor is closed; events that the kernel reported already are dropped.
    package func deregister(_ descriptor: Descriptor) {
        guard let (index, token) = registration(of: descriptor) else { return }
        selector.remove(token, registrations[index].interest)
        registrations[index] = Registration()
    }

    private func registration(of descriptor: Descriptor) -> (Int, RegistrationToken)? {
        let index = Int(descriptor.number)
        guard registrations.indices.contains(index), registrations[index].id != 0 else { return nil }
        return (index, RegistrationToken(descriptor: descriptor.number, id: registrations[index].id))
    }

    // MARK: Timers

    package func schedule(at deadline: MonotonicTime, handler: any TimerHandler) -> TimerID {
        timers.schedule(at: deadline, handler)
    }

    /// The same with a closure, where a timer is rare enough to afford one.
    @discardableResult
    package func schedule(at deadline: MonotonicTime, _ body: @escaping () -> Void) -> TimerID {
        timers.schedule(at: deadline, ClosureTimer(body))
    }

    package func cancel(_ timer: TimerID) {
        timers.cancel(timer)
    }

    // MARK: Running

    /// Runs until ``stop()``; then closes the handle's mailbox after its last jobs.
    package func run() throws(SystemError) {
        handle.core.wakeUp.loopBegins()
        defer {
            time.loopEnded(handle)
            resident = nil
            for job in handle.core.jobs.close() { job(self) }
            handle.core.wakeUp.loopEnds()
        }
        while !isStopping { try turn() }
    }

    /// Ends ``run()`` after the present turn; called on the loop.
    package func stop() {
        isStopping = true
    }

    /// Waits once and handles the result.
    func turn() throws(SystemError) {
        // What is there before the loop waits may have come at any time since the last wake-up.
        let last = now
        try selector.wait(nanoseconds: 0, into: &events)
        let wasBusy = !events.isEmpty
        if !wasBusy {
            let limit = waitLimit()
            if limit != 0 { try selector.wait(nanoseconds: limit, into: &events) }
        }
        now = time.now()
        turns += 1
        lag = wasBusy ? .nanoseconds(Int64(clamping: last.nanoseconds(until: now))) : .zero
        for event in events { dispatch(event) }
        if timers.earliest <= now { fireTimers() }
        if handle.core.wakeUp.acknowledge() {
            resident?.loopWoke()
            for job in handle.core.jobs.takeAll() { job(self) }
        }
    }

    private func waitLimit() -> UInt64? {
        if handle.core.wakeUp.wasAsked { return 0 }
        let deadline = timers.earliest
        if !timePassesByItself {
            handle.core.wakeUp.loopRests()
            // Reported before looking at the clock: an advance after the report wakes the loop.
            time.loop(handle, waitsUntil: deadline, hasWorked: hasWorked)
            hasWorked = false
            return deadline <= time.now() ? 0 : nil
        }
        if deadline == .never { return nil }
        // Asked again, because handling the last events took its time.
        return time.now().nanoseconds(until: deadline)
    }

    private func dispatch(_ event: SelectorEvent) {
        let index = Int(event.token.descriptor)
        guard registrations.indices.contains(index) else { return }
        // An earlier handler of this turn may have closed the descriptor, and the number may have been reused since.
        guard registrations[index].id == event.token.id, let handler = registrations[index].handler else { return }
        // The same bits mean the same; a hangup is reported in any case.
        let wanted = registrations[index].interest.rawValue | Readiness.hangup.rawValue
        let relevant = Readiness(rawValue: event.readiness.rawValue & wanted)
        if relevant.rawValue == 0 { return }
        hasWorked = true
        handler.descriptorIsReady(relevant)
    }

    private func fireTimers() {
        // Timers that handlers schedule during this turn wait for the next one, so timers cannot starve the sockets.
        let horizon = timers.horizon
        while let due = timers.popDue(at: now, before: horizon) { due.payload.timerFired(due.id) }
    }
}

@available(*, unavailable)
extension EventLoop: Sendable {}

private final class ClosureTimer: TimerHandler {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    func timerFired(_ timer: TimerID) {
        body()
    }
}

extension EventLoop {
    /// A handle to a loop for other threads, which can wake it and give it work.
    package struct Handle: Sendable {
        let core: Core

        /// Runs the work on the loop's thread, soon; false when the loop has ended and will not run it.
        @discardableResult
        package func execute(_ work: @escaping @Sendable (EventLoop) -> Void) -> Bool {
            core.jobs.post(work)
        }

        /// A Boolean value that indicates whether the caller runs on the loop's own thread.
        package var isOnLoop: Bool {
            core.wakeUp.isOnLoop
        }

        /// Ends the loop's present wait, or the next one; wake-ups that come close together are one system call.
        package func wake() {
            core.wakeUp.wake()
        }

        /// A Boolean value that indicates whether the loop was given something to do since it last began to wait; for
        /// time that a test moves.
        var isBusy: Bool { core.wakeUp.isBusy }

        package var identity: ObjectIdentifier { ObjectIdentifier(core) }
    }

    typealias Job = @Sendable (EventLoop) -> Void

    /// The part of a loop that threads share; a class, so that all handles mean the same loop.
    final class Core: Sendable {
        let wakeUp: WakeUp
        let jobs: Mailbox<Job>
        init(waker: any Waker) {
            wakeUp = WakeUp(waker)
            jobs = Mailbox(wakeUp)
        }
    }
}

/// Wakes a selector once, however often it is asked until the loop has noticed.
///
/// A class, because the flag is shared.
final class WakeUp: Sendable {
    private let waker: any Waker
    private let state = Lock(State())

    private struct State {
        var isPending = false
        /// A Boolean value that indicates whether it was asked since the loop last said that it rests.
        var isBusy = false
        /// The thread that runs the loop, zero before and after.
        var thread: UInt = 0
    }

    init(_ waker: any Waker) {
        self.waker = waker
    }

    var isOnLoop: Bool {
        let current = Platform.currentThread()
        return state.withLock { $0.thread == current }
    }

    func wake() {
        let current = Platform.currentThread()
        let wakes = state.withLock { state in
            defer { (state.isPending, state.isBusy) = (true, true) }
            // The loop itself is awake, and looks at the flag before it waits.
            return !state.isPending && state.thread != current
        }
        if wakes { waker.wake() }
    }

    /// A Boolean value that indicates whether the loop must not wait now.
    var wasAsked: Bool { state.withLock { $0.isPending } }

    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// Called by the loop before it waits, where time does not pass by itself.
    func loopRests() { state.withLock { $0.isBusy = $0.isPending } }

    /// Called by the loop before it looks at what it was woken for.
    func acknowledge() -> Bool {
        state.withLock { state in
            defer { state.isPending = false }
            return state.isPending
        }
    }

    func loopBegins() {
        let current = Platform.currentThread()
        state.withLock { $0.thread = current }
    }

    func loopEnds() {
        state.withLock { $0.thread = 0 }
    }
}

/// Messages for a loop from any thread, in the order of posting.
///
/// The resident of the loop takes them after a wake-up (see ``EventLoop/resident``).
/// A class, because senders and the loop share it.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let wakeUp: WakeUp

    init(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    package init(for loop: EventLoop.Handle) {
        wakeUp = loop.core.wakeUp
    }

    /// Returns false when the mailbox is closed: the message will not be read.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        let isDelivered = state.withLock { state in
            if state.isClosed { return false }
            state.messages.append(message)
            return true
        }
        if isDelivered { wakeUp.wake() }
        return isDelivered
    }

    package func takeAll() -> [Message] {
        state.withLock { state in
            if state.messages.isEmpty { return [] }
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// Refuses further messages and returns those that were not taken.
    @discardableResult
    package func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}

/// Threads for loops: started once, never joined; a loop says by message when it has ended.
package enum LoopThread {
    /// Runs the body on a separate thread, with a stack deep enough for recursive handlers.
    package static func start(_ body: sending @escaping () -> Void) throws(SystemError) {
        do throws(DeepStack.StartFailure) {
            try DeepStack.startThread(body)
        } catch {
            throw SystemError("pthread_create", ErrorNumber(rawValue: error.code))
        }
    }
}
