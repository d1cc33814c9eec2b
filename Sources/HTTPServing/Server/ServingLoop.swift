import Basics
import EventLoops
import HTTPCodec
import TLS

/// One event loop's share of a server: its connections, what they share, and its messages.
///
/// A class, because connections refer to it. Everything here belongs to the loop's thread.
final class ServingLoop: LoopResident {
    enum Message: Sendable {
        case adopt(ConnectedSocket, Peer)
        case response(OutgoingResponse, to: ConnectionKey, sequence: UInt32)
        case part(StreamPart, to: ConnectionKey, sequence: UInt32)
        case listen([ListeningSocket], tag: Int)
        case unlisten(tag: Int)
        case closeConnections(tag: Int)
        case resumeAccepting
        /// The work is done in any case, after what was under way.
        case acknowledge(@Sendable () -> Void)
        case schedule(MonotonicTime, @Sendable () -> Void)
        case stop(until: MonotonicTime)
    }

    private struct Slot {
        var connection: HTTPConnection?
        var generation: UInt32 = 0
    }

    let events: EventLoop
    let address: LoopAddress
    let handler: any HTTPHandler
    let limits: HTTPLimits
    let rules: ConnectionMachine.Rules
    /// Read into by whichever connection has nothing waiting.
    var spareInput = InputBuffer()
    /// Rendered into by whichever connection answers.
    var output: [UInt8] = []
    /// An object that the relays of this loop share.
    var relayResources: AnyObject?
    /// Requests that came before.
    var knownHeads = KnownHeads()

    /// The memory limit of unfinished bodies on all loops together.
    let bodies: ByteBudget
    /// The memory limit of unsent output on all loops together.
    let unsent: ByteBudget
    /// The memory limit of the unsent output of one stream.
    let unsentStream: Int

    let tls: TLSResponder?
    let handshakeLimit: Duration
    var handshakes = UnfinishedHandshakes()
    private let occupancy: ConnectionCount
    private let addsDate: Bool
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    private var acceptor: Acceptor?
    private var isStopping = false
    private var dateSecond = UInt64.max
    private var dateValue = ""
    /// The date that was last put into a prepared response.
    private var preparedDate: (second: Int64, bytes: [UInt8]) = (.min, [])

    init(
        events: EventLoop,
        address: LoopAddress,
        configuration: HTTPServer.Configuration,
        occupancy: ConnectionCount,
        bodies: ByteBudget,
        unsent: ByteBudget
    ) {
        self.events = events
        self.address = address
        self.occupancy = occupancy
        self.bodies = bodies
        self.unsent = unsent
        unsentStream = configuration.unsentStream
        handler = address.handler
        tls = configuration.tls
        handshakeLimit = configuration.deadlines.handshake
        limits = configuration.limits
        addsDate = configuration.addsDate
        rules = ConnectionMachine.Rules(
            configuration.deadlines,
            servesHalfClosedClients: configuration.servesHalfClosedClients
        )
        output.reserveCapacity(ResponseRendering.copiedBody + 4096)
    }

    var now: MonotonicTime { events.now }

    /// Makes this the loop that accepts for all.
    func accept(with acceptor: Acceptor) {
        self.acceptor = acceptor
    }

    /// Runs until the server has stopped.
    func run() throws(SystemError) {
        events.resident = self
        defer {
            for slot in slots { slot.connection?.abandon() }
            for message in address.mailbox.close() { refuse(message) }
            // They refer to each other.
            acceptor = nil
            relayResources = nil
        }
        try events.run()
    }

    // MARK: Messages

    func loopWoke() {
        for message in address.mailbox.takeAll() { receive(message) }
        endIfDone()
    }

    private func receive(_ message: Message) {
        switch message {
        case .adopt(let socket, let peer): adopt(socket, peer)
        case .response(let response, let key, let sequence):
            if let connection = connection(key) {
                connection.receive(response, for: sequence)
            } else {
                handler.ended(exchange: response.exchange, outcome: .clientGone)
            }
        case .part(let part, let key, let sequence): connection(key)?.receive(part, for: sequence)
        case .listen(let sockets, let tag): acceptor?.listen(sockets, tag: tag)
        case .unlisten(let tag): acceptor?.unlisten(tag: tag)
        case .closeConnections(let tag):
            for slot in slots where slot.connection?.tag == tag { slot.connection?.stop() }
        case .resumeAccepting: acceptor?.resume()
        case .acknowledge(let work): work()
        case .schedule(let moment, let work): events.schedule(at: moment) { work() }
        case .stop(let deadline): stop(until: deadline)
        }
    }

    /// Events that arrive when the loop has ended: sockets close by themselves, responses have no client left.
    private func refuse(_ message: Message) {
        switch message {
        case .response(let response, _, _): handler.ended(exchange: response.exchange, outcome: .clientGone)
        case .adopt: occupancy.leave()
        case .acknowledge(let work): work()
        default: break
        }
    }

    private func stop(until deadline: MonotonicTime) {
        if !isStopping {
            isStopping = true
            acceptor?.close()
            for slot in slots { slot.connection?.stop() }
        }
        events.schedule(at: deadline) { [weak self] in
            guard let self else { return }
            for slot in slots { slot.connection?.abandon() }
            endIfDone()
        }
    }

    private func endIfDone() {
        if isStopping, freeSlots.count == slots.count { events.stop() }
    }

    // MARK: Connections

    func adopt(_ socket: ConnectedSocket, _ peer: Peer) {
        if freeSlots.isEmpty {
            freeSlots.append(UInt32(slots.count))
            slots.append(Slot())
        }
        guard !isStopping, let slot = freeSlots.popLast() else {
            occupancy.leave()
            return
        }
        let key = ConnectionKey(slot: slot, generation: slots[Int(slot)].generation)
        let connection = HTTPConnection(socket, peer: peer, key: key, loop: self)
        slots[Int(slot)].connection = connection
        if !connection.open() { connection.abandon() }
    }

    func connection(_ key: ConnectionKey) -> HTTPConnection? {
        let slot = Int(key.slot)
        guard slots.indices.contains(slot), slots[slot].generation == key.generation else { return nil }
        return slots[slot].connection
    }

    /// A connection is closed; its slot is for the next one.
    func forget(_ connection: HTTPConnection) {
        let slot = Int(connection.key.slot)
        guard slots[slot].connection === connection else { return }
        slots[slot].connection = nil
        slots[slot].generation &+= 1
        freeSlots.append(connection.key.slot)
        occupancy.leave()
        endIfDone()
    }

    // MARK: Date

    /// Appends a prepared response to the output.
    func append(_ response: PreparedResponse, dated second: Int64) {
        if preparedDate.second != second {
            preparedDate.second = second
            preparedDate.bytes.removeAll(keepingCapacity: true)
            HTTPDate.append(secondsSince1970: second, to: &preparedDate.bytes)
        }
        response.append(date: preparedDate.bytes, to: &output)
    }

    /// The value of Date, made once a second.
    func dateText() -> String? {
        guard addsDate else { return nil }
        let second = now.nanoseconds / 1_000_000_000
        if second != dateSecond {
            dateSecond = second
            dateValue = HTTPDate.text(secondsSince1970: WallClock.secondsSince1970())
        }
        return dateValue
    }
}

@available(*, unavailable)
extension ServingLoop: Sendable {}
