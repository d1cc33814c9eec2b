import Basics

/// A number with the exact text in which it was written.
///
/// JSON numbers are decimal and unbounded, so nothing is rounded: 2^53 + 1 stays what it is, 1.0 keeps its point, and
/// all comparisons are made with the mathematical value of the text.
package struct JSONNumber: Sendable {
    /// The number as JSON writes it; always of the grammar of RFC 8259, section 6.
    package let text: String

    /// Takes a text that must be a JSON number and nothing else: no spaces, no plus sign, no leading zeros.
    package init?(_ text: String) {
        var text = text
        let isNumber = text.withUTF8 { bytes in
            var end = 0
            return NumberGrammar.scan(bytes, from: 0, end: &end) == nil && end == bytes.count
        }
        guard isNumber else { return nil }
        self.text = text
    }

    package init(_ value: some BinaryInteger) {
        text = String(value)
    }

    /// Takes the shortest text that names the same `Double`, without a needless ".0"; infinities and NaN give `nil`.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        let text = value.description
        self.text = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Takes a text whose grammar the parser has checked.
    @inline(__always)
    init(checked text: String) {
        self.text = text
    }
}

extension JSONNumber {
    /// The exact value if it is an `Int`, in any notation: 1.0, 1e2 and -0 are integers, 0.5 is not.
    package var int: Int? {
        switch plainInteger {
        case .some(let value): value
        case .none: DecimalParts(self).int
        }
    }

    /// The nearest `Double`; infinite where the value lies beyond its range, zero where it is too small.
    package var double: Double {
        // `Double` reads every text of JSON's grammar, so the second value is never taken.
        Double(text) ?? .nan
    }

    /// A Boolean value that indicates whether the value has no fraction, at any size: 1e400 is an integer.
    package var isInteger: Bool {
        plainInteger != nil || DecimalParts(self).isInteger
    }

    /// The value of a text that is digits only, with a sign perhaps: `nil` when there is more, the inner `nil` when
    /// it is an integer beyond `Int`.
    private var plainInteger: Int?? {
        var value = 0
        var isNegative = false
        var isBeyond = false
        for byte in text.utf8 {
            guard byte.isDigit else {
                guard byte == .minus else { return .none }
                isNegative = true
                continue
            }
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int(byte - .zero)
            let (next, furtherOverflow) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
            isBeyond = isBeyond || overflow || furtherOverflow
            value = next
        }
        return .some(isBeyond ? nil : value)
    }
}

extension JSONNumber: Hashable {
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text.exact == right.text.exact { return true }
        // Every text of an integer within `Int` says so, hence unequal results here settle it.
        switch (left.int, right.int) {
        case (let left?, let right?): return left == right
        case (nil, nil): return DecimalParts(left) == DecimalParts(right)
        default: return false
        }
    }

    package func hash(into hasher: inout Hasher) {
        if let int {
            hasher.combine(int)
        } else {
            hasher.combine(DecimalParts(self))
        }
    }
}

extension JSONNumber: Comparable {
    package static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        if case .some(let left?) = left.plainInteger, case .some(let right?) = right.plainInteger {
            return left < right
        }
        // Rounding never swaps two numbers, so unequal results settle it.
        let (leftDouble, rightDouble) = (left.double, right.double)
        guard leftDouble == rightDouble else { return leftDouble < rightDouble }
        return DecimalParts(left) < DecimalParts(right)
    }
}

extension JSONNumber: CustomStringConvertible {
    package var description: String { text }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(value) }
}

