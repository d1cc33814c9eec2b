import Basics
package import JSON
package import ScenarioFormat

/// The stored items of a session, with their owners.
extension MockBackend {
    /// The currently stored items, by collection in the order of the file; copies of accounts are sorted by the
    /// account's name.
    ///
    /// Copies that no request has needed yet are included, for every account.
    package var items: [(collection: String, account: String?, items: [JSONValue])] {
        var backend = self
        for collection in played.scenario.collections where collection.scope == .account {
            for account in store.accountNames + [defaultAccount] {
                _ = backend.place(of: collection.name, account: account, caller: nil)
            }
        }
        return backend.store.collections.flatMap { collection in
            collection.copies
                .sorted { ($0.account ?? "").utf8.lexicographicallyPrecedes(($1.account ?? "").utf8) }
                .map { (collection.name, $0.account, $0.items.map(\.value)) }
        }
    }

    /// The stored items of one collection; those that an account begins with where its copy was not needed yet.
    ///
    /// - Parameter account: the copy's owner; the default account if `nil`. It has no effect for a collection that is one
    ///   for everybody.
    /// - Returns: `nil` where there is no such collection or account.
    package func items(of collection: String, account: String? = nil) -> [JSONValue]? {
        var backend = self
        return backend.place(of: collection, account: account, caller: nil)
            .map { backend.store[$0].items.map(\.value) }
    }

    // MARK: Accounts

    /// The account of a sign-in that does not say which.
    var defaultAccount: String {
        store.firstAccountName ?? "user"
    }

    /// The stored data of an account.
    func accountData(of name: String?) -> JSONValue? {
        guard let name else { return nil }
        return store.account(named: name)?.value
    }

    /// Returns whether there is such an account, or a device has signed in as it.
    private func isKnown(_ account: String) -> Bool {
        store.account(named: account) != nil || account.exact == defaultAccount.exact
            || ledger.devices.contains { $0.account.exact == account.exact }
    }

    // MARK: Copies

    /// The copy of a collection that a request means, made if it is needed for the first time.
    ///
    /// - Parameters:
    ///   - account: whose copy, where it is said.
    ///   - caller: the account of the request; without one it is the default account's.
    /// - Returns: `nil` where there is no such collection or account.
    mutating func place(of collection: String, account: String?, caller: String?) -> ItemStore.Place? {
        guard let number = store.number(of: collection) else { return nil }
        let declaration =
            played.scenario.collections.indices.contains(number) ? played.scenario.collections[number] : nil
        guard let declaration, declaration.scope == .account else { return store.place(of: nil, in: number) }
        let owner = account ?? caller ?? defaultAccount
        if let place = store.place(of: owner, in: number) { return place }
        guard account == nil || isKnown(owner) else { return nil }
        let place = store.addCopy(of: owner, to: number)
        fillCopy(place, of: declaration, for: owner)
        return place
    }

    /// Keeps the items of every collection whose initial items equal those of a former version of the scenario;
    /// resets the others.
    mutating func renewStore(after former: Scenario) {
        let kept = played.scenario.collectionsBeginning(asIn: former)
        store = ItemStore(played.scenario.collections, keeping: kept, of: store)
        fillStore(except: kept)
    }

    /// Puts in what collections begin with; the accounts first, because others may speak of them.
    mutating func fillStore(except names: [String]) {
        if !names.contains(ItemCollection.accounts.exact) {
            for account in played.scenario.accounts {
                store.add(.object(account.data), accountName: account.name, to: store.accounts)
            }
        }
        for (number, collection) in played.scenario.collections.enumerated() where collection.scope == .session {
            guard number != store.accounts.collection, !names.contains(collection.name.exact) else {
                continue
            }
            var context = ExchangeContext(
                at: start,
                seed: seed,
                stream: StableHash("items of \(collection.name)").value
            )
            context.account = defaultAccount
            add(collection.items, to: ItemStore.Place(collection: number, copy: 0), in: &context)
        }
    }

    /// Puts in what an account's copy begins with.
    ///
    /// It does not depend on when it is needed: clock and counters are as they were at the scenario's start. The
    /// counters of the session continue after those that are used here, so that later items get other numbers.
    private mutating func fillCopy(_ place: ItemStore.Place, of collection: ItemCollection, for owner: String) {
        var stream = StableHash("items of \(collection.name)")
        stream.combine(owner)
        var context = ExchangeContext(at: start, seed: seed, stream: stream.value)
        context.account = owner
        let present = counters
        for counter in played.scenario.counters { counters[counter.name] = counter.start }
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

extension ItemCollection {
    /// Its initial items in a canonical form, so that two versions of a collection can be compared.
    fileprivate var beginning: [UInt8] {
        var bytes = Array(scope.rawValue.utf8)
        for item in items {
            for part in item.complete.parts {
                switch part {
                case .bytes(let fixed): bytes += fixed
                case .value(let placeholder): bytes += "\u{1}\(placeholder.text)\u{1}".utf8
                case .fragment(let placeholder): bytes += "\u{2}\(placeholder.text)\u{2}".utf8
                }
            }
            bytes.append(0)
        }
        return bytes
    }
}

extension Scenario {
    /// The collections that begin as they do in another version of the scenario, by name.
    func collectionsBeginning(asIn other: Scenario) -> [String] {
        collections.compactMap { collection in
            guard let former = other.collections.first(where: { $0.name.exact == collection.name.exact }) else {
                return nil
            }
            let isSame =
                collection.name.exact == ItemCollection.accounts.exact
                ? accountsBegin(asIn: other) : collection.beginning == former.beginning
            return isSame ? collection.name : nil
        }
    }

    /// The collections whose items do not outlive a change from another version of the scenario to this one.
    package func collectionsStartingAnew(after former: Scenario) -> [String] {
        let kept = collectionsBeginning(asIn: former)
        return collections.map(\.name).filter { name in
            former.collections.contains { $0.name.exact == name.exact } && !kept.contains(name.exact)
        }
    }

    private func accountsBegin(asIn other: Scenario) -> Bool {
        accounts.elementsEqual(other.accounts) { $0.name.exact == $1.name.exact && $0.data == $1.data }
    }
}
