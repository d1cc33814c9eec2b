import Basics
import EventLoops
import HTTPCodec
import TLS

/// The bytes of a connection: those of its socket, or those that TLS has decrypted.
///
/// A connection without TLS takes the same branches as one that has no such layer: each begins with the socket.
extension HTTPConnection {
    func send(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard let socket else { return tls?.write(bytes) ?? .failed(.brokenPipe) }
        return socket.write(bytes)
    }

    /// Writes the response in hand, as far as the pace and the kernel allow.
    func writeOutgoing() -> ResponseInProgress.Progress? {
        guard let socket else { return tls.flatMap { unsent.response?.write(to: $0, at: now) } }
        return unsent.response?.write(to: socket, at: now)
    }

    func receive(into room: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let socket else { return receiveTLS(into: room) }
        return socket.read(into: room)
    }

    private func receiveTLS(into room: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard let tls else { return .wouldBlock }
        let outcome = tls.read(into: room)
        switch outcome {
        case .endOfStream, .failed: if tls.isOpen, !tls.hasReceived { report(.unused) }
        case .bytes, .wouldBlock: break
        }
        if tls.isPlain {
            socket = tls.socket
            self.tls = nil
        } else if let failure = tls.failure {
            mustDeliverAlert = failure.alert == nil
            report(failure)
        } else if tls.isHandshaking, handshakeDeadline == nil {
            handshakeDeadline = tls.isSilent ? .never : now.advanced(by: loop.handshakeLimit)
            if let oldest = loop.handshakes.begin(key) {
                loop.connection(oldest)?.abandonHandshake(.tooManyHandshakes)
            }
        } else if tls.isOpen, !peer.isSecure {
            endHandshake()
            peer.isSecure = true
            parser.isSecure = true
            headTag = ~tag
        }
        return outcome
    }

    private func report(_ failure: TLSFailure) {
        endHandshake()
        loop.handler.failed(failure, from: peer)
    }

    /// Forgets the deadline of a handshake, and its place among the unfinished ones.
    func endHandshake() {
        guard handshakeDeadline != nil else { return }
        handshakeDeadline = nil
        loop.handshakes.end(key)
    }

    /// Ends a handshake that takes too long, or for which there is no room.
    func abandonHandshake(_ failure: TLSFailure) {
        guard handshakeDeadline != nil else { return }
        report(failure)
        perform(machine.handle(.lost, at: now))
    }

    /// Does what ``settle()`` does without TLS; also reads data that was decrypted, which no selector reports, and
    /// writes records that the kernel did not accept.
    func settleTLS() {
        if let handshakeDeadline, handshakeDeadline <= now { abandonHandshake(.handshakeTimedOut) }
        var reads = 0
        while let tls, tls.hasInput, !machine.isLingering, interest.contains(.read) {
            // The others have their turn before the next reads.
            guard reads < Self.readsPerTurn else { return setTimer(for: now) }
            read()
            reads += 1
        }
        guard let tls else {
            // The client turned out not to speak TLS.
            if socket != nil { settle() }
            return
        }
        var interest = interest
        do {
            if tls.hasOutput, !machine.isLingering {
                guard tls.flush() else { return perform(machine.handle(.lost, at: now)) }
                if tls.hasOutput { interest.insert(.write) }
            }
            try loop.events.change(tls.socket.descriptor, to: interest)
        } catch {
            return perform(machine.handle(.lost, at: now))
        }
        if !tls.isSilent { setTimer(for: min(machine.deadline, handshakeDeadline ?? .never)) }
    }

    /// The number of further reads of one connection in a turn of the loop, each of up to 64 KiB.
    private static let readsPerTurn = 16
}
