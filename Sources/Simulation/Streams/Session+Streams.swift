package import Basics
import HTTPCodec
import JSON
package import ScenarioFormat

/// The streams that are open: what is due leaves as the virtual clock comes to it.
extension Session {
    /// Opens a stream whose head leaves after a delay; it waits for the virtual clock until it ends.
    mutating func open(_ stream: RenderedStream, after delay: Duration, in context: ExchangeContext) {
        var stream = stream
        stream.tokens = context.offered.filter { $0.isAccepted == true }.compactMap(\.id)
        (stream.route, stream.device) = (context.route?.key, context.device)
        if let first = stream.pieces.first {
            agenda.add(.streamPiece(exchange: context.number), due: context.now + delay + first.after)
        }
        if stream.tokenClose != nil {
            for id in stream.tokens {
                guard let token = backend.ledger.token(id: id) else { continue }
                agenda.add(.streamToken(exchange: context.number), due: token.expires)
            }
        }
        streams.open(stream, context.number)
    }

    /// Sends a part of a stream, and writes it down.
    private mutating func send(_ sent: OpenStreams.Sent) {
        journal.note(sent.message, of: sent.output.exchange)
        effects.append(.sent(sent.output))
    }

    /// Ends a stream whose token has expired.
    ///
    /// - Returns: whether it has ended.
    @discardableResult
    mutating func checkStreamToken(of exchange: UInt64, at due: VirtualTime) -> Bool {
        guard let stream = streams[exchange], !stream.hasEnded else { return true }
        guard let end = streams.endIfRefused(exchange, at: due, latest, backend.ledger) else { return false }
        send(end)
        return true
    }

    /// Sends the piece that has become due, or ends the stream where its token is not valid any more.
    mutating func sendStreamPiece(of exchange: UInt64, at due: VirtualTime) {
        guard !checkStreamToken(of: exchange, at: due),
            let (sent, progress) = streams.sendNext(on: exchange, at: due, latest)
        else { return }
        send(sent)
        switch progress {
        case .waits(let wait): agenda.add(.streamPiece(exchange: exchange), due: due + wait)
        case .idles: stopWaiting(for: exchange)
        case .ended: break
        }
    }

    /// An automatic clock need not wait for a stream that nothing more is due on.
    private mutating func stopWaiting(for exchange: UInt64) {
        guard let stream = streams[exchange], stream.next >= stream.pieces.count else { return }
        if let route = stream.route, agenda.hasPush(to: route) { return }
        _ = backend.open.remove(exchange)
    }

    /// Notes that a response's wait on the virtual clock is over; a stream continues to wait for its pieces.
    mutating func releaseHead(of exchange: UInt64) {
        guard let stream = streams[exchange] else { return backend.open.release(exchange) }
        if stream.pieces.isEmpty { stopWaiting(for: exchange) }
    }

    /// Notes what the client of a WebSocket has sent, or what it was sent in response.
    package mutating func note(_ message: StreamMessage, of exchange: UInt64) {
        journal.note(message, of: exchange)
    }

    /// Ends a stream that nothing more is sent on, although its response has not ended.
    package mutating func dropStream(_ exchange: UInt64) { streams.drop(exchange) }

    /// Returns whether a list of events sends more parts of open streams than a limit, by moving the clock or by pushing.
    ///
    /// Other events and requests may change the session before then, so the number can be lower.
    package func sends(moreStreamPartsThan limit: Int, in events: [Event], at now: MonotonicTime) -> Bool {
        guard hasOpenStreams else { return false }
        var (count, moment) = (0, time(at: now))
        var end = moment
        for event in events {
            switch event.action {
            case .advance(let duration): moment = moment + duration
            case .setClock(let time): moment = time
            default: count += streams.partCount(of: event)
            }
            end = max(end, moment)
            guard count <= limit else { return true }
        }
        for (due, item) in agenda.items(dueBy: end) {
            switch item {
            case .event(let event), .consequence(let event): count += streams.partCount(of: event)
            case .streamPiece(let exchange):
                count += streams.partCount(of: exchange, due: due, by: end, upTo: limit - count)
            case .response, .streamToken: continue
            }
            guard count <= limit else { return true }
        }
        return false
    }

    /// A Boolean value that indicates whether a stream is open whose next part is to come.
    package var hasOpenStreams: Bool { !streams.isEmpty }

    /// A Boolean value that indicates whether time alone may let something happen: at a gate, or in a stream.
    package var isHoldingOrStreaming: Bool { isHolding || hasOpenStreams }
}

/// Messages sent over streams from outside: by the timeline, by a response to another request, or by the admin API.
extension Session {
    /// Sends events into the open streams of a route, the first ones now and the others when they are due.
    ///
    /// - Returns: how many streams it reached.
    @discardableResult
    mutating func push(
        _ push: StreamPush,
        to devices: DeviceSet,
        at time: VirtualTime,
        in context: inout ExchangeContext,
        from position: JSONPosition
    ) -> Int {
        var due = Duration.zero
        var events: [EventStream.Event] = []
        for event in push.events {
            var event = event
            event.data = .text(TextTemplate(parts: [.literal(text(of: event.data, in: &context))]))
            events.append(event)
        }
        var reached = 0
        while let event = events.first {
            due += event.after
            guard due == .zero else { break }
            events.removeFirst()
            let data = text(of: event.data, in: &context)
            let delivery = streams.deliver(event, data, to: devices, of: push.route, at: time, latest, backend.ledger)
            for sent in delivery.sent { send(sent) }
            reached = max(reached, delivery.reached)
        }
        let closesLater = (push.close?.after ?? .zero) > .zero
        if !events.isEmpty || closesLater {
            var rest = push
            rest.events = events
            let wait = events.first?.after ?? push.close?.after ?? .zero
            if events.isEmpty { rest.close?.after = .zero } else { rest.events[0].after = .zero }
            // What a request says is known now alone.
            if case .caller = rest.devices { rest.devices = context.device.map(Event.DeviceSelection.named) ?? .every }
            agenda.add(.consequence(Event(.push(rest), position: position)), due: time + wait)
        } else if let close = push.close {
            let ends = streams.end(on: push.route, of: devices, by: close, at: time, latest)
            for end in ends { send(end) }
            reached = max(reached, ends.count)
        }
        if let part = played.script.parts[position], part.kind == .event { note(part, hasEffect: reached > 0) }
        if !agenda.hasPush(to: push.route) {
            for exchange in streams.exchanges(on: push.route) { stopWaiting(for: exchange) }
        }
        return reached
    }

    /// The data of an event.
    private mutating func text(of data: EventStream.Data, in context: inout ExchangeContext) -> String {
        data.text { backend.valueIfAny(of: $0, in: &context) }
    }
}
