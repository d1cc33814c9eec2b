import Basics
import JSON

// Events about the items of collections.

enum CreateEventKeys: EventObject {
    static let collection = Key(
        "create",
        .json(.text(.name)),
        "The collection to which an item is added.",
        required: true,
        example: "notes"
    )
    static let item = Key(
        "item",
        .json(.map(of: .anything, names: .any)),
        "The item; placeholders allowed.",
        required: true,
        example: ["id": "{{counter.note}}", "text": "{{request.body#/text}}"]
    )
    static let times = Key("times", .integer(1...10_000), default: 1, "The number of items to create.")
    static let account = SelectionKeys.account
    static let name = Key(
        "name",
        .json(.text(.filled)),
        "The new account's name, if the collection is \"accounts\". The account can sign in immediately.",
        example: "{{request.body#/user}}"
    )

    static let shape = ObjectShape(
        "createEvent",
        "a \"create\" event",
        "items are added to a collection",
        [
            collection, ItemChange.each, item, times, account, name,
            ItemChange.boundName("the response refers to the item"),
        ],
        rules: [
            ObjectRule(
                .any([.has(name), .not(isAccount)]),
                "scenario/missing-key",
                "a new account requires \"name\""
            ),
            .idle(name, unless: isAccount, "here, because only accounts have names"),
        ]
    )

    private static let isAccount = ValueTest.member(collection, .oneOf([.string(ItemCollection.accounts)]))

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.change(tree) { builder in
            builder.creation(tree).map(ItemChange.create)
        }
    }
}

enum UpdateEventKeys: EventObject {
    static let update = Key(
        "update",
        .json(.items),
        "The items to update: a name from the route's \"find\", or a selection.",
        required: true,
        example: "note"
    )
    static let set = Key(
        "set",
        list: .map(of: .anything, names: .pointer),
        "New values, by JSON Pointer; placeholders allowed.",
        example: ["/text": "{{request.body#/text}}"]
    )
    static let add = Key(
        "add",
        list: .map(of: .anything, names: .pointer),
        "Values to add to arrays, by JSON Pointer. A value that an array already contains is not added again.",
        example: ["/likes": "{{account#/id}}"]
    )
    static let remove = Key(
        "remove",
        list: .map(of: .anything, names: .pointer),
        "Values to remove from arrays, by JSON Pointer.",
        example: ["/likes": 7]
    )
    static let unset = Key(
        "unset",
        list: .list(of: .json(.text(.pointer))),
        "The members to remove, as JSON Pointers.",
        example: ["/draft"]
    )

    static let shape = ObjectShape(
        "updateEvent",
        "an \"update\" event",
        "items in a collection change",
        [update, ItemChange.each, set, add, remove, unset],
        rules: [
            ObjectRule(
                .any([set.name, add.name, remove.name, unset.name].map { .member($0, .filled) }),
                "scenario/missing-key",
                "an \"update\" without \"set\", \"add\", \"remove\" or \"unset\" changes nothing"
            )
        ]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.change(tree) { builder in
            builder.target(tree[update]).map { .update($0, builder.edit(tree)) }
        }
    }
}

enum DeleteEventKeys: EventObject {
    static let delete = Key(
        "delete",
        .json(.items),
        "The items to delete: a name from the route's \"find\", or a selection.",
        required: true,
        example: ["all": "notes"]
    )

    static let shape = ObjectShape(
        "deleteEvent",
        "a \"delete\" event",
        "items in a collection are removed",
        [delete, ItemChange.each]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.change(tree) { builder in
            builder.target(tree[delete]).map(ItemChange.delete)
        }
    }
}

enum UploadEventKeys: EventObject {
    static let part = Key(
        "upload",
        .json(.text(.filled)),
        "The multipart parts to store as files.",
        required: true,
        example: "file"
    )
    static let to = Key(
        "to",
        .json(.text(.name)),
        "The collection to which an item with the members path, filename, type and size is added for each file.",
        required: true,
        example: "files"
    )
    static let path = Key(
        "path",
        .json(.text(.filled)),
        "The file's path, which can contain {{part.name}}, {{part.filename}}, {{part.extension}} and {{part.type}}.",
        required: true,
        example: "files/{{counter.file}}.{{part.extension}}"
    )

    static let shape = ObjectShape(
        "uploadEvent",
        "an \"upload\" event",
        "uploaded files are stored",
        [part, to, path, ItemChange.boundName("the response refers to the paths", "#/items")]
    )

    static func action(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Event.Action? {
        builder.change(tree) { builder in
            builder.upload(tree).map(ItemChange.upload)
        }
    }
}

extension ItemChange {
    fileprivate static let each = Key(
        "each",
        .json(.text(.placeholder)),
        "An array from the request or a selection. The event happens once for each element, which is available as {{each#/…}}.",
        example: "{{request.body#/ids}}"
    )
    /// The same key of two events, for its value.
    static let boundName = boundName("the response refers to the result")

