package import EventLoops

/// A socket whose bytes are encrypted, with the interface of a ``ConnectedSocket``.
///
/// Of a server, the first byte decides: a client that does not begin a handshake is left to the plain socket.
/// A class, because it is one connection; used from one thread at a time.
package final class TLSSocket: ByteSink {
    package let socket: ConnectedSocket
    /// `nil` on the server's side before the first byte.
    private var session: (any TLSSession)?
    private let answer: @Sendable () throws(TLSProblem) -> TLSAnswer
    /// The reason why the connection failed.
    package private(set) var failure: TLSFailure?
    /// A Boolean value that indicates whether the client does not speak TLS.
    package private(set) var isPlain = false
    /// The number of bytes that are encrypted, and that the writer offers again until the kernel has their records.
    private var owed = 0
    /// A Boolean value that indicates whether the client waits for a handshake that does not take place.
    package private(set) var isSilent = false
    /// A Boolean value that indicates whether the peer has sent data.
    package private(set) var hasReceived = false
    /// A Boolean value that indicates whether the session may have more data than was read.
    private var mayHaveData = false
    private var isClosed = false

    /// The maximum size of one read from the socket; also on the stack.
    private static let transferSize = 32 << 10
    /// The number of reads from the socket that one call makes before others have their turn.
    private static let readsPerCall = 4

    /// Waits for the first byte of a client.
    ///
    /// - Parameter answer: is called when that begins a handshake; a client that is refused is left to the socket.
    package init(accepted socket: ConnectedSocket, answer: @escaping @Sendable () throws(TLSProblem) -> TLSAnswer) {
        (self.socket, self.answer) = (socket, answer)
    }

    /// Begins the handshake of a client.
    package init(connected socket: ConnectedSocket, to host: String, _ context: any TLSContext) throws(TLSProblem) {
        self.socket = socket
        answer = { () throws(TLSProblem) in .refusal }
        session = try context.makeSession(to: host)
    }

    /// A Boolean value that indicates whether a handshake has begun, and has not ended.
    package var isHandshaking: Bool { failure == nil && session?.isHandshaking ?? isSilent }
    /// A Boolean value that indicates whether a handshake has ended well.
    package var isOpen: Bool { failure == nil && session.map { !$0.isHandshaking } ?? false }
    /// A Boolean value that indicates whether records wait for the kernel's buffer.
    package private(set) var hasOutput = false
    /// A Boolean value that indicates whether data waits to be read that the kernel does not report.
    package var hasInput: Bool { mayHaveData && failure == nil }
    package var peerCertificate: [UInt8]? { session?.peerCertificate }

    // MARK: Reading

    package func read(into room: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        if session == nil, let outcome = readFirst(into: room) { return outcome }
        guard let session, failure == nil else { return .failed(.connectionAborted) }
        var reads = 0
        while true {
            let outcome = session.read(into: room)
            guard flush() else { return .failed(.brokenPipe) }
            switch outcome {
            case .bytes(let count, let isAll):
                mayHaveData = !isAll
                if count > 0 { hasReceived = true }
                return .bytes(count)
            case .ended: return .endOfStream
            case .failed(let failure): return fail(failure)
            case .needsRecords:
                mayHaveData = false
                guard reads < Self.readsPerCall else { return .wouldBlock }
                reads += 1
                switch receive(session) {
                case .bytes: continue
                case .endOfStream where session.isHandshaking: return fail(.endOfHandshake)
                case let other: return other
                }
            }
        }
    }

    private func fail(_ failure: TLSFailure) -> ReadOutcome {
        self.failure = failure
        return .failed(.connectionAborted)
    }

    private func receive(_ session: any TLSSession) -> ReadOutcome {
        withUnsafeTemporaryAllocation(byteCount: Self.transferSize, alignment: 16) { scratch in
            let outcome = socket.read(into: scratch)
            if case .bytes(let count) = outcome {
                session.receive(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
            }
            return outcome
        }
    }

    /// Reads the first bytes of a client, and begins a session if they are those of a handshake.
    ///
    /// - Returns: the outcome where that is all.
    private func readFirst(into room: UnsafeMutableRawBufferPointer) -> ReadOutcome? {
        let outcome = socket.read(into: room)
        if isSilent {
            switch outcome {
            case .bytes, .wouldBlock: return .wouldBlock
            case .endOfStream, .failed: return fail(.endOfHandshake)
            }
        }
        guard case .bytes(let count) = outcome else { return outcome }
        do throws(TLSProblem) {
            switch room[0] == TLSRecord.handshake ? try answer() : .refusal {
            case .handshake(let context):
                session = try context.makeSession(to: nil)
                session?.receive(UnsafeRawBufferPointer(rebasing: room[..<count]))
                return nil
            case .refusal:
                isPlain = true
                return outcome
            case .silence:
                isSilent = true
                return .wouldBlock
            case .alert: _ = TLSRecord.refusal.withUnsafeBytes { socket.write($0) }
            case .close: break
            }
        } catch {
            return fail(TLSFailure(error.description))
        }
        return fail(.intended)
    }

    // MARK: Writing

    /// Encrypts and writes; bytes count as written once the kernel has their records.
    ///
    /// After ``WriteOutcome/wouldBlock`` the same bytes are offered again.
    package func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard let session, failure == nil else { return .failed(.brokenPipe) }
        var written = 0
        repeat {
            if owed == 0, !hasOutput {
                guard let count = session.write(UnsafeRawBufferPointer(rebasing: bytes[written...])) else {
                    return .failed(.brokenPipe)
                }
                owed = count
            }
            guard flush() else { return .failed(.brokenPipe) }
            guard owed > 0, !hasOutput else { return written > 0 ? .bytes(written) : .wouldBlock }
            written += owed
            owed = 0
        } while written < bytes.count
        return .bytes(written)
    }

    /// Writes two pieces that lie apart.
    package func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteOutcome {
        let outcome = write(first)
        guard outcome == .bytes(first.count), case .bytes(let count) = write(second) else { return outcome }
        return .bytes(first.count + count)
    }

    /// Writes the records that the session has, as far as the kernel takes them; false if the connection is broken.
    @discardableResult
    package func flush() -> Bool {
        var isBroken = false
        hasOutput = false
        session?.sendRecords { records in
            switch socket.write(records) {
            case .bytes(let count):
                hasOutput = count < records.count
                return count
            case .wouldBlock: hasOutput = true
            case .failed: isBroken = true
            }
            return 0
        }
        return !isBroken
    }

    /// Sends the alert that ends the connection in order, as far as the kernel takes it.
    package func close() {
        guard isOpen, !isClosed else { return }
        isClosed = true
        session?.close()
        flush()
    }
}

@available(*, unavailable)
extension TLSSocket: Sendable {}
