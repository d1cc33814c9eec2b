import JSON
import ScenarioFormat

/// A collection's items, in as many copies as have been needed.
struct StoredCollection: Sendable {
    let name: String
    private(set) var shelves: [CollectionItems] = []
    /// How many items there are in all copies.
    private(set) var count = 0
    private var copies: [ExactText: Int] = [:]

    init(name: String) {
        self.name = name
    }

    /// The number of an account's copy, or of the one of everybody.
    func copy(of account: String?) -> Int? {
        guard let account else { return shelves.isEmpty ? nil : 0 }
        return copies[ExactText(account)]
    }

    mutating func addCopy(of account: String?) -> Int {
        shelves.append(CollectionItems(account: account))
        if let account { copies[ExactText(account)] = shelves.count - 1 }
        return shelves.count - 1
    }

    mutating func add(_ item: StoredItem, to copy: Int) {
        count += 1
        shelves[copy].append(item)
    }

    mutating func change(_ id: Int, to value: JSONValue, in copy: Int) {
        shelves[copy].change(id, to: value)
    }

    mutating func remove(_ ids: Set<Int>, from copy: Int) {
        count -= shelves[copy].items.count
        shelves[copy].remove(ids)
        count += shelves[copy].items.count
    }

    mutating func candidates(
        for conditions: [(pointer: JSONPointer, matcher: Matcher)],
        in copy: Int
    ) -> [Int]? {
        shelves[copy].candidates(for: conditions)
    }
}
