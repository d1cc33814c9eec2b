import HTTPWire
import SocketIO

extension HTTPConnection {
    /// Gives the complete request to the handler.
    func respond() {
        guard let request = heldRequest else { return }
        heldRequest = nil
        sequence &+= 1
        writer = HTTPResponseWriter(answering: request)
        let promise = ReplyPromise(address: loop.address, connection: key, sequence: sequence)
        switch loop.handler.respond(to: request, from: peer, with: promise) {
        case .now(let reply): take(reply)
        case .later: break
        }
    }

    func take(_ reply: HTTPReply) {
        self.reply = reply
        perform(machine.handle(.replied(ReplyTerms(reply.delivery)), at: now))
    }

    /// For replies to what was no request: nothing is known of the client but that it speaks HTTP/1.1 hereafter.
    func prepareWriter() {
        sequence &+= 1
        heldRequest = nil
        writer = HTTPResponseWriter()
    }

    func deliver(replyAtOnce reply: HTTPReply) {
        take(reply)
    }

    /// Sends the reply: at once when the kernel takes it, which is the rule.
    func deliver() {
        guard let reply, let socket else { return }
        let writer = HTTPResponseWriter(
            version: writer.version,
            method: writer.method,
            keepsAlive: writer.keepsAlive && machine.mayKeepAlive
        )
        let date = reply.date ?? loop.dateText()
        if let fault = reply.delivery.fault {
            let parts = ReplyRendering.broken(reply, fault, by: writer, date: date)
            send(parts.head, parts.body, parts.bodyCount)
            return
        }
        loop.output.removeAll(keepingCapacity: true)
        let splits = reply.delivery.pacing != nil
        let bodyFollows = ReplyRendering.append(
            whole: reply,
            by: writer,
            date: date,
            splitsBody: splits,
            to: &loop.output
        )
        if bodyFollows || splits {
            send(loop.output, bodyFollows ? reply.response.body : [], nil)
            return
        }
        switch loop.output.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count) where count == loop.output.count: replyIsOut()
        case .bytes(let count): send(Array(loop.output[count...]), [], nil)
        case .wouldBlock: send(loop.output, [], nil)
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }

    private func send(_ head: [UInt8], _ body: [UInt8], _ bodyCount: Int?) {
        outgoing = OutgoingReply(
            head: head,
            body: body,
            bodyCount: bodyCount,
            pacing: reply?.delivery.pacing,
            start: now
        )
        writeMore()
    }

    func writeMore() {
        guard let socket else { return }
        switch outgoing?.write(to: socket, at: now) {
        case nil: break
        case .all: replyIsOut()
        case .blocked(let count):
            perform(machine.handle(.mustWait, at: now))
            if count > 0 { perform(machine.handle(.wrote(count), at: now)) }
        case .paused(let until): perform(machine.handle(.mustPause(until: until), at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }

    private func replyIsOut() {
        outgoing = nil
        finishReply(reply?.delivery.fault == nil ? .sent : .faulted)
        perform(machine.handle(.wroteAll, at: now))
    }

    /// Tells the handler how its reply ended, once.
    func finishReply(_ outcome: ExchangeOutcome) {
        outgoing = nil
        guard let reply else { return }
        self.reply = nil
        loop.handler.ended(exchange: reply.exchange, outcome: outcome)
    }
}
