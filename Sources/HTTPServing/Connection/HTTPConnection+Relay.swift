import EventLoops
import HTTPCodec

/// The state of a client whose response is produced elsewhere.
struct RelayedRequest {
    /// A Boolean value that indicates whether a part of the request's body is still to come.
    var isBodyPending = false
    /// The trailers of the body, once it is complete.
    var bodyEnd: HTTPFields?
    var isReading = true
    /// The received bytes that are not in the parser's body.
    var received: [UInt8] = []
    var upgrades = false
    var isBroken = false
}

/// Exchanges that another object carries over: what the client sends goes to it part by part, and its response comes
/// from it in the same way.
extension HTTPConnection {
    /// Gives the handler the head of a request whose body is long, while the body arrives.
    func handOver(_ head: HTTPRequest) {
        // The other server decides whether the client is to send the body.
        owesContinue = false
        headOfBody = nil
        var head = head
        head.isBodyPending = true
        relayed = RelayedRequest(isBodyPending: true)
        heldBody.release()
        _ = machine.handle(.headComplete(keepsAlive: head.keepsAlive), at: now)
        respond(to: head, isKnown: false, routed.take())
    }

    /// Lets the connection end after a response that does not wait for the body of its request.
    func leaveBody() {
        guard relayed.isBodyPending else { return }
        relayed = RelayedRequest()
        machine.closeAfterResponse()
    }

    func begin(_ producer: any ResponseProducer, for response: OutgoingResponse) {
        self.response = response
        if !relayed.isBodyPending { relayed = RelayedRequest(bodyEnd: HTTPFields()) }
        perform(machine.handle(.relayBegan, at: now))
        let relay = producer.makeRelay(for: self)
        self.relay = relay
        readRelayedBody()
        relay.begin()
    }

    /// The events of a connection whose response is produced elsewhere.
    var relayedInterest: Interest {
        var interest: Interest = machine.isWaitingToSend ? .write : []
        if machine.peerHasEnded { return interest }
        if relayed.upgrades || relayed.isBodyPending {
            if relayed.isReading { interest.insert(.read) }
        } else {
            interest.insert(machine.mayReadAhead(buffered: input.buffer.count) ? .read : .peerEnd)
        }
        return interest
    }

    /// Parses what has come of the body, and tells the relay.
    func readRelayedBody() {
        guard relayed.isBodyPending, relayed.isReading, relay != nil else { return }
        switch parser.next(&input.buffer) {
        case .needsMoreBytes, .head: break
        case .complete(let request):
            relayed.isBodyPending = false
            relayed.received += request.body
            relayed.bodyEnd = request.trailers
        case .refused(let refusal):
            if unsent.stream != nil { return perform(machine.handle(.relayBroke, at: now)) }
            let exchange = response?.exchange ?? 0
            relay.take()?.clientLeft()
            var answer = loop.handler.response(to: refusal, from: peer)
            answer.exchange = exchange
            return respond(with: answer)
        }
        relay?.clientSent()
    }

    /// Reads what the client sends after an upgrade.
    func readUpgraded() {
        var outcome = ReadOutcome.wouldBlock
        loop.spareInput.fill(atMost: ConnectionInput.readSize) { room in
            outcome = receive(into: room)
            if case .bytes(let count) = outcome { relayed.received += room[..<count] }
            return 0
        }
        switch outcome {
        case .bytes: relay?.clientSent()
        case .wouldBlock: break
        case .endOfStream: perform(machine.handle(.peerEnded, at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }
}

extension HTTPConnection: RelayedClient {
    var events: EventLoop { loop.events }

    var relayResources: AnyObject? {
        get { loop.relayResources }
        set { loop.relayResources = newValue }
    }

    func takeSent() -> [UInt8] {
        defer { relayed.received = [] }
        return relayed.isBodyPending ? parser.takeBody() : relayed.received
    }

    var bodyEnd: HTTPFields? { relayed.bodyEnd }

    var isReadingBody: Bool {
        get { relayed.isReading }
        set {
            guard newValue != relayed.isReading else { return }
            relayed.isReading = newValue
            if newValue { readRelayedBody() }
            settle()
        }
    }

    var unsentCount: Int { unsent.stream?.waiting ?? 0 }

    func send(interim response: HTTPResponse) {
        guard writer.version == .http11, unsent.stream == nil, relay != nil else { return }
        var bytes: [UInt8] = []
        HTTPResponseWriter.append(interim: response, to: &bytes)
        // Nothing else is on its way out; a client without room does not read at all.
        if bytes.withUnsafeBytes({ send($0) }) != .bytes(bytes.count) { perform(machine.handle(.lost, at: now)) }
        settle()
    }

    func begin(_ response: HTTPResponse, framing: HTTPResponseWriter.Framing) {
        guard relay != nil, unsent.stream == nil else { return }
        let writer = HTTPResponseWriter(
            version: writer.version,
            method: writer.method,
            keepsAlive: writer.keepsAlive && machine.mayKeepAlive && !relayed.isBodyPending
        )
        var head: [UInt8] = []
        let livesOn = writer.appendHead(response, framing: framing, date: loop.dateText(), to: &head)
        if !livesOn { machine.closeAfterResponse() }
        let usesChunks = framing == .chunked && writer.usesChunks && writer.sendsBody(response.status)
        unsent.stream = StreamInProgress(head: head, usesChunks: usesChunks)
        settle()
    }

    func beginUpgrade(_ response: HTTPResponse) {
        guard relay != nil, unsent.stream == nil else { return }
        var head: [UInt8] = []
        HTTPResponseWriter.appendUpgrade(response, date: loop.dateText(), to: &head)
        machine.closeAfterResponse()
        relayed.upgrades = true
        // Bytes that followed the request belong to the other protocol.
        relayed.received += input.buffer.bytes
        input.removeAll()
        unsent.stream = StreamInProgress(head: head, usesChunks: false)
        writeStream()
        settle()
    }

    func send(_ bytes: [UInt8]) {
        guard relay != nil else { return }
        unsent.stream?.append(StreamPart(bytes: bytes, isLast: false))
        writeStream()
        settle()
    }

    func end(trailers: HTTPFields, isWhole: Bool) {
        guard relay != nil else { return }
        relay = nil
        if relayed.isBodyPending { machine.closeAfterResponse() }
        if !isWhole {
            relayed.isBroken = true
            // Only a missing last chunk or too few bytes say that the response is not whole.
            guard writer.version == .http11 else { return finishBroken() }
            machine.closeAfterResponse()
        }
        unsent.stream?.end(trailers: trailers, isWhole: isWhole)
        writeStream()
        settle()
    }

    private func finishBroken() {
        perform(machine.handle(.relayBroke, at: now))
        settle()
    }

    func respond(with response: OutgoingResponse) {
        guard unsent.stream == nil, self.response != nil else { return }
        (relay, self.response) = (nil, nil)
        _ = machine.handle(.relayWithdrawn, at: now)
        take(response)
        settle()
    }
}
