package import Basics
package import EventLoops
package import HTTPCodec

/// Carries clients' requests to a handler and its responses back, without sockets and without threads.
///
/// What a client sends is written and parsed as it is over a socket, and so is what comes back, with every fault; so a
/// client sees what it would see there. Everything happens by appointment in an ``EventSchedule``. Connections are kept
/// and used again; clients share none. Nothing is sent twice, and no redirect is followed.
///
/// A class, because the server, its clients and the handler's promises mean the same one.
package final class SimulatedNetwork: HTTPHost, Sendable {
    /// A request on its way, and who waits for its response.
    private struct Exchange {
        enum Phase {
            case travelling
            /// The handler has the request, and answers later if `true`.
            case responding(isPromised: Bool)
            /// The handler has answered; the response waits or is being sent.
            case replying(OutgoingResponse)
            /// All of it has left the server.
            case returning
        }

        var request: HTTPRequest
        var route: Route
        var connection: UInt64
        /// The owner in the ``EventSchedule``.
        var owner: Int?
        /// `nil` once the client has left.
        var waiting: UnsafeContinuation<Result<HTTPResponse, HTTPClientFailure>, Never>?
        var timeout: UInt64 = 0
        var phase = Phase.travelling
        var peer: Peer?
        /// The refusals in a row when it was sent.
        var refusals = 0
        var writer = HTTPResponseWriter()
    }

    private struct Route: Hashable {
        var client: Int
        var host: String
        var port: UInt16
    }

    private struct State {
        var handler: (any HTTPHandler)?
        /// Tags by port.
        var listeners: [UInt16: Int] = [:]
        /// Of the next listener that asks for any port; the others count on from it.
        var nextPort: UInt16 = 40_000
        var exchanges: [UInt64: Exchange] = [:]
        var lastExchange: UInt64 = 0
        var refusals = 0
        var lastConnection: UInt64 = 0
        /// Connections that wait for their next request, the one that was used last at the end.
        var spare: [Route: [UInt64]] = [:]
        var isClosed = false
        /// Exchanges whose clients were gone before they had begun to wait.
        var cancelled: Set<UInt64> = []
    }

    private let time: any EventSchedule
    private let travelTime: @Sendable () -> Duration
    private let limits: HTTPLimits
    private let state = Lock(State())

    /// The calendar time at the beginning, in seconds since 1970, by which responses are dated.
    private static let epoch: UInt64 = 1_800_000_000

    /// - Parameter travelTime: how long a request or a response is on its way.
    package init(
        in time: any EventSchedule,
        limits: HTTPLimits = .standard,
        travelTime: @escaping @Sendable () -> Duration = { .milliseconds(1) }
    ) {
        self.time = time
        self.limits = limits
        self.travelTime = travelTime
    }

    /// Sets the handler of requests; called before the first request.
    package func serve(_ handler: any HTTPHandler) { state.withLock { $0.handler = handler } }

    /// The number of requests that have been sent.
    package var requestCount: UInt64 { state.withLock { $0.lastExchange } }

    /// The number of responses with an error status since the last one without, each to a request that was sent after
    /// the one before.
    package var refusalCount: Int { state.withLock { $0.refusals } }

    /// The requests that have neither been answered nor failed, as `GET /path`, in the order of sending.
    package var openRequests: [String] {
        state.withLock { state in
            state.exchanges.filter { $0.value.waiting != nil }.sorted { $0.key < $1.key }
                .map { "\($0.value.request.method) \($0.value.request.path)" }
        }
    }

    // MARK: Serving

    @discardableResult
    package func schedule(at moment: MonotonicTime, _ work: @escaping @Sendable () -> Void) -> Bool {
        guard !state.withLock({ $0.isClosed }) else { return false }
        let _: UInt64 = time.schedule(at: moment, work)
        return true
    }

    package func whenSettled(_ work: @escaping @Sendable () -> Void) { work() }

    @discardableResult
    package func addListener(host: String, port: UInt16, tag: Int) throws(SystemError) -> UInt16 {
        try state.withLock { state throws(SystemError) in
            guard !state.isClosed else { throw SystemError("listen", .invalidArgument) }
            let chosen = port == 0 ? state.nextPort : port
            if port == 0 { state.nextPort += 1 }
            state.listeners[chosen] = tag
            return chosen
        }
    }

    package func removeListener(tag: Int) {
        state.withLock { state in state.listeners = state.listeners.filter { $0.value != tag } }
    }

    /// Ends the connections of clients that are gone: the handler hears of it, and they hear nothing any more.
    ///
    /// - Parameter owner: whose; all when `nil`.
    package func dropClients(of owner: Int? = nil) {
        let numbers = state.withLock { state in
            if owner == nil { state.spare = [:] }
            let numbers = state.exchanges.filter { owner == nil || $0.value.owner == owner }.keys.sorted()
            for number in numbers { state.exchanges[number]?.waiting = nil }
            return numbers
        }
        for number in numbers { leave(number, .reset) }
    }

    /// Ends everything; the handler hears of what is under way, and is let go.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.listeners = [:]
        }
        dropClients()
        // It may hold this network.
        state.withLock { $0.handler = nil }
    }

    // MARK: Sending

    /// Sends a request to a port of this network; its host is one machine under any name.
    ///
    /// - Parameters:
    ///   - client: clients with different numbers share no connection.
    ///   - owner: whose request it is in the ``EventSchedule``; by default, that of the caller.
    ///   - timeout: after so long in this time the client gives up.
    package func send(
        _ request: HTTPRequest,
        to host: String,
        port: UInt16,
        of client: Int,
        owner: Int? = nil,
        timeout: Duration
    ) async throws(HTTPClientFailure) -> HTTPResponse {
        let number = state.withLock { state in
            state.lastExchange += 1
            return state.lastExchange
        }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { waiting in
                begin(number, request, Route(client: client, host: host, port: port), owner, timeout, waiting)
            }
        } onCancel: {
            leave(number, .closedWithoutResponse)
        }
        return try result.get()
    }

    private func begin(
        _ number: UInt64,
        _ request: HTTPRequest,
        _ route: Route,
        _ owner: Int?,
        _ timeout: Duration,
        _ waiting: UnsafeContinuation<Result<HTTPResponse, HTTPClientFailure>, Never>
    ) {
        let now = time.now()
        let owner = owner ?? time.currentOwner
        let refusal = state.withLock { state -> HTTPClientFailure? in
            if state.isClosed { return .reset }
            if state.cancelled.remove(number) != nil { return .closedWithoutResponse }
            let spare = state.spare[route]?.popLast()
            if spare == nil { state.lastConnection += 1 }
            state.exchanges[number] = Exchange(
                request: request,
                route: route,
                connection: spare ?? state.lastConnection,
                owner: owner,
                waiting: waiting,
                refusals: state.refusals
            )
            return nil
        }
        if let refusal { return waiting.resume(returning: .failure(refusal)) }
        let event = time.schedule(at: now.advanced(by: timeout)) { [self] in leave(number, .timedOut) }
        state.withLock { $0.exchanges[number]?.timeout = event }
        time.schedule(at: now.advanced(by: travelTime())) { [self] in arrive(number) }
    }

    /// The client waits no longer, or the network has ended.
    private func leave(_ number: UInt64, _ failure: HTTPClientFailure) {
        let (exchange, handler) = state.withLock { state -> (Exchange?, (any HTTPHandler)?) in
            guard let exchange = state.exchanges[number] else {
                if failure == .closedWithoutResponse { state.cancelled.insert(number) }
                return (nil, nil)
            }
            if case .travelling = exchange.phase, !state.isClosed {
                // The request arrives anyway.
                state.exchanges[number]?.waiting = nil
            } else {
                state.exchanges[number] = nil
            }
            return (exchange, state.handler)
        }
        guard let exchange else { return }
        time.cancel(exchange.timeout)
        switch exchange.phase {
        case .travelling, .returning, .responding(isPromised: false): break
        case .responding(isPromised: true):
            if let peer = exchange.peer { handler?.clientLeft(peer, before: promise(number)) }
        case .replying(let response): handler?.ended(exchange: response.exchange, outcome: .clientGone)
        }
        exchange.waiting?.resume(returning: .failure(failure))
    }

    // MARK: Arriving

    private func arrive(_ number: UInt64) {
        let now = time.now()
        let found = state.withLock { state -> (Exchange, Peer, any HTTPHandler)? in
            guard let exchange = state.exchanges[number], let handler = state.handler,
                let tag = state.listeners[exchange.route.port]
            else { return nil }
            let peer = Peer(
                connection: exchange.connection,
                listener: tag,
                address: "127.0.0.1",
                port: UInt16(truncatingIfNeeded: 50_000 + exchange.connection % 10_000),
                arrival: now
            )
            state.exchanges[number]?.peer = peer
            return (exchange, peer, handler)
        }
        guard let (exchange, peer, handler) = found else {
            return comeBack(number, .failure(.refused), keepsAlive: false)
        }
        var bytes: [UInt8] = []
        HTTPRequestWriter.append(exchange.request, host: "\(exchange.route.host):\(exchange.route.port)", to: &bytes)
        var input = InputBuffer(bytes)
        var parser = HTTPRequestParser(limits: limits)
        var rate: Int?
        while true {
            switch parser.next(&input) {
            // Nothing more will come, and the server waits: the client's time-out ends it.
            case .needsMoreBytes: return
            case .head(let head):
                let intake = handler.willReadBody(of: head, from: peer)
                if let limit = intake.limit { parser.limitBody(to: limit) }
                rate = intake.bytesPerSecond
            case .refused(let refusal):
                state.withLock { $0.exchanges[number]?.writer = HTTPResponseWriter(method: refusal.method ?? .get) }
                return take(handler.response(to: refusal, from: peer), for: number)
            case .complete(let request):
                guard let rate, rate > 0 else { return respond(to: request, number, handler) }
                let seconds = Double(parser.receivedBodyBytes) / Double(rate)
                time.schedule(at: now.advanced(by: .seconds(seconds))) { [self] in respond(to: request, number, handler)
                }
                return
            }
        }
    }

    private func respond(to request: HTTPRequest, _ number: UInt64, _ handler: any HTTPHandler) {
        let now = time.now()
        let peer = state.withLock { state -> Peer? in
            guard var exchange = state.exchanges[number] else { return nil }
            exchange.peer?.arrival = now
            exchange.phase = .responding(isPromised: false)
            exchange.writer = HTTPResponseWriter(answering: request)
            state.exchanges[number] = exchange
            return exchange.peer
        }
        guard let peer else { return }
        switch handler.respond(to: request, from: peer, with: promise(number)) {
        case .now(let response): take(response, for: number)
        case .later:
            let isGone = state.withLock { state -> Bool in
                state.exchanges[number]?.phase = .responding(isPromised: true)
                return state.exchanges[number].map { $0.waiting == nil } ?? false
            }
            if isGone { leave(number, .closedWithoutResponse) }
        }
    }

    private func promise(_ number: UInt64) -> ResponsePromise {
        let key = ConnectionKey(slot: UInt32(truncatingIfNeeded: number), generation: UInt32(number >> 32))
        return ResponsePromise(receiver: self, connection: key, sequence: 0)
    }

    // MARK: Replying

    private func take(_ response: OutgoingResponse, for number: UInt64) {
        let (handler, isWaited) = state.withLock { state -> ((any HTTPHandler)?, Bool) in
            state.exchanges[number]?.phase = .replying(response)
            let isRefused = response.response.status.code >= 400
            state.refusals = isRefused ? max(state.refusals, (state.exchanges[number]?.refusals ?? 0) + 1) : 0
            return (state.handler, state.exchanges[number]?.waiting != nil)
        }
        guard isWaited else {
            state.withLock { $0.exchanges[number] = nil }
            handler?.ended(exchange: response.exchange, outcome: .clientGone)
            return
        }
        if response.delivery.delay > .zero {
            time.schedule(at: time.now().advanced(by: response.delivery.delay)) { [self] in send(response, number) }
        } else {
            send(response, number)
        }
    }

    private func send(_ response: OutgoingResponse, _ number: UInt64) {
        guard let exchange = state.withLock({ $0.exchanges[number] }) else { return }
        switch response.delivery.fault {
        case .reset: finish(response, number, .failure(.reset), keepsAlive: false)
        case .empty: finish(response, number, .failure(.closedWithoutResponse), keepsAlive: false)
        // Until the client leaves.
        case .never: return
        case let fault:
            let writer = exchange.writer
            let closes = fault != nil || response.delivery.closesConnection || !writer.keepsAlive
            let date =
                response.date
                ?? HTTPDate.text(secondsSince1970: Int64(Self.epoch + time.now().nanoseconds / 1_000_000_000))
            var bytes: [UInt8] = []
            var headCount = 0
            if let fault {
                let parts = ResponseRendering.broken(response, fault, by: writer, date: date)
                bytes = parts.head
                headCount = bytes.count
                bytes += parts.body.prefix(parts.bodyCount)
            } else {
                let isPaced = response.delivery.pacing != nil
                let follows = ResponseRendering.append(
                    whole: response,
                    by: writer,
                    date: date,
                    splitsBody: isPaced,
                    to: &bytes
                )
                headCount = follows || !isPaced ? bytes.count : max(0, bytes.count - response.response.body.count)
                if follows { bytes += response.response.body }
            }
            let plan = response.delivery.pacing.map {
                PacingPlan($0, headBytes: headCount, bodyBytes: bytes.count - headCount)
            }
            let result = Self.read(bytes, closes: closes, answering: exchange.request.method)
            let last = plan?.lastDue ?? 0
            guard last > 0 else { return finish(response, number, result.result, keepsAlive: result.keepsAlive) }
            time.schedule(at: time.now().advanced(byNanoseconds: last)) { [self] in
                finish(response, number, result.result, keepsAlive: result.keepsAlive)
            }
        }
    }

    /// A client's result for bytes; `nil` if it waits for more.
    private static func read(
        _ bytes: [UInt8],
        closes: Bool,
        answering method: HTTPMethod
    ) -> (result: Result<HTTPResponse, HTTPClientFailure>?, keepsAlive: Bool) {
        var parser = HTTPResponseParser()
        parser.expectResponse(to: method)
        var input = InputBuffer(bytes)
        while true {
            var step = parser.next(&input)
            if case .needsMoreBytes = step {
                guard closes else { return (nil, false) }
                step = parser.endOfStream(&input) ?? .failed(.closedWithoutResponse)
            }
            switch step {
            case .needsMoreBytes: return (nil, false)
            case .interim, .head: continue
            case .complete(let response): return (.success(response.response), response.keepsAlive && !closes)
            case .failed(let error): return (.failure(HTTPClientFailure(error)), false)
            }
        }
    }

    /// The last byte has left the server.
    private func finish(
        _ response: OutgoingResponse,
        _ number: UInt64,
        _ result: Result<HTTPResponse, HTTPClientFailure>?,
        keepsAlive: Bool
    ) {
        let handler = state.withLock { state -> (any HTTPHandler)? in
            guard state.exchanges[number] != nil else { return nil }
            state.exchanges[number]?.phase = .returning
            return state.handler
        }
        guard let handler else { return }
        handler.ended(exchange: response.exchange, outcome: response.delivery.fault == nil ? .sent : .faulted)
        if let result { comeBack(number, result, keepsAlive: keepsAlive) }
    }

    private func comeBack(_ number: UInt64, _ result: Result<HTTPResponse, HTTPClientFailure>, keepsAlive: Bool) {
        let owner = state.withLock { state in
            // Over a connection without a listener, nothing was sent.
            state.exchanges[number]?.phase = .returning
            return state.exchanges[number]?.owner
        }
        time.schedule(at: time.now().advanced(by: travelTime()), of: owner) { [self] in
            let exchange = state.withLock { state -> Exchange? in
                guard let exchange = state.exchanges.removeValue(forKey: number) else { return nil }
                if keepsAlive { state.spare[exchange.route, default: []].append(exchange.connection) }
                return exchange
            }
            guard let exchange else { return }
            time.cancel(exchange.timeout)
            exchange.waiting?.resume(returning: result)
        }
    }
}

extension SimulatedNetwork: ResponseReceiver {
    /// A promise was kept.
    func receive(_ response: OutgoingResponse, for connection: ConnectionKey, sequence: UInt32) {
        let number = UInt64(connection.generation) << 32 | UInt64(connection.slot)
        let isOpen = state.withLock { state -> Bool in
            guard !state.isClosed, case .responding? = state.exchanges[number]?.phase else { return false }
            return true
        }
        guard isOpen else {
            state.withLock { $0.handler }?.ended(exchange: response.exchange, outcome: .clientGone)
            return
        }
        time.schedule(at: time.now()) { [self] in
            let isOpen = state.withLock { state -> Bool in
                if case .responding(isPromised: true)? = state.exchanges[number]?.phase { true } else { false }
            }
            guard isOpen else {
                state.withLock { $0.handler }?.ended(exchange: response.exchange, outcome: .clientGone)
                return
            }
            take(response, for: number)
        }
    }
}
