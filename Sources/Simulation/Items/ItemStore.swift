import Basics
import JSON
import ScenarioFormat

/// The items of every collection of a session.
///
/// It is limited to ``mostItems`` for a collection, all copies together, to ``mostBytes`` for the items that requests have
/// made or changed, and to ``StoredFiles/limit`` for what was uploaded.
struct ItemStore: Sendable {
    /// A copy of a collection, by numbers that stay until the scenario is replaced.
    struct Place: Sendable, Hashable {
        var collection: Int
        var copy: Int
    }

    /// The maximum number of items of a collection, all of its copies together.
    static let mostItems = ItemCollection.mostItems
    /// The maximum size of the items that requests have made or changed, in bytes as ``JSONValue/storedSize`` counts them.
    static let mostBytes = 64 << 20

    /// The size of the items that requests have made or changed, in bytes.
    private(set) var bytes = 0
    private(set) var collections: [StoredCollection]
    private(set) var files = StoredFiles()
    /// The number of changes without a request.
    var ownChanges: UInt64 = 0
    private var lastID = 0
    private var accountIDs: [ExactText: Int] = [:]
    let accounts: Place

    init(_ declarations: [ItemCollection]) {
        collections = declarations.map { StoredCollection(name: $0.name) }
        let number = declarations.firstIndex { $0.name.exact == ItemCollection.accounts.exact }
        if number == nil { collections.append(StoredCollection(name: ItemCollection.accounts)) }
        accounts = Place(collection: number ?? collections.count - 1, copy: 0)
        for index in collections.indices {
            let isOne = index == accounts.collection || declarations[index].scope == .session
            if isOne { _ = collections[index].addCopy(of: nil) }
        }
    }

    /// The collections of another version of the scenario; those that are named keep their items, the others are empty.
    init(_ declarations: [ItemCollection], keeping names: [String], of former: ItemStore) {
        self.init(declarations)
        (lastID, ownChanges, files) = (former.lastID, former.ownChanges, former.files)
        for collection in former.collections {
            if names.contains(where: { $0.exact == collection.name.exact }) {
                if let number = number(of: collection.name) { collections[number] = collection }
            } else {
                for item in collection.copies.lazy.flatMap(\.items) { files.drop(item.id) }
            }
        }
        if !self[accounts].items.isEmpty { accountIDs = former.accountIDs }
        bytes = collections.lazy.flatMap(\.copies).flatMap(\.items).reduce(0) { $0 + $1.size }
    }

    func number(of collection: String) -> Int? {
        collections.firstIndex { $0.name.exact == collection.exact }
    }

    /// The copy of an account, or the one of everybody; `nil` while there is none.
    func place(of account: String?, in collection: Int) -> Place? {
        collections[collection].copy(of: account).map { Place(collection: collection, copy: $0) }
    }

    mutating func addCopy(of account: String?, to collection: Int) -> Place {
        Place(collection: collection, copy: collections[collection].addCopy(of: account))
    }

    subscript(place: Place) -> CollectionItems { collections[place.collection].copies[place.copy] }

    // MARK: Accounts

    /// The names of the accounts, in the order of their making.
    var accountNames: [String] { self[accounts].items.compactMap(\.accountName) }

    var firstAccountName: String? { self[accounts].items.first?.accountName }

    func account(named name: String) -> StoredItem? {
        accountIDs[name.exact].flatMap { self[accounts].item($0) }
    }

    // MARK: Changing

    func hasRoom(in place: Place) -> Bool {
        collections[place.collection].count < Self.mostItems
    }

    /// Puts a new item at the end; there must be room.
    ///
    /// - Parameter size: its size in bytes; zero for one that the scenario begins with.
    @discardableResult
    mutating func add(_ value: JSONValue, size: Int = 0, accountName: String? = nil, to place: Place) -> StoredItem {
        lastID += 1
        let item = StoredItem(id: lastID, value: value, accountName: accountName, size: size)
        bytes += size
        collections[place.collection].add(item, to: place.copy)
        if let accountName, place == accounts { accountIDs[accountName.exact] = item.id }
        return item
    }

    mutating func change(_ id: Int, to value: JSONValue, size: Int, at place: Place) {
        bytes += size - (self[place].item(id)?.size ?? size)
        collections[place.collection].change(id, to: value, size: size, in: place.copy)
    }

    mutating func remove(_ ids: Set<Int>, at place: Place) {
        if place == accounts {
            for name in ids.compactMap({ self[place].item($0)?.accountName }) { accountIDs[name.exact] = nil }
        }
        for id in ids {
            files.drop(id)
            bytes -= self[place].item(id)?.size ?? 0
        }
        collections[place.collection].remove(ids, from: place.copy)
    }

    mutating func keep(_ bytes: [UInt8], of item: StoredItem) {
        files.keep(bytes, of: item.id)
    }

    // MARK: Searching

    mutating func candidates(
        for conditions: [(pointer: JSONPointer, matcher: Matcher)],
        at place: Place
    ) -> [Int]? {
        collections[place.collection].candidates(for: conditions, in: place.copy)
    }
}

/// The bytes of uploaded files, by the item that each belongs to.
///
/// They are limited in total, so that a server which runs for weeks does not fill the memory: beyond the limit the
/// bytes of the oldest files go first. Their items stay, and a response with such a file's content says what has happened.
struct StoredFiles: Sendable {
    /// The number of bytes that are kept in total.
    static let limit = 64 << 20

    private var contents: [Int: [UInt8]] = [:]
    /// The items in the order of their files' coming; some may be gone.
    private var order: [Int] = []
    /// The number of removed entries at the beginning of the order.
    private var dropped = 0
    /// The number of bytes that are kept.
    private(set) var total = 0
    private let limit: Int

    init(limit: Int = StoredFiles.limit) {
        self.limit = limit
    }

    subscript(item: Int) -> [UInt8]? { contents[item] }

    mutating func keep(_ bytes: [UInt8], of item: Int) {
        contents[item] = bytes
        order.append(item)
        total += bytes.count
        while total > limit, dropped < order.count {
            drop(order[dropped])
            dropped += 1
        }
        if order.count > 64, order.count > contents.count * 2 {
            order = order[dropped...].filter { contents[$0] != nil }
            dropped = 0
        }
    }

    mutating func drop(_ item: Int) {
        if let bytes = contents.removeValue(forKey: item) { total -= bytes.count }
    }
}

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

extension JSONValue {
    /// The maximum nesting depth of an item, equal to that of a parsed text.
    private static let greatestDepth = 512
    /// The maximum number of values in an item: one that is repeatedly put into itself doubles each time.
    private static let mostValues = 100_000

    /// The approximate size of a value in memory, without its texts, in bytes.
    private static let valueSize = 48

    /// Its approximate size in memory, in bytes; `nil` if it is nested too deeply or has too many values to be stored.
    var storedSize: Int? {
        var waiting = [(value: self, depth: 1)]
        var (count, size) = (1, 0)
        while let (value, depth) = waiting.popLast() {
            if case .object(let object) = value.content {
                size += object.members.reduce(0) { $0 + $1.name.utf8.count }
            }
            let parts = value.array ?? value.object?.members.map(\.value) ?? []
            count += parts.count
            guard depth <= Self.greatestDepth, count <= Self.mostValues else { return nil }
            for part in parts {
                switch part.content {
                case .array, .object: waiting.append((part, depth + 1))
                case .string(let text): size += text.utf8.count
                case .number(let number): size += number.text.utf8.count
                default: break
                }
            }
        }
        return size + count * Self.valueSize
    }
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
