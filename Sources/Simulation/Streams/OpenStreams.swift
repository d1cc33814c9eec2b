import Basics
import HTTPCodec
import JSON
import ScenarioFormat

/// The open streams of a session, and the events that their clients may have missed.
struct OpenStreams: Sendable {
    /// A part of a stream that leaves now, and its journal entry.
    struct Sent {
        var output: StreamOutput
        var message: StreamMessage
    }

    /// By exchange.
    private var streams: [UInt64: RenderedStream] = [:]
    /// The events with identifiers by route.
    private var eventLogs: [String: EventLog] = [:]

    var isEmpty: Bool { streams.isEmpty }

    var exchanges: [UInt64] { Array(streams.keys) }

    subscript(exchange: UInt64) -> RenderedStream? { streams[exchange] }

    /// The open streams of a route, the oldest first.
    func exchanges(on route: String, of devices: DeviceSet = .every) -> [UInt64] {
        streams.filter { _, stream in
            guard !stream.hasEnded, stream.route?.exact == route.exact else { return false }
            return devices == .every || stream.device.map(devices.contains) ?? false
        }.keys.sorted()
    }

    /// Opens the stream of an exchange, whose head leaves after a delay.
    mutating func open(
        _ stream: RenderedStream,
        in context: borrowing ExchangeContext,
        _ agenda: inout Agenda,
        _ ledger: TokenLedger
    ) {
        var stream = stream
        stream.tokens = context.offered.filter { $0.isAccepted == true }.compactMap(\.id)
        (stream.route, stream.device) = (context.route?.key, context.device)
        if let first = stream.pieces.first {
            agenda.add(.streamPiece(exchange: context.number), due: context.now + context.delay + first.after)
        }
        if stream.tokenClose != nil {
            for id in stream.tokens {
                guard let token = ledger.token(id: id) else { continue }
                agenda.add(.streamToken(exchange: context.number), due: token.expires)
            }
        }
        streams[context.number] = stream
    }

    /// Ends a stream that nothing more is sent on, although its response has not ended.
    mutating func drop(_ exchange: UInt64) { streams[exchange]?.hasEnded = true }

    /// Forgets a stream whose response has ended; its next piece will find no stream.
    mutating func remove(_ exchange: UInt64) -> Bool { streams.removeValue(forKey: exchange) != nil }

    /// Leaves out the events up to the one that the client names as its last, and adds those that it has missed since.
    func resume(_ stream: inout RenderedStream, in context: borrowing ExchangeContext) {
        guard stream.form == .events, let last = context.request.request.fields["Last-Event-ID"], !last.isEmpty else {
            return
        }
        let missed = context.route.flatMap { eventLogs[$0.key] }?.missed(by: context.device, after: last)
        if let index = stream.pieces.lastIndex(where: { $0.message.id?.exact == last.exact }) {
            stream.pieces.removeFirst(index + 1)
        } else if missed != nil {
            // It has seen the list before what was pushed.
            stream.pieces = []
        }
        stream.pieces.insert(contentsOf: missed ?? [], at: 0)
    }

    // MARK: Sending

    /// Ends a stream that depends on a token which is not valid at a moment; `nil` for every other stream.
    mutating func endIfRefused(
        _ exchange: UInt64,
        at moment: VirtualTime,
        _ now: MonotonicTime,
        _ ledger: TokenLedger
    ) -> Sent? {
        guard let stream = streams[exchange], !stream.hasEnded, stream.checksToken || stream.tokenClose != nil else {
            return nil
        }
        let isRefused = stream.tokens.contains { id in
            ledger.token(id: id).map { $0.standing(at: moment) != .valid } ?? true
        }
        guard isRefused else { return nil }
        let reason = "the token is no longer valid"
        var message = StreamMessage(stream.webSocket == nil ? .end : .close, at: moment, now, text: reason)
        (message.code, message.isRefusal) = (stream.tokenClose, true)
        let bytes = stream.tokenClose.map { WebSocketFrame.close($0, reason) } ?? []
        streams[exchange]?.hasEnded = true
        return Sent(output: StreamOutput(exchange: exchange, bytes: bytes, isLast: true), message: message)
    }

