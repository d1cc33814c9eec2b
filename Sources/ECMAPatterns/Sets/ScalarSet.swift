/// A set of code points: sorted ranges that neither touch nor overlap.
///
/// Surrogates may be members, as they may in an expression, but no text has them.
struct ScalarSet: Hashable, Sendable {
    static let all = ScalarSet([0...0x10FFFF])

    let ranges: [ClosedRange<UInt32>]
    /// The members below 128, a bit each: most texts are asked about nothing else.
    private let ascii: (low: UInt64, high: UInt64)

    init(_ unordered: [ClosedRange<UInt32>]) {
        var joined: [ClosedRange<UInt32>] = []
        for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1 {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        ranges = joined
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for range in joined where range.lowerBound < 128 {
            for member in range.lowerBound...min(range.upperBound, 127) {
                if member < 64 { bits.low |= 1 << UInt64(member) } else { bits.high |= 1 << UInt64(member - 64) }
            }
        }
        ascii = bits
    }

    init(_ member: UInt32) { self.init([member...member]) }

    /// The ASCII characters of a text.
    init(_ members: StaticString) {
        self.init(members.withUTF8Buffer { $0.map { UInt32($0)...UInt32($0) } })
    }

    static func == (left: ScalarSet, right: ScalarSet) -> Bool { left.ranges == right.ranges }

    func hash(into hasher: inout Hasher) { hasher.combine(ranges) }

    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return ascii.low & (1 << UInt64(scalar)) != 0 }
        if scalar < 128 { return ascii.high & (1 << UInt64(scalar - 64)) != 0 }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    var complement: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }
}
