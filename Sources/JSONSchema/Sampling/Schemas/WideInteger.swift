import JSON

/// A signed integer of 128 bits, with what picking numbers needs.
///
/// Replaces the standard library's `Int128`, which needs macOS 15 and iOS 18. Sums and differences wrap around, as
/// every use here keeps far from the limits; products show whether they fit.
struct WideInteger: Hashable, Sendable {
    private var high: Int64
    private var low: UInt64

    private init(high: Int64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ value: Int) {
        self.init(high: value < 0 ? -1 : 0, low: UInt64(bitPattern: Int64(value)))
    }

    var isNegative: Bool { high < 0 }

    /// The distance from zero; the smallest number has none, and keeps its sign.
    var magnitude: WideInteger { isNegative ? -self : self }

    /// The bits as a number without a sign.
    private var bits: (high: UInt64, low: UInt64) { (UInt64(bitPattern: high), low) }

    private init(bits: (high: UInt64, low: UInt64)) {
        self.init(high: Int64(bitPattern: bits.high), low: bits.low)
    }
}

extension WideInteger: Comparable {
    static func < (left: WideInteger, right: WideInteger) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension WideInteger: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int) { self.init(value) }
}

extension WideInteger: CustomStringConvertible {
    var description: String {
        var rest = magnitude
        var digits: [UInt8] = []
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            digits.append(UInt8(truncatingIfNeeded: digit.low) + 0x30)
            rest = quotient
        } while rest > 0
        if isNegative { digits.append(0x2D) }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}

// MARK: - Arithmetic

extension WideInteger {
    static prefix func - (number: WideInteger) -> WideInteger {
        WideInteger(high: ~number.high, low: ~number.low) + 1
    }

    static func + (left: WideInteger, right: WideInteger) -> WideInteger {
        let (low, carries) = left.low.addingReportingOverflow(right.low)
        return WideInteger(high: left.high &+ right.high &+ (carries ? 1 : 0), low: low)
    }

    static func - (left: WideInteger, right: WideInteger) -> WideInteger { left + -right }

    /// The product without its highest bits where it is too large.
    static func * (left: WideInteger, right: WideInteger) -> WideInteger {
        left.multipliedReportingOverflow(by: right).partialValue
    }

    /// Rounds towards zero.
    static func / (left: WideInteger, right: WideInteger) -> WideInteger {
        left.quotientAndRemainder(dividingBy: right).quotient
    }

    /// Has the sign of the left number.
    static func % (left: WideInteger, right: WideInteger) -> WideInteger {
        left.quotientAndRemainder(dividingBy: right).remainder
    }

    static func *= (left: inout WideInteger, right: WideInteger) { left = left * right }

    /// - Parameter exponent: 0...38.
    static func powerOfTen(_ exponent: Int) -> WideInteger { powersOfTen[exponent] }

    private static let powersOfTen = (0..<38).reduce(into: [WideInteger(1)]) { powers, index in
        powers.append(powers[index] * 10)
    }

    func multipliedReportingOverflow(by other: WideInteger) -> (partialValue: WideInteger, overflow: Bool) {
        let (left, right) = (magnitude.bits, other.magnitude.bits)
        let lowest = left.low.multipliedFullWidth(by: right.low)
        let (first, firstOverflow) = left.high.multipliedReportingOverflow(by: right.low)
        let (second, secondOverflow) = left.low.multipliedReportingOverflow(by: right.high)
        let (cross, crossOverflow) = first.addingReportingOverflow(second)
        let (top, topOverflow) = cross.addingReportingOverflow(lowest.high)
        let product = WideInteger(bits: (top, lowest.low))
        let overflow =
            firstOverflow || secondOverflow || crossOverflow || topOverflow || product.isNegative
            || left.high > 0 && right.high > 0
        return (isNegative == other.isNegative ? product : -product, overflow)
    }

    /// - Parameter divisor: not zero.
    func quotientAndRemainder(
        dividingBy divisor: WideInteger
    ) -> (quotient: WideInteger, remainder: WideInteger) {
        let (quotient, remainder) = Self.divide(magnitude.bits, by: divisor.magnitude.bits)
        let whole = WideInteger(bits: quotient)
        let rest = WideInteger(bits: remainder)
        return (isNegative == divisor.isNegative ? whole : -whole, isNegative ? -rest : rest)
    }

    private typealias Bits = (high: UInt64, low: UInt64)

