/// An open file descriptor, closed when the last reference to it goes.
///
/// A class, because closing must happen exactly once, whichever thread or mailbox held the descriptor last.
package final class Descriptor: Sendable {
    /// The kernel's number, which is reused after closing: no caller keeps it longer than the descriptor.
    package let number: Int32

    /// Takes over a descriptor that no other owner will close.
    package init(adopting number: Int32) {
        self.number = number
    }

    deinit {
        Platform.close(number)
    }
}
