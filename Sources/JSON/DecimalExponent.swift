/// A power of ten of any size, each in exactly one form.
///
/// Texts may carry exponents beyond every integer type ("1e99999999999999999999"), and they must be comparable too.
enum DecimalExponent: Hashable {
    /// An exponent of at most eighteen digits.
    case near(Int)
    /// An exponent of more than eighteen digits; their values 0 to 9, the most significant first.
    case far(isNegative: Bool, digits: [UInt8])

    private static let nearDigits = 18

    /// The exponent written in a number's text (an optional sign and digits, perhaps none), moved by some places.
    ///
    /// - Parameter places: smaller than 10^18 on either side, as every count of characters is.
    init(_ text: ArraySlice<UInt8>, plus places: Int) {
        let isNegative = text.first == .minus
        let written = text.drop { !$0.isDigit }.drop { $0 == .zero }
        guard written.count > DecimalExponent.nearDigits else {
            let size = written.reduce(0) { $0 * 10 + Int($1 - .zero) }
            self.init((isNegative ? -size : size) + places)
            return
        }
        var digits = written.map { $0 - .zero }
        DecimalExponent.add(isNegative ? -places : places, to: &digits)
        let significant = Array(digits.drop { $0 == 0 })
        if significant.count > DecimalExponent.nearDigits {
            self = .far(isNegative: isNegative, digits: significant)
        } else {
            let size = significant.reduce(0) { $0 * 10 + Int($1) }
            self = .near(isNegative ? -size : size)
        }
    }

    private init(_ value: Int) {
        let digits = String(value.magnitude).utf8
        if digits.count > DecimalExponent.nearDigits {
            self = .far(isNegative: value < 0, digits: digits.map { $0 - .zero })
        } else {
            self = .near(value)
        }
    }

    /// Adds a number of either sign to decimal digits whose value is larger.
    private static func add(_ amount: Int, to digits: inout [UInt8]) {
        var carry = amount
        var place = digits.count - 1
        while carry != 0 {
            if place < 0 {
                digits.insert(0, at: 0)
                place = 0
            }
            let total = Int(digits[place]) + carry
            // Rounded towards minus infinity, so that a digit never becomes negative.
            carry = total >= 0 ? total / 10 : (total - 9) / 10
            digits[place] = UInt8(total - carry * 10)
            place -= 1
        }
    }
}

extension DecimalExponent: Comparable {
    static func < (left: DecimalExponent, right: DecimalExponent) -> Bool {
        switch (left, right) {
        case (.near(let left), .near(let right)): left < right
        case (.near, .far(let isNegative, _)): !isNegative
        case (.far(let isNegative, _), .near): isNegative
        case (.far(let leftIsNegative, let left), .far(let rightIsNegative, let right)):
            if leftIsNegative != rightIsNegative {
                leftIsNegative
            } else if leftIsNegative {
                isSmaller(right, left)
            } else {
                isSmaller(left, right)
            }
        }
    }

    private static func isSmaller(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}
