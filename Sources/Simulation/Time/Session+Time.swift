package import Basics
package import JSON
package import ScenarioFormat

extension Session {
    /// The virtual time, without letting anything happen.
    package func time(at now: MonotonicTime) -> VirtualTime {
        clock.read(at: max(now, latest))
    }

    /// Lets everything happen that has become due, in order, and returns the virtual time.
    ///
    /// It need not be called at the very moment: an event that is late happens as it would have happened then.
    @discardableResult
    package mutating func catchUp(at now: MonotonicTime) -> VirtualTime {
        latest = max(latest, now)
        while let (due, item) = agenda.take(dueBy: clock.read(at: latest)) {
            switch item {
            case .event(let event), .consequence(let event):
                let moment = clock.revisit(due, by: latest)
                apply(event, at: due, moment)
            case .response(let exchange):
                streams.releaseHead(of: exchange, agenda, &backend.open)
                if refusalHold > .zero { gates.noteHold(until: latest.advanced(by: refusalHold)) }
                effects.append(.released(exchange: exchange))
            case .streamPiece(let exchange):
                if let part = streams.sendNext(on: exchange, at: due, latest, &agenda, &backend) { send([part]) }
            case .streamToken(let exchange):
                if let end = streams.endIfRefused(exchange, at: due, latest, backend.ledger) { send([end]) }
            }
        }
        let time = clock.read(at: latest)
        chooser.armedFaults.end(at: time)
        return time
    }

    /// Moves the clock forward; what is due on the way happens at its own moment and in order.
    ///
    /// An event in between that moves the clock has its effect as well: the rest of the advance still follows.
    package mutating func advance(by duration: Duration, at now: MonotonicTime) {
        catchUp(at: now)
        clock.shift(by: duration, at: latest)
        catchUp(at: now)
    }

    /// The real moment at which a parked response, or an event before it, becomes due by itself; `nil` when none does.
    package func nextRelease(at now: MonotonicTime) -> MonotonicTime? {
        guard backend.open.parkedCount > 0 || hasOpenStreams else { return nil }
        return agenda.next.flatMap { clock.arrival(of: $0, at: max(now, latest)) }
    }

    /// A Boolean value that indicates whether an automatic clock has nothing left to wait for but time itself.
    package var isWaitingForTime: Bool {
        clock.mode == .automatic && backend.open.isWaitingForTime && !gates.isHolding
    }

    /// A Boolean value that indicates whether an automatic clock may move for a client that sleeps: every open exchange
    /// waits for time, if there is any.
    package var isIdleOnAutomaticClock: Bool {
        clock.mode == .automatic && backend.open.parkedCount == backend.open.total && !gates.isHolding
    }

    /// The next moment at which something is due.
    package var nextDue: VirtualTime? { agenda.next }

    /// The next due events, the earliest first: time, description, and position in the scenario.
    package func upcoming(atMost limit: Int) -> [(due: VirtualTime, what: String, position: JSONPosition?)] {
        agenda.first(limit).map { ($0.due, $0.item.description.what, $0.item.description.position) }
    }

    package func clockJSON(at now: MonotonicTime) -> JSONValue { clock.json(at: time(at: now), start: start) }

    /// Lets an automatic clock jump to the next due moment, if every open exchange waits for it.
    package mutating func jumpIfWaiting(at now: MonotonicTime) {
        catchUp(at: now)
        guard isWaitingForTime, let next = agenda.next else { return }
        clock.set(next, at: latest)
        catchUp(at: now)
    }
}