    /// Sends a part of a stream.
    private mutating func send(
        _ piece: RenderedStream.Piece,
        on exchange: UInt64,
        isLast: Bool,
        at time: VirtualTime,
        _ now: MonotonicTime
    ) -> Sent {
        var message = piece.message
        (message.time, message.moment) = (time, now)
        streams[exchange]?.hasEnded = isLast
        return Sent(output: StreamOutput(exchange: exchange, bytes: piece.bytes, isLast: isLast), message: message)
    }

    /// Sends the part that has become due, or ends the stream where its token is not valid any more.
    mutating func sendNext(
        on exchange: UInt64,
        at due: VirtualTime,
        _ now: MonotonicTime,
        _ agenda: inout Agenda,
        _ backend: inout MockBackend
    ) -> Sent? {
        guard let stream = streams[exchange], !stream.hasEnded else { return nil }
        if let end = endIfRefused(exchange, at: due, now, backend.ledger) { return end }
        let next = stream.next + 1
        let isLast = next == stream.pieces.count && !stream.staysOpen
        let sent = send(stream.pieces[stream.next], on: exchange, isLast: isLast, at: due, now)
        if let id = stream.pieces[stream.next].message.id, let route = stream.route {
            eventLogs[route, default: EventLog()].note(id, device: stream.device)
        }
        streams[exchange]?.next = next
        if next < stream.pieces.count {
            agenda.add(.streamPiece(exchange: exchange), due: due + stream.pieces[next].after)
        } else if !isLast {
            stopWaiting(for: exchange, agenda, &backend.open)
        }
        return sent
    }

    /// Notes that a response's wait on the virtual clock is over; a stream continues to wait for its pieces.
    func releaseHead(of exchange: UInt64, _ agenda: Agenda, _ open: inout OpenExchanges) {
        guard let stream = streams[exchange] else { return open.release(exchange) }
        if stream.pieces.isEmpty { stopWaiting(for: exchange, agenda, &open) }
    }

    /// Keeps an automatic clock from waiting for a stream that nothing more is due on.
    private func stopWaiting(for exchange: UInt64, _ agenda: Agenda, _ open: inout OpenExchanges) {
        guard let stream = streams[exchange], stream.next >= stream.pieces.count else { return }
        if let route = stream.route, agenda.hasPush(to: route) { return }
        _ = open.remove(exchange)
    }

    // MARK: Pushing

    /// Sends events into the open streams of a route, the first ones now and the others when they are due.
    ///
    /// - Returns: the parts, and how many streams the events reach.
    mutating func push(
        _ push: StreamPush,
        to devices: DeviceSet,
        at time: VirtualTime,
        _ now: MonotonicTime,
        in context: inout ExchangeContext,
        from position: JSONPosition,
        _ agenda: inout Agenda,
        _ backend: inout MockBackend
    ) -> (sent: [Sent], reached: Int) {
        var due = Duration.zero
        var events: [EventStream.Event] = []
        for event in push.events {
            var event = event
            let data = event.data.text { backend.valueIfAny(of: $0, in: &context) }
            event.data = .text(TextTemplate(parts: [.literal(data)]))
            events.append(event)
        }
        var (sent, reached): ([Sent], Int) = ([], 0)
        while let event = events.first {
            due += event.after
            guard due == .zero else { break }
            events.removeFirst()
            let data = event.data.text { backend.valueIfAny(of: $0, in: &context) }
            let delivery = deliver(event, data, to: devices, of: push.route, at: time, now, backend.ledger)
            sent += delivery.sent
            reached = max(reached, delivery.reached)
        }
        let closesLater = (push.close?.after ?? .zero) > .zero
        if !events.isEmpty || closesLater {
            var rest = push
            rest.events = events
            let wait = events.first?.after ?? push.close?.after ?? .zero
            if events.isEmpty { rest.close?.after = .zero } else { rest.events[0].after = .zero }
            // The request's values are known only now.
            if case .caller = rest.devices { rest.devices = context.device.map(Event.DeviceSelection.named) ?? .every }
            agenda.add(.consequence(Event(.push(rest), position: position)), due: time + wait)
        } else if let close = push.close {
            let ends = end(on: push.route, of: devices, by: close, at: time, now)
            sent += ends
            reached = max(reached, ends.count)
        }
        if !agenda.hasPush(to: push.route) {
            for exchange in exchanges(on: push.route) { stopWaiting(for: exchange, agenda, &backend.open) }
        }
        return (sent, reached)
    }

