import Basics
import EventLoops
import HTTPCodec
import TLS

/// One client's connection on its loop: performs what ``ConnectionMachine`` decides.
///
/// A class, because the loop, its timers and its registrations all mean the same connection.
final class HTTPConnection: DescriptorHandler, TimerHandler {
    /// Strong both ways while the connection is open; the loop forgets it when it is closed.
    let loop: ServingLoop
    let key: ConnectionKey
    var peer: Peer
    let tag: Int
    /// Distinguishes the known heads of different listeners, and those that came over TLS.
    var headTag: Int
    /// `nil` when the connection is closed, and while ``tls`` is between the connection and its socket.
    var socket: ConnectedSocket?
    var tls: TLSSocket?
    /// The deadline of a handshake that has not ended; `nil` without one.
    var handshakeDeadline: MonotonicTime?
    var mustDeliverAlert = false
    var machine: ConnectionMachine

    var parser: HTTPRequestParser
    var input = ConnectionInput()
    var isParsingNow = false
    /// The memory that is reserved for the present body.
    var heldBody: ByteReservation
    /// A 100 is to be sent unless the body comes by itself.
    var owesContinue = false
    /// Waits until a throttled client was allowed to have sent it.
    var heldRequest: HTTPRequest?
    /// The handler's result about the head of the current request.
    var routed: (any RoutedHead)?
    var sequence: UInt32 = 0
    /// A Boolean value that indicates whether the handler has taken the present request for later.
    var isAwaitingResponse = false

    /// The data of the request that its response depends on.
    var writer = HTTPResponseWriter()
    var response: OutgoingResponse?
    var unsent: UnsentOutput
    /// Produces the response in hand, if another object does.
    var relay: (any ClientRelay)?
    var relayed = RelayedRequest()
    /// The head of the present request, if the handler gets it before a long body, and the longest body otherwise.
    var headOfBody: (head: HTTPRequest, longest: Int)?

    var timer: TimerID?
    /// The loop's first turn that can report bytes of this connection.
    private var firstTurn: UInt64 = 0
    var timerDeadline = MonotonicTime.never

    init(_ socket: ConnectedSocket, peer: Peer, key: ConnectionKey, loop: ServingLoop) {
        if let answer = loop.tls {
            let tag = peer.listener
            tls = TLSSocket(accepted: socket) { () throws(TLSProblem) in try answer(tag) }
        } else {
            self.socket = socket
        }
        self.peer = peer
        self.key = key
        self.loop = loop
        tag = peer.listener
        headTag = tag
        machine = ConnectionMachine(rules: loop.rules, openedAt: peer.arrival)
        parser = HTTPRequestParser(limits: loop.limits)
        heldBody = ByteReservation(in: loop.bodies)
        unsent = UnsentOutput(in: loop.unsent)
    }

    var now: MonotonicTime { loop.now }

    /// Begins to listen to the client; false when the system would not have it.
    func open() -> Bool {
        guard let socket = socket ?? tls?.socket else { return false }
        firstTurn = loop.events.turns + 1
        do {
            try loop.events.register(socket.descriptor, for: .read, handler: self)
        } catch {
            return false
        }
        settle()
        return true
    }

    // MARK: Events

    /// The events of the connection that the selector reports.
    var interest: Interest {
        if relay != nil { return relayedInterest }
        let interest = machine.interest(buffered: input.buffer.count)
        guard let stream = unsent.stream, stream.waiting > UnsentOutput.mostUnread, response?.upgrades == true else {
            return interest
        }
        return interest.subtracting(.read)
    }

    func descriptorIsReady(_ readiness: Readiness) {
        if readiness.contains(.write), machine.isSending { writeMore() }
        if readiness.contains(.write), machine.isStreaming { writeStream() }
        if interest.contains(.read) {
            if readiness.isWorthReading { read() }
        } else if readiness.contains(.hangup) {
            perform(machine.handle(.lost, at: now))
        } else if readiness.contains(.peerEnd) {
            perform(machine.handle(.peerEnded, at: now))
        }
        settle()
    }

