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
