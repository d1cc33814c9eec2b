import Basics

/// What a device keeps for an app between its launches.
final class Store: Sendable {
    private let kept: Lock<Tokens?>

    init(_ tokens: Tokens? = nil) {
        kept = Lock(tokens)
    }

    var tokens: Tokens? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
