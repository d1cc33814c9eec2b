import Basics
import JSON

/// Puts items in the order of a value that they have.
///
/// What has no value, or null, comes first, then booleans, numbers by their value, texts code unit by code unit, and
/// what has no order at last. Items with equal values keep the order in which they were.
enum ItemOrder {
    /// The beginning of a value, which settles most comparisons.
    fileprivate struct Key {
        /// The number of stored bytes of a text: enough for a timestamp with milliseconds, by which lists are mostly sorted.
        static let length = 24

        var rank: UInt8
        var start: (UInt64, UInt64, UInt64)
        /// The place where the value stands.
        var number: Int
    }

    /// The positions in the order of their values.
    static func sorted(_ positions: [Int], by values: [JSONValue?]) -> [Int] {
        var keys = values.enumerated().map { Key($1, number: $0) }
        keys.sort { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            if left.start != right.start { return left.start < right.start }
            return isBefore(values[left.number], values[right.number]) ?? (left.number < right.number)
        }
        return keys.map { positions[$0.number] }
    }

    /// Compares values of one rank that begin alike; `nil` for equal ones.
    private static func isBefore(_ left: JSONValue?, _ right: JSONValue?) -> Bool? {
        switch (left?.content, right?.content) {
        case (.number(let left), .number(let right)): left == right ? nil : left < right
        case (.string(let left), .string(let right))
        where left.utf8.count > Key.length && right.utf8.count > Key.length:
            left.exact == right.exact ? nil : left.utf8.lexicographicallyPrecedes(right.utf8)
        // Zeros fill up what is shorter, so only the length can still tell them apart.
        case (.string(let left), .string(let right)):
            left.utf8.count == right.utf8.count ? nil : left.utf8.count < right.utf8.count
        default: nil
        }
    }
}

extension ItemOrder.Key {
    fileprivate init(_ value: JSONValue?, number: Int) {
        self.number = number
        start = (0, 0, 0)
        switch value?.content {
        case nil, .null: rank = 0
        case .bool(let flag):
            rank = 1
            start.0 = flag ? 1 : 0
        case .number(let number):
            rank = 2
            let bits = (number.double + 0).bitPattern
            // Turned so that negative numbers come first, the greater the earlier.
            start.0 = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        case .string(let text):
            rank = 3
            for (place, byte) in text.utf8.prefix(Self.length).enumerated() {
                let bits = UInt64(byte) << UInt64(56 - place % 8 * 8)
                switch place / 8 {
                case 0: start.0 |= bits
                case 1: start.1 |= bits
                default: start.2 |= bits
                }
            }
        case .array, .object: rank = 4
        }
    }
}
