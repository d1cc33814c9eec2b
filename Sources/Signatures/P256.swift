/// A point of the curve P-256 in Jacobian coordinates, which are in Montgomery form.
///
/// `(x, y, z)` is the affine point `(x/z², y/z³)`; `z` is zero for the point at infinity. The curve and its
/// base point are those of NIST SP 800-186, section 3.2.1.3; the formulas are *dbl-2001-b* and *add-2007-bl* of the
/// Explicit-Formulas Database.
struct P256Point: Sendable {
    private var x: Element
    private var y: Element
    private var z: Element

    /// The prime of the field.
    static let field = Modulus(
        Natural(limbs: [0xFFFF_FFFF_FFFF_FFFF, 0x0000_0000_FFFF_FFFF, 0, 0xFFFF_FFFF_0000_0001])
    )
    /// The number of points, which is prime, too.
    static let order = Modulus(
        Natural(limbs: [0xF3B9_CAC2_FC63_2551, 0xBCE6_FAAD_A717_9E84, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_0000_0000])
    )
    /// The point that private keys multiply.
    static let base = P256Point(
        x: Element([0xF4A1_3945_D898_C296, 0x7703_7D81_2DEB_33A0, 0xF8BC_E6E5_63A4_40F2, 0x6B17_D1F2_E12C_4247]),
        y: Element([0xCBB6_4068_37BF_51F5, 0x2BCE_3357_6B31_5ECE, 0x8EE7_EB4A_7C0F_9E16, 0x4FE3_42E2_FE1A_7F9B]),
        z: .one
    )
    static let infinity = P256Point(x: .one, y: .one, z: Element([0, 0, 0, 0]))

    private static let b = Element([
        0x3BCE_3C3E_27D2_604B, 0x651D_06B0_CC53_B0F6, 0xB3EB_BD55_7698_86BC, 0x5AC6_35D8_AA3A_93E7,
    ])

    private init(x: Element, y: Element, z: Element) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Nil unless both coordinates are below the prime and the point is on the curve: y² = x³ - 3x + b.
    init?(x: Natural, y: Natural) {
        guard x < Self.field.value, y < Self.field.value else { return nil }
        self.init(x: Element(x.limbs), y: Element(y.limbs), z: .one)
        guard self.y.squared == (self.x.squared - .one - .one - .one) * self.x + Self.b else { return nil }
    }

    var isInfinity: Bool { z.isZero }

    /// The affine coordinates as plain residues; nil for the point at infinity.
    var affine: (x: Natural, y: Natural)? {
        if isInfinity { return nil }
        let inverse = Element(montgomery: Self.field.inverse(z.residue))
        let square = inverse.squared
        return ((x * square).plain, (y * square * inverse).plain)
    }

    var doubled: P256Point {
        let delta = z.squared
        let gamma = y.squared
        let beta = x * gamma
        let slope = (x - delta) * (x + delta)
        let alpha = slope + slope + slope
        let fourBeta = (beta + beta) + (beta + beta)
        let newX = alpha.squared - fourBeta - fourBeta
        let gammaSquared = gamma.squared + gamma.squared
        let eightGammaSquared = (gammaSquared + gammaSquared) + (gammaSquared + gammaSquared)
        return P256Point(
            x: newX,
            y: alpha * (fourBeta - newX) - eightGammaSquared,
            z: (y + z).squared - gamma - delta
        )
    }

    static func + (left: P256Point, right: P256Point) -> P256Point {
        if left.isInfinity { return right }
        if right.isInfinity { return left }
        let leftSquare = left.z.squared
        let rightSquare = right.z.squared
        let leftX = left.x * rightSquare
        let leftY = left.y * right.z * rightSquare
        let difference = right.x * leftSquare - leftX
        let rise = right.y * left.z * leftSquare - leftY
        if difference.isZero { return rise.isZero ? left.doubled : .infinity }
        let i = (difference + difference).squared
        let j = difference * i
        let r = rise + rise
        let v = leftX * i
        let x = r.squared - j - v - v
        let leftYJ = leftY * j
        return P256Point(
            x: x,
            y: r * (v - x) - leftYJ - leftYJ,
            z: ((left.z + right.z).squared - leftSquare - rightSquare) * difference
        )
    }

    /// The sum of points, each taken as often as its number says; four bits of all numbers at a time.
    static func sum(_ terms: [(count: Natural, point: P256Point)]) -> P256Point {
        let multiples = terms.map { term in
            (1..<16).reduce(into: [infinity]) { multiples, _ in
                multiples.append(multiples[multiples.count - 1] + term.point)
            }
        }
        var result = infinity
        for position in stride(from: 252, through: 0, by: -4) {
            if !result.isInfinity { for _ in 0..<4 { result = result.doubled } }
            for (term, multiples) in zip(terms, multiples) {
                let digit = term.count.digit(at: position, bits: 4)
                if digit > 0 { result = result + multiples[digit] }
            }
        }
        return result
    }
}

extension P256Point {
    /// An element of the field, so that formulas read as they are published.
    private struct Element: Sendable, Hashable {
        var residue: Natural

        static let one = Element(montgomery: P256Point.field.one)

        init(montgomery residue: Natural) {
            self.residue = residue
        }

        /// Takes the plain value, below the prime.
        init(_ limbs: [UInt64]) {
            residue = P256Point.field.enter(Natural(limbs: limbs))
        }

        var plain: Natural { P256Point.field.leave(residue) }
        var isZero: Bool { residue.isZero }
        var squared: Element { self * self }

        static func * (left: Element, right: Element) -> Element {
            Element(montgomery: P256Point.field.multiply(left.residue, right.residue))
        }

        static func + (left: Element, right: Element) -> Element {
            Element(montgomery: P256Point.field.add(left.residue, right.residue))
        }

        static func - (left: Element, right: Element) -> Element {
            Element(montgomery: P256Point.field.subtract(left.residue, right.residue))
        }
    }
}
