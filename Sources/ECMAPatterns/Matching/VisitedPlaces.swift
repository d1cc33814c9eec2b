/// The pairs of an instruction and a position from which the search has already failed.
///
/// Without backreferences nothing else decides what comes of a pair, so none has to be tried twice.
struct VisitedPlaces {
    /// Up to so many bits are kept for all pairs at once.
    private static let mostBits = 1 << 23

    private let positions: Int
    private var bits: [UInt64]
    private var others: Set<Int> = []
    /// What was noted, oldest first, while a lookaround is tried.
    private var trail: [Int] = []
    var keepsTrail = false

    init(instructions: Int, positions: Int) {
        self.positions = positions
        let (count, overflow) = instructions.multipliedReportingOverflow(by: positions)
        let fits = !overflow && count <= VisitedPlaces.mostBits
        bits = fits ? [UInt64](repeating: 0, count: (count + 63) / 64) : []
    }

    /// Notes a pair, and whether it is new.
    mutating func insert(_ instruction: Int, _ position: Int) -> Bool {
        let pair = instruction * positions + position
        if bits.isEmpty {
            guard others.insert(pair).inserted else { return false }
        } else {
            let mask: UInt64 = 1 << UInt64(pair & 63)
            guard bits[pair >> 6] & mask == 0 else { return false }
            bits[pair >> 6] |= mask
        }
        if keepsTrail { trail.append(pair) }
        return true
    }

    var trailLength: Int { trail.count }

    /// Takes back what was noted since: a lookaround that held says nothing about the places that it came through.
    mutating func forget(since length: Int) {
        for pair in trail[length...] {
            if bits.isEmpty { others.remove(pair) } else { bits[pair >> 6] &= ~(1 << UInt64(pair & 63)) }
        }
        trail.removeSubrange(length...)
    }
}
