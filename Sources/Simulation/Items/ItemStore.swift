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
