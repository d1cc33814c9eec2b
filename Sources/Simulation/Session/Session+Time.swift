package import ScenarioFormat

extension Session {
    /// The virtual time, without letting anything happen.
    package func time(at now: RealTime) -> VirtualTime {
        clock.read(at: max(now, latest))
    }

    /// Lets everything happen that has become due, in order, and returns the virtual time.
    ///
    /// Nobody needs to call it at the very moment: an event that is late happens as it would have happened then.
    @discardableResult
    package mutating func catchUp(at now: RealTime) -> VirtualTime {
        latest = max(latest, now)
        while let (due, item) = agenda.take(dueBy: clock.read(at: latest)) {
            switch item {
            case .event(let event), .consequence(let event):
                let moment = clock.revisit(due, by: latest)
                apply(event, at: due, moment)
            case .response(let exchange):
                open.release(exchange)
                if refusalHold > .zero { gates.noteHold(until: latest.shifted(by: refusalHold)) }
                released.append(exchange)
            }
        }
        return clock.read(at: latest)
    }

    /// Moves the clock forward; what is due on the way happens at its own moment and in order.
    ///
    /// An event on the way that moves the clock itself does so besides: the rest of the way is still gone.
    package mutating func advance(by duration: Duration, at now: RealTime) {
        catchUp(at: now)
        clock.shift(by: duration, at: latest)
        catchUp(at: now)
    }

    /// The exchanges whose wait on the virtual clock is over since this was last asked.
    package mutating func takeReleased() -> [UInt64] {
        guard !released.isEmpty else { return [] }
        defer { released = [] }
        return released
    }

    /// The real moment at which a parked response, or an event before it, becomes due by itself; `nil` when none does.
    package func nextRelease(at now: RealTime) -> RealTime? {
        guard open.parkedCount > 0 else { return nil }
        return agenda.next.flatMap { clock.arrival(of: $0, at: max(now, latest)) }
    }

    /// Whether an automatic clock has nothing left to wait for but time itself.
    package var isWaitingForTime: Bool {
        clock.mode == .automatic && open.isWaitingForTime && !gates.isHolding
    }

    /// Whether an automatic clock may move for a client that sleeps: every open exchange waits for time, if there is any.
    package var isIdleOnAutomaticClock: Bool {
        clock.mode == .automatic && open.parkedCount == open.total && !gates.isHolding
    }

    /// The next moment at which something is due.
    package var nextDue: VirtualTime? { agenda.next }

    /// Lets an automatic clock jump to the next due moment, if every open exchange waits for it.
    package mutating func jumpIfWaiting(at now: RealTime) {
        catchUp(at: now)
        guard isWaitingForTime, let next = agenda.next else { return }
        clock.set(next, at: latest)
        catchUp(at: now)
    }
}
