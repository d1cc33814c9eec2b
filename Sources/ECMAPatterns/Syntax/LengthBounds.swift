/// How many scalars a part of an expression matches at least and at most.
///
/// `largest` stands for everything that is too much to count.
struct LengthBounds: Sendable {
    static let largest = 1 << 40
    static let zero = LengthBounds(least: 0, most: 0)

    var least: Int
    var most: Int

    /// One part after the other.
    static func + (left: LengthBounds, right: LengthBounds) -> LengthBounds {
        LengthBounds(least: min(left.least + right.least, largest), most: min(left.most + right.most, largest))
    }

    /// One part or the other.
    func or(_ other: LengthBounds) -> LengthBounds {
        LengthBounds(least: min(least, other.least), most: max(most, other.most))
    }

    /// A part several times, without end when `maximum` is `nil`.
    func times(_ minimum: Int, _ maximum: Int?) -> LengthBounds {
        LengthBounds(
            least: LengthBounds.product(least, minimum),
            most: maximum.map { LengthBounds.product(most, $0) } ?? (most == 0 ? 0 : LengthBounds.largest)
        )
    }

    private static func product(_ left: Int, _ right: Int) -> Int {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? largest : min(product, largest)
    }
}
