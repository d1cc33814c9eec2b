import EventLoops
import HTTPCodec

extension HTTPConnection {
    /// Gives a complete request to the handler.
    func respond(to request: HTTPRequest) {
        sequence &+= 1
        writer = HTTPResponseWriter(answering: request)
        switch loop.handler.respond(to: request, from: peer, with: promise) {
        case .now(let reply): take(reply)
        case .later: isAwaitingReply = true
        }
    }

    /// The promise of the present request.
    var promise: ReplyPromise {
        ReplyPromise(receiver: loop.address, connection: key, sequence: sequence)
    }

    /// For replies to what was no request, of which perhaps the method is known.
    func prepareWriter(method: HTTPMethod? = nil) {
        sequence &+= 1
        heldRequest = nil
        writer = HTTPResponseWriter(method: method ?? .get)
    }

    /// Sends a reply now, or keeps it until its time has come.
    func take(_ reply: HTTPReply) {
        let action = machine.handle(.replied(ReplyTerms(reply.delivery)), at: now)
        if action == .deliver {
            deliver(reply)
        } else {
            self.reply = reply
            perform(action)
        }
    }

    /// How soon a client that is at work is looked at again.
    private static let glance = Duration.milliseconds(5)

    /// Sends a reply whose time has come, or waits a little longer for a client that is at work.
    func deliverPatiently(_ reply: HTTPReply) {
        guard reply.delivery.patience > .zero, loop.handler.isClientAtWork else { return deliver(reply) }
        var reply = reply
        reply.delivery.delay = min(Self.glance, reply.delivery.patience)
        reply.delivery.patience -= reply.delivery.delay
        take(reply)
    }

    /// Begins to send a reply; as a rule the kernel takes all of it, and nothing of it has to be kept.
    func deliver(_ reply: HTTPReply) {
        guard let socket else { return }
        let writer = HTTPResponseWriter(
            version: writer.version,
            method: writer.method,
            keepsAlive: writer.keepsAlive && machine.mayKeepAlive
        )
        let date = reply.date ?? loop.dateText()
        if let fault = reply.delivery.fault {
            let parts = ReplyRendering.broken(reply, fault, by: writer, date: date)
            send(reply, parts.head, parts.body, parts.bodyCount)
            return
        }
        loop.output.removeAll(keepingCapacity: true)
        let isPaced = reply.delivery.pacing != nil
        let bodyFollows = ReplyRendering.append(
            whole: reply,
            by: writer,
            date: date,
            splitsBody: isPaced,
            to: &loop.output
        )
        if bodyFollows || isPaced {
            send(reply, loop.output, bodyFollows ? reply.response.body : [], nil)
            return
        }
        switch loop.output.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count) where count == loop.output.count: replyIsOut(reply)
        case .bytes(let count): send(reply, Array(loop.output[count...]), [], nil)
        case .wouldBlock: send(reply, Array(loop.output), [], nil)
        case .failed:
            self.reply = reply
            perform(machine.handle(.lost, at: now))
        }
    }

    private func send(_ reply: HTTPReply, _ head: [UInt8], _ body: [UInt8], _ bodyCount: Int?) {
        self.reply = reply
        outgoing = OutgoingReply(
            head: head,
            body: body,
            bodyCount: bodyCount,
            pacing: reply.delivery.pacing,
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
            if let reply { replyIsOut(reply) }
        case .blocked(let count):
            perform(machine.handle(.mustWait, at: now))
            if count > 0 { perform(machine.handle(.wrote(count), at: now)) }
        case .paused(let until): perform(machine.handle(.mustPause(until: until), at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }

    private func replyIsOut(_ reply: HTTPReply) {
        self.reply = nil
        loop.handler.ended(exchange: reply.exchange, outcome: reply.delivery.fault == nil ? .sent : .faulted)
        perform(machine.handle(.wroteAll, at: now))
    }

    /// Tells the handler how the reply in hand ended, if there is one.
    func finishReply(_ outcome: ExchangeOutcome) {
        outgoing = nil
        guard let reply = reply.take() else { return }
        loop.handler.ended(exchange: reply.exchange, outcome: outcome)
    }
}