    func timerFired(_ timer: TimerID) {
        self.timer = nil
        timerDeadline = .never
        if tls?.isSilent != true { perform(machine.handle(.deadlinePassed, at: now)) }
        settle()
    }

    /// The handler has answered a request that it took for later.
    func receive(_ response: OutgoingResponse, for sequence: UInt32) {
        guard sequence == self.sequence, isAwaitingResponse else {
            loop.handler.ended(exchange: response.exchange, outcome: .clientGone)
            return
        }
        isAwaitingResponse = false
        take(response)
        settle()
    }

    /// Finishes what runs and then closes; an idle connection closes now.
    func stop() {
        // A request that has arrived already is answered.
        if machine.isIdle { read() }
        perform(machine.handle(.stopping, at: now))
        settle()
    }

    /// Closes without waiting.
    func abandon() {
        _ = machine.handle(.lost, at: now)
        close(.atOnce, outcome: .faulted)
    }

    // MARK: Performing

    func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .wait: break
        case .parse: parse()
        case .respond:
            if let request = heldRequest.take() { respond(to: request, isKnown: false, routed.take()) }
        case .refuse: break
        case .reportUnfinished(let request):
            owesContinue = false
            prepareWriter()
            take(loop.handler.response(toUnfinished: request, from: peer))
        case .deliver:
            if let response { deliverOrWait(response) }
        case .writeMore: writeMore()
        case .close(let closing): close(closing, outcome: outcome(of: closing))
        }
    }

    /// A close that comes while a response is in hand ends that, too.
    private func outcome(of closing: ConnectionMachine.Closing) -> ExchangeOutcome {
        switch response?.delivery.fault {
        case .reset where closing == .reset, .empty where closing == .lingering: .faulted
        case .never where machine.isStopping: .faulted
        case nil where machine.isStopping && unsent.stream != nil: .faulted
        default: .clientGone
        }
    }

    private func close(_ closing: ConnectionMachine.Closing, outcome: ExchangeOutcome) {
        finishResponse(outcome)
        heldBody.release()
        if isAwaitingResponse {
            isAwaitingResponse = false
            loop.handler.clientLeft(peer, before: promise)
        }
        guard let socket = socket ?? tls?.socket else { return }
        if closing != .reset { tls?.close() }
        // The alert that ends a failed connection would be lost to a reset.
        if closing == .lingering || closing == .atOnce && mustDeliverAlert {
            mustDeliverAlert = false
            socket.endWriting()
            machine.linger(from: now)
            input.removeAll()
            return
        }
        if closing == .reset { socket.reset() }
        if let timer { loop.events.cancel(timer) }
        timer = nil
        loop.events.deregister(socket.descriptor)
        endHandshake()
        tls = nil
        self.socket = nil
        input.removeAll()
        loop.forget(self)
    }

    /// Makes timer and registration agree with the machine, after all events of one occasion.
    ///
    /// A timer that is set earlier than needed stays: when it fires, nothing is due, and it is set again. So a request
    /// costs no timer.
    func settle() {
        guard let socket else { return settleTLS() }
        do {
            try loop.events.change(socket.descriptor, to: interest)
        } catch {
            perform(machine.handle(.lost, at: now))
            return
        }
        setTimer(for: machine.deadline)
    }

    @inline(__always)
    func setTimer(for deadline: MonotonicTime) {
        if deadline >= timerDeadline { return }
        if let timer { loop.events.cancel(timer) }
        timerDeadline = deadline
        timer = loop.events.schedule(at: deadline, handler: self)
    }
}

@available(*, unavailable)
extension HTTPConnection: Sendable {}

