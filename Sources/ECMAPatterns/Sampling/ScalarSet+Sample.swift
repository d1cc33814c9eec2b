extension ScalarSet {
    private static let lettersAndDigits = ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    private static let printable = ScalarSet([0x20...0x7E])

    /// Draws a member, one that is easy to read if there is any; `nil` when the set has no scalars.
    func sample(prefersLetters: Bool, using generator: inout some RandomNumberGenerator) -> Unicode.Scalar? {
        let favourites = prefersLetters ? [ScalarSet.lettersAndDigits, .printable] : [.printable]
        for favourite in favourites {
            let shared = ranges(within: favourite)
            let count = shared.reduce(0) { $0 + $1.count }
            guard count > 0 else { continue }
            var number = Int.random(in: 0..<count, using: &generator)
            for range in shared {
                if number < range.count { return Unicode.Scalar(range.lowerBound + UInt32(number)) }
                number -= range.count
            }
        }
        let ranges = scalarRanges
        guard let range = ranges.randomElement(using: &generator) else { return nil }
        return Unicode.Scalar(UInt32.random(in: range, using: &generator))
    }

    /// What is in both sets, in order.
    private func ranges(within other: ScalarSet) -> [ClosedRange<UInt32>] {
        other.ranges.flatMap { range in
            ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
        }
    }

    /// The ranges without surrogates.
    private var scalarRanges: [ClosedRange<UInt32>] {
        ranges.flatMap { range -> [ClosedRange<UInt32>] in
            var parts: [ClosedRange<UInt32>] = []
            if range.lowerBound < 0xD800 { parts.append(range.lowerBound...min(range.upperBound, 0xD7FF)) }
            if range.upperBound > 0xDFFF { parts.append(max(range.lowerBound, 0xE000)...range.upperBound) }
            return parts
        }
    }
}
