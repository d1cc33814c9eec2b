import TestSupport

@testable import ReferenceClients

/// How long things take in a play; another seed is another order of the same things.
struct Schedule {
    private var chance: SeededGenerator
    /// Whether the server knows that a response has arrived, and not only that it has left.
    let seesArrivals: Bool

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 17)
        seesArrivals = seed.isMultiple(of: 2)
    }

    /// How long a request or a response is under way: 0.1 to 8 ms.
    mutating func transit() -> Duration {
        .microseconds(Int64.random(in: 100...8_000, using: &chance))
    }

    /// How long the server thinks: 0.1 to 3 ms.
    mutating func service() -> Duration {
        .microseconds(Int64.random(in: 100...3_000, using: &chance))
    }
}
