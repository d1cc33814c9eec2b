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
