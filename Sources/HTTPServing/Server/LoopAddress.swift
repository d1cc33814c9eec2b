import Basics
import EventLoops
import HTTPCodec
import TLS

/// The access of other threads to a loop of the server; a class, so that a promise is small.
final class LoopAddress: Sendable {
    let mailbox: Mailbox<ServingLoop.Message>
    let handler: any HTTPHandler

    init(mailbox: Mailbox<ServingLoop.Message>, handler: any HTTPHandler) {
        self.mailbox = mailbox
        self.handler = handler
    }
}
