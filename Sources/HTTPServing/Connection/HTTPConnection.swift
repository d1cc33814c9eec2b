import EventLoops
import HTTPCodec

/// One client's connection on its loop: performs what ``ConnectionMachine`` decides.
///
/// A class, because the loop, its timers and its registrations all mean the same connection. Reading is in
/// `HTTPConnection+Reading.swift`, replying in `HTTPConnection+Replying.swift`.
final class HTTPConnection: DescriptorHandler, TimerHandler {
    /// Strong both ways while the connection is open; the loop forgets it when it is closed.
    let loop: ServingLoop
    let key: ConnectionKey
    var peer: Peer
    let tag: Int
    private(set) var socket: ConnectedSocket?
    var machine: ConnectionMachine

    var parser: HTTPRequestParser
    /// What was read and not parsed; empty, and without memory, while the client is idle.
    var input = InputBuffer()
    /// Whether `input` is the loop's buffer for the moment.
    var isBorrowing = false
    var isParsingNow = false
    /// A 100 is to be sent unless the body comes by itself.
    var owesContinue = false
    /// Waits until a throttled client was allowed to have sent it.
    var heldRequest: HTTPRequest?
    var sequence: UInt32 = 0
    /// Whether the handler has taken the present request for later.
    var isAwaitingResponse = false

    /// What the response has to know of its request.
    var writer = HTTPResponseWriter()
    var response: OutgoingResponse?
    var outgoing: ResponseInProgress?

    private var timer: TimerID?
    private var timerDeadline = MonotonicTime.never

    init(_ socket: ConnectedSocket, peer: Peer, key: ConnectionKey, loop: ServingLoop) {
        self.socket = socket
        self.peer = peer
        self.key = key
        self.loop = loop
        tag = peer.listener
        machine = ConnectionMachine(rules: loop.rules, openedAt: peer.arrival)
        parser = HTTPRequestParser(limits: loop.limits)
    }

    var now: MonotonicTime { loop.now }

    /// Begins to listen to the client; false when the system would not have it.
    func open() -> Bool {
        guard let socket else { return false }
        do {
            try loop.events.register(socket.descriptor, for: .read, handler: self)
        } catch {
            return false
        }
        settle()
        return true
    }

    // MARK: Events

    func descriptorIsReady(_ readiness: Readiness) {
        if readiness.contains(.write), machine.isSending { writeMore() }
        if machine.interest(buffered: input.count).contains(.read) {
            if readiness.isWorthReading { read() }
        } else if readiness.contains(.hangup) {
            perform(machine.handle(.lost, at: now))
        } else if readiness.contains(.peerEnd) {
            perform(machine.handle(.peerEnded, at: now))
        }
        settle()
    }

    func timerFired(_ timer: TimerID) {
        self.timer = nil
        timerDeadline = .never
        perform(machine.handle(.deadlinePassed, at: now))
        settle()
    }

    /// The handler has answered a request that it took for later.
    func receive(_ response: OutgoingResponse, for sequence: UInt32) {
        guard sequence == self.sequence, isAwaitingResponse else {
            loop.handler.ended(exchange: response.exchange, outcome: .clientGone)
            return
        }
        isAwaitingResponse = false
        take(response)
        settle()
    }

    /// Finishes what runs and then closes; an idle connection closes now.
    func stop() {
        // A request that has arrived already is answered.
        if machine.isIdle { read() }
        perform(machine.handle(.stopping, at: now))
        settle()
    }

    /// Closes without waiting for anybody.
    func abandon() {
        _ = machine.handle(.lost, at: now)
        close(.atOnce, outcome: .faulted)
    }

    // MARK: Performing

    func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .wait: break
        case .parse: parse()
        case .respond:
            if let request = heldRequest.take() { respond(to: request) }
        case .refuse: break
        case .reportUnfinished(let request):
            owesContinue = false
            prepareWriter()
            take(loop.handler.response(toUnfinished: request, from: peer))
        case .deliver:
            if let response { deliverPatiently(response) }
        case .writeMore: writeMore()
        case .close(let closing): close(closing, outcome: outcome(of: closing))
        }
    }

    /// A close that comes while a response is in hand ends that, too.
    private func outcome(of closing: ConnectionMachine.Closing) -> ExchangeOutcome {
        switch response?.delivery.fault {
        case .reset where closing == .reset, .empty where closing == .lingering: .faulted
        case .never where machine.isStopping: .faulted
        default: .clientGone
        }
    }

    private func close(_ closing: ConnectionMachine.Closing, outcome: ExchangeOutcome) {
        finishResponse(outcome)
        if isAwaitingResponse {
            isAwaitingResponse = false
            loop.handler.clientLeft(peer, before: promise)
        }
        guard let socket else { return }
        if closing == .lingering {
            socket.endWriting()
            machine.linger(from: now)
            dropInput()
            return
        }
        if closing == .reset { socket.reset() }
        if let timer { loop.events.cancel(timer) }
        timer = nil
        loop.events.deregister(socket.descriptor)
        self.socket = nil
        dropInput()
        loop.forget(self)
    }

    /// Makes timer and registration agree with the machine, after all events of one occasion.
    ///
    /// A timer that is set earlier than needed stays: when it fires, nothing is due, and it is set anew. So a request
    /// costs no timer.
    private func settle() {
        guard let socket else { return }
        do {
            try loop.events.change(socket.descriptor, to: machine.interest(buffered: input.count))
        } catch {
            perform(machine.handle(.lost, at: now))
            return
        }
        let deadline = machine.deadline
        if deadline >= timerDeadline { return }
        if let timer { loop.events.cancel(timer) }
        timerDeadline = deadline
        timer = loop.events.schedule(at: deadline, handler: self)
    }
}

@available(*, unavailable)
extension HTTPConnection: Sendable {}