extension HTTPConnection {
    /// Gives a complete request to the handler.
    ///
    /// - Parameter isKnown: whether the request is kept, because it has come before.
    func respond(to request: HTTPRequest, isKnown: Bool, _ routed: (any RoutedHead)?) {
        sequence &+= 1
        unsent.removeEarlyParts()
        writer = HTTPResponseWriter(answering: request)
        switch loop.handler.respond(to: request, isKnown: isKnown, routed: routed, from: peer, with: promise) {
        case .now(let response): take(response)
        case .later: isAwaitingResponse = true
        }
    }

    /// Answers a request without a body.
    private func respond(toBodyless request: HTTPRequest, isKnown: Bool, _ routed: (any RoutedHead)?) {
        let event = ConnectionMachine.Event.requestEnded(keepsAlive: request.keepsAlive, bodyBytes: 0)
        if machine.handle(event, at: now) == .respond { respond(to: request, isKnown: isKnown, routed) }
    }

    /// The promise of the present request.
    var promise: ResponsePromise {
        ResponsePromise(receiver: loop.address, connection: key, sequence: sequence)
    }

    /// For responses to bytes that were not a request, possibly with a known method.
    func prepareWriter(method: HTTPMethod? = nil) {
        sequence &+= 1
        heldRequest = nil
        writer = HTTPResponseWriter(method: method ?? .get)
    }

    /// Sends a response now, or keeps it until its time has come.
    func take(_ response: OutgoingResponse) {
        let action = machine.handle(.replied(ResponseTerms(response.delivery)), at: now)
        if action == .deliver {
            deliver(response)
        } else {
            self.response = response
            perform(action)
        }
    }

    /// The interval of checks of a client that is at work.
    private static let pollInterval = Duration.milliseconds(5)

    /// Sends a response whose time has come, or waits a little longer for a client that is at work.
    func deliverOrWait(_ response: OutgoingResponse) {
        guard response.delivery.extraHold > .zero, loop.handler.isClientAtWork else { return deliver(response) }
        var response = response
        response.delivery.delay = min(Self.pollInterval, response.delivery.extraHold)
        response.delivery.extraHold -= response.delivery.delay
        take(response)
    }

    /// Begins to send a response; as a rule the kernel takes all of it, and nothing of it has to be kept.
    func deliver(_ response: OutgoingResponse) {
        guard socket != nil || tls != nil else { return }
        if let producer = response.producer { return begin(producer, for: response) }
        leaveBody()
        let writer = HTTPResponseWriter(
            version: writer.version,
            method: writer.method,
            keepsAlive: writer.keepsAlive && machine.mayKeepAlive
        )
        loop.output.removeAll(keepingCapacity: true)
        if case .prepared(let message, let second) = response.message, writer.appendsPrepared,
            response.delivery.fault == nil, response.delivery.pacing == nil
        {
            loop.append(message, dated: second)
            return sendOutput(of: response)
        }
        let date = response.date ?? loop.dateText()
        let hasParts = response.upgrades || response.isStream && writer.sendsBody(response.message.status)
        if hasParts, response.delivery.fault == nil {
            let last = HTTPResponseWriter(version: writer.version, method: writer.method, keepsAlive: false)
            return begin(stream: response, by: last, date: date)
        }
        if let fault = response.delivery.fault {
            let parts = ResponseRendering.broken(response, fault, by: writer, date: date)
            send(response, parts.head, parts.body, parts.bodyCount)
            return
        }
        let isPaced = response.delivery.pacing != nil
        let bodyFollows = ResponseRendering.append(
            whole: response,
            by: writer,
            date: date,
            splitsBody: isPaced,
            to: &loop.output
        )
        if bodyFollows || isPaced {
            send(response, loop.output, bodyFollows ? response.message.body : [], nil)
            return
        }
        sendOutput(of: response)
    }

    /// Sends a response that is all of the loop's output.
    private func sendOutput(of response: OutgoingResponse) {
        switch loop.output.withUnsafeBytes({ send($0) }) {
        case .bytes(let count) where count == loop.output.count:
            if response.isNotedAsSent {
                perform(machine.handle(.wroteAll, at: now))
            } else {
                responseIsOut(response)
            }
        case .bytes(let count): send(response, Array(loop.output[count...]), [], nil)
        case .wouldBlock: send(response, Array(loop.output), [], nil)
        case .failed:
            self.response = response
            perform(machine.handle(.lost, at: now))
        }
    }

