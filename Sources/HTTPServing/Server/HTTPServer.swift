package import Basics
package import EventLoops
package import HTTPCodec
package import TLS

/// An HTTP/1.1 server: listeners, event loops on their own threads, and one handler.
///
/// A class, because it is one running thing. It runs until ``stop(graceful:)``; dropping it does not stop it.
package final class HTTPServer: Sendable {
    private struct State {
        /// The accepting loop first.
        var loops: [LoopAddress] = []
        var isStarted = false
        var running = 0
        var failure: SystemError?
        /// The callers that wait for the end.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    package let configuration: Configuration
    private let handler: any HTTPHandler
    private let occupancy: ConnectionCount
    private let bodies: ByteBudget
    private let unsent: ByteBudget
    private let acceptFailure: (@Sendable () -> ErrorNumber?)?
    private let state = Lock(State())

    package convenience init(configuration: Configuration = Configuration(), handler: any HTTPHandler) {
        self.init(configuration: configuration, handler: handler, acceptFailure: nil)
    }

    /// - Parameter acceptFailure: Asked before each accept; what it answers is taken for the system's refusal.
    init(configuration: Configuration, handler: any HTTPHandler, acceptFailure: (@Sendable () -> ErrorNumber?)?) {
        self.configuration = configuration
        self.handler = handler
        self.acceptFailure = acceptFailure
        occupancy = ConnectionCount(limit: configuration.maximumConnections)
        bodies = ByteBudget(limit: configuration.unfinishedBodies)
        unsent = ByteBudget(limit: configuration.unsentOutput)
    }

    /// The number of connections that are open.
    package var connectionCount: Int { occupancy.current }

    /// The error that ended a loop unexpectedly; `nil` without one.
    package var failure: SystemError? { state.withLock { $0.failure } }

    /// Starts the loops, and raises the limit of open descriptors as far as the system allows.
    package func start() throws(SystemError) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        precondition(isFirst, "A server must be started only once")
        Platform.raiseDescriptorLimit()
        do throws(SystemError) {
            // The first loop accepts for all, so it comes last, when the others are there.
            for _ in 1..<configuration.loops { try startLoop() }
            try startLoop(accepts: true)
        } catch {
            for loop in state.withLock({ $0.loops }) { loop.mailbox.post(.stop(until: configuration.time.now())) }
            throw error
        }
    }

    private func startLoop(accepts: Bool = false) throws(SystemError) {
        let events = try EventLoop(selector: configuration.selector, time: configuration.time)
        let address = LoopAddress(mailbox: Mailbox(for: events.handle), handler: handler)
        let loops = state.withLock { state in
            if accepts { state.loops.insert(address, at: 0) } else { state.loops.append(address) }
            state.running += 1
            return state.loops
        }
        if accepts { occupancy.whenRoom { address.mailbox.post(.resumeAccepting) } }
        do throws(SystemError) {
            try LoopThread.start { [configuration, occupancy, bodies, unsent, acceptFailure] in
                let loop = ServingLoop(
                    events: events,
                    address: address,
                    configuration: configuration,
                    occupancy: occupancy,
                    bodies: bodies,
                    unsent: unsent
                )
                if accepts {
                    loop.accept(
                        with: Acceptor(loop: loop, loops: loops, occupancy: occupancy, failure: acceptFailure)
                    )
                }
                do throws(SystemError) {
                    try loop.run()
                    self.loopEnded(nil)
                } catch {
                    self.loopEnded(error)
                }
            }
        } catch {
            loopEnded(error)
            throw error
        }
    }

    private func loopEnded(_ failure: SystemError?) {
        let waiting = state.withLock { state in
            state.running -= 1
            state.failure = state.failure ?? failure
            guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    // MARK: Listeners

    /// Listens at a host and port, and answers the port: the real one when 0 asked for any.
    ///
    /// `localhost` means both loopback addresses, `*` every interface. Connections carry the tag in ``Peer/listener``.
    @discardableResult
    package func addListener(host: String = "localhost", port: UInt16, tag: Int = 0) throws(SystemError) -> UInt16 {
        let sockets = try ListeningSocket.listen(host: host, port: port)
        let first = state.withLock { $0.loops.first }
        guard let first, first.mailbox.post(.listen(sockets, tag: tag)) else {
            throw SystemError("listen", .invalidArgument)
        }
        return sockets.first?.address.port ?? port
    }

    /// Stops listening for a tag, lets its connections finish what runs, and closes them.
    package func removeListener(tag: Int) {
        let loops = state.withLock { $0.loops }
        loops.first?.mailbox.post(.unlisten(tag: tag))
        for loop in loops { loop.mailbox.post(.closeConnections(tag: tag)) }
    }

    // MARK: Time

    /// Runs the work on a loop when the moment has come; never when the server stops before.
    ///
    /// - Returns: False when the server does not run, so that the moment will not come.
    @discardableResult
    package func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { $0.loops.first }?.mailbox.post(.schedule(moment, work)) ?? false
    }

    /// Returns when every loop has done what was under way on it.
    package func settle() async {
        await withCheckedContinuation { continuation in whenSettled { continuation.resume() } }
    }

    package func whenSettled(_ work: @escaping @Sendable () -> Void) {
        Self.settle(state.withLock { $0.loops }[...], then: work)
    }

    private static func settle(_ loops: ArraySlice<LoopAddress>, then work: @escaping @Sendable () -> Void) {
        guard let loop = loops.first else { return work() }
        let next: @Sendable () -> Void = { settle(loops.dropFirst(), then: work) }
        if !loop.mailbox.post(.acknowledge(next)) { next() }
    }

    // MARK: Stopping

    /// Stops accepting, lets what runs finish for so long, closes the rest, and returns when the loops have ended.
    package func stop(graceful grace: Duration = .zero) async {
        beginStopping(graceful: grace)
        await untilStopped()
    }

    /// The first half of ``stop(graceful:)``, for callers that cannot wait; called again, it only shortens the grace.
    package func beginStopping(graceful grace: Duration = .zero) {
        let deadline = configuration.time.now().advanced(by: grace)
        for loop in state.withLock({ $0.loops }) { loop.mailbox.post(.stop(until: deadline)) }
    }

    /// Returns when all loops have ended; at once when none was started.
    package func untilStopped() async {
        await withCheckedContinuation { continuation in
            let hasStopped = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if hasStopped { continuation.resume() }
        }
    }
}

extension HTTPServer {
    /// Everything about a server that is a number or a choice.
    package struct Configuration: Sendable {
        /// The number of event loops that share the connections, each on its own thread.
        package var loops: Int
        package var limits: HTTPLimits
        package var deadlines: Deadlines
        /// Beyond this many connections new ones wait in the kernel's queue; nil for no limit of our own.
        package var maximumConnections: Int?
        /// The number of bytes that the bodies of unfinished requests take together: 256 MB; a larger one than that is
        /// never taken.
        package var unfinishedBodies = 256 << 20
        /// The number of unsent bytes of a stream at which the next part closes its connection: 64 MB.
        package var unsentStream = 64 << 20
        /// The number of unsent bytes of all responses and streams together at which the connection that needs room for
        /// more is closed: 256 MB.
        package var unsentOutput = 256 << 20
        package var selector: SelectorKind
        package var time: any TimeSource
        /// Responds to clients that begin a handshake; `nil` for a server without TLS.
        ///
        /// The listeners also serve clients that do not begin a handshake.
        package var tls: TLSResponder?
        /// A Boolean value that indicates whether responses without a Date get one from the machine's clock.
        package var addsDate: Bool
        /// A Boolean value that indicates whether a client that has ended its sending still gets a response that is
        /// delayed or comes later.
        ///
        /// A client that leaves and one that only stops sending look the same. By default it counts as gone, so that
        /// cancelled requests are seen at once; responses that are ready are sent in any case.
        package var servesHalfClosedClients: Bool

        package init(
            loops: Int = 1,
            limits: HTTPLimits = .standard,
            deadlines: Deadlines = Deadlines(),
            maximumConnections: Int? = nil,
            selector: SelectorKind = .fromEnvironment,
            time: any TimeSource = SystemTime(),
            addsDate: Bool = true,
            servesHalfClosedClients: Bool = false
        ) {
            self.loops = max(1, loops)
            self.limits = limits
            self.deadlines = deadlines
            self.maximumConnections = maximumConnections
            self.selector = selector
            self.time = time
            self.addsDate = addsDate
            self.servesHalfClosedClients = servesHalfClosedClients
        }
    }
}

/// Responds to a client that begins a handshake on the listener with a tag.
package typealias TLSResponder = @Sendable (_ listener: Int) throws(TLSProblem) -> TLSAnswer
