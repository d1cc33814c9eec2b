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

    /// The bytes and the media type of the file that was found.
    ///
    /// The type is what the path says, and only without that what the sender has said: a browser would run what a
    /// stranger sends as `text/html`.
    func content(of found: FoundItems) -> (bytes: [UInt8], type: String)? {
        guard let place = found.place, let id = found.ids.first, let bytes = files[id], let item = self[place].item(id)
        else { return nil }
        let type = item.value["path"]?.string.flatMap { MediaTypes.knownType(ofFile: $0) }
        return (bytes, type ?? item.value["type"]?.string ?? "application/octet-stream")
    }

    // MARK: Searching

    mutating func candidates(
        for conditions: [(pointer: JSONPointer, matcher: Matcher)],
        at place: Place
    ) -> [Int]? {
        collections[place.collection].candidates(for: conditions, in: place.copy)
    }
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
