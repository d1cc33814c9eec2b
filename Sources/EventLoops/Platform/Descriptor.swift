/// An open file descriptor, closed when the last reference to it goes.
///
/// A class, because closing must happen exactly once, whichever thread or mailbox held the descriptor last.
package final class Descriptor: Sendable {
    /// The kernel's number, which is reused after closing: no caller keeps it longer than the descriptor.
    package let number: Int32

    /// Takes the ownership of a descriptor.
    package init(adopting number: Int32) {
        self.number = number
    }

    deinit {
        Platform.close(number)
    }
}

/// The result of reading from a socket.
package enum ReadOutcome: Sendable, Hashable {
    case bytes(Int)
    case wouldBlock
    /// The peer sends no more; it may still read.
    case endOfStream
    case failed(ErrorNumber)
}

/// The result of writing to a socket.
package enum WriteOutcome: Sendable, Hashable {
    /// This number of bytes was taken, perhaps fewer than offered.
    case bytes(Int)
    case wouldBlock
    case failed(ErrorNumber)
}

/// The result of accepting a connection.
package enum AcceptOutcome: Sendable {
    case accepted(ConnectedSocket, from: SocketAddress)
    /// No connection is waiting.
    case wouldBlock
    /// One connection was lost before it was accepted; the next one may be fine.
    case lost
    /// Descriptors or memory ran out: wait a little, keep the listener.
    case exhausted(ErrorNumber)
    case failed(ErrorNumber)
}
