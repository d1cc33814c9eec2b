import Basics

/// The tokens of one launch, with the store behind them.
final class Wallet: Sendable {
    private let store: Store
    private let bug: Bug?
    private let held: Lock<Tokens?>
    /// Whether a refresh has failed in passing.
    let hasFailed = Lock(false)
    /// The tokens that this launch began with.
    let first: Tokens?

    init(_ store: Store, bug: Bug?) {
        self.store = store
        self.bug = bug
        first = store.tokens
        held = Lock(store.tokens)
    }

    var tokens: Tokens? { held.withLock { $0 } }

    /// Keeps new tokens, for the next launch too.
    func keep(_ tokens: Tokens) {
        held.withLock { $0 = tokens }
        guard bug != .newTokenNotStored else { return }
        var stored = tokens
        (stored.asked, stored.received) = (nil, nil)
        store.tokens = stored
    }

    /// Goes on with what another process has stored.
    func takeStored() -> Tokens? {
        held.withLock { $0 = store.tokens }
        return tokens
    }

    /// Keeps the tokens of somebody who has signed in.
    func open(_ tokens: Tokens) {
        var tokens = tokens
        // The cached header of whoever was there before goes on.
        if bug == .tokenOfAnotherOwner, let first { tokens.access = first.access }
        keep(tokens)
    }

    func clear() {
        held.withLock { $0 = nil }
        store.tokens = nil
    }
}
