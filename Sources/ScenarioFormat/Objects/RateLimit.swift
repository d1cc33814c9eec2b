import Basics
import JSON

/// A limit on the requests of a route in a window of time, which begins with the first request after the last window.
package struct RateLimit: Sendable {
    /// The owner of the requests that are counted together.
    package enum Scope: String, Sendable, CaseIterable {
        case session
        case account
        case device
    }

    /// The number of requests in a window.
    package var requests = 1
    package var window = Duration.seconds(60)
    package var scope = Scope.session
    /// The response to every further request; the tool's own 429 if `nil`.
    package var exceeded: StubResponse?
}

extension RateLimit: ModelObject {
    static let keys = Keys("rateLimit", "\"rate\"", "a limit on requests in a window of time", merging: .whole) {
        Key("requests", \.requests, .integer(1...1_000_000), "The number of requests per window.").required
        Key("window", \.window, .duration, "The virtual time of a window.")
        Key("per", \.scope, .word, "The owner of the count.")
        Key("exceeded", \.exceeded, .response, "The response to further requests.")
            .otherwise("429 with `Retry-After`")
    }
}
