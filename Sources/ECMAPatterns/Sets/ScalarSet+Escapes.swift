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
