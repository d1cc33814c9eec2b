/// Arithmetic modulo an odd number, with Montgomery's multiplication.
///
/// Source: P. L. Montgomery, *Modular Multiplication Without Trial Division*, Mathematics of Computation 44 (1985).
/// A residue is below the modulus and has its width. Residues *in Montgomery form* are multiplied by `R`, which is two
/// to the power of 64 for each limb; ``multiply(_:_:)`` divides a product by `R` once.
struct Modulus: Sendable, Hashable {
    let value: Natural
    /// The number that, times the lowest limb of the modulus, is -1 modulo 2^64.
    private let negativeInverse: UInt64
    /// `R` squared modulo the modulus: brings a residue into Montgomery form.
    private let square: Natural
    /// One in Montgomery form.
    let one: Natural

    /// - Precondition: The value is odd, greater than one, and its highest limb is not zero.
    init(_ value: Natural) {
        precondition(value.isOdd && value.bitWidth > 1 && value.limbs.last != 0, "A modulus is odd and greater than 1")
        self.value = value
        // Newton's iteration doubles the number of correct bits: 1, 2, 4, … 64.
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- value.limbs[0] &* inverse) }
        negativeInverse = 0 &- inverse
        var power = Natural(1, width: value.width)
        for _ in 0..<(value.width * 64) { Self.double(&power, modulo: value) }
        one = power
        for _ in 0..<(value.width * 64) { Self.double(&power, modulo: value) }
        square = power
    }

    var width: Int { value.width }

    private static func double(_ residue: inout Natural, modulo value: Natural) {
        let original = residue
        if residue.add(original) || residue >= value { residue.subtract(value) }
    }

    // MARK: Residues of either form

    func add(_ left: Natural, _ right: Natural) -> Natural {
        var sum = left
        if sum.add(right) || sum >= value { sum.subtract(value) }
        return sum
    }

    func subtract(_ left: Natural, _ right: Natural) -> Natural {
        var difference = left
        if difference.subtract(right) { _ = difference.add(value) }
        return difference
    }

    /// The product divided by `R`: of a residue in Montgomery form and a plain one the plain product.
    ///
    /// One factor may be any number of the modulus's width, also above the modulus.
    func multiply(_ left: Natural, _ right: Natural) -> Natural {
        var residue = Natural(0, width: width)
        var overflows = false
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * width + 1) { sums in
            sums.initialize(repeating: 0)
            left.limbs.withUnsafeBufferPointer { left in
                right.limbs.withUnsafeBufferPointer { right in
                    value.limbs.withUnsafeBufferPointer { value in accumulate(left, right, modulo: value, in: sums) }
                }
            }
            for index in 0..<width { residue.limbs[index] = sums[width + index] }
            overflows = sums[2 * width] != 0
        }
        if overflows || residue >= value { residue.subtract(value) }
        return residue
    }

    /// Leaves a product divided by `R`, and perhaps the modulus more, behind the first limbs of `sums`.
    private func accumulate(
        _ left: UnsafeBufferPointer<UInt64>,
        _ right: UnsafeBufferPointer<UInt64>,
        modulo value: UnsafeBufferPointer<UInt64>,
        in sums: UnsafeMutableBufferPointer<UInt64>
    ) {
        let count = value.count
        guard let left = left.baseAddress, let right = right.baseAddress, let value = value.baseAddress,
            let sums = sums.baseAddress
        else { return }
        var index = 0
        while index < count {
            let window = sums + index
            let upper = Limbs.addProduct(of: left, count: count, by: right[index], to: window)
            // Chosen so that the lowest limb of the window becomes zero.
            let factor = window[0] &* negativeInverse
            let lower = Limbs.addProduct(of: value, count: count, by: factor, to: window)
            let (sum, first) = window[count].addingReportingOverflow(upper)
            let (total, second) = sum.addingReportingOverflow(lower)
            window[count] = total
            window[count + 1] = (first ? 1 : 0) &+ (second ? 1 : 0)
            index &+= 1
        }
    }

    // MARK: Montgomery form

    /// The Montgomery form of a number of the modulus's width, also of one above the modulus.
    func enter(_ natural: Natural) -> Natural {
        multiply(natural, square)
    }

    /// The plain residue of one in Montgomery form.
    func leave(_ residue: Natural) -> Natural {
        multiply(residue, Natural(1, width: width))
    }

    /// The plain residue of a number of any width.
    func reduce(_ natural: Natural) -> Natural {
        var residue = Natural(0, width: width)
        for start in stride(from: 0, to: natural.width, by: width).reversed() {
            let end = min(start + width, natural.width)
            let part = Natural(limbs: Array(natural.limbs[start..<end])).resized(to: width)
            residue = add(multiply(residue, square), leave(enter(part)))
        }
        return residue
    }

    /// A power, base and result in Montgomery form.
    func power(_ base: Natural, _ exponent: Natural) -> Natural {
        // Four bits at a time save a third of the multiplications, where the exponent is not as short as 65537.
        let window = exponent.bitWidth > 64 ? 4 : 1
        var powers = [one, base]
        while powers.count < 1 << window { powers.append(multiply(powers[powers.count - 1], base)) }
        var result = one
        for position in stride(from: 0, to: exponent.bitWidth, by: window).reversed() {
            for _ in 0..<window { result = multiply(result, result) }
            let digit = exponent.digit(at: position, bits: window)
            if digit > 0 { result = multiply(result, powers[digit]) }
        }
        return result
    }

    /// The inverse of a residue that is not zero, both in Montgomery form, where the modulus is prime.
    func inverse(_ residue: Natural) -> Natural {
        var exponent = value
        exponent.subtract(Natural(2, width: width))
        return power(residue, exponent)
    }
}