    /// Sends an event with its data to the open streams of a route.
    ///
    /// - Returns: the parts, among them the ends of refused streams, and how many streams the event reaches.
    private mutating func deliver(
        _ event: EventStream.Event,
        _ data: String,
        to devices: DeviceSet,
        of route: String,
        at time: VirtualTime,
        _ now: MonotonicTime,
        _ ledger: TokenLedger
    ) -> (sent: [Sent], reached: Int) {
        var (sent, reached): ([Sent], Int) = ([], 0)
        for exchange in exchanges(on: route, of: devices) {
            if let end = endIfRefused(exchange, at: time, now, ledger) {
                sent.append(end)
            } else if let form = streams[exchange]?.form {
                let piece = RenderedStream.Piece(event, data: data, form)
                sent.append(send(piece, on: exchange, isLast: false, at: time, now))
                reached += 1
            }
        }
        guard let id = event.id else { return (sent, reached) }
        var piece = RenderedStream.Piece(event, data: data, .events)
        piece.after = .zero
        let receivers: [String?] =
            switch devices {
            case .every: [nil]
            case .one(let device): [device]
            case .several(let names): names
            case .none: []
            }
        for device in receivers { eventLogs[route, default: EventLog()].note(id, pushed: piece, device: device) }
        return (sent, reached)
    }

    /// Ends the open streams of a route.
    private mutating func end(
        on route: String,
        of devices: DeviceSet,
        by close: WebSocketScript.Close,
        at time: VirtualTime,
        _ now: MonotonicTime
    ) -> [Sent] {
        var sent: [Sent] = []
        for exchange in exchanges(on: route, of: devices) {
            let piece = RenderedStream.Piece(close, isSocket: streams[exchange]?.form == .webSocket)
            sent.append(send(piece, on: exchange, isLast: true, at: time, now))
        }
        return sent
    }

    // MARK: Counting

    /// Returns whether a list of events sends more parts than a limit, by moving the clock or by pushing.
    ///
    /// Other events and requests may change the session before then, so the number can be lower.
    func sends(moreThan limit: Int, in events: [Event], from time: VirtualTime, _ agenda: Agenda) -> Bool {
        var (count, moment, end) = (0, time, time)
        for event in events {
            switch event.action {
            case .advance(let duration): moment = moment + duration
            case .setClock(let time): moment = time
            default: count += partCount(of: event)
            }
            end = max(end, moment)
            guard count <= limit else { return true }
        }
        for (due, item) in agenda.items(dueBy: end) {
            switch item {
            case .event(let event), .consequence(let event): count += partCount(of: event)
            case .streamPiece(let exchange): count += partCount(of: exchange, due: due, by: end, upTo: limit - count)
            case .response, .streamToken: continue
            }
            guard count <= limit else { return true }
        }
        return false
    }

    /// The number of parts that a push sends.
    private func partCount(of event: Event) -> Int {
        guard case .push(let push) = event.action else { return 0 }
        return max(1, push.events.count) * exchanges(on: push.route).count
    }

    /// The number of parts of a stream that become due by a time, up to a limit.
    ///
    /// - Parameter due: the time at which the next part is due.
    private func partCount(of exchange: UInt64, due: VirtualTime, by end: VirtualTime, upTo limit: Int) -> Int {
        guard let stream = streams[exchange] else { return 0 }
        var (count, due) = (0, due)
        for next in stream.next..<max(stream.next, stream.pieces.count) where due <= end && count <= limit {
            count += 1
            if next + 1 < stream.pieces.count { due = due + stream.pieces[next + 1].after }
        }
        return count
    }
}
