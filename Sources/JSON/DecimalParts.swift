import Basics

extension DecimalParts {
    /// Returns the distance of the last digit to that of another number; `nil` if it is not reasonable.
    func lastPlace(minus other: DecimalParts) -> Int? {
        guard case .near(let left) = exponent, case .near(let right) = other.exponent else { return nil }
        return (left - digits.count) - (right - other.digits.count)
    }
}

/// A number taken apart: sign × 0.*digits* × 10^*exponent*, each number in exactly one way.
///
/// The digits neither begin nor end with zero, so equal numbers have equal parts and nothing is ever expanded: 1e9999
/// is one digit and an exponent. Zero has no digits, no sign and the exponent zero.
struct DecimalParts: Hashable {
    var isNegative = false
    /// Values 0 to 9, the most significant first.
    var digits: [UInt8] = []
    var exponent = DecimalExponent.near(0)

    init(_ number: JSONNumber) {
        // Where the point stands, counted from the first digit that is not zero.
        var point = 0
        var isFraction = false
        var bytes = number.text.utf8.makeIterator()
        var exponentBytes: [UInt8] = []
        while let byte = bytes.next() {
            switch byte {
            case .minus:
                isNegative = true
            case .point:
                isFraction = true
            case .zero where digits.isEmpty:
                if isFraction { point -= 1 }
            case _ where byte.isDigit:
                digits.append(byte - .zero)
                if !isFraction { point += 1 }
            default:
                // The exponent's letter; what follows is all the exponent's.
                while let byte = bytes.next() { exponentBytes.append(byte) }
            }
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty {
            isNegative = false
        } else {
            exponent = DecimalExponent(exponentBytes[...], plus: point)
        }
    }

    /// The exact value as an `Int`, when it is one.
    var int: Int? {
        guard !digits.isEmpty else { return 0 }
        // Int.max has 19 digits.
        guard case .near(let places) = exponent, digits.count <= places, places <= 19 else { return nil }
        var value = 0
        for place in 0..<places {
            let digit = place < digits.count ? Int(digits[place]) : 0
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, furtherOverflow) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflow, !furtherOverflow else { return nil }
            value = next
        }
        return value
    }

    var isInteger: Bool {
        digits.isEmpty || !(exponent < .near(digits.count))
    }
}

extension DecimalParts: Comparable {
    static func < (left: DecimalParts, right: DecimalParts) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private func isCloserToZero(than other: DecimalParts) -> Bool {
        guard !digits.isEmpty, !other.digits.isEmpty else { return digits.isEmpty && !other.digits.isEmpty }
        guard exponent == other.exponent else { return exponent < other.exponent }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}

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

/// Arithmetic modulo a number below 10^18.
struct Remainder {
    let modulus: UInt64

    func of(_ digits: [UInt8], timesTenToThe exponent: Int) -> UInt64 {
        var remainder: UInt64 = 0
        for digit in digits { remainder = (product(remainder, 10 % modulus) + UInt64(digit) % modulus) % modulus }
        var power = 10 % modulus
        var exponent = exponent
        while exponent > 0, remainder != 0 {
            if exponent & 1 == 1 { remainder = product(remainder, power) }
            power = product(power, power)
            exponent >>= 1
        }
        return remainder
    }

    private func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        // Both are below the modulus, hence the high half of the product is too.
        modulus.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
    }
}
