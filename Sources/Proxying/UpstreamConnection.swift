import Basics
import Checking
import EventLoops
import HTTPCodec
import HTTPServing
import TLS

/// The exchange that a connection to an upstream server serves at the moment.
protocol UpstreamUser: AnyObject {
    /// Bytes have come into ``UpstreamConnection/input``.
    func upstreamSent()
    /// All bytes for the server have left after some had to wait.
    func upstreamHasRoom()
    /// The server sends nothing more; `nil` for an orderly end.
    func upstreamEnded(_ failure: HTTPClientFailure?)
}

/// One connection to an upstream server, on the loop of a client's connection.
///
/// A class, because the loop's registrations refer to it.
final class UpstreamConnection: DescriptorHandler {
    private enum Phase {
        case connecting, handshaking, open, closed
    }

    let upstream: Upstream
    weak var user: (any UpstreamUser)?
    /// The bytes from the server that were not parsed.
    var input = InputBuffer()
    private let events: EventLoop
    private var phase = Phase.connecting
    private var addresses: [SocketAddress]
    private var socket: ConnectedSocket?
    private var tls: TLSSocket?
    private var output: [UInt8] = []
    private var sent = 0
    /// A Boolean value that indicates whether bytes wait for room.
    private var isWaiting = false
    /// A Boolean value that indicates whether the server may have read anything.
    private(set) var hasSent = false
    /// A Boolean value that indicates whether the server has hung up while it is not read; its events are not watched,
    /// because selectors report the hangup again and again.
    private var hasHungUp = false
    /// The number of exchanges that it has served.
    var uses = 0
    /// A Boolean value that indicates whether bytes for the server were lost.
    private var isBroken = false
    /// The time at which its last exchange ended.
    private(set) var idleSince = MonotonicTime(nanoseconds: 0)

    private static let readSize = 64 << 10
    /// The number of reads in a turn of the loop.
    private static let readsPerTurn = 8
    /// The longest attempt to open a connection to an address while others are left.
    private static let longestAttempt = Duration.seconds(5)

    init(_ upstream: Upstream, on events: EventLoop) {
        (self.upstream, self.events) = (upstream, events)
        addresses = upstream.addresses
    }

    /// A Boolean value that indicates whether the server's bytes are read.
    var isReading = true {
        didSet {
            guard isReading != oldValue else { return }
            if hasHungUp, let socket {
                hasHungUp = false
                try? events.register(socket.descriptor, for: .read, handler: self)
            }
            settle()
            if isReading { readDecrypted() }
        }
    }

    /// The number of bytes that wait for the server.
    var unsentCount: Int { output.count - sent }

    var isOpen: Bool { phase == .open }

    /// A Boolean value that indicates whether another exchange can use it.
    ///
    /// All bytes must have left: a server that has responded before may not read the rest.
    var isUsable: Bool { phase == .open && !isBroken && unsentCount == 0 && tls?.hasOutput != true && input.isEmpty }

    /// Notes that its exchange has ended.
    func rest() {
        (user, idleSince) = (nil, events.now)
        isReading = true
    }

    // MARK: Opening

    /// Begins to connect; reports a failure at once where no address can be tried.
    func open() {
        var failure = HTTPClientFailure.unreachable(SystemError("getaddrinfo", .addressNotAvailable))
        while !addresses.isEmpty {
            do throws(SystemError) {
                let address = addresses.removeFirst()
                let socket = try ConnectedSocket(beginningToConnectTo: address)
                try events.register(socket.descriptor, for: .write, handler: self)
                (self.socket, phase) = (socket, .connecting)
                if !addresses.isEmpty { limitAttempt(at: address) }
                return
            } catch {
                failure = HTTPClientFailure(error)
            }
        }
        end(failure)
    }

    /// Tries the next address if the connection to this one is not open in time; later connections try this one last.
    private func limitAttempt(at address: SocketAddress) {
        let rest = addresses
        events.schedule(at: events.now.advanced(by: Self.longestAttempt)) { [weak self] in
            guard let self, addresses.count == rest.count, phase == .connecting || phase == .handshaking else { return }
            upstream.addresses = rest + [address]
            drop()
            open()
        }
    }

    private func connected() {
        guard let socket else { return }
        if let error = socket.takeConnectError() {
            if addresses.isEmpty { return end(HTTPClientFailure(error)) }
            drop()
            return open()
        }
        guard let context = upstream.way.tls else {
            phase = .open
            return flush()
        }
        do throws(TLSProblem) {
            tls = try TLSSocket(connected: socket, to: upstream.way.url.host, context)
            phase = .handshaking
            shakeHands()
        } catch {
            end(.tls(error.description))
        }
    }