    fileprivate static func boundName(_ purpose: String, _ place: String = "") -> Key<JSONValue?> {
        Key("as", .json(.text(.name)), "The name by which \(purpose): {{found.NAME\(place)}}.", example: "note")
    }
}

extension Shape {
    fileprivate static let items = Shape.choice([.text(.name), .object(SelectionKeys.self)])
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads an event that is about the items of a collection, once or for every element of an array.
    fileprivate mutating func change(
        _ tree: JSONValue,
        read: (inout ScenarioBuilder) -> ItemChange?
    ) -> Event.Action? {
        guard let array = tree[ItemChange.each], array.string != nil else {
            return read(&self).map(Event.Action.change)
        }
        let elements = templates.tree(array)
        // Not `within`, because a name that is made stays known.
        scope.hasElement = true
        defer { scope.hasElement = false }
        return read(&self).map { .change(.each(elements, $0)) }
    }

    fileprivate mutating func creation(_ tree: JSONValue) -> ItemChange.Creation? {
        guard let written = tree[CreateEventKeys.collection] else { return nil }
        guard let name = written.string, expectCollection(name, at: written.position),
            let item = tree[CreateEventKeys.item], item.object != nil
        else {
            // The name is noted anyway, so that one mistake is reported once.
            _ = boundName(of: tree, in: written.string ?? "", isList: false)
            return nil
        }
        noted.members.know(Optional(item).memberNames, of: name)
        return ItemChange.Creation(
            collection: name,
            item: within {
                $0.mayOmit = true
            } read: {
                $0.templates.tree(item)
            },
            times: tree[CreateEventKeys.times],
            owner: owner(tree[CreateEventKeys.account], of: name),
            accountName: tree[CreateEventKeys.name].flatMap { name in
                name.string.map { templates.text($0, at: name.position) }
            },
            boundName: boundName(of: tree, in: name, isList: false)
        )
    }

    /// Reads the name by which the response speaks of something new, and makes it known.
    private mutating func boundName(of tree: JSONValue, in collection: String, isList: Bool) -> String? {
        guard let written = tree.member(ItemChange.boundName), let name = written.value.string else { return nil }
        guard scope.hasRequest else {
            reportIdle(written, "here, because no response can use it")
            return nil
        }
        scope.found.removeAll { $0.name.hasSameUTF8(as: name) }
        scope.found.append(
            PlaceholderParser.FoundName(
                name: name,
                collection: collection,
                isAccount: !isList && collection == ItemCollection.accounts,
                listMembers: isList ? Self.listMembers : nil
            )
        )
        return name
    }

    fileprivate mutating func target(_ tree: JSONValue?) -> ItemChange.Target? {
        guard let tree else { return nil }
        guard let name = tree.string else { return selection(tree).map(ItemChange.Target.selected) }
        guard scope.hasRequest else {
            report(
                "scenario/no-request",
                "no selection here is named \"\(name.shortened)\", because no request causes this event",
                at: tree.position,
                advice: "select the items: {\"one\": …, \"where\": …}"
            )
            return nil
        }
        return expectFound(name, at: tree.position) ? .found(name) : nil
    }

    /// Reports a name under which the route finds nothing; returns whether it does find something.
    mutating func expectFound(_ name: String, at position: JSONPosition) -> Bool {
        expect(
            name,
            among: scope.found.map(\.name),
            as: "find",
            at: position,
            message: "no selection here is named \"\(name.shortened)\""
        )
    }

    fileprivate mutating func edit(_ tree: JSONValue) -> ItemChange.Edit {
        var edit = ItemChange.Edit()
        edit.set = values(tree[UpdateEventKeys.set])
        edit.add = values(tree[UpdateEventKeys.add])
        edit.remove = values(tree[UpdateEventKeys.remove])
        edit.unset = tree[UpdateEventKeys.unset].compactMap { place in
            place.string.flatMap { pointer($0, at: place.position) }
        }
        return edit
    }

    private mutating func values(_ written: [JSONObject.Member]) -> [(pointer: JSONPointer, value: TreeTemplate)] {
        within {
            $0.mayOmit = true
        } read: { builder in
            written.compactMap { member in
                guard let pointer = builder.pointer(member.name, at: member.namePosition) else { return nil }
                builder.noted.members.know(written: pointer.tokens.first)
                return (pointer, builder.templates.tree(member.value))
            }
        }
    }

    fileprivate mutating func upload(_ tree: JSONValue) -> ItemChange.Upload? {
        guard let part = tree[UploadEventKeys.part] else { return nil }
        guard scope.hasRequest else {
            report(
                "scenario/no-request",
                "an upload requires a request, but no request is available here",
                at: part.position,
                advice: "move the upload to a response's \"then\""
            )
            return nil
        }
        guard let name = part.string, let to = tree[UploadEventKeys.to], let collection = to.string,
            expectCollection(collection, at: to.position), let path = tree[UploadEventKeys.path],
            let text = path.string
        else { return nil }
        noted.members.know(["path", "filename", "type", "size"], of: collection)
        return ItemChange.Upload(
            part: name,
            collection: collection,
            path: within {
                $0.hasUpload = true
            } read: {
                $0.templates.text(text, at: path.position)
            },
            boundName: boundName(of: tree, in: collection, isList: true)
        )
    }
}
