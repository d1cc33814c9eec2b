import Basics
package import JSON

enum CollectionKeys: FormatObject {
    static let items = Key(
        "items",
        .json(.choice([.text(.path), .list(of: .map(of: .anything, names: .any))])),
        """
        The initial items: an array, or the path of a JSON file that contains an array. Request placeholders are not \
        allowed.
        """,
        example: [["id": 1, "text": "Snow"]]
    )
    static let per = Key(
        "per",
        .word(ItemCollection.Scope.self),
        default: .session,
        """
        The owner of the items. "session" keeps one list for all accounts; "account" creates a copy of "items" for \
        each account on first use.
        """
    )
    static let embed = Key(
        "embed",
        list: .map(of: .restricted(.object(SelectionKeys.self), [showsMembers]), names: .pointer),
        """
        The members that embed other items, by JSON Pointer. Each selection requires "show"; {{item#/…}} is the \
        enclosing item. If "one" finds nothing, the member is omitted.
        """,
        example: ["/owner": ["one": "accounts", "where": ["/id": "{{item#/owner}}"], "show": ["id", "name"]]]
    )

    private static let showsMembers = ObjectRule(
        .has(SelectionKeys.show),
        "scenario/missing-key",
        "an embedded selection requires \"show\"",
        advice: "name the members: \"show\": [\"id\", \"name\"]"
    )

    /// The rule of all collections: the items of `accounts` are the accounts.
    static let rules: ObjectRules = [
        ObjectRule(reportedByLoader: .not(.member(ItemCollection.accounts, .hasAny([items, per]))))
    ]

    static let shape = ObjectShape(
        "collection",
        "a collection",
        "stored items of one kind",
        [items, per, embed],
        discussion: """
            A route queries collections with `find` before its cases are checked. Its cases test the result with \
            `found`, and its responses change items with the events `create`, `update`, `delete` and `upload`. The \
            response body then contains the changed items.

            `accounts` is also a collection: its items are the accounts, and `collections` can add only an `embed` to \
            it. `{{account#/name}}` is the caller's stored data, without embedded items.

            A story changes the items with events in `given` or by replacing `items`. To check the result, it uses \
            `{"items": "photos", …}` in `expect`.
            """
    )
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads the collections; the accounts are always among them.
    mutating func collections() -> [ItemCollection] {
        if let known = parts.collections {
            noted.add(known.notes)
            return known.value
        }
        let start = beginPart()
        var collections = root[ScenarioKeys.collections].map { collection($0) }
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
            for idle in [tree.member(CollectionKeys.items), tree.member(CollectionKeys.per)] {
                reportIdle(
                    idle,
                    "here, because the items of \"accounts\" are the accounts",
                    advice: "define the accounts under the scenario's key \"accounts\""
                )
            }
        }
        let scope = tree[CollectionKeys.per]
        let items = items(tree[CollectionKeys.items], of: member.name)
        checkRoom(for: items.count, in: scope, at: tree.written(CollectionKeys.items)?.position ?? tree.position)
        return ItemCollection(
            name: member.name,
            items: items,
            scope: scope,
            embeds: tree[CollectionKeys.embed].compactMap { embed($0, of: member.name) },
            position: member.namePosition
        )
    }

    private mutating func items(_ tree: JSONValue?, of collection: String) -> [TreeTemplate] {
        guard let tree else { return [] }
        return within {
            $0.hasRequest = false
            $0.mayOmit = true
        } read: { builder in
            guard let name = tree.string else { return builder.items(in: tree, of: collection, isFile: false) }
            guard let document = builder.document(named: name, at: tree.position) else { return [] }
            builder.templates.origin = "\(builder.sources.place(of: tree.position)) uses this file"
            defer { builder.templates.origin = nil }
            return builder.items(in: document.root, of: collection, isFile: true)
        }
    }

    /// - Parameter isFile: whether the items are a file's, which no shape check has seen.
    private mutating func items(in array: JSONValue, of collection: String, isFile: Bool) -> [TreeTemplate] {
        guard let values = array.array else {
            report(
                "scenario/bad-items",
                "found \(array.shownBriefly), but expected an array of items",
                at: array.position
            )
            return []
        }
        return values.compactMap { value in
            guard let item = value.object else {
                if isFile {
                    report(
                        "scenario/bad-items",
                        "found \(value.shownBriefly), but expected an object",
                        at: value.position
                    )
                }
                return nil
            }
            noted.members.know(item.members.lazy.map(\.name), of: collection)
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
            "found \(count) items\(share), but a collection holds at most \(ItemCollection.mostItems)",
            at: position
        )
    }

    private mutating func embed(_ member: JSONObject.Member, of collection: String) -> Embed? {
        guard let pointer = pointer(member.name, at: member.namePosition) else { return nil }
        noted.members.know(pointer.tokens.first, of: collection)
        let selection = within {
            $0.hasItem = true
        } read: {
            $0.selection(member.value)
        }
        return selection.map { Embed(pointer: pointer, selection: $0) }
    }
}

extension Selection.View {
    /// Returns whether a reader sees something of a place in an item.
    package func shows(_ pointer: JSONPointer) -> Bool {
        switch self {
        case .everything: true
        case .members(let names): pointer.tokens.first.map(names.containsExactly) ?? true
        case .value(let place): zip(place.tokens, pointer.tokens).allSatisfy { $0.hasSameUTF8(as: $1) }
        }
    }
}
