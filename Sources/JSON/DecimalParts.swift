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
