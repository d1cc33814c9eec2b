package import JSON
import ScenarioFormat

/// What the session stores, and whose it is.
extension Session {
    /// What is stored at the moment, by collection in the order of the file, and where each account has a copy of its
    /// own, by account in the order of the names.
    ///
    /// Copies that no request has needed yet are told too, for every account that there is.
    package var items: [(collection: String, account: String?, items: [JSONValue])] {
        var session = self
        for collection in stage.scenario.collections where collection.scope == .account {
            for account in store.accountNames + [defaultAccount] {
                _ = session.place(of: collection.name, account: account, caller: nil)
            }
        }
        return session.store.collections.flatMap { collection in
            collection.shelves
                .sorted { ($0.account ?? "").utf8.lexicographicallyPrecedes(($1.account ?? "").utf8) }
                .map { (collection.name, $0.account, $0.items.map(\.value)) }
        }
    }

    /// The stored items of one collection; those that an account begins with where its copy was not needed yet.
    ///
    /// - Parameter account: whose copy; the default account's if `nil`. It means nothing for a collection that is one
    ///   for everybody.
    /// - Returns: `nil` where there is no such collection or account.
    package func items(of collection: String, account: String? = nil) -> [JSONValue]? {
        var session = self
        return session.place(of: collection, account: account, caller: nil)
            .map { session.store[$0].items.map(\.value) }
    }

    // MARK: Accounts

    /// The account of whoever signs in without saying which.
    var defaultAccount: String {
        store.firstAccountName ?? "user"
    }

    /// What is stored of an account.
    func accountData(of name: String?) -> JSONValue? {
        name.flatMap { store.account(named: $0)?.value }
    }

    /// Whether there is such an account, or somebody has signed in as it.
    private func isKnown(_ account: String) -> Bool {
        store.account(named: account) != nil || account.hasSameUTF8(as: defaultAccount)
            || ledger.devices.contains { $0.account.hasSameUTF8(as: account) }
    }

    // MARK: Copies

    /// The copy of a collection that somebody means, made if it is needed for the first time.
    ///
    /// - Parameters:
    ///   - account: whose copy, where it is said.
    ///   - caller: the account of the request; without one it is the default account's.
    /// - Returns: `nil` where there is no such collection or account.
    mutating func place(of collection: String, account: String?, caller: String?) -> ItemStore.Place? {
        guard let number = store.number(of: collection) else { return nil }
        let declaration = stage.scenario.collections.indices.contains(number) ? stage.scenario.collections[number] : nil
        guard let declaration, declaration.scope == .account else { return store.place(of: nil, in: number) }
        let owner = account ?? caller ?? defaultAccount
        if let place = store.place(of: owner, in: number) { return place }
        guard account == nil || isKnown(owner) else { return nil }
        let place = store.addCopy(of: owner, to: number)
        fillCopy(place, of: declaration, for: owner)
        return place
    }

    /// Puts in what the scenario begins with: the accounts, and the collections that are one for everybody.
    mutating func fillStore() {
        store = ItemStore(stage.scenario.collections)
        fillStore(except: [])
    }

    /// Keeps the items of every collection that begins as it did in a former version of the scenario; the others start
    /// anew.
    mutating func renewStore(after former: Scenario) {
        let kept = stage.scenario.collectionsBeginning(asIn: former)
        store = ItemStore(stage.scenario.collections, keeping: kept, of: store)
        fillStore(except: kept)
    }

    /// Puts in what collections begin with; the accounts first, because others may speak of them.
    private mutating func fillStore(except names: [String]) {
        if !names.contains(where: ItemCollection.accounts.hasSameUTF8) {
            for account in stage.scenario.accounts {
                store.add(.object(account.data), accountName: account.name, to: store.accounts)
            }
        }
        for (number, collection) in stage.scenario.collections.enumerated() where collection.scope == .session {
            guard number != store.accounts.collection, !names.contains(where: collection.name.hasSameUTF8) else {
                continue
            }
            var context = asideContext(at: start, stream: StableHash("items of \(collection.name)").value)
            context.account = defaultAccount
            add(collection.items, to: ItemStore.Place(collection: number, copy: 0), in: &context)
        }
    }

    /// Puts in what an account's copy begins with.
    ///
    /// It does not depend on when it is needed: clock and counters are as they were at the scenario's start. The
    /// counters of the session go on behind those that are used here, so that what is made later gets other numbers.
    private mutating func fillCopy(_ place: ItemStore.Place, of collection: ItemCollection, for owner: String) {
        var stream = StableHash("items of \(collection.name)")
        stream.combine(owner)
        var context = asideContext(at: start, stream: stream.value)
        context.account = owner
        let present = counters
        for counter in stage.scenario.counters { counters[counter.name] = counter.start }
        add(collection.items, to: place, in: &context)
        counters.merge(present, uniquingKeysWith: max)
    }

    private mutating func add(
        _ templates: [TreeTemplate],
        to place: ItemStore.Place,
        in context: inout ExchangeContext
    ) {
        for template in templates where store.hasRoom(in: place) {
            if let item = value(of: template, in: &context) { store.add(item, to: place) }
        }
    }
}
