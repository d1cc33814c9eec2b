import TestSupport

@testable import ReferenceClients

/// How long things take in a play; another seed is another order of the same things.
struct Schedule {
    private var chance: SeededGenerator
    /// Whether the server knows that a response has arrived, and not only that it has left.
    let seesArrivals: Bool

    /// How long the server thinks, where that is always the same.
    private let latency: Duration?

    /// - Parameter latency: how long the server thinks; by default another time each time. The network is quick then.
    init(seed: UInt64, latency: Duration? = nil) {
        self.latency = latency
        chance = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 17)
        seesArrivals = seed.isMultiple(of: 2)
    }

    /// How long a request or a response is under way: 0.1 to 8 ms, or to 1 ms.
    mutating func transit() -> Duration {
        .microseconds(Int64.random(in: 100...(latency == nil ? 8_000 : 1_000), using: &chance))
    }

    /// How long the server thinks: 0.1 to 3 ms, where nothing else is said.
    mutating func service() -> Duration {
        latency ?? .microseconds(Int64.random(in: 100...3_000, using: &chance))
    }
}
