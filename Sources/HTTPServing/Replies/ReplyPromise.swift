import HTTPWire
import SocketIO

/// The right to answer one request later, from any thread.
///
/// Answering is harmless when the client has left; the handler then hears ``ExchangeOutcome/clientGone``. Only the
/// first answer counts.
package struct ReplyPromise: Sendable, Hashable {
    let address: LoopAddress
    let connection: ConnectionKey
    /// Which request of the connection this is for.
    let sequence: UInt32

    package func fulfil(_ reply: HTTPReply) {
        if !address.mailbox.post(.reply(reply, to: connection, sequence: sequence)) {
            address.handler.ended(exchange: reply.exchange, outcome: .clientGone)
        }
    }
}

extension ReplyPromise {
    /// Two promises are the same when they are for the same request.
    package static func == (left: ReplyPromise, right: ReplyPromise) -> Bool {
        left.address === right.address && left.connection == right.connection && left.sequence == right.sequence
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(address))
        hasher.combine(connection)
        hasher.combine(sequence)
    }
}

/// Names a connection within its loop; the generation tells it from earlier users of the slot.
struct ConnectionKey: Sendable, Hashable {
    var slot: UInt32
    var generation: UInt32
}
