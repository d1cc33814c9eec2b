import Basics
package import JSON
package import ScenarioFormat

/// The stored items of a session, with their owners.
extension Session {
    /// The currently stored items, by collection in the order of the file; copies of accounts are sorted by the
    /// account's name.
    ///
    /// Copies that no request has needed yet are included, for every account.
    package var items: [(collection: String, account: String?, items: [JSONValue])] {
        var session = self
        for collection in played.scenario.collections where collection.scope == .account {
            for account in store.accountNames + [defaultAccount] {
                _ = session.place(of: collection.name, account: account, caller: nil)
            }
        }
        return session.store.collections.flatMap { collection in
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
        var session = self
        return session.place(of: collection, account: account, caller: nil)
            .map { session.store[$0].items.map(\.value) }
    }

    // MARK: Accounts

    /// The account of a sign-in that does not say which.
    var defaultAccount: String {
        store.firstAccountName ?? "user"
    }

    /// The stored data of an account.
    func accountData(of name: String?) -> JSONValue? {
        name.flatMap { store.account(named: $0)?.value }
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

    /// Puts in what the scenario begins with: the accounts, and the collections that are one for everybody.
    mutating func fillStore() {
        store = ItemStore(played.scenario.collections)
        fillStore(except: [])
    }

    /// Keeps the items of every collection whose initial items equal those of a former version of the scenario;
    /// resets the others.
    mutating func renewStore(after former: Scenario) {
        let kept = played.scenario.collectionsBeginning(asIn: former)
        store = ItemStore(played.scenario.collections, keeping: kept, of: store)
        fillStore(except: kept)
    }

    /// Puts in what collections begin with; the accounts first, because others may speak of them.
    private mutating func fillStore(except names: [String]) {
        if !names.contains(ItemCollection.accounts.exact) {
            for account in played.scenario.accounts {
                store.add(.object(account.data), accountName: account.name, to: store.accounts)
            }
        }
        for (number, collection) in played.scenario.collections.enumerated() where collection.scope == .session {
            guard number != store.accounts.collection, !names.contains(collection.name.exact) else {
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
    /// counters of the session continue after those that are used here, so that later items get other numbers.
    private mutating func fillCopy(_ place: ItemStore.Place, of collection: ItemCollection, for owner: String) {
        var stream = StableHash("items of \(collection.name)")
        stream.combine(owner)
        var context = asideContext(at: start, stream: stream.value)
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

extension Session {
    /// The size of what requests have stored: items, files, and what tokens remember, in bytes.
    package var storedBytes: Int { store.bytes + store.files.total + ledger.memoryBytes }

    /// Returns whether items may grow by a number of bytes.
    func hasRoom(for growth: Int) -> Bool {
        growth <= 0 || store.bytes + growth <= ItemStore.mostBytes && !isServerFull()
    }

    /// Makes, changes or removes items.
    ///
    /// - Returns: what is in the way, so that the change has not taken place, or not for all of its items.
    mutating func change(_ change: ItemChange, in context: inout ExchangeContext) -> Problem? {
        switch change {
        case .create(let creation): return create(creation, in: &context)
        case .update(let target, let edit): return update(target, edit, in: &context)
        case .delete(let target): remove(target, in: &context)
        case .upload(let upload): return keep(upload, in: &context)
        case .each(let template, let change): return repeating(change, forEach: template, in: &context)
        }
        return nil
    }

    /// Makes a change once for every element of an array; other values have no elements.
    private mutating func repeating(
        _ change: ItemChange,
        forEach template: TreeTemplate,
        in context: inout ExchangeContext
    ) -> Problem? {
        defer { context.element = nil }
        for element in value(of: template, in: &context)?.array ?? [] {
            context.element = element
            if let problem = self.change(change, in: &context) { return problem }
        }
        return nil
    }

    /// Changes items without a request; impossible changes are skipped.
    mutating func change(_ change: ItemChange, at time: VirtualTime) {
        store.ownChanges += 1
        var context = asideContext(at: time, stream: StableHash("change \(store.ownChanges)").value)
        _ = self.change(change, in: &context)
    }

    // MARK: Making

    private mutating func create(_ creation: ItemChange.Creation, in context: inout ExchangeContext) -> Problem? {
        let owner = creation.owner.map { render($0, in: &context) }
        let collection = creation.collection
        guard let place = place(of: collection, account: owner, caller: context.account) else {
            return .noCopy(of: collection, for: owner ?? "")
        }
        var last: StoredItem?
        for _ in 0..<creation.times {
            guard store.hasRoom(in: place) else { return .tooManyItems(in: collection) }
            let name = creation.accountName.map { render($0, in: &context) }
            if let name, store.account(named: name) != nil { return .accountExists(name) }
            guard let item = value(of: creation.item, in: &context), let size = item.storedSize else {
                return .unfitItem(of: collection)
            }
            guard hasRoom(for: size) else { return .tooMuchStored }
            last = store.add(item, size: size, accountName: name, to: place)
            context.noteItemsChanged()
        }
        guard let last, let name = creation.boundName else { return nil }
        var found = FoundItems(collection, as: .everything, isSingle: true)
        (found.place, found.accountName) = (place, last.accountName)
        (found.ids, found.page) = ([last.id], [last.id])
        context.bind(found, as: name)
        return nil
    }

    // MARK: Changing

    private mutating func update(
        _ target: ItemChange.Target,
        _ edit: ItemChange.Edit,
        in context: inout ExchangeContext
    ) -> Problem? {
        guard let found = items(of: target, in: &context), let place = found.place else { return nil }
        for id in found.ids {
            guard var item = store[place].item(id)?.value else { continue }
            perform(edit, on: &item, in: &context)
            guard item.object != nil, let size = item.storedSize else { return .unfitItem(of: found.collection) }
            guard hasRoom(for: size - (store[place].item(id)?.size ?? 0)) else { return .tooMuchStored }
            store.change(id, to: item, size: size, at: place)
            context.noteItemsChanged()
        }
        return nil
    }

    private mutating func perform(
        _ edit: ItemChange.Edit,
        on item: inout JSONValue,
        in context: inout ExchangeContext
    ) {
        for (pointer, template) in edit.set {
            if let value = value(of: template, in: &context) { item.put(value, at: pointer.tokens[...]) }
        }
        for (pointer, template) in edit.add {
            if let value = value(of: template, in: &context) { item.join(value, at: pointer) }
        }
        for (pointer, template) in edit.remove {
            if let value = value(of: template, in: &context) { item.leave(value, at: pointer) }
        }
        for pointer in edit.unset { item.remove(at: pointer.tokens[...]) }
    }

    // MARK: Removing

    private mutating func remove(_ target: ItemChange.Target, in context: inout ExchangeContext) {
        guard let found = items(of: target, in: &context), let place = found.place, !found.ids.isEmpty else { return }
        let ids = Set(found.ids)
        // What is gone is still seen as it was, so it is looked at for the last time.
        for number in context.found.indices {
            let other = context.found[number].items
            guard other.selection == nil, other.place == place, other.ids.contains(where: ids.contains) else {
                continue
            }
            _ = foundValue(context.found[number].name, at: JSONPointer(), in: &context)
        }
        store.remove(ids, at: place)
        context.noteItemsChanged()
    }

    /// The items that a change is about; of a list that was found, those of its page.
    private mutating func items(of target: ItemChange.Target, in context: inout ExchangeContext) -> FoundItems? {
        switch target {
        case .found(let name): context.foundNumber(of: name).map { context.found[$0].items }
        case .selected(let selection): pick(selection, in: &context)
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

/// The tool's response to conflicting changes of items.
extension Problem {
    static func tooMuchEmbedded(of collection: String) -> Problem {
        Problem(
            "too-much-embedded",
            status: 500,
            title: "The response embeds too many items",
            detail:
                "Including the embedded items, the response for \"\(collection)\" would contain more than "
                + "\(EmbeddedWork.mostShown) items or require reading more than \(EmbeddedWork.mostLookedAt) "
                + "items. Select fewer items, use pages, or remove unused properties from \"show\"."
        )
    }

    static func tooManyItems(in collection: String) -> Problem {
        Problem(
            "too-many-items",
            status: 507,
            title: "The collection is full",
            detail: "\"\(collection)\" contains the maximum of \(ItemStore.mostItems) items.",
            members: [("collection", .string(collection))]
        )
    }

    static var tooMuchStored: Problem {
        Problem(
            "too-much-stored",
            status: 507,
            title: "The server stores too much",
            detail:
                "The items of the session or the data of its tokens have \(ItemStore.mostBytes >> 20) MB, or all sessions "
                + "together store too much. Remove items, or reset the session with POST /__backlot/scenario."
        )
    }

    static func unfitItem(of collection: String) -> Problem {
        Problem(
            "unfit-item",
            status: 507,
            title: "The item cannot be stored",
            detail: "The new item for \"\(collection)\" is not an object, is nested too deeply, or is too large.",
            members: [("collection", .string(collection))]
        )
    }

    static func accountExists(_ name: String) -> Problem {
        Problem(
            "account-exists",
            status: 500,
            title: "An account with this name already exists",
            detail:
                "The account \"\(name)\" already exists. Look up the account with \"find\" in the route, and add a case"
                + " for an existing account.",
            members: [("account", .string(name))]
        )
    }

    static func noCopy(of collection: String, for account: String) -> Problem {
        Problem(
            "unknown-account",
            status: 500,
            title: "The item has no owner",
            detail: "\"\(collection)\" is stored for each account, but the account \"\(account)\" does not exist.",
            members: [("collection", .string(collection)), ("account", .string(account))]
        )
    }

    static func noContent(_ name: String) -> Problem {
        Problem(
            "no-content",
            status: 404,
            title: "The file is not available",
            detail: "The item found as \"\(name)\" is not an uploaded file, or newer files have replaced its data."
        )
    }
}
