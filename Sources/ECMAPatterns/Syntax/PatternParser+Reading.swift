extension PatternParser {
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    func scalar(after distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard next == expected else { return false }
        position += 1
        return true
    }

    /// Takes a text of ASCII characters if it is what follows.
    mutating func take(_ expected: String) -> Bool {
        let wanted = Array(expected.unicodeScalars)
        guard position + wanted.count <= scalars.count,
            scalars[position..<position + wanted.count].elementsEqual(wanted)
        else { return false }
        position += wanted.count
        return true
    }

    /// Takes a decimal number; what is too large to count is `LengthBounds.largest`.
    mutating func number() -> Int? {
        let start = position
        var value = 0
        while let digit = next, ("0"..."9").contains(digit) {
            value = min(value * 10 + Int(digit.value - 0x30), LengthBounds.largest)
            position += 1
        }
        return position == start ? nil : value
    }

    /// Takes exactly so many hexadecimal digits.
    mutating func hexadecimal(digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<digits {
            guard let digit = scalar(after: distance)?.hexadecimalValue else { return nil }
            value = value << 4 | digit
        }
        position += digits
        return value
    }
}

extension Unicode.Scalar {
    /// What the scalar counts as a hexadecimal digit of ASCII.
    var hexadecimalValue: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}
