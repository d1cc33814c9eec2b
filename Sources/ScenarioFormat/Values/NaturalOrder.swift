import Basics
import ECMAPatterns

/// A text whose digits are compared as numbers, as people sort names: `K2` goes before `K10`.
package struct NaturalOrder: Comparable {
    /// The text as it is.
    package let text: String

    /// Makes a text comparable.
    package init(_ text: String) {
        self.text = text
    }

    /// Returns whether they are the same, byte for byte.
    package static func == (left: NaturalOrder, right: NaturalOrder) -> Bool {
        left.text.exact == right.text.exact
    }

    /// Returns whether one goes before the other.
    package static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        var (one, other) = (left.text.utf8[...], right.text.utf8[...])
        while let first = one.first, let second = other.first {
            if first.isASCIIDigit, second.isASCIIDigit {
                let (number, rival) = (takeNumber(from: &one), takeNumber(from: &other))
                if number.count != rival.count { return number.count < rival.count }
                if !number.elementsEqual(rival) { return number.lexicographicallyPrecedes(rival) }
            } else if first != second {
                return first < second
            } else {
                (one, other) = (one.dropFirst(), other.dropFirst())
            }
        }
        if one.isEmpty, other.isEmpty { return left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
        return one.isEmpty
    }

    /// Takes the digits at the beginning away, and returns them without leading zeros.
    private static func takeNumber(from text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: \.isASCIIDigit)
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
