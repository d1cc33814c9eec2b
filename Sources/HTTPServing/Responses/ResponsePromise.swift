import EventLoops
import HTTPCodec

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

/// Names a connection within its loop; the generation tells it from earlier users of the slot.
struct ConnectionKey: Sendable, Hashable {
    var slot: UInt32
    var generation: UInt32
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