    private func shakeHands() {
        guard let tls else { return }
        while tls.isHandshaking {
            switch tls.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) {
            case .bytes: break
            case .wouldBlock: return settle()
            case .endOfStream, .failed:
                return end(.tls(tls.failure?.sentence ?? "the peer closed the connection"))
            }
        }
        phase = .open
        flush()
        // Data may have come with the end of the handshake.
        if tls.hasInput { read() }
    }

    // MARK: Events

    func descriptorIsReady(_ readiness: Readiness) {
        switch phase {
        case .connecting: connected()
        case .handshaking: shakeHands()
        case .open:
            if readiness.contains(.write) { flush() }
            guard readiness.isWorthReading else { return }
            if isReading { return read() }
            hasHungUp = true
            if let socket { events.deregister(socket.descriptor) }
        case .closed: break
        }
    }

    private func read() {
        var reads = 0
        while isReading, phase == .open {
            guard reads < Self.readsPerTurn else {
                // The others have their turn first; decrypted data is reported by no selector.
                readDecrypted()
                break
            }
            reads += 1
            var outcome = ReadOutcome.wouldBlock
            input.fill(atMost: Self.readSize) { room in
                outcome = tls?.read(into: room) ?? socket?.read(into: room) ?? .failed(.brokenPipe)
                if case .bytes(let count) = outcome { return count }
                return 0
            }
            switch outcome {
            case .bytes(let count):
                guard let user else { return close() }
                user.upstreamSent()
                if count < Self.readSize, tls?.hasInput != true { return settle() }
            case .wouldBlock: return settle()
            case .endOfStream: return end(nil)
            case .failed(let error):
                return end(tls?.failure.map { .tls($0.sentence) } ?? HTTPClientFailure(SystemError("recv", error)))
            }
        }
        settle()
    }

    /// Reads what was decrypted, which no selector reports, in the next turn of the loop.
    private func readDecrypted() {
        guard tls?.hasInput == true else { return }
        events.schedule(at: events.now) { [weak self] in self?.read() }
    }

    /// Sends bytes, now or when there is room.
    func send(_ bytes: [UInt8]) {
        guard phase != .closed else { return }
        if sent > Self.readSize {
            output.removeFirst(sent)
            sent = 0
        }
        output += bytes
        flush()
    }

    private func flush() {
        guard phase == .open else {
            isWaiting = !output.isEmpty
            return
        }
        let hadToWait = isWaiting
        isWaiting = false
        while sent < output.count {
            let outcome = output.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return tls?.write(rest) ?? socket?.write(rest) ?? .failed(.brokenPipe)
            }
            switch outcome {
            case .bytes(let count): (sent, hasSent) = (sent + count, true)
            case .wouldBlock:
                isWaiting = true
                return settle()
            // The server may have responded before it closed; reading tells.
            case .failed:
                (output, sent, isBroken) = ([], 0, true)
                return settle()
            }
        }
        (output, sent) = ([], 0)
        settle()
        if hadToWait { user?.upstreamHasRoom() }
    }

    private func settle() {
        guard let socket, phase != .closed else { return }
        var interest: Interest = []
        switch phase {
        case .connecting: interest = .write
        case .handshaking: interest = tls?.hasOutput == true ? .readAndWrite : .read
        case .open:
            if isReading { interest.insert(.read) }
            if isWaiting { interest.insert(.write) }
            if let tls, tls.hasOutput {
                if !tls.flush() { return end(.reset) }
                if tls.hasOutput { interest.insert(.write) }
            }
        case .closed: return
        }
        // Changing what is registered fails only for want of memory; the exchange's time limit ends it then.
        try? events.change(socket.descriptor, to: interest)
    }

    private func end(_ failure: HTTPClientFailure?) {
        guard phase != .closed else { return }
        let user = user
        close()
        user?.upstreamEnded(failure)
    }

    /// Closes the connection without telling anyone.
    func close() {
        guard phase != .closed else { return }
        if phase != .open { upstream.lookUp() }
        phase = .closed
        user = nil
        drop()
        (output, sent) = ([], 0)
    }

    private func drop() {
        if let socket { events.deregister(socket.descriptor) }
        tls?.close()
        (tls, socket) = (nil, nil)
    }

    deinit { close() }
}

/// The open connections of a loop that no exchange uses.
///
/// A class, because the relays of a loop share it.
final class IdleConnections {
    private var connections: [UpstreamConnection] = []

    /// The maximum number of connections that are kept.
    private static let most = 32
    /// The longest time for which a connection is kept.
    private static let longest = Duration.seconds(60)
    /// The time after which a server may close a connection while a request is on its way.
    ///
    /// A request that cannot be repeated uses only connections that were used a moment ago.
    private static let fresh = Duration.seconds(1)

    /// Removes a usable connection to a server.
    ///
    /// - Parameter isRepeatable: Whether the request can be sent again on another connection.
    func take(to upstream: Upstream, isRepeatable: Bool, at now: MonotonicTime) -> UpstreamConnection? {
        drop(at: now)
        let index = connections.lastIndex {
            $0.upstream === upstream && (isRepeatable || now.since($0.idleSince) < Self.fresh)
        }
        return index.map { connections.remove(at: $0) }
    }

    /// Keeps a connection; one that the server ends closes itself.
    func keep(_ connection: UpstreamConnection, at now: MonotonicTime) {
        connection.rest()
        connections.append(connection)
        drop(at: now)
        if connections.count > Self.most { connections.removeFirst().close() }
    }

    private func drop(at now: MonotonicTime) {
        connections.removeAll { connection in
            let isGone = !connection.isUsable || now.since(connection.idleSince) > Self.longest
            if isGone { connection.close() }
            return isGone
        }
    }
}
