import Basics
import EventLoops

/// Takes connections from all listeners, on the first loop, and hands them round to all loops.
///
/// A class, because registrations refer to it.
final class Acceptor {
    private let loop: ServingLoop
    private let loops: [LoopAddress]
    private let occupancy: ConnectionCount
    /// Lets tests make the system run out of descriptors.
    private let failure: (@Sendable () -> ErrorNumber?)?
    private var listeners: [Listener] = []
    private var nextLoop = 0
    private var accepted: UInt64 = 0
    private var isPaused = false

    /// After the system ran out of something, unless a connection ends before: 100 ms.
    private static let backOff = Duration.milliseconds(100)

    /// At one go, so that a burst of clients does not keep others waiting.
    private static let batch = 64

    init(
        loop: ServingLoop,
        loops: [LoopAddress],
        occupancy: ConnectionCount,
        failure: (@Sendable () -> ErrorNumber?)?
    ) {
        self.loop = loop
        self.loops = loops
        self.occupancy = occupancy
        self.failure = failure
    }

    func listen(_ sockets: [ListeningSocket], tag: Int) {
        for socket in sockets {
            let listener = Listener(socket, tag: tag, acceptor: self)
            // Refused only for want of memory; then the listener is missing, and its clients are refused.
            guard (try? loop.events.register(socket.descriptor, for: .read, handler: listener)) != nil else { continue }
            listeners.append(listener)
        }
    }

    func unlisten(tag: Int) {
        for listener in listeners where listener.tag == tag { loop.events.deregister(listener.socket.descriptor) }
        listeners.removeAll { $0.tag == tag }
    }

    func close() {
        for listener in listeners { loop.events.deregister(listener.socket.descriptor) }
        listeners = []
    }

    func accept(from listener: Listener) {
        let since = listener.waitingSince ?? loop.now.advanced(by: .zero - loop.events.lag)
        listener.waitingSince = since
        for _ in 0..<Self.batch {
            guard !isPaused else { return }
            guard occupancy.enter() else {
                occupancy.awaitRoom()
                // One may have ended in between, and its end would not be reported.
                if occupancy.enter() { occupancy.withdraw() } else { pause() }
                return
            }
            switch failure?().map(AcceptOutcome.exhausted) ?? listener.socket.accept() {
            case .accepted(let socket, let address):
                handOver(socket, from: address, tag: listener.tag, waitingSince: since)
            case .lost:
                occupancy.withdraw()
            case .wouldBlock:
                occupancy.withdraw()
                listener.waitingSince = nil
                return
            case .exhausted, .failed:
                occupancy.withdraw()
                occupancy.awaitRoom()
                pause()
                return
            }
        }
    }

    private func handOver(
        _ socket: ConnectedSocket,
        from address: SocketAddress,
        tag: Int,
        waitingSince: MonotonicTime
    ) {
        accepted += 1
        var peer = Peer(
            connection: accepted,
            listener: tag,
            address: address.host,
            port: address.port,
            arrival: loop.now
        )
        peer.lag = .nanoseconds(Int64(clamping: waitingSince.nanoseconds(until: loop.now)))
        nextLoop = (nextLoop + 1) % loops.count
        if loops[nextLoop] === loop.address {
            loop.adopt(socket, peer)
        } else if !loops[nextLoop].mailbox.post(.adopt(socket, peer)) {
            occupancy.leave()
        }
    }

    /// Listens on, but leaves new connections in the kernel's queue for a while.
    private func pause() {
        isPaused = true
        setInterest([])
        loop.events.schedule(at: loop.now.advanced(by: Self.backOff)) { [weak self] in self?.resume() }
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        setInterest(.read)
    }

    private func setInterest(_ interest: Interest) {
        // Changing what is registered fails only for want of memory; the next back-off tries again.
        for listener in listeners { try? loop.events.change(listener.socket.descriptor, to: interest) }
    }
}
