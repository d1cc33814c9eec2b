import EventLoops
import HTTPCodec

/// The right to answer one request later, from any thread.
///
/// Answering is harmless when the client has left; the handler then hears ``ExchangeOutcome/clientGone``. Only the
/// first answer counts.
package struct ResponsePromise: Sendable, Hashable {
    let receiver: any ResponseReceiver
    let connection: ConnectionKey
    /// Which request of the connection this is for.
    let sequence: UInt32

    package func fulfil(_ response: OutgoingResponse) {
        receiver.receive(response, for: connection, sequence: sequence)
    }
}

/// Where responses go that were promised: a loop of a server, or a simulated network.
protocol ResponseReceiver: AnyObject, Sendable {
    /// Sends the response if its request still waits for one, and tells the handler otherwise.
    func receive(_ response: OutgoingResponse, for connection: ConnectionKey, sequence: UInt32)
}

extension LoopAddress: ResponseReceiver {
    func receive(_ response: OutgoingResponse, for connection: ConnectionKey, sequence: UInt32) {
        if !mailbox.post(.response(response, to: connection, sequence: sequence)) {
            handler.ended(exchange: response.exchange, outcome: .clientGone)
        }
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
