import EventLoops
import HTTPCodec
import HTTPServing
import Simulation

/// Received bytes that are not a request, so that no journal has them.
package struct Refusals: Sendable, Hashable {
    package private(set) var count = 0
    /// The reason why the first was refused, as a sentence without a closing full stop.
    package private(set) var first: String?
    /// The remedy for the first; `nil` for the usual one.
    package private(set) var advice: String?

    package init() {}

    mutating func note(_ sentence: String, advice: String? = nil) {
        count += 1
        if first == nil { (first, self.advice) = (sentence, advice) }
    }
}