extension JSONNumber {
    /// Returns whether this is a whole multiple of a number above zero, reckoned exactly on the decimal digits.
    ///
    /// - Returns: `nil` when the exponents lie so far apart, or the divisor has so many digits, that the division would
    ///   take too long.
    package func isMultiple(of divisor: JSONNumber) -> Bool? {
        if let value = int, let divisor = divisor.int { return divisor != 0 && value.isMultiple(of: divisor) }
        let value = DecimalParts(self)
        let unit = DecimalParts(divisor)
        guard !value.digits.isEmpty else { return true }
        guard !unit.digits.isEmpty else { return false }
        // Both become whole numbers without a zero at their end, times a power of ten.
        guard let shift = value.lastPlace(minus: unit) else { return value.exponent < unit.exponent ? false : nil }
        // A digit other than zero at the end: not a multiple of ten.
        guard shift >= 0 else { return false }
        if unit.digits.count <= 18 {
            let modulus = unit.digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1) }
            return Remainder(modulus: modulus).of(value.digits, timesTenToThe: shift) == 0
        }
        return value.digits.isMultiple(of: unit.digits, timesTenToThe: shift)
    }
}

extension DecimalParts {
    /// Returns the distance of the last digit to that of another number; `nil` if it is not reasonable.
    fileprivate func lastPlace(minus other: DecimalParts) -> Int? {
        guard case .near(let left) = exponent, case .near(let right) = other.exponent else { return nil }
        return (left - digits.count) - (right - other.digits.count)
    }
}

/// Arithmetic modulo a number below 10^18.
private struct Remainder {
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

extension [UInt8] {
    /// The steps that a long division may take.
    private static var mostSteps: Int { 20_000_000 }

    /// Long division of decimal digits, most significant first.
    fileprivate func isMultiple(of divisor: [UInt8], timesTenToThe exponent: Int) -> Bool? {
        guard exponent < 1_000_000, (count + exponent) * divisor.count <= Self.mostSteps else { return nil }
        var rest: [UInt8] = [UInt8](repeating: 0, count: divisor.count + 1)
        for place in 0..<count + exponent {
            rest.removeFirst()
            rest.append(place < count ? self[place] : 0)
            while !rest.isBelow(divisor) { rest.subtract(divisor) }
        }
        return rest.allSatisfy { $0 == 0 }
    }

    /// Compares with a number that has one digit less.
    private func isBelow(_ other: [UInt8]) -> Bool {
        self[0] == 0 && self[1...].lexicographicallyPrecedes(other)
    }

    private mutating func subtract(_ other: [UInt8]) {
        var borrow = 0
        for place in other.indices.reversed() {
            let difference = Int(self[place + 1]) - Int(other[place]) - borrow
            borrow = difference < 0 ? 1 : 0
            self[place + 1] = UInt8(difference + borrow * 10)
        }
        self[0] -= UInt8(borrow)
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

/// The grammar of a number (RFC 8259, section 6), shared by the parser and ``JSONNumber``.
enum NumberGrammar {
    /// Finds the end of the number that begins at an offset with a minus sign or a digit.
    ///
    /// - Parameter end: becomes the offset behind the number.
    /// - Returns: what is wrong with it and where, or `nil`.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        end: inout Int
    ) -> (reason: JSONSyntaxError.Reason, offset: Int)? {
        var offset = start
        if offset < bytes.count, bytes[offset] == .minus { offset += 1 }
        let integer = offset
        skipDigits(bytes, &offset)
        guard offset > integer else { return (.missingIntegerDigits, start) }
        if bytes[integer] == .zero, offset > integer + 1 { return (.leadingZero, start) }
        if offset < bytes.count, bytes[offset] == .point {
            let fraction = offset + 1
            offset = fraction
            skipDigits(bytes, &offset)
            guard offset > fraction else { return (.missingFractionDigits, start) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == .lowerE {
            offset += 1
            if offset < bytes.count, bytes[offset] == .plus || bytes[offset] == .minus { offset += 1 }
            let exponent = offset
            skipDigits(bytes, &offset)
            guard offset > exponent else { return (.missingExponentDigits, start) }
        }
        end = offset
        return nil
    }

    @inline(__always)
    private static func skipDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int) {
        while offset < bytes.count, bytes[offset].isDigit { offset += 1 }
    }
}
