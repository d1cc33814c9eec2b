import Basics
package import HTTPCodec
package import TLS

/// Answers requests; called on the event loops, so it must neither block nor take long.
package protocol HTTPHandler: AnyObject, Sendable {
    /// A head announces a body that is not read yet: how fast and how much of it to take.
    func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake

    /// A request is complete. Answer at once, or keep the promise and fulfil it later.
    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served

    /// Finds out once where a head leads; what it returns comes back with the request.
    ///
    /// - Parameter known: what it returned for the same head and listener before.
    /// - Returns: `nil` when there is nothing to remember; ``willReadBody(of:from:)`` is asked about its body then.
    func route(_ head: HTTPRequest, from peer: Peer, known: (any RoutedHead)?) -> (any RoutedHead)?

    /// A request is complete whose head was routed.
    ///
    /// - Parameter isKnown: whether the request is one that has come before, and is kept.
    func respond(
        to request: HTTPRequest,
        isKnown: Bool,
        routed: (any RoutedHead)?,
        from peer: Peer,
        with promise: ResponsePromise
    ) -> Served

    /// The bytes were not an HTTP request. The response is sent and the connection closed.
    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse

    /// A request did not end, or not in time. The response is sent and the connection closed.
    func response(toUnfinished request: UnfinishedRequest, from peer: Peer) -> OutgoingResponse

    /// The client left, or the server stopped, before a request that was taken for later was answered.
    ///
    /// The promise may still be fulfilled; ``ended(exchange:outcome:)`` then says at once that the client is gone.
    func clientLeft(_ peer: Peer, before promise: ResponsePromise)

    /// A connection is closed, because its client does not read what it has asked for, and there is no room for more.
    ///
    /// - Parameter limit: the number of unsent bytes of the stream, or of all connections.
    func closed(_ peer: Peer, unsent limit: Int)

    /// A client's TLS connection failed, as a rule during the handshake; it has sent no request since.
    func failed(_ failure: TLSFailure, from peer: Peer)

    /// A Boolean value that indicates whether the client has something to do at this moment, where the handler can
    /// tell; see ``Delivery/extraHold``.
    var isClientAtWork: Bool { get }

    /// The client of a response that upgraded its connection has sent bytes.
    func received(_ bytes: [UInt8], exchange: UInt64)

    /// The response with this number has left, or never will. Called once for every response.
    func ended(exchange: UInt64, outcome: ExchangeOutcome)
}

extension HTTPHandler {
    package func route(_ head: HTTPRequest, from peer: Peer, known: (any RoutedHead)?) -> (any RoutedHead)? { known }

    package func respond(
        to request: HTTPRequest,
        isKnown: Bool,
        routed: (any RoutedHead)?,
        from peer: Peer,
        with promise: ResponsePromise
    ) -> Served {
        respond(to: request, from: peer, with: promise)
    }

    package func willReadBody(of head: HTTPRequest, from peer: Peer) -> BodyIntake {
        BodyIntake()
    }

    package func response(toUnfinished request: UnfinishedRequest, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: request.status, contentType: "text/plain", body: request.sentence + "\n"))
    }

    package func clientLeft(_ peer: Peer, before promise: ResponsePromise) {}

    package func closed(_ peer: Peer, unsent limit: Int) {}

    package func failed(_ failure: TLSFailure, from peer: Peer) {}

    package var isClientAtWork: Bool { false }

    package func received(_ bytes: [UInt8], exchange: UInt64) {}

    package func ended(exchange: UInt64, outcome: ExchangeOutcome) {}
}

/// A handler's result about a head, for its request and for later ones with the same head.
package protocol RoutedHead: AnyObject, Sendable {
    /// The rate at which a following body is read.
    var intake: BodyIntake { get }
}

/// A handler's answer to a request.
package enum Served: Sendable {
    case now(OutgoingResponse)
    /// The promise will be fulfilled.
    case later
}

/// The rate at which a request's body is read.
package struct BodyIntake: Sendable, Hashable {
    /// The client is held to this speed by not reading faster.
    package var bytesPerSecond: Int?
    /// Refused with 413 beyond this, when it is lower than the server's own limit.
    package var limit: Int?
    /// The number of bytes of a body that is read before the handler gets the request; `nil` for every whole body.
    ///
    /// The handler gets the head of a request with a longer body while the body arrives.
    package var longestBefore: Int?

    package init(bytesPerSecond: Int? = nil, limit: Int? = nil, longestBefore: Int? = nil) {
        self.bytesPerSecond = bytesPerSecond
        self.limit = limit
        self.longestBefore = longestBefore
    }
}
