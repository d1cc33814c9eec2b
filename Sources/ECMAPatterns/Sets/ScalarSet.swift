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

extension ScalarSet {
    /// The set with everything that differs from a member only by case (ECMA-262, section 22.2.2.7.3).
    var closedOverCase: ScalarSet {
        let inside = ranges.map(CaseFolding.places).filter { !$0.isEmpty }
        var added: [ClosedRange<UInt32>] = []
        if 2 * inside.reduce(0, { $0 + $1.count }) <= CaseFolding.members.count {
            for places in inside {
                for place in places {
                    for member in CaseFolding.families[CaseFolding.members[place].family] where !contains(member) {
                        added.append(member...member)
                    }
                }
            }
        } else {
            // A complement such as `[^;]` has nearly all members, so those that it lacks are compared with it.
            var next = 0
            for places in inside + [CaseFolding.members.count..<CaseFolding.members.count] {
                for place in next..<places.lowerBound {
                    let (member, family) = CaseFolding.members[place]
                    if CaseFolding.families[family].contains(where: contains) { added.append(member...member) }
                }
                next = places.upperBound
            }
        }
        return added.isEmpty ? self : ScalarSet(ranges + added)
    }
}

/// The sets that have an escape or a sign of their own (ECMA-262, sections 12.2, 12.3 and 22.2.2.9).
extension ScalarSet {
    static let digits = ScalarSet([0x30...0x39])

    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// The word characters where case is ignored: the long s folds to s, and the Kelvin sign to k.
    static let wordCharactersInAnyCase = wordCharacters.union(ScalarSet([0x17F...0x17F, 0x212A...0x212A]))

    /// WhiteSpace and LineTerminator: unlike Unicode's White_Space without U+0085, but with U+FEFF.
    static let whitespace = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])

    static let lineTerminators = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}

extension ScalarSet {
    /// The scalars of which something holds.
    init(where holds: (Unicode.Scalar) -> Bool) {
        // Not by the generic `scan`, which takes several times as long where nothing is specialized.
        var ranges: [ClosedRange<UInt32>] = []
        var (place, first, isInside): (UInt32, UInt32, Bool) = (0, 0, false)
        while place <= 0x10FFFF {
            var isMember = false
            if let scalar = Unicode.Scalar(place) { isMember = holds(scalar) }
            if isMember != isInside {
                if isInside { ranges.append(first...place - 1) }
                (first, isInside) = (place, isMember)
            }
            place = ScalarSet.place(after: place)
        }
        if isInside { ranges.append(first...0x10FFFF) }
        self.init(ranges)
    }

    /// The next code point that is looked at.
    ///
    /// The planes from 4 on hold nothing but a few special characters at the beginning of plane 14, private use, and two
    /// noncharacters at the end of each: the rest of such a plane is like the place at which it begins.
    private static func place(after place: UInt32) -> UInt32 {
        place >= 0x40000 && place & 0xFFFF == 0x1000 ? place + 0xEFFE : place + 1
    }

    /// Goes through all code points, and reports each stretch of one value; surrogates are not scalars.
    static func scan<Value: Equatable>(
        _ value: (Unicode.Scalar?) -> Value,
        report: (Value, ClosedRange<UInt32>) -> Void
    ) {
        var first: UInt32 = 0
        var current = value("\0")
        var next: UInt32 = 1
        while next <= 0x10FFFF {
            let here = value(Unicode.Scalar(next))
            if here != current {
                report(current, first...next - 1)
                (first, current) = (next, here)
            }
            next = place(after: next)
        }
        report(current, first...0x10FFFF)
    }
}
