import Basics
import ClientServices

/// The tokens that a stub of a server takes, for those that look at them.
final class ServerTokens: Sendable {
    private let state: Lock<(good: Tokens, issued: Int)>

    init(_ good: Tokens) {
        state = Lock((good, 1))
    }

    var good: Tokens { state.withLock { $0.good } }

    /// Takes no access token any more that was given so far.
    func expireAccess() { state.withLock { $0.good.access = "none of those that were given" } }

    /// Takes no refresh token any more that was given so far.
    func exchangeElsewhere() { state.withLock { $0.good.refresh = "another device's" } }

    /// Gives tokens with a number that no others have had.
    func renew(_ tokens: (_ number: Int, _ old: Tokens) -> Tokens) -> Tokens {
        state.withLock {
            $0.issued += 1
            $0.good = tokens($0.issued, $0.good)
            return $0.good
        }
    }
}