    private static func divide(_ number: Bits, by divisor: Bits) -> (quotient: Bits, remainder: Bits) {
        if divisor.high == 0 {
            let (high, rest) = number.high.quotientAndRemainder(dividingBy: divisor.low)
            let (low, remainder) = divisor.low.dividingFullWidth((rest, number.low))
            return ((high, low), (0, remainder))
        }
        // The quotient has 64 bits at most: bit by bit, from the highest. Both numbers are below 2 to the 127th, so
        // that doubling a remainder, which is less than the divisor, loses nothing.
        var remainder: Bits = (0, number.high)
        var quotient: UInt64 = 0
        for bit in stride(from: UInt64(63), through: 0, by: -1) {
            remainder = (remainder.high << 1 | remainder.low >> 63, remainder.low << 1 | number.low >> bit & 1)
            quotient <<= 1
            if remainder >= divisor {
                let (low, borrows) = remainder.low.subtractingReportingOverflow(divisor.low)
                remainder = (remainder.high &- divisor.high &- (borrows ? 1 : 0), low)
                quotient |= 1
            }
        }
        return ((0, quotient), remainder)
    }
}

// MARK: - Randomness

extension WideInteger {
    /// A number of the range, each as probable as the others.
    static func random(
        in range: ClosedRange<WideInteger>,
        using generator: inout some RandomNumberGenerator
    ) -> WideInteger {
        let span = range.upperBound - range.lowerBound
        if span.high == 0 {
            return range.lowerBound + WideInteger(high: 0, low: UInt64.random(in: 0...span.low, using: &generator))
        }
        let mask = UInt64.max >> UInt64(span.bits.high.leadingZeroBitCount)
        while true {
            // At least every second draw is within the span.
            let offset = WideInteger(bits: (generator.next() & mask, generator.next()))
            if offset <= span { return range.lowerBound + offset }
        }
    }
}

/// A number of moderate size, exactly: *mantissa* × 10^-*scale*.
struct Decimal {
    private(set) var mantissa: WideInteger
    /// 0...18.
    private(set) var scale: Int

    init(mantissa: WideInteger, scale: Int) {
        self.mantissa = mantissa
        self.scale = scale
    }

    /// Takes a number apart; `nil` for one of more than 27 digits or with too large an exponent.
    init?(_ number: JSONNumber) {
        var mantissa: WideInteger = 0
        var scale = 0
        var digits = 0
        var isFraction = false
        let parts = number.text.utf8.split { $0 | 0x20 == 0x65 }
        guard let first = parts.first, let exponent = parts.count > 1 ? Int(String(parts[1]) ?? "") : 0,
            -18...18 ~= exponent
        else { return nil }
        for byte in first {
            switch byte {
            case 0x2D: break
            case 0x2E: isFraction = true
            default:
                mantissa = mantissa * 10 + WideInteger(Int(byte &- 0x30))
                if mantissa > 0 { digits += 1 }
                if isFraction { scale += 1 }
                guard digits <= 27 else { return nil }
            }
        }
        scale -= exponent
        while scale > 0, mantissa % 10 == 0 {
            mantissa = mantissa / 10
            scale -= 1
        }
        while scale < 0 {
            mantissa *= 10
            scale += 1
        }
        guard scale <= 18, mantissa < Self.limit else { return nil }
        self.mantissa = first.first == 0x2D ? -mantissa : mantissa
        self.scale = scale
    }

    /// The mantissa at a scale that is not smaller; `nil` when that is too large a number.
    func mantissa(at scale: Int) -> WideInteger? {
        guard scale > self.scale, mantissa != 0 else { return mantissa }
        guard scale - self.scale <= 37 else { return nil }
        let (shifted, overflow) = mantissa.multipliedReportingOverflow(by: .powerOfTen(scale - self.scale))
        return overflow || shifted.magnitude >= Self.limit ? nil : shifted
    }

    /// The number without needless zeros behind the point.
    var number: JSONNumber? {
        var mantissa = mantissa
        var scale = scale
        while scale > 0, mantissa % 10 == 0 {
            mantissa = mantissa / 10
            scale -= 1
        }
        var digits = mantissa.magnitude.description
        if scale > 0 {
            digits = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
        }
        return JSONNumber(mantissa < 0 ? "-\(digits)" : digits)
    }

    /// Ten times this still is a `WideInteger`.
    private static let limit = WideInteger.powerOfTen(37)
}
