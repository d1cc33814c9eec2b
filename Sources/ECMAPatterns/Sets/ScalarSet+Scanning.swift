extension ScalarSet {
    /// The scalars of which something holds.
    init(where holds: (Unicode.Scalar) -> Bool) {
        var ranges: [ClosedRange<UInt32>] = []
        ScalarSet.scan({ $0.map(holds) ?? false }) { isMember, range in
            if isMember { ranges.append(range) }
        }
        self.init(ranges)
    }

    /// Goes through all code points, and reports each stretch of one value; surrogates are no scalars.
    ///
    /// The planes from 4 on hold nothing but a few special characters at the beginning of plane 14, private use, and two
    /// noncharacters at the end of each: the rest of such a plane is like the place at which it begins.
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
            let isEmptyRest = next >= 0x40000 && next & 0xFFFF == 0x1000
            next += isEmptyRest ? 0xEFFE : 1
        }
        report(current, first...0x10FFFF)
    }
}
