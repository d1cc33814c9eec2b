/// Numbers written with the digits of base64url, five bits at a time from the lowest on; a digit of 32 or more says
/// that another follows.
struct PackedNumbers: Sequence, IteratorProtocol {
    private var digits: Substring.UTF8View

    init(_ text: Substring) { digits = text.utf8 }

    mutating func next() -> UInt32? {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while let character = digits.popFirst(), let digit = PackedNumbers.value(of: character) {
            value |= (digit & 31) << shift
            if digit < 32 { return value }
            shift += 5
        }
        return nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
