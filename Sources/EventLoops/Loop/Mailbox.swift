import Basics

/// Messages for a loop from any thread, in the order of posting.
///
/// Whoever lives on the loop takes them after a wake-up (see ``EventLoop/resident``).
/// A class, because senders and the loop share it.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let wakeUp: WakeUp

    init(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    package init(for loop: EventLoop.Handle) {
        wakeUp = loop.core.wakeUp
    }

    /// Answers false when the mailbox is closed: nobody will read the message.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        let isDelivered = state.withLock { state in
            if state.isClosed { return false }
            state.messages.append(message)
            return true
        }
        if isDelivered { wakeUp.wake() }
        return isDelivered
    }

    package func takeAll() -> [Message] {
        state.withLock { state in
            if state.messages.isEmpty { return [] }
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// Refuses further messages and answers those that nobody has taken.
    @discardableResult
    package func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}
