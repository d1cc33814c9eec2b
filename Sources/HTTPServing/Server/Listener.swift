import Basics
import EventLoops

/// One listening socket; a class, because registrations refer to it.
final class Listener: DescriptorHandler {
    let socket: ListeningSocket
    let tag: Int
    /// Since when connections may have waited in the kernel's queue; `nil` while that is empty.
    var waitingSince: MonotonicTime?
    private unowned let acceptor: Acceptor

    init(_ socket: ListeningSocket, tag: Int, acceptor: Acceptor) {
        self.socket = socket
        self.tag = tag
        self.acceptor = acceptor
    }

    func descriptorIsReady(_ readiness: Readiness) {
        acceptor.accept(from: self)
    }
}
