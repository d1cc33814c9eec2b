extension UInt64 {
    /// This number times `factor` divided by `divisor`, exact in between, and the largest number where it is too large.
    ///
    /// - Parameters:
    ///   - divisor: more than zero.
    ///   - rule: `.down` or `.up`, for a quotient that is not whole.
    package func scaled(
        by factor: UInt64,
        over divisor: UInt64,
        rounded rule: FloatingPointRoundingRule = .down
    ) -> UInt64 {
        let product = multipliedFullWidth(by: factor)
        guard product.high < divisor else { return .max }
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        return rule == .up && remainder > 0 && quotient < .max ? quotient + 1 : quotient
    }
}
