import TestSupport
import Testing

@testable import JSONSchema

@Suite struct `An integer of 128 bits` {
    @Test(arguments: [0, 1, -1, 9, 10, -10, 1_000_000_007, .max, .min])
    func `is written as the integer that it was made from`(number: Int) {
        #expect(WideInteger(number).description == String(number))
    }

    @Test func `has powers of ten up to the 38th`() {
        for exponent in 0...38 {
            #expect(WideInteger.powerOfTen(exponent).description == "1" + String(repeating: "0", count: exponent))
        }
        #expect((-WideInteger.powerOfTen(38)).description == "-1" + String(repeating: "0", count: 38))
    }

    @Test func `tells of products that do not fit`() {
        let large = WideInteger.powerOfTen(19)
        #expect(!large.multipliedReportingOverflow(by: large).overflow)
        #expect(large.multipliedReportingOverflow(by: large * 10).overflow)
        #expect(large.multipliedReportingOverflow(by: -large * 100).overflow)
        #expect(WideInteger.powerOfTen(38).multipliedReportingOverflow(by: 2).overflow)
        #expect(!WideInteger.powerOfTen(38).multipliedReportingOverflow(by: -1).overflow)
    }

    /// Beside the standard library's type, which newer systems have.
    @available(macOS 15, iOS 18, *)
    @Test func `counts as the standard library does`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let (left, right) = (Self.number(using: &generator), Self.number(using: &generator))
            let (wideLeft, wideRight) = (Self.wide(left), Self.wide(right))
            #expect(wideLeft.description == left.description)
            #expect((wideLeft + wideRight).description == (left &+ right).description)
            #expect((wideLeft - wideRight).description == (left &- right).description)
            #expect((wideLeft < wideRight) == (left < right))
            #expect((wideLeft == wideRight) == (left == right))
            let product = left.multipliedReportingOverflow(by: right)
            let wideProduct = wideLeft.multipliedReportingOverflow(by: wideRight)
            #expect(wideProduct.overflow == product.overflow)
            if !product.overflow { #expect(wideProduct.partialValue.description == product.partialValue.description) }
            guard right != 0 else { continue }
            let (quotient, remainder) = wideLeft.quotientAndRemainder(dividingBy: wideRight)
            #expect(quotient.description == (left / right).description)
            #expect(remainder.description == (left % right).description)
        }
    }

    @Test func `is picked from its range, both ends included`() {
        var generator = SeededGenerator(seed: 1)
        let small = Set((0..<200).map { _ in WideInteger.random(in: -2...2, using: &generator) })
        #expect(small == [-2, -1, 0, 1, 2])
        let wide = -WideInteger.powerOfTen(30)...WideInteger.powerOfTen(30)
        let picked = (0..<200).map { _ in WideInteger.random(in: wide, using: &generator) }
        #expect(picked.allSatisfy(wide.contains))
        #expect(
            picked.contains { $0 < -WideInteger.powerOfTen(29) } && picked.contains { $0 > WideInteger.powerOfTen(29) }
        )
    }

    /// A number of any length, below half of the largest so that sums fit.
    @available(macOS 15, iOS 18, *)
    private static func number(using generator: inout SeededGenerator) -> Int128 {
        let bits = Int128(truncatingIfNeeded: Int64(bitPattern: generator.next())) << 64 | Int128(generator.next())
        return bits >> Int128(generator.next() % 126 + 2)
    }

    @available(macOS 15, iOS 18, *)
    private static func wide(_ number: Int128) -> WideInteger {
        let magnitude = number.magnitude
        let base = WideInteger(1 << 32)
        var wide: WideInteger = 0
        for shift in stride(from: 96, through: 0, by: -32) {
            wide = wide * base + WideInteger(Int(magnitude >> UInt128(shift) & 0xFFFF_FFFF))
        }
        return number < 0 ? -wide : wide
    }
}
