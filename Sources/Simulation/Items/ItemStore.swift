import JSON
import ScenarioFormat

/// The items of every collection of a session.
///
/// It is limited to ``mostItems`` for a collection, all copies together, and to ``StoredFiles/limit`` for what was
/// uploaded.
struct ItemStore: Sendable {
    /// A copy of a collection, by numbers that stay until the scenario is replaced.
    struct Place: Sendable, Hashable {
        var collection: Int
        var copy: Int
    }

    /// How many items a collection has at most, all of its copies together.
    static let mostItems = ItemCollection.mostItems

    private(set) var collections: [StoredCollection]
    private(set) var files = StoredFiles()
    /// How many changes no request has caused.
    var ownChanges: UInt64 = 0
    private var lastID = 0
    private var accountIDs: [ExactText: Int] = [:]
    let accounts: Place

    init(_ declarations: [ItemCollection]) {
        collections = declarations.map { StoredCollection(name: $0.name) }
        let number = declarations.firstIndex { $0.name.hasSameUTF8(as: ItemCollection.accounts) }
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
            if names.contains(where: { $0.hasSameUTF8(as: collection.name) }) {
                if let number = number(of: collection.name) { collections[number] = collection }
            } else {
                for item in collection.shelves.lazy.flatMap(\.items) { files.drop(item.id) }
            }
        }
        if !self[accounts].items.isEmpty { accountIDs = former.accountIDs }
    }

    func number(of collection: String) -> Int? {
        collections.firstIndex { $0.name.hasSameUTF8(as: collection) }
    }

    /// The copy of an account, or the one of everybody; `nil` while there is none.
    func place(of account: String?, in collection: Int) -> Place? {
        collections[collection].copy(of: account).map { Place(collection: collection, copy: $0) }
    }

    mutating func addCopy(of account: String?, to collection: Int) -> Place {
        Place(collection: collection, copy: collections[collection].addCopy(of: account))
    }

    subscript(place: Place) -> CollectionItems { collections[place.collection].shelves[place.copy] }

    // MARK: Accounts

    /// The names of the accounts, in the order of their making.
    var accountNames: [String] { self[accounts].items.compactMap(\.accountName) }

    var firstAccountName: String? { self[accounts].items.first?.accountName }

    func account(named name: String) -> StoredItem? {
        accountIDs[ExactText(name)].flatMap { self[accounts].item($0) }
    }

    // MARK: Changing

    func hasRoom(in place: Place) -> Bool {
        collections[place.collection].count < Self.mostItems
    }

    /// Puts a new item at the end; there must be room.
    @discardableResult
    mutating func add(_ value: JSONValue, accountName: String? = nil, to place: Place) -> StoredItem {
        lastID += 1
        let item = StoredItem(id: lastID, value: value, accountName: accountName)
        collections[place.collection].add(item, to: place.copy)
        if let accountName, place == accounts { accountIDs[ExactText(accountName)] = item.id }
        return item
    }

    mutating func change(_ id: Int, to value: JSONValue, at place: Place) {
        collections[place.collection].change(id, to: value, in: place.copy)
    }

    mutating func remove(_ ids: Set<Int>, at place: Place) {
        if place == accounts {
            for name in ids.compactMap({ self[place].item($0)?.accountName }) { accountIDs[ExactText(name)] = nil }
        }
        for id in ids { files.drop(id) }
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
    /// How many bytes are kept in total.
    static let limit = 64 << 20

    private var contents: [Int: [UInt8]] = [:]
    /// The items in the order of their files' coming; some may be gone.
    private var order: [Int] = []
    /// How many at the beginning of the order are gone.
    private var dropped = 0
    private var total = 0
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
