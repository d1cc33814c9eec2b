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
