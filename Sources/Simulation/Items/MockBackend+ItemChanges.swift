import Basics
import JSON
import ScenarioFormat

extension MockBackend {
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
        var context = ExchangeContext(at: time, seed: seed, stream: StableHash("change \(store.ownChanges)").value)
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
        context.bind(FoundItems(last, of: collection, at: place), as: name)
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
            edit.perform(on: &item) { value(of: $0, in: &context) }
            guard item.object != nil, let size = item.storedSize else { return .unfitItem(of: found.collection) }
            guard hasRoom(for: size - (store[place].item(id)?.size ?? 0)) else { return .tooMuchStored }
            store.change(id, to: item, size: size, at: place)
            context.noteItemsChanged()
        }
        return nil
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

extension ItemChange.Edit {
    /// Changes an item; a function gives the values of templates.
    fileprivate func perform(on item: inout JSONValue, _ value: (TreeTemplate) -> JSONValue?) {
        for (pointer, template) in set {
            if let value = value(template) { item.put(value, at: pointer.tokens[...]) }
        }
        for (pointer, template) in add {
            if let value = value(template) { item.join(value, at: pointer) }
        }
        for (pointer, template) in remove {
            if let value = value(template) { item.leave(value, at: pointer) }
        }
        for pointer in unset { item.remove(at: pointer.tokens[...]) }
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
