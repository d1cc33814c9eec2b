package import JSON

/// The requirements of a schema for a number, or of all schemas of one place together.
package struct NumberConstraints {
    var minimum: JSONNumber?
    var maximum: JSONNumber?
    var excludesMinimum = false
    var excludesMaximum = false
    var steps: [JSONNumber] = []

    var isSilent: Bool { minimum == nil && maximum == nil && steps.isEmpty }

    mutating func add(_ other: NumberConstraints) {
        if let limit = other.minimum { raise(to: limit, excluded: other.excludesMinimum) }
        if let limit = other.maximum { lower(to: limit, excluded: other.excludesMaximum) }
        steps += other.steps
    }

    /// Returns whether a number lies within the limits.
    func allows(_ number: JSONNumber) -> Bool {
        if let minimum, excludesMinimum ? number <= minimum : number < minimum { return false }
        if let maximum, excludesMaximum ? number >= maximum : number > maximum { return false }
        return true
    }

    package init() {}

    package mutating func raise(to limit: JSONNumber, excluded: Bool = false) {
        if let minimum, limit < minimum || (limit == minimum && !excluded) { return }
        (minimum, excludesMinimum) = (limit, excluded)
    }

    package mutating func lower(to limit: JSONNumber, excluded: Bool = false) {
        if let maximum, limit > maximum || (limit == maximum && !excluded) { return }
        (maximum, excludesMaximum) = (limit, excluded)
    }

    /// Returns whether the limits and steps leave no number.
    func isProvablyEmpty(isInteger: Bool) -> Bool {
        guard let minimum, let maximum else { return false }
        if minimum > maximum || minimum == maximum && (excludesMinimum || excludesMaximum) { return true }
        guard isInteger || !steps.isEmpty, let grid = grid(scale: 0, isInteger: isInteger), let first = grid.first,
            let last = grid.last
        else { return false }
        return first > last
    }

    /// Picks a number, near the typical ones when there is a choice; exact, however fine the limits are.
    func pick(isInteger: Bool, typical: ClosedRange<Int>, using chance: inout SampleChance) -> JSONNumber? {
        for scale in isInteger ? [0] : [2, 4, 9, 18] {
            guard let grid = grid(scale: scale, isInteger: isInteger) else { continue }
            guard let first = grid.first, let last = grid.last else { break }
            guard first <= last else { continue }
            let unit = grid.unitsPerOne
            let near = (
                low: WideInteger(typical.lowerBound) * unit / grid.step,
                high: WideInteger(typical.upperBound) * unit / grid.step
            )
            var (low, high) = (max(first, near.low), min(last, near.high))
            if low > high {
                // Nothing typical is allowed: as near as can be.
                let span = min(last - first, 100)
                if first > near.high {
                    (low, high) = (first, first + span)
                } else {
                    (low, high) = (last - span, last)
                }
            }
            let picked = WideInteger.random(in: low...high, using: &chance) * grid.step
            return Decimal(mantissa: picked, scale: grid.scale).number
        }
        return extreme(isInteger: isInteger)
    }

    /// The multiples that may be picked, by their number.
    private struct Grid {
        var scale: Int
        var step: WideInteger
        var first: WideInteger?
        var last: WideInteger?
        var unitsPerOne: WideInteger
    }

    private func grid(scale wanted: Int, isInteger: Bool) -> Grid? {
        let decimals = steps.compactMap { Decimal($0) }.filter { $0.mantissa > 0 }
        let scale = ([decimals.isEmpty ? wanted : 0] + decimals.map(\.scale)).max() ?? wanted
        let unit = WideInteger.powerOfTen(scale)
        var step: WideInteger = decimals.isEmpty && !isInteger ? 1 : isInteger ? unit : 1
        for decimal in decimals {
            guard let other = decimal.mantissa(at: scale), let common = Self.leastCommonMultiple(step, other) else {
                return nil
            }
            step = common
        }
        var grid = Grid(scale: scale, step: step, first: -Self.reach / step, last: Self.reach / step, unitsPerOne: unit)
        if let minimum {
            guard let bound = Decimal(minimum) else { return nil }
            grid.first = Self.index(of: bound, in: grid, roundingUp: true, excluded: excludesMinimum)
        }
        if let maximum {
            guard let bound = Decimal(maximum) else { return nil }
            grid.last = Self.index(of: bound, in: grid, roundingUp: false, excluded: excludesMaximum)
        }
        return grid
    }

    /// Far beyond what is typical, far below what `WideInteger` holds.
    private static let reach = WideInteger.powerOfTen(31)

    private static func index(of bound: Decimal, in grid: Grid, roundingUp: Bool, excluded: Bool) -> WideInteger? {
        // A bound finer than the grid: compared at the finer scale.
        let scale = max(bound.scale, grid.scale)
        guard let value = bound.mantissa(at: scale),
            let step = Decimal(mantissa: grid.step, scale: grid.scale).mantissa(at: scale)
        else { return nil }
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: step)
        if remainder == 0 { return excluded ? quotient + (roundingUp ? 1 : -1) : quotient }
        if roundingUp { return remainder > 0 ? quotient + 1 : quotient }
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func leastCommonMultiple(_ left: WideInteger, _ right: WideInteger) -> WideInteger? {
        var (divisor, rest) = (left, right)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        let (product, overflow) = (left / divisor).multipliedReportingOverflow(by: right)
        return overflow || product > reach ? nil : product
    }

    /// A limit itself, for limits too large or too fine to count with.
    private func extreme(isInteger: Bool) -> JSONNumber? {
        let candidates = [minimum, maximum, JSONNumber(0)].compactMap { $0 }
        return candidates.first { (!isInteger || $0.isInteger) && allows($0) }
    }
}
