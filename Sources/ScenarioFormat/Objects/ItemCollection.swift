import Basics
package import JSON

/// The stored items of one kind: posts, comments, users.
package struct ItemCollection: Sendable {
    /// The owner of the items.
    package enum Scope: String, Sendable, CaseIterable {
        /// One set for everybody.
        case session
        /// Every account has its own copy, made when it is first needed.
        case account
    }

    /// The collection whose items are the accounts; there is always one.
    package static let accounts = "accounts"

    /// The maximum number of items of a collection, all copies together.
    package static let mostItems = 100_000

    package var name = ""
    /// The initial items, in order.
    package var items: [TreeTemplate] = []
    package var scope = Scope.session
    /// The visible members of an item that are not stored in it.
    package var embeds: [Embed] = []
    package var position = JSONPosition.unknown
}

/// A place of an item where a reader sees other items than the stored value.
package struct Embed: Sendable {
    /// The maximum nesting depth of embedded items.
    package static let greatestDepth = 16

    package var pointer: JSONPointer
    package var selection: Selection
}

extension ItemCollection: ModelObject {
    static let keys = Keys(
        "collection",
        "a collection",
        "stored items of one kind",
        discussion: """
            A route queries collections with `find` before the cases are checked. The cases test the result with \
            `found`, and the responses change items with the events `create`, `update`, `delete` and `upload`. The \
            response body then contains the changed items.

            `accounts` is also a collection: its items are the accounts, and `collections` can add only an `embed` to \
            this collection. `{{account#/name}}` is the caller's stored data, without embedded items.

            A story changes the items with events in `given` or by replacing `items`. To check the result, the story \
            uses `{"items": "photos", …}` in `expect`.
            """
    ) {
        Key(
            "items",
            .choice([.text(.path), .list(of: .map(of: .anything, names: .any))]),
            """
            The initial items: an array, or the path of a JSON file that contains an array. Request placeholders are not \
            allowed.
            """
        ) { collection, tree, builder in
            collection.readItems(tree, &builder)
        }
        .example([["id": 1, "text": "Snow"]])
        Key("per", \.scope, .word)
            .summary(
                """
                The owner of the items. "session" keeps one list for all accounts; "account" creates a copy of "items" for \
                each account on first use.
                """
            )
        Key(
            "embed",
            .map(of: .restricted(.object(Selection.self), [showsMembers]), names: .pointer),
            """
            The members that embed other items, by JSON Pointer. Each selection requires "show"; {{item#/…}} is a value in \
            the enclosing item. If "one" finds nothing, the member is omitted.
            """
        ) { collection, tree, builder in
            collection.embeds = Optional(tree).members.compactMap { Embed($0, of: collection.name, &builder) }
        }
        .example(["/owner": ["one": "accounts", "where": ["/id": "{{item#/owner}}"], "show": ["id", "name"]]])
    }

    private static let showsMembers = ObjectRule(
        .has("show"),
        "scenario/missing-key",
        "an embedded selection requires \"show\"",
        advice: "name the members: \"show\": [\"id\", \"name\"]"
    )

    /// The rule of all collections: the items of `accounts` are the accounts.
    static let rules: ObjectRules = [
        ObjectRule(reportedByLoader: .not(.member(accounts, .hasAny(["items", "per"]))))
    ]

    init(_ member: JSONObject.Member, _ builder: inout ScenarioBuilder) {
        let tree = member.value
        if member.name == ItemCollection.accounts {
            for name in ["items", "per"] {
                builder.reportIdle(
                    tree.object?.member(named: name),
                    "here, because the items of \"accounts\" are the accounts",
                    advice: "define the accounts under the scenario's key \"accounts\""
                )
            }
        }
        (name, position) = (member.name, member.namePosition)
        Self.keys.fill(&self, tree, &builder)
        checkRoom(at: tree["items"]?.position ?? tree.position, &builder)
    }

    fileprivate mutating func readItems(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        items = builder.within {
            $0.hasRequest = false
            $0.mayOmit = true
        } read: { builder in
            guard let file = tree.string else { return items(in: tree, isFile: false, &builder) }
            guard let document = builder.document(named: file, at: tree.position) else { return [] }
            builder.templates.origin = "\(builder.sources.place(of: tree.position)) uses this file"
            defer { builder.templates.origin = nil }
            return items(in: document.root, isFile: true, &builder)
        }
    }

    /// - Parameter isFile: whether the items are a file's, which no shape check has seen.
    private func items(in array: JSONValue, isFile: Bool, _ builder: inout ScenarioBuilder) -> [TreeTemplate] {
        guard let values = array.array else {
            builder.report(
                "scenario/bad-items",
                "found \(array.shownBriefly), but expected an array of items",
                at: array.position
            )
            return []
        }
        return values.compactMap { value in
            guard let item = value.object else {
                if isFile {
                    builder.report(
                        "scenario/bad-items",
                        "found \(value.shownBriefly), but expected an object",
                        at: value.position
                    )
                }
                return nil
            }
            builder.noted.members.know(item.members.lazy.map(\.name), of: name)
            return builder.templates.tree(value)
        }
    }

    /// Reports more items at the beginning than a collection holds.
    private func checkRoom(at position: JSONPosition, _ builder: inout ScenarioBuilder) {
        let copies = scope == .account ? max(1, builder.names.accounts.count) : 1
        guard items.count > Self.mostItems / copies else { return }
        let share = copies == 1 ? "" : " for each of \(copies) accounts"
        builder.report(
            "scenario/bad-items",
            "found \(items.count) items\(share), but a collection can contain at most \(Self.mostItems)",
            at: position
        )
    }
}

extension Embed {
    fileprivate init?(_ member: JSONObject.Member, of collection: String, _ builder: inout ScenarioBuilder) {
        guard let pointer = builder.pointer(member.name, at: member.namePosition) else { return nil }
        builder.noted.members.know(pointer.tokens.first, of: collection)
        let selection = builder.within {
            $0.hasItem = true
        } read: {
            Selection(member.value, &$0)
        }
        guard let selection else { return nil }
        (self.pointer, self.selection) = (pointer, selection)
    }
}

extension ScenarioBuilder {
    /// Reads the collections; the accounts are always among them.
    mutating func collections() -> [ItemCollection] {
        if let known = parts.collections {
            noted.add(known.notes)
            return known.value
        }
        let start = beginPart()
        var collections = root["collections"].members.map { ItemCollection($0, &self) }
        if !collections.contains(where: { $0.name == ItemCollection.accounts }) {
            collections.append(ItemCollection(name: ItemCollection.accounts))
        }
        checkEmbedsEnd(collections)
        if let notes = notes(since: start) { parts.collections = (collections, notes) }
        return collections
    }
}
