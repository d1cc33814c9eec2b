import Synchronization

/// What a device keeps for an app between its launches.
final class Store: Sendable {
    private let kept: Mutex<Tokens?>

    init(_ tokens: Tokens? = nil) {
        kept = Mutex(tokens)
    }

    var tokens: Tokens? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
