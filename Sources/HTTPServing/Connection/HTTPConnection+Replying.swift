import EventLoops
import HTTPCodec

extension HTTPConnection {
    /// Gives a complete request to the handler.
    func respond(to request: HTTPRequest) {
        sequence &+= 1
        writer = HTTPResponseWriter(answering: request)
        switch loop.handler.respond(to: request, from: peer, with: promise) {
        case .now(let response): take(response)
        case .later: isAwaitingResponse = true
        }
    }

    /// The promise of the present request.
    var promise: ResponsePromise {
        ResponsePromise(receiver: loop.address, connection: key, sequence: sequence)
    }

    /// For responses to what was no request, of which perhaps the method is known.
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

    /// How soon a client that is at work is looked at again.
    private static let pollInterval = Duration.milliseconds(5)

    /// Sends a response whose time has come, or waits a little longer for a client that is at work.
    func deliverPatiently(_ response: OutgoingResponse) {
        guard response.delivery.extraHold > .zero, loop.handler.isClientAtWork else { return deliver(response) }
        var response = response
        response.delivery.delay = min(Self.pollInterval, response.delivery.extraHold)
        response.delivery.extraHold -= response.delivery.delay
        take(response)
    }

    /// Begins to send a response; as a rule the kernel takes all of it, and nothing of it has to be kept.
    func deliver(_ response: OutgoingResponse) {
        guard let socket else { return }
        let writer = HTTPResponseWriter(
            version: writer.version,
            method: writer.method,
            keepsAlive: writer.keepsAlive && machine.mayKeepAlive
        )
        let date = response.date ?? loop.dateText()
        if let fault = response.delivery.fault {
            let parts = ResponseRendering.broken(response, fault, by: writer, date: date)
            send(response, parts.head, parts.body, parts.bodyCount)
            return
        }
        loop.output.removeAll(keepingCapacity: true)
        let isPaced = response.delivery.pacing != nil
        let bodyFollows = ResponseRendering.append(
            whole: response,
            by: writer,
            date: date,
            splitsBody: isPaced,
            to: &loop.output
        )
        if bodyFollows || isPaced {
            send(response, loop.output, bodyFollows ? response.response.body : [], nil)
            return
        }
        switch loop.output.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count) where count == loop.output.count: responseIsOut(response)
        case .bytes(let count): send(response, Array(loop.output[count...]), [], nil)
        case .wouldBlock: send(response, Array(loop.output), [], nil)
        case .failed:
            self.response = response
            perform(machine.handle(.lost, at: now))
        }
    }

    private func send(_ response: OutgoingResponse, _ head: [UInt8], _ body: [UInt8], _ bodyCount: Int?) {
        self.response = response
        outgoing = ResponseInProgress(
            head: head,
            body: body,
            bodyCount: bodyCount,
            pacing: response.delivery.pacing,
            start: now
        )
        writeMore()
    }

    func writeMore() {
        guard let socket else { return }
        switch outgoing?.write(to: socket, at: now) {
        case nil: break
        case .all:
            outgoing = nil
            if let response { responseIsOut(response) }
        case .blocked(let count):
            perform(machine.handle(.mustWait, at: now))
            if count > 0 { perform(machine.handle(.wrote(count), at: now)) }
        case .paused(let until): perform(machine.handle(.mustPause(until: until), at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }

    private func responseIsOut(_ response: OutgoingResponse) {
        self.response = nil
        loop.handler.ended(exchange: response.exchange, outcome: response.delivery.fault == nil ? .sent : .faulted)
        perform(machine.handle(.wroteAll, at: now))
    }

    /// Tells the handler how the response in hand ended, if there is one.
    func finishResponse(_ outcome: ExchangeOutcome) {
        outgoing = nil
        guard let response = response.take() else { return }
        loop.handler.ended(exchange: response.exchange, outcome: outcome)
    }
}
