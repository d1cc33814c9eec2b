import Basics
package import JSON

extension ScenarioBuilder {
    /// Reads the collections; the accounts are always among them.
    mutating func collections() -> [ItemCollection] {
        if let known = parts.collections {
            take(known.notes)
            return known.value
        }
        let start = beginPart()
        var collections = root["collections"].members.map { collection($0) }
        if !collections.contains(where: { $0.name == ItemCollection.accounts }) {
            collections.append(ItemCollection(name: ItemCollection.accounts))
        }
        checkEmbedsEnd(collections)
        if let notes = notes(since: start) { parts.collections = (collections, notes) }
        return collections
    }

    private mutating func collection(_ member: JSONObject.Member) -> ItemCollection {
        let tree = member.value
        if member.name == ItemCollection.accounts {
            for key in ["items", "per"] {
                guard let idle = tree.object?.member(named: key) else { continue }
                report(
                    "scenario/idle-key",
                    "\"\(key)\" means nothing here, because the items of \"accounts\" are the accounts",
                    at: idle.namePosition,
                    advice: "write them under the scenario's own key \"accounts\""
                )
            }
        }
        let scope = tree["per"]?.string.flatMap(ItemCollection.Scope.init) ?? .session
        let items = items(tree["items"], of: member.name)
        checkRoom(for: items.count, in: scope, at: tree["items"]?.position ?? tree.position)
        return ItemCollection(
            name: member.name,
            items: items,
            scope: scope,
            embeds: tree["embed"].members.compactMap { embed($0, of: member.name) },
            position: member.namePosition
        )
    }

    private mutating func items(_ tree: JSONValue?, of collection: String) -> [TreeTemplate] {
        guard let tree else { return [] }
        return within {
            $0.hasRequest = false
            $0.mayOmit = true
        } read: { builder in
            guard let name = tree.string else { return builder.items(in: tree, of: collection) }
            guard let document = builder.document(named: name, at: tree.position) else { return [] }
            builder.templates.origin = "\(builder.sources.place(of: tree.position)) names this file"
            defer { builder.templates.origin = nil }
            return builder.items(in: document.root, of: collection)
        }
    }

    private mutating func items(in array: JSONValue, of collection: String) -> [TreeTemplate] {
        guard let values = array.array else {
            report(
                "scenario/bad-items",
                "the items of a collection are an array; found \(array.shownBriefly)",
                at: array.position
            )
            return []
        }
        return values.compactMap { value in
            guard let item = value.object else {
                report(
                    "scenario/bad-items",
                    "each item of a collection is an object; found \(value.shownBriefly)",
                    at: value.position
                )
                return nil
            }
            members.know(item.members.lazy.map(\.name), of: collection)
            return templates.tree(value)
        }
    }

    /// Reports more items at the beginning than a collection holds.
    private mutating func checkRoom(for count: Int, in scope: ItemCollection.Scope, at position: JSONPosition) {
        let copies = scope == .account ? max(1, accounts.count) : 1
        guard count > ItemCollection.mostItems / copies else { return }
        let share = copies == 1 ? "" : " for each of \(copies) accounts"
        report(
            "scenario/bad-items",
            "a collection holds at most \(ItemCollection.mostItems) items; found \(count)\(share)",
            at: position
        )
    }

    private mutating func embed(_ member: JSONObject.Member, of collection: String) -> Embed? {
        guard let pointer = pointer(member.name, at: member.namePosition) else { return nil }
        members.know(pointer.tokens.first, of: collection)
        let selection = within {
            $0.hasItem = true
        } read: {
            $0.selection(member.value)
        }
        guard let selection else { return nil }
        if case .everything = selection.view {
            report(
                "scenario/missing-key",
                "an embedded selection needs \"show\", so that it is known what it brings along",
                at: member.value.position,
                advice: "name the members: \"show\": [\"id\", \"name\"]"
            )
        }
        return Embed(pointer: pointer, selection: selection)
    }
}

extension Selection.View {
    /// Whether a reader sees something of a place in an item.
    package func shows(_ pointer: JSONPointer) -> Bool {
        switch self {
        case .everything: true
        case .members(let names): pointer.tokens.first.map(names.containsExactly) ?? true
        case .value(let place): zip(place.tokens, pointer.tokens).allSatisfy { $0.hasSameUTF8(as: $1) }
        }
    }
}
