package import HTTPCodec

/// A response together with how it is to reach the client.
package struct OutgoingResponse: Sendable {
    package var response: HTTPResponse
    package var delivery: Delivery
    /// The handler's own number for this exchange; it comes back with ``HTTPHandler/ended(exchange:outcome:)``.
    package var exchange: UInt64
    /// The response's status and fields, rendered once for many responses.
    ///
    /// A shortcut for small bodies sent in one piece; it must say what the response says.
    package var preparedHead: HTTPPreparedHead?
    /// The value of the Date field when the response has none; nil takes the server's own clock.
    package var date: String?

    package init(
        _ response: HTTPResponse,
        delivery: Delivery = Delivery(),
        exchange: UInt64 = 0,
        preparedHead: HTTPPreparedHead? = nil,
        date: String? = nil
    ) {
        self.response = response
        self.delivery = delivery
        self.exchange = exchange
        self.preparedHead = preparedHead
        self.date = date
    }
}
