package import Basics
import HTTPCodec
import JSON
package import ScenarioFormat

/// The streams that are open: what is due leaves as the virtual clock comes to it.
extension Session {
    /// Makes the events of a stream; those up to the one that the client names as its last are left out.
    mutating func render(_ stream: EventStream, in context: inout ExchangeContext) -> RenderedStream {
        var pieces = stream.events.map { event in
            piece(of: event, as: stream.areLines ? .lines : .events, in: &context)
        }
        if !stream.areLines, let last = context.request.request.fields["Last-Event-ID"], !last.isEmpty {
            let missed = context.route.flatMap { eventLogs[$0.key] }?.missed(by: context.device, after: last)
            if let index = pieces.lastIndex(where: { $0.message.id?.exact == last.exact }) {
                pieces.removeFirst(index + 1)
            } else if missed != nil {
                // It has seen the list before what was pushed.
                pieces = []
            }
            pieces.insert(contentsOf: missed ?? [], at: 0)
        }
        return RenderedStream(
            form: stream.areLines ? .lines : .events,
            pieces: pieces,
            staysOpen: stream.staysOpen,
            checksToken: stream.tokenAt == .events
        )
    }

    /// Makes a part of a stream.
    mutating func piece(
        of event: EventStream.Event,
        as form: RenderedStream.Form,
        in context: inout ExchangeContext
    ) -> RenderedStream.Piece {
        let data = text(of: event.data, in: &context)
        return RenderedStream.Piece(event, data: data, form)
    }

