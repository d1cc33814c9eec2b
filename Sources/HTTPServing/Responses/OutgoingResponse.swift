import EventLoops
package import HTTPCodec

/// A response together with how it is to reach the client.
package struct OutgoingResponse: Sendable {
    package var message: ResponseMessage
    package var delivery: Delivery
    /// The handler's own number for this exchange; it comes back with ``HTTPHandler/ended(exchange:outcome:)``.
    package var exchange: UInt64
    /// A Boolean value that indicates whether the handler has noted the response as sent, and is to hear of it only
    /// when the kernel does not take all of it at once.
    package var isNotedAsSent = false
    /// The value of the Date field when the response has none; nil takes the server's own clock.
    package var date: String?
    /// A Boolean value that indicates whether the body comes part by part, by ``ResponsePromise/send(part:isLast:)``,
    /// and ends the connection.
    ///
    /// Only a connection over sockets knows parts; every other receiver sends the body of ``response`` at once.
    package var isStream = false
    /// A Boolean value that indicates whether the connection speaks another protocol after the head: parts are sent as
    /// they are, and what the client sends goes to ``HTTPHandler/received(_:exchange:)``.
    package var upgrades = false
    /// The maximum number of bytes of a stream that wait for a slow client; the server's own limit when `nil`.
    ///
    /// The next part after that closes the connection.
    package var longestBacklog: Int?
    /// A Boolean value that indicates whether the body is in memory anyway, so that a slow client of it costs none.
    package var sharesBody = false
    /// Makes the response when its time has come; ``response`` is then for receivers that are not connections over sockets.
    package var producer: (any ResponseProducer)?

    package init(
        _ message: ResponseMessage,
        delivery: Delivery = Delivery(),
        exchange: UInt64 = 0,
        date: String? = nil
    ) {
        self.message = message
        self.delivery = delivery
        self.exchange = exchange
        self.date = date
    }

    package init(
        _ response: HTTPResponse,
        delivery: Delivery = Delivery(),
        exchange: UInt64 = 0,
        date: String? = nil
    ) {
        self.init(.made(response), delivery: delivery, exchange: exchange, date: date)
    }

    package var response: HTTPResponse {
        get { message.response }
        set { message = .made(newValue) }
    }
}

/// The right to answer one request later, from any thread.
///
/// Answering is harmless when the client has left; the handler then hears ``ExchangeOutcome/clientGone``. Only the
/// first response counts.
package struct ResponsePromise: Sendable, Hashable {
    let receiver: any ResponseReceiver
    let connection: ConnectionKey
    /// Which request of the connection this is for.
    let sequence: UInt32

    package func fulfil(_ response: OutgoingResponse) {
        receiver.receive(response, for: connection, sequence: sequence)
    }

    /// Sends a part of the body of a response that is a stream, also before the response itself is handed over.
    ///
    /// Parts go out in the order of these calls. They are dropped when the response is not a stream, has ended, or the
    /// client has left; nothing is called back from within.
    package func send(part bytes: [UInt8], isLast: Bool = false) {
        receiver.receive(StreamPart(bytes: bytes, isLast: isLast), for: connection, sequence: sequence)
    }
}

/// Where responses go that were promised: a loop of a server, or a simulated network.
protocol ResponseReceiver: AnyObject, Sendable {
    /// Sends the response if its request still waits for one, and tells the handler otherwise.
    func receive(_ response: OutgoingResponse, for connection: ConnectionKey, sequence: UInt32)

    /// Sends a part of a stream.
    func receive(_ part: StreamPart, for connection: ConnectionKey, sequence: UInt32)
}

extension ResponseReceiver {
    /// A receiver that sends whole bodies needs no parts.
    func receive(_ part: StreamPart, for connection: ConnectionKey, sequence: UInt32) {}
}

extension LoopAddress: ResponseReceiver {
    func receive(_ response: OutgoingResponse, for connection: ConnectionKey, sequence: UInt32) {
        if !mailbox.post(.response(response, to: connection, sequence: sequence)) {
            handler.ended(exchange: response.exchange, outcome: .clientGone)
        }
    }

    func receive(_ part: StreamPart, for connection: ConnectionKey, sequence: UInt32) {
        mailbox.post(.part(part, to: connection, sequence: sequence))
    }
}

extension ResponsePromise {
    /// Two promises are the same when they are for the same request.
    package static func == (left: ResponsePromise, right: ResponsePromise) -> Bool {
        left.receiver === right.receiver && left.connection == right.connection && left.sequence == right.sequence
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(receiver))
        hasher.combine(connection)
        hasher.combine(sequence)
    }
}

/// Names a connection within its loop; the generation tells it from earlier users of the slot.
struct ConnectionKey: Sendable, Hashable {
    var slot: UInt32
    var generation: UInt32
}
