import EventLoops
import HTTPCodec
import TLS

/// Streams: a head, then parts of the body as the handler has them, then the end of the connection.
extension HTTPConnection {
    /// Begins a stream with its head and the parts that came before it.
    func begin(stream response: OutgoingResponse, by writer: HTTPResponseWriter, date: String?) {
        var head: [UInt8] = []
        if response.upgrades {
            HTTPResponseWriter.appendUpgrade(response.response, date: date, to: &head)
        } else {
            writer.appendHead(response.response, framing: .chunked, date: date, to: &head)
        }
        self.response = response
        unsent.begin(StreamInProgress(head: head, usesChunks: writer.usesChunks && !response.upgrades))
        perform(machine.handle(.streamBegan, at: now))
        writeStream()
        // Bytes that followed the request belong to the other protocol.
        guard response.upgrades, !input.buffer.isEmpty else { return }
        let early = input.buffer.bytes
        input.buffer.consume(early.count)
        loop.handler.received(early, exchange: response.exchange)
    }

    /// Takes a part: it is sent, or kept until the head is.
    func receive(_ part: StreamPart, for sequence: UInt32) {
        guard sequence == self.sequence, !machine.isClosed,
            unsent.stream != nil || isAwaitingResponse || response != nil
        else { return }
        let limit = response?.longestBacklog ?? loop.unsentStream
        if unsent.waitingInStream > limit {
            closeUnsent(limit: limit)
        } else if unsent.stream == nil {
            unsent.append(early: part)
            if !unsent.reserve() { closeUnsent(limit: loop.unsent.limit) }
        } else {
            unsent.stream?.append(part)
            writeStream()
        }
        settle()
    }

    /// Closes the connection of a client that does not read.
    func closeUnsent(limit: Int) {
        loop.handler.closed(peer, unsent: limit)
        perform(machine.handle(.lost, at: now))
    }

    /// Sends what the kernel takes; the end of the stream ends the response.
    func writeStream() {
        while let outcome = writeStreamOnce() {
            switch outcome {
            case .bytes(let count): perform(machine.handle(.wrote(count), at: now))
            case .wouldBlock:
                guard unsent.reserve() else { return closeUnsent(limit: loop.unsent.limit) }
                perform(machine.handle(.mustWait, at: now))
                return
            case .failed:
                perform(machine.handle(.lost, at: now))
                return
            }
        }
        guard let stream = unsent.stream else { return }
        unsent.release()
        perform(machine.handle(.streamDrained, at: now))
        guard stream.hasEnded, let response else {
            relay?.clientHasRoom()
            return
        }
        unsent.stream = nil
        responseIsOut(response)
    }

    private func writeStreamOnce() -> WriteOutcome? {
        if let socket { return unsent.stream?.write(to: socket) }
        return tls.flatMap { unsent.stream?.write(to: $0) }
    }

    /// Reads bytes that are not a request: those after an upgrade, or before the client sees the end of the connection.
    ///
    /// During other streams this only shows that the client leaves.
    func readAside() {
        var outcome = ReadOutcome.wouldBlock
        var bytes: [UInt8] = []
        let upgrades = response?.upgrades == true
        loop.spareInput.fill(atMost: ConnectionInput.readSize) { room in
            // The bytes that are discarded after the last response are not decrypted.
            outcome = machine.isLingering ? tls?.socket.read(into: room) ?? receive(into: room) : receive(into: room)
            if upgrades, case .bytes(let count) = outcome { bytes = Array(room[..<count]) }
            return 0
        }
        switch outcome {
        case .bytes(let count) where machine.isLingering: perform(machine.handle(.drained(count), at: now))
        case .bytes:
            if upgrades, let response { loop.handler.received(bytes, exchange: response.exchange) }
        case .wouldBlock: break
        case .endOfStream: perform(machine.handle(.peerEnded, at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }
}
