import EventLoops
import HTTPCodec

extension HTTPConnection {
    /// How much one read may bring; also the size of the loop's buffer.
    static let readSize = 64 << 10
    /// The same while a part of a head waits in a buffer of the connection's own, of which there may be thousands.
    static let ownReadSize = 8 << 10

    /// Reads once: what is left is told again.
    ///
    /// While nothing waits to be parsed, the loop's own buffer is borrowed, so that an idle connection has none.
    func read() {
        guard let socket else { return }
        if machine.isLingering {
            drain(socket)
            return
        }
        borrowBuffer()
        let limit = min(isBorrowing ? Self.readSize : Self.ownReadSize, machine.readLimit ?? .max)
        var outcome = ReadOutcome.wouldBlock
        input.fill(atMost: limit) { room in
            outcome = socket.read(into: room)
            if case .bytes(let count) = outcome { return count }
            return 0
        }
        switch outcome {
        case .bytes:
            // Later bytes of a request say nothing about when it began.
            let begin = machine.isIdle ? now : peer.arrival
            peer.lag =
                (machine.isIdle ? loop.events.lag : peer.lag)
                + .nanoseconds(Int64(clamping: begin.nanoseconds(until: now)))
            peer.arrival = now
            if machine.isParsing { parse() }
        case .wouldBlock: break
        case .endOfStream: perform(machine.handle(.peerEnded, at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
        giveBackBuffer()
    }

    private func borrowBuffer() {
        guard input.isEmpty, !isBorrowing else { return }
        isBorrowing = true
        swap(&input, &loop.spareInput)
    }

    /// What is left in the loop's buffer moves to one of the connection's own.
    private func giveBackBuffer() {
        guard isBorrowing else { return }
        isBorrowing = false
        swap(&input, &loop.spareInput)
        if loop.spareInput.isEmpty { return }
        input = loop.spareInput.withBytes { InputBuffer($0) }
        loop.spareInput.consume(loop.spareInput.count)
    }

    /// Forgets what nobody will parse.
    func dropInput() {
        input.consume(input.count)
        if !isBorrowing { input.releaseIfEmpty() }
    }

    private func drain(_ socket: ConnectedSocket) {
        var outcome = ReadOutcome.wouldBlock
        loop.spareInput.fill(atMost: Self.readSize) { room in
            outcome = socket.read(into: room)
            return 0
        }
        switch outcome {
        case .bytes(let count): perform(machine.handle(.drained(count), at: now))
        case .wouldBlock: break
        case .endOfStream: perform(machine.handle(.peerEnded, at: now))
        case .failed: perform(machine.handle(.lost, at: now))
        }
    }

    /// Parses and answers, request after request, until bytes are missing or an answer takes its time.
    func parse() {
        // A response that is sent at once asks to parse on from within; the loop below does.
        if isParsingNow { return }
        isParsingNow = true
        defer { isParsingNow = false }
        while machine.isParsing {
            switch parser.next(&input) {
            case .needsMoreBytes:
                let event = ConnectionMachine.Event.parserNeedsMore(
                    parser.phase,
                    bodyBytes: parser.receivedBodyBytes
                )
                if !isBorrowing { input.releaseIfEmpty() }
                perform(machine.handle(event, at: now))
                if owesContinue { sendContinue() }
                return
            case .head(let head):
                begin(bodyOf: head)
            case .complete(let request):
                owesContinue = false
                let event = ConnectionMachine.Event.requestEnded(
                    keepsAlive: request.keepsAlive,
                    bodyBytes: request.framing == .none ? 0 : parser.receivedBodyBytes
                )
                let action = machine.handle(event, at: now)
                if action == .respond { respond(to: request) } else { heldRequest = request }
            case .refused(let refusal):
                owesContinue = false
                perform(machine.handle(.refused, at: now))
                prepareWriter(method: refusal.method)
                take(loop.handler.response(to: refusal, from: peer))
                return
            }
        }
    }

    private func begin(bodyOf head: HTTPRequest) {
        let intake = loop.handler.willReadBody(of: head, from: peer)
        if let limit = intake.limit { parser.limitBody(to: limit) }
        // Not needed by a client that has begun to send already (RFC 9110, section 10.1.1).
        owesContinue = head.expectsContinue && input.isEmpty
        perform(machine.handle(.bodyBegins(bytesPerSecond: intake.bytesPerSecond), at: now))
    }

    private func sendContinue() {
        owesContinue = false
        guard let socket else { return }
        var bytes: [UInt8] = []
        HTTPResponseWriter.appendContinue(to: &bytes)
        // Nothing else is on its way out, so there is room; a client without room does not read at all.
        if bytes.withUnsafeBytes({ socket.write($0) }) != .bytes(bytes.count) {
            perform(machine.handle(.lost, at: now))
        }
    }
}
