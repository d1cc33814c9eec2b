/// The stream of chance of one attempt (SplitMix64): the same seed makes the same value.
struct SampleChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something happens that is so probable.
    mutating func happens(_ probability: Double) -> Bool {
        Double(next() >> 11) < probability * 0x1p53
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    /// Texts of lowercase hexadecimal digits.
    mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in Character(Unicode.Scalar(Self.hexDigits[Int(next() >> 60)])) })
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
