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

    /// The state of a stream after a part that was due.
    enum Progress {
        /// The next part is due after a time.
        case waits(Duration)
        /// The stream stays open without a further part.
        case idles
        case ended
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

    mutating func open(_ stream: RenderedStream, _ exchange: UInt64) { streams[exchange] = stream }

    /// Ends a stream that nothing more is sent on, although its response has not ended.
    mutating func drop(_ exchange: UInt64) { streams[exchange]?.hasEnded = true }

    /// Forgets a stream whose response has ended; its next piece will find no stream.
    mutating func remove(_ exchange: UInt64) -> Bool { streams.removeValue(forKey: exchange) != nil }

    /// Leaves out the events up to the one that the client names as its last, and adds those that it has missed since.
    func resume(_ stream: inout RenderedStream, in context: ExchangeContext) {
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
        guard let stream = streams[exchange], stream.checksToken || stream.tokenClose != nil else { return nil }
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

    /// Sends the next part of a stream.
    mutating func sendNext(on exchange: UInt64, at due: VirtualTime, _ now: MonotonicTime) -> (Sent, Progress)? {
        guard let stream = streams[exchange] else { return nil }
        let next = stream.next + 1
        let isLast = next == stream.pieces.count && !stream.staysOpen
        let sent = send(stream.pieces[stream.next], on: exchange, isLast: isLast, at: due, now)
        if let id = stream.pieces[stream.next].message.id, let route = stream.route {
            eventLogs[route, default: EventLog()].note(id, device: stream.device)
        }
        streams[exchange]?.next = next
        if next < stream.pieces.count { return (sent, .waits(stream.pieces[next].after)) }
        return (sent, isLast ? .ended : .idles)
    }

    /// Sends an event with its data to the open streams of a route.
    ///
    /// - Returns: the parts, among them the ends of refused streams, and how many streams the event reaches.
    mutating func deliver(
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
    mutating func end(
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

    /// The number of parts that a push sends.
    func partCount(of event: Event) -> Int {
        guard case .push(let push) = event.action else { return 0 }
        return max(1, push.events.count) * exchanges(on: push.route).count
    }

    /// The number of parts of a stream that become due by a time, up to a limit.
    ///
    /// - Parameter due: the time at which the next part is due.
    func partCount(of exchange: UInt64, due: VirtualTime, by end: VirtualTime, upTo limit: Int) -> Int {
        guard let stream = streams[exchange] else { return 0 }
        var (count, due) = (0, due)
        for next in stream.next..<max(stream.next, stream.pieces.count) where due <= end && count <= limit {
            count += 1
            if next + 1 < stream.pieces.count { due = due + stream.pieces[next + 1].after }
        }
        return count
    }
}
