import Basics
import JSON
import ScenarioFormat

/// A collection's items, in as many copies as have been needed.
struct StoredCollection: Sendable {
    let name: String
    private(set) var copies: [CollectionItems] = []
    /// The number of items in all copies.
    private(set) var count = 0
    private var copyNumbers: [ExactText: Int] = [:]

    init(name: String) {
        self.name = name
    }

    /// The number of an account's copy, or of the one of everybody.
    func copy(of account: String?) -> Int? {
        guard let account else { return copies.isEmpty ? nil : 0 }
        return copyNumbers[account.exact]
    }

    mutating func addCopy(of account: String?) -> Int {
        copies.append(CollectionItems(account: account))
        if let account { copyNumbers[account.exact] = copies.count - 1 }
        return copies.count - 1
    }

    mutating func add(_ item: StoredItem, to copy: Int) {
        count += 1
        copies[copy].append(item)
    }

    mutating func change(_ id: Int, to value: JSONValue, size: Int, in copy: Int) {
        copies[copy].change(id, to: value, size: size)
    }

    mutating func remove(_ ids: Set<Int>, from copy: Int) {
        count -= copies[copy].items.count
        copies[copy].remove(ids)
        count += copies[copy].items.count
    }

    mutating func candidates(
        for conditions: [(pointer: JSONPointer, matcher: Matcher)],
        in copy: Int
    ) -> [Int]? {
        copies[copy].candidates(for: conditions)
    }
}

/// An item as a collection holds it.
struct StoredItem: Sendable {
    /// Tells it from every other item of its session; an item that was made later has a larger one.
    let id: Int
    /// An object.
    var value: JSONValue
    /// The account's name, where the item is one.
    let accountName: String?
    /// The size for which it counts, in bytes; zero while it is as the scenario has it.
    var size = 0
}

/// One copy of a collection: its items in the order of their making.
struct CollectionItems: Sendable {
    /// The owner of the copy; `nil` for the shared one.
    let account: String?
    private(set) var items: [StoredItem] = []
    private var indexes: [ItemIndex] = []

    /// A list of items that is searched faster from one end to the other.
    private static let smallSize = 32
    /// More removals at once than an index takes note of.
    private static let manyRemovals = 16

    init(account: String?) {
        self.account = account
    }

    /// Returns the place where an item stands; `nil` for one that is not here, or not any more.
    func position(of id: Int) -> Int? {
        var range = 0..<items.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if items[middle].id == id { return middle }
            range = items[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    func item(_ id: Int) -> StoredItem? {
        position(of: id).map { items[$0] }
    }

    /// - Parameter item: one that was made after all that are here.
    mutating func append(_ item: StoredItem) {
        items.append(item)
        for number in indexes.indices { indexes[number].note(added: item) }
    }

    mutating func change(_ id: Int, to value: JSONValue, size: Int) {
        guard let position = position(of: id) else { return }
        let old = items[position].value
        (items[position].value, items[position].size) = (value, size)
        for number in indexes.indices { indexes[number].note(changed: id, from: old, to: value) }
    }

    mutating func remove(_ ids: Set<Int>) {
        for number in indexes.indices {
            if ids.count > Self.manyRemovals {
                indexes[number].forget()
            } else {
                for id in ids { item(id).map { indexes[number].note(removed: $0) } }
            }
        }
        if ids.count == 1, let position = ids.first.flatMap({ position(of: $0) }) {
            items.remove(at: position)
        } else {
            items.removeAll { ids.contains($0.id) }
        }
    }

    /// The positions of items among which are all that meet the conditions; `nil` for every position.
    mutating func candidates(for conditions: [(pointer: JSONPointer, matcher: Matcher)]) -> [Int]? {
        guard items.count > Self.smallSize else { return nil }
        var best: [Int]?
        for condition in conditions {
            guard let values = condition.matcher.onlyValues else { continue }
            if let ids = search(values, at: condition.pointer), ids.count < best?.count ?? (items.count / 2) {
                best = ids
            }
        }
        return best.map { ids in ids.compactMap { position(of: $0) } }
    }

    private mutating func search(_ values: [JSONValue], at pointer: JSONPointer) -> [Int]? {
        if let known = indexes.firstIndex(where: { $0.pointer == pointer }) {
            return indexes[known].search(values, among: items)
        }
        indexes.append(ItemIndex(of: pointer))
        return indexes[indexes.count - 1].search(values, among: items)
    }
}

extension Matcher {
    /// The values of which a fitting one equals one; `nil` where there is more that fits.
    fileprivate var onlyValues: [JSONValue]? {
        switch self {
        case .equals(let value): [value]
        case .oneOf(let values): values
        case .all(let matchers): matchers.lazy.compactMap(\.onlyValues).first
        default: nil
        }
    }
}
