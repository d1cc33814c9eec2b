/// Which characters differ only by case: simple case folding (ECMA-262, section 22.2.2.7.3).
enum CaseFolding {
    /// The characters that fold to the same one, family by family.
    static let families: [[UInt32]] = {
        var families: [[UInt32]] = []
        var numbers = PackedNumbers(UnicodeTables.caseFamilies[...])
        var first: UInt32 = 0
        while let size = numbers.next(), let distance = numbers.next() {
            first += distance
            var family = [first]
            while family.count < size, let step = numbers.next() { family.append(family[family.count - 1] + step) }
            families.append(family)
        }
        return families
    }()

    private static let firstOfFamily: [UInt32: UInt32] = {
        var first: [UInt32: UInt32] = [:]
        for family in families {
            for member in family { first[member] = family[0] }
        }
        return first
    }()

    /// One character for all that differ only by case.
    static func fold(_ scalar: UInt32) -> UInt32 { firstOfFamily[scalar] ?? scalar }
}
