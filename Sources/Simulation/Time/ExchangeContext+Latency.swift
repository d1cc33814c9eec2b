import Basics
import HTTPCodec
package import ScenarioFormat

/// The times for which a response waits before it leaves.
extension ExchangeContext {
    /// Returns whether a response is held because a client that knows it behaves differently from one that does not.
    func isHeld(_ response: ResponseMessage, _ fault: Fault?, _ rules: TokenRules) -> Bool {
        guard origin == nil, fault?.kind != .never else { return false }
        switch purpose {
        case .refresh: return true
        case .signIn: return false
        case .resource, .signOut, .open, nil:
            let isRefused = offered.contains { token in
                token.isAccepted == false && rules.kind(named: token.wanted)?.isForeign == false
            }
            let isPostponed = !response.status.isSuccessful && response.contains("Retry-After")
            return isRefused || isPostponed || response.status.code == 401
        }
    }

    /// Draws the time for which the response waits.
    mutating func wait(_ latency: Latency?) -> Decision.Wait {
        delay = max(.zero, latency.map { chance.wait($0.distribution) } ?? .zero)
        guard let latency, delay > .zero else { return .none }
        return latency.isVirtual ? .virtual(until: now + delay) : .real(delay)
    }
}

extension Chance {
    /// The number of times that a draw beyond a maximum is drawn again before the maximum itself is taken.
    private static let attempts = 1_000

    /// Draws a wait from a distribution.
    package mutating func wait(_ distribution: Latency.Distribution) -> Duration {
        switch distribution {
        case .fixed(let wait): return wait
        case .uniform(let shortest, let longest):
            let range = shortest.wholeMicroseconds...longest.wholeMicroseconds
            return .microseconds(Int64(integer(in: Int(range.lowerBound)...Int(range.upperBound))))
        case .logNormal(let median, let sigma, let maximum):
            for _ in 0..<Self.attempts {
                let wait = LogNormal.sample(median: median, sigma: sigma, 1 - unit(), unit())
                if wait <= maximum ?? DurationText.maximum { return wait }
            }
            return maximum ?? DurationText.maximum
        }
    }
}
