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
        var stream = StreamInProgress(head: head, usesChunks: writer.usesChunks && !response.upgrades)
        for part in earlyParts { stream.append(part) }
        forgetEarlyParts()
        self.stream = stream
        perform(machine.handle(.streamBegan, at: now))
        writeStream()
        // Bytes that followed the request belong to the other protocol.
        guard response.upgrades, !input.isEmpty else { return }
        let early = input.bytes
        input.consume(early.count)
        loop.handler.received(early, exchange: response.exchange)
    }

    /// Takes a part: it is sent, or kept until the head is.
    func receive(_ part: StreamPart, for sequence: UInt32) {
        guard sequence == self.sequence, !machine.isClosed, stream != nil || isAwaitingResponse || response != nil
        else { return }
        let limit = response?.longestBacklog ?? loop.unsentStream
        if stream?.waiting ?? earlyBytes > limit {
            closeUnsent(limit: limit)
        } else if stream == nil {
            earlyParts.append(part)
            earlyBytes += part.bytes.count
            if !holdOutput() { closeUnsent(limit: loop.unsent.limit) }
        } else {
            stream?.append(part)
            writeStream()
        }
        settle()
    }

    /// Discards the parts that came before their head.
    func forgetEarlyParts() { (earlyParts, earlyBytes) = ([], 0) }

    /// Sends what the kernel takes; the end of the stream ends the response.
    func writeStream() {
        while let outcome = writeStreamOnce() {
            switch outcome {
            case .bytes(let count): perform(machine.handle(.wrote(count), at: now))
            case .wouldBlock:
                guard holdOutput() else { return closeUnsent(limit: loop.unsent.limit) }
                perform(machine.handle(.mustWait, at: now))
                return
            case .failed:
                perform(machine.handle(.lost, at: now))
                return
            }
        }
        guard let stream else { return }
        giveBackOutput()
        perform(machine.handle(.streamDrained, at: now))
        guard stream.hasEnded, let response else {
            relay?.clientHasRoom()
            return
        }
        self.stream = nil
        responseIsOut(response)
    }

    private func writeStreamOnce() -> WriteOutcome? {
        if let socket { return stream?.write(to: socket) }
        return tls.flatMap { stream?.write(to: $0) }
    }

    /// Reads bytes that are not a request: those after an upgrade, or before the client sees the end of the connection.
    ///
    /// During other streams this only shows that the client leaves.
    func readAside() {
        var outcome = ReadOutcome.wouldBlock
        var bytes: [UInt8] = []
        let upgrades = response?.upgrades == true
        loop.spareInput.fill(atMost: Self.readSize) { room in
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
