extension JSONNumber {
    /// Whether this is a whole multiple of a number above zero, reckoned exactly on the decimal digits.
    ///
    /// - Returns: `nil` when the exponents lie so far apart, or the divisor has so many digits, that the answer would
    ///   take too long.
    package func isMultiple(of divisor: JSONNumber) -> Bool? {
        if let value = int, let divisor = divisor.int { return divisor != 0 && value.isMultiple(of: divisor) }
        let value = DecimalParts(self)
        let unit = DecimalParts(divisor)
        guard !value.digits.isEmpty else { return true }
        guard !unit.digits.isEmpty else { return false }
        // Both become whole numbers without a zero at their end, times a power of ten.
        guard let shift = value.lastPlace(minus: unit) else { return value.exponent < unit.exponent ? false : nil }
        // Something that does not end in zero is no multiple of ten.
        guard shift >= 0 else { return false }
        if unit.digits.count <= 18 {
            let modulus = unit.digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1) }
            return Remainder(modulus: modulus).of(value.digits, timesTenToThe: shift) == 0
        }
        return value.digits.isMultiple(of: unit.digits, timesTenToThe: shift)
    }
}

extension DecimalParts {
    /// How many places the last digit stands further left than another's; `nil` when that is absurd.
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
