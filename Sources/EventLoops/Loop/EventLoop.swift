/// Hears about one descriptor; a class, because registrations refer to it.
package protocol DescriptorHandler: AnyObject {
    /// The descriptor is ready for something that was asked for, or hung up.
    func descriptorIsReady(_ readiness: Readiness)
}

/// Hears when a timer is due; a class, because timers refer to it.
package protocol TimerHandler: AnyObject {
    func timerFired(_ timer: TimerID)
}

/// Hears when the loop was woken, so that it can look into its mailboxes.
package protocol LoopResident: AnyObject {
    func loopWoke()
}

/// Waits for descriptors, timers and messages on one thread, and tells their handlers.
///
/// A class, because it is the identity that a thread is bound to: everything except the ``Handle`` belongs to the
/// thread in ``run()``. Handlers may register, change, deregister and schedule whatever they like while they run.
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
    /// How much earlier than ``now`` the present events may have come, because the loop was busy; zero when it waited.
    package private(set) var lag = Duration.zero
    /// Told after every wake-up from another thread, until ``run()`` ends.
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
    /// Whether a handler was told of its descriptor in the present turn or the last one.
    private var hasWorked = false

    package init(selector kind: SelectorKind = .system, time: any TimeSource = SystemTime()) throws(SystemError) {
        selector = try kind.makeSelector()
        self.time = time
        timePassesByItself = time.passesByItself
        now = time.now()
        handle = Handle(core: Core(waker: selector.waker))
    }

    /// How many descriptors are registered; for tests and reports.
    package var registrationCount: Int { registrations.count { $0.id != 0 } }

    /// How many timers wait; for tests and reports.
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

    /// Stops watching, before the descriptor is closed; events that the kernel told already are dropped.
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

    /// Waits once and handles what came of it.
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
        // An earlier handler of this turn may have closed the descriptor, and the number may be somebody else's now.
        guard registrations[index].id == event.token.id, let handler = registrations[index].handler else { return }
        // The same bits mean the same; a hangup is told in any case.
        let wanted = registrations[index].interest.rawValue | Readiness.hangup.rawValue
        let relevant = Readiness(rawValue: event.readiness.rawValue & wanted)
        if relevant.rawValue == 0 { return }
        hasWorked = true
        handler.descriptorIsReady(relevant)
    }

    private func fireTimers() {
        // What handlers schedule meanwhile waits for the next turn, so that timers cannot starve the sockets.
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
