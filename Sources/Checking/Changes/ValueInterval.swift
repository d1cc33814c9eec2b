import JSON

/// A measure that limits are about, with the keywords that set them.
enum Measure: String, CaseIterable {
    case number
    case length
    case items
    case properties
    case contained

    var lower: String {
        switch self {
        case .number: "minimum"
        case .length: "minLength"
        case .items: "minItems"
        case .properties: "minProperties"
        case .contained: "minContains"
        }
    }

    var upper: String {
        switch self {
        case .number: "maximum"
        case .length: "maxLength"
        case .items: "maxItems"
        case .properties: "maxProperties"
        case .contained: "maxContains"
        }
    }

    /// The kinds of values that have it.
    var kinds: ValueKinds {
        switch self {
        case .number: .number
        case .length: .string
        case .items, .contained: .array
        case .properties: .object
        }
    }
}

/// The numbers between two ends.
struct ValueInterval: Equatable {
    struct End: Equatable {
        var number: JSONNumber
        var isExclusive: Bool
        /// The keyword that sets it, and its number before it was rounded.
        var keyword: String
        var written: JSONNumber

        init(_ number: JSONNumber, _ isExclusive: Bool, _ keyword: String) {
            (self.number, self.isExclusive, self.keyword, written) = (number, isExclusive, keyword, number)
        }

        /// The same end at the integer next to it.
        fileprivate func rounded(to integer: Int) -> End {
            var end = self
            (end.number, end.isExclusive) = (JSONNumber(integer), false)
            return end
        }

        /// Returns whether both leave the same numbers.
        func isSame(as other: End) -> Bool { number == other.number && isExclusive == other.isExclusive }
    }

    private(set) var lower: End?
    private(set) var upper: End?

    /// A Boolean value that indicates whether every count lies in it.
    var isOpen: Bool { upper == nil && (lower.map { $0.number <= 0 } ?? true) }

    /// Returns whether no number lies in both.
    func isApart(from other: ValueInterval, of measure: Measure, integers: Bool) -> Bool {
        var (one, two) = (self, other)
        one.round(to: measure, integers: integers)
        two.round(to: measure, integers: integers)
        return one.isBelow(two) || two.isBelow(one)
    }

    private func isBelow(_ other: ValueInterval) -> Bool {
        guard let upper, let lower = other.lower else { return false }
        return upper.number < lower.number || upper.number == lower.number && (upper.isExclusive || lower.isExclusive)
    }

    mutating func raise(to end: End) {
        guard let lower else { return self.lower = end }
        if Self.isHigher(end, than: lower) { self.lower = end }
    }

    mutating func lower(to end: End) {
        guard let upper else { return self.upper = end }
        if Self.isLower(end, than: upper) { self.upper = end }
    }

    /// Returns whether a lower end leaves fewer numbers.
    static func isHigher(_ end: End, than other: End) -> Bool {
        end.number == other.number ? end.isExclusive && !other.isExclusive : end.number > other.number
    }

    /// Returns whether an upper end leaves fewer numbers.
    static func isLower(_ end: End, than other: End) -> Bool {
        end.number == other.number ? end.isExclusive && !other.isExclusive : end.number < other.number
    }

    /// Moves the ends to the integers that they leave, and drops the lower end of a count that is zero anyway.
    mutating func round(to measure: Measure, integers: Bool) {
        if measure != .number {
            if let end = lower, end.number <= 0 { lower = nil }
        } else if integers {
            if let end = lower, let floor = end.number.floor {
                let isWhole = JSONNumber(floor) == end.number && !end.isExclusive
                lower = end.rounded(to: isWhole ? floor : floor + 1)
            }
            if let end = upper, let floor = end.number.floor {
                let isExcluded = JSONNumber(floor) == end.number && end.isExclusive
                upper = end.rounded(to: isExcluded ? floor - 1 : floor)
            }
        }
    }
}

extension JSONNumber {
    /// The least number that is a multiple of each; `nil` where that is not exact.
    static func commonMultiple(of all: [JSONNumber]) -> JSONNumber? {
        let strict = all.filter { number in !all.contains { $0 != number && $0.isMultiple(of: number) == true } }
        if strict.count == 1 { return strict[0] }
        var product: Int? = strict.isEmpty ? nil : 1
        for number in strict {
            guard let known = product, let int = number.int, int > 0 else { return nil }
            var (divisor, rest) = (known, int)
            while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
            let (multiple, isTooLarge) = (known / divisor).multipliedReportingOverflow(by: int)
            product = isTooLarge ? nil : multiple
        }
        return product.map { JSONNumber($0) }
    }

    /// The greatest integer that is not above it; `nil` for what is too large to be exact.
    fileprivate var floor: Int? {
        if let int { return int.magnitude < 1 << 62 ? int : nil }
        let double = self.double
        guard double.magnitude < 1e15 else { return nil }
        var floor = Int(double.rounded(.down))
        while JSONNumber(floor) > self { floor -= 1 }
        while JSONNumber(floor + 1) <= self { floor += 1 }
        return floor
    }
}
