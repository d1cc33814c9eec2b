import EventLoops
import HTTPCodec

/// The right to answer one request later, from any thread.
///
/// Answering is harmless when the client has left; the handler then hears ``ExchangeOutcome/clientGone``. Only the
/// first answer counts.
package struct ReplyPromise: Sendable, Hashable {
    let receiver: any ReplyReceiver
    let connection: ConnectionKey
    /// Which request of the connection this is for.
    let sequence: UInt32

    package func fulfil(_ reply: HTTPReply) { receiver.receive(reply, for: connection, sequence: sequence) }
}

/// Where replies go that were promised: a loop of a server, or a simulated network.
protocol ReplyReceiver: AnyObject, Sendable {
    /// Sends the reply if its request still waits for one, and tells the handler otherwise.
    func receive(_ reply: HTTPReply, for connection: ConnectionKey, sequence: UInt32)
}

extension LoopAddress: ReplyReceiver {
    func receive(_ reply: HTTPReply, for connection: ConnectionKey, sequence: UInt32) {
        if !mailbox.post(.reply(reply, to: connection, sequence: sequence)) {
            handler.ended(exchange: reply.exchange, outcome: .clientGone)
        }
    }
}

extension ReplyPromise {
    /// Two promises are the same when they are for the same request.
    package static func == (left: ReplyPromise, right: ReplyPromise) -> Bool {
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
