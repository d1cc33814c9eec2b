/// A natural number of a fixed number of 64-bit limbs, the lowest first.
///
/// Operations take time that depends on the values. This is arithmetic for keys of tests, which are not secret.
struct Natural: Sendable, Hashable {
    var limbs: [UInt64]

    init(limbs: [UInt64]) {
        self.limbs = limbs
    }

    init(_ small: UInt64, width: Int = 1) {
        limbs = [UInt64](repeating: 0, count: width)
        limbs[0] = small
    }

    /// Reads big-endian bytes, whose leading zeros are ignored.
    ///
    /// - Parameter width: The number of limbs; without it as many as the value takes, at least one.
    /// - Returns: Nil when the value does not fit into that many limbs.
    init?(bytes: some Collection<UInt8>, width: Int? = nil) {
        let significant = bytes.drop { $0 == 0 }
        let needed = max(1, (significant.count + 7) / 8)
        let width = width ?? needed
        guard needed <= width else { return nil }
        limbs = [UInt64](repeating: 0, count: width)
        var remaining = significant.count
        for byte in significant {
            remaining -= 1
            limbs[remaining / 8] |= UInt64(byte) << UInt64(remaining % 8 * 8)
        }
    }

    var width: Int { limbs.count }
    var isOdd: Bool { limbs[0] & 1 == 1 }
    var isZero: Bool { limbs.allSatisfy { $0 == 0 } }

    /// The number of bits that the value takes; none for zero.
    var bitWidth: Int {
        guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        return top * 64 + 64 - limbs[top].leadingZeroBitCount
    }

    /// The lowest bytes, in big-endian order; the rest of the value must be zero.
    func bytes(count: Int) -> [UInt8] {
        (0..<count).reversed().map { position in
            let limb = position / 8
            return limb < width ? UInt8(truncatingIfNeeded: limbs[limb] >> UInt64(position % 8 * 8)) : 0
        }
    }

    /// As few big-endian bytes as the value takes, at least one: `Base64urlUInt` of RFC 7518, section 2.
    var shortestBytes: [UInt8] { bytes(count: max(1, (bitWidth + 7) / 8)) }

    /// The bits from a position on, which must not cross a limb.
    func digit(at position: Int, bits: Int) -> Int {
        let limb = position / 64
        guard limb < width else { return 0 }
        return Int(truncatingIfNeeded: limbs[limb] >> UInt64(position % 64) & (1 << UInt64(bits) - 1))
    }

    /// The same value with more limbs, or with fewer where those that are left out are zero.
    func resized(to width: Int) -> Natural {
        var limbs = Array(limbs.prefix(width))
        limbs += [UInt64](repeating: 0, count: width - limbs.count)
        return Natural(limbs: limbs)
    }

    /// Adds a number of the same width and returns whether the sum takes one bit more.
    mutating func add(_ other: Natural) -> Bool {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let (sum, first) = limbs[index].addingReportingOverflow(other.limbs[index])
            let (total, second) = sum.addingReportingOverflow(carry)
            limbs[index] = total
            carry = first || second ? 1 : 0
        }
        return carry == 1
    }

    /// Subtracts a number of the same width and returns whether that was the larger one.
    @discardableResult
    mutating func subtract(_ other: Natural) -> Bool {
        var borrow: UInt64 = 0
        for index in limbs.indices {
            let (difference, first) = limbs[index].subtractingReportingOverflow(other.limbs[index])
            let (total, second) = difference.subtractingReportingOverflow(borrow)
            limbs[index] = total
            borrow = first || second ? 1 : 0
        }
        return borrow == 1
    }

    /// The product, whose width is the sum of both widths.
    func multiplied(by other: Natural) -> Natural {
        var product = [UInt64](repeating: 0, count: width + other.width)
        product.withUnsafeMutableBufferPointer { product in
            limbs.withUnsafeBufferPointer { limbs in
                guard let target = product.baseAddress, let source = limbs.baseAddress else { return }
                for (index, factor) in other.limbs.enumerated() {
                    target[index + limbs.count] = Limbs.addProduct(
                        of: source,
                        count: limbs.count,
                        by: factor,
                        to: target + index
                    )
                }
            }
        }
        return Natural(limbs: product)
    }
}

extension Natural: Comparable {
    /// Compares numbers of any widths.
    static func < (left: Natural, right: Natural) -> Bool {
        for index in (0..<max(left.width, right.width)).reversed() {
            let one = index < left.width ? left.limbs[index] : 0
            let other = index < right.width ? right.limbs[index] : 0
            if one != other { return one < other }
        }
        return false
    }
}

/// The one loop that all multiplications spend their time in.
enum Limbs {
    /// Adds a number times a limb to the number at `target`, and returns what belongs into the limb behind it.
    ///
    /// Written with pointers and `while`, because a build for debugging would take ten times as long with ranges.
    static func addProduct(
        of source: UnsafePointer<UInt64>,
        count: Int,
        by factor: UInt64,
        to target: UnsafeMutablePointer<UInt64>
    ) -> UInt64 {
        var carry: UInt64 = 0
        var index = 0
        while index < count {
            let (high, low) = source[index].multipliedFullWidth(by: factor)
            let (sum, first) = low.addingReportingOverflow(target[index])
            let (total, second) = sum.addingReportingOverflow(carry)
            target[index] = total
            // The high half is at most 2^64 - 2, and both carries together fit next to it.
            carry = high &+ (first ? 1 : 0) &+ (second ? 1 : 0)
            index &+= 1
        }
        return carry
    }
}
