import EventLoops
import HTTPCodec

/// Limits on the bytes that wait to be sent, so that a client that does not read cannot use up the memory of the others.
extension HTTPConnection {
    /// The number of unsent bytes of a WebSocket beyond which nothing is read from its client: 1 MB.
    ///
    /// The client then cannot send either, as with a server that answers each message before it reads the next one.
    private static let mostUnread = 1 << 20

    /// The events of the connection that the selector reports.
    var interest: Interest {
        if relay != nil { return relayedInterest }
        let interest = machine.interest(buffered: input.count)
        guard let stream, stream.waiting > Self.mostUnread, response?.upgrades == true else { return interest }
        return interest.subtracting(.read)
    }

    /// Reserves memory for the bytes that wait to be sent, or releases some; returns `false` if the limit is reached.
    func holdOutput() -> Bool {
        let waiting = (stream?.waiting ?? earlyBytes) + (outgoing?.memory ?? 0)
        let wanted = waiting / Self.countedShare * Self.countedShare
        if wanted > heldOutput {
            guard loop.unsent.take(wanted - heldOutput) else { return false }
        } else if wanted < heldOutput {
            loop.unsent.giveBack(heldOutput - wanted)
        }
        heldOutput = wanted
        return true
    }

    /// Releases all reserved memory, because nothing waits anymore.
    func giveBackOutput() {
        guard heldOutput > 0 else { return }
        loop.unsent.giveBack(heldOutput)
        heldOutput = 0
    }

    /// Closes the connection of a client that does not read.
    func closeUnsent(limit: Int) {
        loop.handler.closed(peer, unsent: limit)
        perform(machine.handle(.lost, at: now))
    }
}
