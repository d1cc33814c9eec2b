extension ScalarSet {
    /// The scalars of which something holds.
    init(where holds: (Unicode.Scalar) -> Bool) {
        var ranges: [ClosedRange<UInt32>] = []
        var first: UInt32?
        for value: UInt32 in 0...0x110000 {
            let isMember = Unicode.Scalar(value).map(holds) ?? false
            if isMember, first == nil { first = value }
            if !isMember, let begun = first {
                ranges.append(begun...value - 1)
                first = nil
            }
        }
        self.init(ranges)
    }
}
