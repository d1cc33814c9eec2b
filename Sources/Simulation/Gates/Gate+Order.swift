import HTTPCodec
import JSON
import ScenarioFormat

extension Gate.Order {
    /// Puts requests into the order in which they go on.
    ///
    /// - Parameters:
    ///   - held: the requests in the order of their arrival.
    ///   - chance: the stream of this opening.
    func arrange(_ held: [HeldRequest], _ chance: Chance) -> [HeldRequest] {
        switch self {
        case .arrival: return held
        case .reversed: return held.reversed()
        case .seeded:
            // Which of several requests came first is luck, so the same requests are drawn from the same row.
            var row = held.sorted { $0.comes(before: $1) }
            var chance = chance
            for place in row.indices.dropFirst().reversed() {
                row.swapAt(place, chance.integer(in: 0...place))
            }
            return row
        }
    }
}

extension Chance {
    /// The stream that an opening of a gate draws from; exchanges never come to such numbers.
    init(seed: UInt64, gate: Int, opening: Int) {
        self.init(
            seed: seed,
            stream: 0x4741_5445 << 32 | UInt64(truncatingIfNeeded: gate) << 20 | UInt64(truncatingIfNeeded: opening)
        )
    }
}

extension HeldRequest {
    /// An order that depends on the requests, and on their arrival only where they are the same.
    fileprivate func comes(before other: HeldRequest) -> Bool {
        if !request.method.rawValue.hasSameUTF8(as: other.request.method.rawValue) {
            return request.method.rawValue.utf8.lexicographicallyPrecedes(other.request.method.rawValue.utf8)
        }
        if !request.target.hasSameUTF8(as: other.request.target) {
            return request.target.utf8.lexicographicallyPrecedes(other.request.target.utf8)
        }
        if request.body != other.request.body {
            return request.body.lexicographicallyPrecedes(other.request.body)
        }
        let (own, theirs) = (request.fields.bytes(of: "Authorization"), other.request.fields.bytes(of: "Authorization"))
        if own != theirs { return (own ?? []).lexicographicallyPrecedes(theirs ?? []) }
        return ticket < other.ticket
    }
}
