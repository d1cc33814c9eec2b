import Basics
import JSON
import ScenarioFormat

/// Finds the items that have a value in a place without looking at every one.
///
/// It is made when the place has been searched a few times, and kept up to date from then on. It may name items that
/// only seem to have the value, so the caller looks at them.
struct ItemIndex: Sendable {
    let pointer: JSONPointer
    /// The items by the mark of their value, in the order of their making; `nil` while there were few searches.
    private var items: [Int: [Int]]?
    private var searches = 0

    /// The number of full searches before an index is built.
    private static let searchesBeforeIndex = 2

    init(of pointer: JSONPointer) {
        self.pointer = pointer
    }

    /// The items that may equal one of the values, each once, in the order of their making; `nil` for all of them.
    mutating func search(_ values: [JSONValue], among stored: [StoredItem]) -> [Int]? {
        if items == nil {
            searches += 1
            guard searches > Self.searchesBeforeIndex else { return nil }
            make(of: stored)
        }
        guard values.count > 1 else { return values.first.map { items?[$0.mark] ?? [] } ?? [] }
        return Set(values.map(\.mark)).flatMap { items?[$0] ?? [] }.sorted()
    }

    private mutating func make(of stored: [StoredItem]) {
        var items: [Int: [Int]] = Dictionary(minimumCapacity: stored.count)
        for item in stored {
            if let mark = mark(of: item.value) { items[mark, default: []].append(item.id) }
        }
        self.items = items
    }

    mutating func note(added item: StoredItem) {
        if items != nil, let mark = mark(of: item.value) { items?[mark, default: []].append(item.id) }
    }

    mutating func note(changed id: Int, from old: JSONValue, to new: JSONValue) {
        guard items != nil else { return }
        let (old, new) = (mark(of: old), mark(of: new))
        guard old != new else { return }
        if let old { remove(id, at: old) }
        guard let new else { return }
        let place = items?[new]?.firstIndex { $0 > id } ?? items?[new]?.endIndex ?? 0
        items?[new, default: []].insert(id, at: place)
    }

    mutating func note(removed item: StoredItem) {
        if items != nil, let mark = mark(of: item.value) { remove(item.id, at: mark) }
    }

    /// Gives everything up, which is cheaper than to take note of many changes.
    mutating func forget() {
        items = nil
        searches = 0
    }

    private mutating func remove(_ id: Int, at mark: Int) {
        items?[mark]?.removeAll { $0 == id }
        if items?[mark]?.isEmpty == true { items?[mark] = nil }
    }

    private func mark(of item: JSONValue) -> Int? {
        pointer.value(in: item)?.mark
    }
}

extension JSONValue {
    /// A number that values share which a condition may take for equal: 345 and "345", true and "true".
    fileprivate var mark: Int {
        var hasher = Hasher()
        switch content {
        case .string(let text):
            if let first = text.utf8.first, first <= UInt8(ascii: "9"), let number = JSONNumber(text) {
                number.hash(into: &hasher)
            } else {
                hasher.combine(text.exact)
            }
        case .number(let number): number.hash(into: &hasher)
        case .bool(let flag): hasher.combine((flag ? "true" : "false").exact)
        case .null, .array, .object: hash(into: &hasher)
        }
        return hasher.finalize()
    }
}

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

/// The items found for a request, or created by its response, with their visible members.
///
/// The items are not looked at before they are asked for: a list that is only counted costs no embedding.
struct FoundItems {
    let collection: String
    let view: Selection.View
    /// A Boolean value that indicates whether one item is meant instead of a list.
    let isSingle: Bool
    /// The selection to repeat after changes; `nil` for fixed items.
    var selection: Selection?
    /// The copy that they are in; `nil` where nothing could be found.
    var place: ItemStore.Place?
    /// The items of the page as they were found, in its order, for what changes them by name.
    var ids: [Int] = []
    /// The items of the page as it is now.
    var page: [Int] = []
    var accountName: String?
    /// The number of items on all pages.
    var total = 0
    /// The place where the page begins among all.
    var start = 0
    var next = JSONValue.null
    var sum: JSONNumber?
    /// A Boolean value that indicates whether items have changed since they were looked up.
    var isStale = false
    /// The visible members of each item of the page, nothing for one without the members to show; `nil` while none
    /// has looked.
    var seen: [JSONValue?]?

    init(_ collection: String, as view: Selection.View, isSingle: Bool) {
        self.collection = collection
        self.view = view
        self.isSingle = isSingle
    }

    /// A Boolean value that indicates whether there is one, or any.
    var exists: Bool { isSingle ? !ids.isEmpty : total > 0 }

    /// The visible members of the examined items: the item, or those of the list.
    var items: JSONValue? {
        isSingle ? seen?.first ?? nil : .array((seen ?? []).compactMap(\.self))
    }

    /// The data of a list in addition to its items, by name.
    func fact(_ name: String) -> JSONValue? {
        switch name {
        case "count": .number(JSONNumber(page.count))
        case "total": .number(JSONNumber(total))
        case "start": .number(JSONNumber(start))
        case "next": next
        case "exists": .bool(exists)
        case "sum": sum.map(JSONValue.number)
        default: nil
        }
    }

    /// All data of a list, as one object.
    var list: JSONValue {
        var list = JSONObject()
        list["items"] = items
        for name in ["count", "total", "start", "next", "exists", "sum"] { list[name] = fact(name) }
        return .object(list)
    }
}
