import Basics

/// What a device keeps for an app between its launches.
final class Store: Sendable {
    private let kept: Lock<Tokens?>
    private let write: @Sendable (Tokens?) -> Void

    /// - Parameter write: keeps the tokens beyond the life of the process.
    init(_ tokens: Tokens? = nil, write: @escaping @Sendable (Tokens?) -> Void = { _ in }) {
        kept = Lock(tokens)
        self.write = write
    }

    var tokens: Tokens? {
        get { kept.withLock { $0 } }
        set {
            kept.withLock { tokens in
                tokens = newValue
                write(newValue)
            }
        }
    }
}