    private func send(_ response: OutgoingResponse, _ head: [UInt8], _ body: [UInt8], _ bodyCount: Int?) {
        self.response = response
        unsent.response = ResponseInProgress(
            head: head,
            body: body,
            bodyCount: bodyCount,
            sharesBody: response.sharesBody,
            pacing: response.delivery.pacing,
            start: now
        )
        writeMore()
    }

    func writeMore() {
        switch writeOutgoing() {
        case nil: break
        case .all:
            unsent.response = nil
            unsent.release()
            if let response { responseIsOut(response) }
        case .blocked(let count):
            guard unsent.reserve() else { return closeUnsent(limit: loop.unsent.limit) }
            perform(machine.handle(.mustWait, at: now))
            if count > 0 { perform(machine.handle(.wrote(count), at: now)) }
        case .paused(let until):
            guard unsent.reserve() else { return closeUnsent(limit: loop.unsent.limit) }
            perform(machine.handle(.mustPause(until: until), at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }

    func responseIsOut(_ response: OutgoingResponse) {
        self.response = nil
        let isWhole = response.delivery.fault == nil && !relayed.isBroken
        relayed = RelayedRequest()
        loop.handler.ended(exchange: response.exchange, outcome: isWhole ? .sent : .faulted)
        perform(machine.handle(.wroteAll, at: now))
    }

    /// Tells the handler how the response in hand ended, if there is one.
    func finishResponse(_ outcome: ExchangeOutcome) {
        relay.take()?.clientLeft()
        relayed = RelayedRequest()
        unsent.removeAll()
        guard let response = response.take() else { return }
        loop.handler.ended(exchange: response.exchange, outcome: outcome)
    }
}

extension HTTPConnection {
    /// Reads once: the selector reports the rest again.
    ///
    /// While nothing waits to be parsed, the loop's own buffer is borrowed, so that an idle connection has none.
    func read() {
        if relayed.upgrades, relay != nil { return readUpgraded() }
        if machine.isLingering || machine.isStreaming, relay == nil { return readAside() }
        input.borrow(&loop.spareInput)
        let limit = min(input.readSize, machine.readLimit ?? .max)
        var outcome = ReadOutcome.wouldBlock
        input.buffer.fill(atMost: limit) { room in
            outcome = receive(into: room)
            if case .bytes(let count) = outcome { return count }
            return 0
        }
        switch outcome {
        case .bytes:
            // Later bytes of a request say nothing about when it began, and bytes that are there when a new connection is
            // looked at first may be as old as the connection.
            let isNew = loop.events.turns == firstTurn && loop.events.lag > .zero
            let isFresh = machine.isIdle && !isNew
            peer.lag =
                (isFresh ? loop.events.lag : peer.lag)
                + .nanoseconds(Int64(clamping: (isFresh ? now : peer.arrival).nanoseconds(until: now)))
            peer.arrival = now
            if relay != nil { readRelayedBody() } else if machine.isParsing { parse() }
        case .wouldBlock: break
        case .endOfStream: perform(machine.handle(.peerEnded, at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
        input.giveBack(to: &loop.spareInput)
    }

    /// Parses and answers, request after request, until bytes are missing or a response takes its time.
    func parse() {
        // A response that is sent at once asks to parse on from within; the loop below does.
        if isParsingNow { return }
        isParsingNow = true
        defer { isParsingNow = false }
        while machine.isParsing {
            var slot: Int?
            if parser.isBetweenRequests, !input.buffer.isEmpty {
                switch loop.known(input.buffer, listener: headTag) {
                case .known(let head):
                    input.buffer.consume(input.buffer.count)
                    head.routed = loop.handler.route(head.request, from: peer, known: head.routed)
                    respond(toBodyless: head.request, isKnown: true, head.routed)
                    guard machine.isResting else { continue }
                    input.releaseIfEmpty()
                    return
                case .repeated(let free): slot = free
                case .new: break
                }
            }
            let bytes = slot == nil ? [] : input.buffer.bytes
            switch parser.next(&input.buffer) {
            case .needsMoreBytes:
                let event = ConnectionMachine.Event.parserNeedsMore(
                    parser.phase,
                    bodyBytes: parser.receivedBodyBytes
                )
                input.releaseIfEmpty()
                perform(machine.handle(event, at: now))
                if let (head, longest) = headOfBody, parser.phase == .body, parser.receivedBodyBytes > longest {
                    return handOver(head)
                }
                if parser.phase == .body, !holdBody() { return refuseBody() }
                if owesContinue { sendContinue() }
                return
            case .head(let head):
                begin(bodyOf: head)
            case .complete(let request) where !request.framing.announcesBody:
                let routed = loop.handler.route(request, from: peer, known: nil)
                if let slot, input.buffer.isEmpty {
                    loop.knownHeads.keep(bytes, in: slot, listener: headTag, request, routed)
                }
                respond(toBodyless: request, isKnown: false, routed)
            case .complete(let request):
                owesContinue = false
                headOfBody = nil
                heldBody.release()
                let event = ConnectionMachine.Event.requestEnded(
                    keepsAlive: request.keepsAlive,
                    bodyBytes: parser.receivedBodyBytes
                )
                let action = machine.handle(event, at: now)
                if action == .respond {
                    respond(to: request, isKnown: false, routed.take())
                } else {
                    heldRequest = request
                }
            case .refused(let refusal):
                owesContinue = false
                headOfBody = nil
                perform(machine.handle(.refused, at: now))
                prepareWriter(method: refusal.method)
                var response = loop.handler.response(to: refusal, from: peer)
                // A client that speaks TLS understands nothing else.
                if refusal.reason == .tlsHandshake { response.delivery.fault = .garbage(TLSRecord.refusal) }
                take(response)
                return
            }
        }
    }

    private func begin(bodyOf head: HTTPRequest) {
        routed = loop.handler.route(head, from: peer, known: nil)
        let intake = routed?.intake ?? loop.handler.willReadBody(of: head, from: peer)
        if let limit = intake.limit { parser.limitBody(to: limit) }
        headOfBody = intake.longestBefore.map { (head, $0) }
        // Not needed by a client that has begun to send already (RFC 9110, section 10.1.1).
        owesContinue = head.expectsContinue && input.buffer.isEmpty
        perform(machine.handle(.bodyBegins(bytesPerSecond: intake.bytesPerSecond), at: now))
        guard let longest = intake.longestBefore else { return }
        switch head.framing {
        case .length(let length) where length > longest: handOver(head)
        case .chunked where longest == 0: handOver(head)
        default: break
        }
    }

    /// Reserves memory for what has come of the body; returns `false` if the limit is reached.
    private func holdBody() -> Bool {
        guard parser.receivedBodyBytes - heldBody.count >= ByteReservation.share else { return true }
        return heldBody.change(to: parser.receivedBodyBytes)
    }

    private func refuseBody() {
        owesContinue = false
        parser = HTTPRequestParser(limits: loop.limits)
        heldBody.release()
        perform(machine.handle(.refused, at: now))
        prepareWriter()
        take(loop.handler.response(to: HTTPRefusal(.noRoomForBody(limit: loop.bodies.limit)), from: peer))
    }

    private func sendContinue() {
        owesContinue = false
        var bytes: [UInt8] = []
        HTTPResponseWriter.appendContinue(to: &bytes)
        // Nothing else is on its way out, so there is room; a client without room does not read at all.
        if bytes.withUnsafeBytes({ send($0) }) != .bytes(bytes.count) {
            perform(machine.handle(.lost, at: now))
        }
    }
}