    /// The data of an event or a message.
    mutating func text(of data: EventStream.Data, in context: inout ExchangeContext) -> String {
        switch data {
        case .none: ""
        case .json(let template): String(decoding: render(template, in: &context), as: UTF8.self)
        case .text(let template): render(template, in: &context)
        }
    }

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
                guard let token = ledger.token(id: id) else { continue }
                agenda.add(.streamToken(exchange: context.number), due: token.expires)
            }
        }
        streams[context.number] = stream
    }

    /// Returns whether a stream depends on a token that is not valid at a moment; it is ended then.
    private mutating func endIfRefused(_ exchange: UInt64, at moment: VirtualTime) -> Bool {
        guard var stream = streams[exchange], stream.checksToken || stream.tokenClose != nil else { return false }
        let isRefused = stream.tokens.contains { id in
            ledger.token(id: id).map { $0.standing(at: moment) != .valid } ?? true
        }
        guard isRefused else { return false }
        let reason = "the token is no longer valid"
        var message = StreamMessage(stream.webSocket == nil ? .end : .close, at: moment, latest, text: reason)
        (message.code, message.isRefusal) = (stream.tokenClose, true)
        journal.note(message, of: exchange)
        let bytes = stream.tokenClose.map { WebSocketFrame.close($0, reason) } ?? []
        effects.append(.sent(StreamOutput(exchange: exchange, bytes: bytes, isLast: true)))
        stream.hasEnded = true
        streams[exchange] = stream
        return true
    }

    /// Closes a WebSocket whose token has expired.
    mutating func checkStreamToken(of exchange: UInt64, at due: VirtualTime) {
        guard let stream = streams[exchange], !stream.hasEnded else { return }
        _ = endIfRefused(exchange, at: due)
    }

    /// Sends the piece that has become due, or ends the stream where its token is not valid any more.
    mutating func sendStreamPiece(of exchange: UInt64, at due: VirtualTime) {
        guard let stream = streams[exchange], !stream.hasEnded, !endIfRefused(exchange, at: due) else { return }
        let next = stream.next + 1
        let isLast = next == stream.pieces.count && !stream.staysOpen
        send(stream.pieces[stream.next], on: exchange, isLast: isLast, at: due)
        if let id = stream.pieces[stream.next].message.id, let route = stream.route {
            eventLogs[route, default: EventLog()].note(id, device: stream.device)
        }
        streams[exchange]?.next = next
        if next < stream.pieces.count {
            agenda.add(.streamPiece(exchange: exchange), due: due + stream.pieces[next].after)
        } else if !isLast {
            stopWaiting(for: exchange)
        }
    }

    /// Sends a part of a stream, and writes it down.
    private mutating func send(_ piece: RenderedStream.Piece, on exchange: UInt64, isLast: Bool, at time: VirtualTime) {
        var message = piece.message
        (message.time, message.moment) = (time, latest)
        journal.note(message, of: exchange)
        effects.append(.sent(StreamOutput(exchange: exchange, bytes: piece.bytes, isLast: isLast)))
        streams[exchange]?.hasEnded = isLast
    }

    /// An automatic clock need not wait for a stream that nothing more is due on.
    private mutating func stopWaiting(for exchange: UInt64) {
        guard let stream = streams[exchange], stream.next >= stream.pieces.count else { return }
        if let route = stream.route, agenda.hasPush(to: route) { return }
        _ = open.remove(exchange)
    }

    /// Notes that a response's wait on the virtual clock is over; a stream continues to wait for its pieces.
    mutating func releaseHead(of exchange: UInt64) {
        guard let stream = streams[exchange] else { return open.release(exchange) }
        if stream.pieces.isEmpty { stopWaiting(for: exchange) }
    }

    /// Notes what the client of a WebSocket has sent, or what it was sent in response.
    package mutating func note(_ message: StreamMessage, of exchange: UInt64) {
        journal.note(message, of: exchange)
    }

    /// Ends a stream that nothing more is sent on, although its response has not ended.
    package mutating func dropStream(_ exchange: UInt64) {
        streams[exchange]?.hasEnded = true
    }

    /// Returns whether a list of events sends more parts of open streams than a limit, by moving the clock or by pushing.
    ///
    /// Other events and requests may change the session before then, so the number can be lower.
    package func sends(moreStreamPartsThan limit: Int, in events: [Event], at now: MonotonicTime) -> Bool {
        guard hasOpenStreams else { return false }
        var (count, moment) = (0, time(at: now))
        var end = moment
        func pushed(by event: Event) -> Int {
            guard case .push(let push) = event.action else { return 0 }
            return max(1, push.events.count) * openStreams(of: push.route, .every).count
        }
        for event in events {
            switch event.action {
            case .advance(let duration): moment = moment + duration
            case .setClock(let time): moment = time
            default: count += pushed(by: event)
            }
            end = max(end, moment)
            guard count <= limit else { return true }
        }
        for (due, item) in agenda.items(dueBy: end) {
            switch item {
            case .event(let event), .consequence(let event): count += pushed(by: event)
            case .streamPiece(let exchange):
                guard let stream = streams[exchange] else { continue }
                var due = due
                for next in stream.next..<max(stream.next, stream.pieces.count) where due <= end && count <= limit {
                    count += 1
                    if next + 1 < stream.pieces.count { due = due + stream.pieces[next + 1].after }
                }
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
            reached = max(reached, deliver(event, to: devices, of: push.route, at: time, in: &context))
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
            reached = max(reached, end(streamsOf: push.route, devices, by: close, at: time))
        }
        if let part = played.script.parts[position], part.kind == .event { note(part, hasEffect: reached > 0) }
        if !agenda.hasPush(to: push.route) {
            for exchange in openStreams(of: push.route, .every) { stopWaiting(for: exchange) }
        }
        return reached
    }

    /// The open streams of a route, the oldest first.
    private func openStreams(of route: String, _ devices: DeviceSet) -> [UInt64] {
        streams.filter { _, stream in
            guard !stream.hasEnded, stream.route?.exact == route.exact else { return false }
            return devices == .every || stream.device.map(devices.contains) ?? false
        }.keys.sorted()
    }

    private mutating func deliver(
        _ event: EventStream.Event,
        to devices: DeviceSet,
        of route: String,
        at time: VirtualTime,
        in context: inout ExchangeContext
    ) -> Int {
        let data = text(of: event.data, in: &context)
        var reached = 0
        for exchange in openStreams(of: route, devices) where !endIfRefused(exchange, at: time) {
            guard let form = streams[exchange]?.form else { continue }
            send(RenderedStream.Piece(event, data: data, form), on: exchange, isLast: false, at: time)
            reached += 1
        }
        guard let id = event.id else { return reached }
        var piece = RenderedStream.Piece(event, data: data, .events)
        piece.after = .zero
        switch devices {
        case .every: eventLogs[route, default: EventLog()].note(id, pushed: piece, device: nil)
        case .one(let device): eventLogs[route, default: EventLog()].note(id, pushed: piece, device: device)
        case .several(let names):
            for device in names { eventLogs[route, default: EventLog()].note(id, pushed: piece, device: device) }
        case .none: break
        }
        return reached
    }

    private mutating func end(
        streamsOf route: String,
        _ devices: DeviceSet,
        by close: WebSocketScript.Close,
        at time: VirtualTime
    ) -> Int {
        let exchanges = openStreams(of: route, devices)
        for exchange in exchanges {
            let piece = RenderedStream.Piece(close, isSocket: streams[exchange]?.form == .webSocket)
            send(piece, on: exchange, isLast: true, at: time)
        }
        return exchanges.count
    }
}
