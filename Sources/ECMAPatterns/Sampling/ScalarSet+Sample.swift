extension ScalarSet {
    private static let lettersAndDigits = ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
    private static let printable = ScalarSet([0x20...0x7E])

    /// Draws a member, one that is easy to read if there is any; `nil` when the set has no scalars.
    func sample(prefersLetters: Bool, using generator: inout some RandomNumberGenerator) -> Unicode.Scalar? {
        let favourites = prefersLetters ? [ScalarSet.lettersAndDigits, .printable] : [.printable]
        for favourite in favourites {
            let members = favourite.ranges.joined().filter(contains)
            if let member = members.randomElement(using: &generator) { return Unicode.Scalar(member) }
        }
        let ranges = scalarRanges
        guard let range = ranges.randomElement(using: &generator) else { return nil }
        return Unicode.Scalar(UInt32.random(in: range, using: &generator))
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
