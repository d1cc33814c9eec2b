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
    /// Records that the kernel did not accept.
    private var waiting: [UInt8] = []
    /// The number of bytes that are encrypted, and that the writer offers again until the kernel has their records.
    private var owed = 0
    /// A Boolean value that indicates whether the client waits for a handshake that does not take place.
    package private(set) var isSilent = false
    /// A Boolean value that indicates whether the peer has sent data.
    package private(set) var hasReceived = false
    /// A Boolean value that indicates whether the session may have more data than was read.
    private var mayHaveData = false
    private var isClosed = false

    /// The maximum size of one read from the socket and of one write to it; also on the stack.
    private static let transferSize = 32 << 10
    /// The number of reads from the socket that one call makes before others have their turn.
    private static let readsPerCall = 4

    /// Waits for the first byte of a client.
    ///
    /// - Parameter answer: is called when that begins a handshake; a client that is refused is left to the socket.
    package init(
        accepted socket: ConnectedSocket,
        answer: @escaping @Sendable () throws(TLSProblem) -> TLSAnswer
    ) {
        (self.socket, self.answer) = (socket, answer)
    }

    /// Begins the handshake of a client.
    package init(
        connected socket: ConnectedSocket,
        to host: String,
        _ context: any TLSContext
    ) throws(TLSProblem) {
        self.socket = socket
        answer = { () throws(TLSProblem) in .refusal }
        session = try context.makeSession(to: host)
    }

    /// A Boolean value that indicates whether a handshake has begun, and has not ended.
    package var isHandshaking: Bool { failure == nil && session?.isHandshaking ?? isSilent }
    /// A Boolean value that indicates whether a handshake has ended well.
    package var isOpen: Bool { failure == nil && session.map { !$0.isHandshaking } ?? false }
    /// A Boolean value that indicates whether records wait for the kernel's buffer.
    package var hasOutput: Bool { !waiting.isEmpty }
    /// A Boolean value that indicates whether data waits to be read that the kernel does not report.
    package var hasInput: Bool { mayHaveData && failure == nil }
    package var applicationProtocol: String? { session?.applicationProtocol }
    package var peerCertificate: [UInt8]? { session?.peerCertificate }

    // MARK: Reading

    package func read(into room: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        if session == nil, let outcome = readFirst(into: room) { return outcome }
        guard let session, failure == nil else { return .failed(.connectionAborted) }
        var reads = 0
        while true {
            let outcome = session.read(into: room)
            if flush() == .failed { return .failed(.brokenPipe) }
            switch outcome {
            case .bytes(let count):
                mayHaveData = true
                if count > 0 { hasReceived = true }
                return .bytes(count)
            case .ended: return .endOfStream
            case .failed(let failure):
                self.failure = failure
                return .failed(.connectionAborted)
            case .needsRecords:
                mayHaveData = false
                guard reads < Self.readsPerCall else { return .wouldBlock }
                reads += 1
                switch receive(session) {
                case .bytes: continue
                case .endOfStream where session.isHandshaking:
                    failure = .endOfHandshake
                    return .failed(.connectionAborted)
                case let other: return other
                }
            }
        }
    }

    private func receive(_ session: any TLSSession) -> ReadOutcome {
        withUnsafeTemporaryAllocation(byteCount: Self.transferSize, alignment: 16) { scratch in
            let outcome = socket.read(into: scratch)
            switch outcome {
            case .bytes(let count): session.receive(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
            case .endOfStream, .wouldBlock, .failed: break
            }
            return outcome
        }
    }

    /// Reads the first bytes of a client, and begins a session if they are those of a handshake.
    ///
    /// - Returns: the outcome where that is all.
    private func readFirst(into room: UnsafeMutableRawBufferPointer) -> ReadOutcome? {
        let outcome = socket.read(into: room)
        guard case .bytes(let count) = outcome else {
            guard isSilent, outcome != .wouldBlock else { return outcome }
            failure = .endOfHandshake
            return .failed(.connectionAborted)
        }
        if isSilent { return .wouldBlock }
        guard room[0] == TLSRecord.handshake else {
            isPlain = true
            return outcome
        }
        do throws(TLSProblem) {
            switch try answer() {
            case .handshake(let context):
                let session = try context.makeSession(to: nil)
                session.receive(UnsafeRawBufferPointer(rebasing: room[..<count]))
                self.session = session
                return nil
            case .refusal:
                isPlain = true
                return outcome
            case .silence:
                isSilent = true
                return .wouldBlock
            case .close: failure = .intended
            case .alert:
                _ = TLSRecord.refusal.withUnsafeBytes { socket.write($0) }
                failure = .intended
            }
        } catch {
            failure = TLSFailure(error.description)
        }
        return .failed(.connectionAborted)
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
            switch flush() {
            case .failed: return .failed(.brokenPipe)
            case .blocked: return written > 0 ? .bytes(written) : .wouldBlock
            case .all where owed == 0: return written > 0 ? .bytes(written) : .wouldBlock
            case .all:
                written += owed
                owed = 0
            }
        } while written < bytes.count
        return .bytes(written)
    }

    /// Writes two pieces that lie apart.
    package func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteOutcome {
        let outcome = write(first)
        guard outcome == .bytes(first.count), case .bytes(let count) = write(second) else { return outcome }
        return .bytes(first.count + count)
    }

    package enum Flush: Hashable {
        case all
        case blocked
        case failed
    }

    /// Writes the records that the session has.
    @discardableResult
    package func flush() -> Flush {
        guard let session else { return .all }
        if !waiting.isEmpty {
            switch waiting.withUnsafeBytes({ socket.write($0) }) {
            case .bytes(let count): waiting.removeFirst(count)
            case .wouldBlock: break
            case .failed: return .failed
            }
            guard waiting.isEmpty else { return .blocked }
        }
        return withUnsafeTemporaryAllocation(byteCount: Self.transferSize, alignment: 16) { scratch in
            while true {
                let count = session.takeRecords(into: scratch)
                if count == 0 { return .all }
                var sent = 0
                switch socket.write(UnsafeRawBufferPointer(rebasing: scratch[..<count])) {
                case .bytes(let count): sent = count
                case .wouldBlock: break
                case .failed: return .failed
                }
                guard sent < count else { continue }
                waiting = Array(scratch[sent..<count])
                // What the session still has is kept in order behind it.
                while true {
                    let more = session.takeRecords(into: scratch)
                    if more == 0 { return .blocked }
                    waiting += scratch[..<more]
                }
            }
        }
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
