import Basics
package import JSON

/// Something that happens to the items of a collection.
package enum ItemChange: Sendable {
    case create(Creation)
    case update(Target, Edit)
    case delete(Target)
    case upload(Upload)
    /// The same once for every element of an array.
    indirect case each(TreeTemplate, ItemChange)

    /// The items that are meant.
    package enum Target: Sendable {
        /// The items that the route found by this name.
        case found(String)
        case selected(Selection)
    }

    /// New items.
    package struct Creation: Sendable {
        package var collection: String
        package var item: TreeTemplate
        /// The number of new items.
        package var times: Int
        /// The account whose copy gets them; the caller's if `nil`.
        package var owner: TextTemplate?
        /// The name of the new account, where accounts are made.
        package var accountName: TextTemplate?
        /// The name by which the response speaks of the last one made.
        package var boundName: String?
    }

    /// The changes of an item's members, in this order.
    package struct Edit: Sendable {
        package var set: [(pointer: JSONPointer, value: TreeTemplate)] = []
        /// Values that join an array, unless they are in it.
        package var add: [(pointer: JSONPointer, value: TreeTemplate)] = []
        /// Values that leave an array.
        package var remove: [(pointer: JSONPointer, value: TreeTemplate)] = []
        /// Members that go.
        package var unset: [JSONPointer] = []

        package init() {}
    }

    /// The parts of a multipart body that are kept as files: each becomes an item with `path`, `filename`, `type`
    /// and `size`.
    package struct Upload: Sendable {
        package var part: String
        package var collection: String
        package var path: TextTemplate
        /// The name by which the response speaks of the paths.
        package var boundName: String?
    }
}

extension ItemChange {
    /// The name by which the response may speak of what is new.
    package var boundName: String? {
        switch self {
        case .create(let creation): creation.boundName
        case .upload(let upload): upload.boundName
        case .each(_, let change): change.boundName
        case .update, .delete: nil
        }
    }
}

/// An event about the items of a collection, once or for every element of an array.
struct ItemEvent: KeyedModel {
    private var each: TreeTemplate?
    private var change: ItemChange?

    static let variants = [create, update, delete, upload].map { keys in
        ObjectVariant<Event.Action>(keys) { event, _, _ in
            event.change.map { change in .change(event.each.map { .each($0, change) } ?? change) }
        }
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        // Not `within`, because a name that is made stays known.
        defer { builder.scope.hasElement = false }
        if tree["create"] != nil {
            change = ItemChange.Creation(tree, &builder).map(ItemChange.create)
        } else if let items = tree["update"] {
            change = ItemChange.Target(items, &builder).map { .update($0, ItemChange.Edit(tree, &builder)) }
        } else if let items = tree["delete"] {
            change = ItemChange.Target(items, &builder).map(ItemChange.delete)
        } else {
            change = ItemChange.Upload(tree, &builder).map(ItemChange.upload)
        }
    }

    private static let create = Keys(
        "createEvent",
        "a \"create\" event",
        "items are added to a collection",
        rules: [
            ObjectRule(
                .any([.has("name"), .not(isAccount)]),
                "scenario/missing-key",
                "a new account requires \"name\""
            ),
            .idle("name", unless: isAccount, "here, because only accounts have names"),
        ]
    ) {
        Key("create", .text(.name), "The collection to which an item is added.").required.example("notes")
        eachKey
        Key("item", .map(of: .anything, names: .any), "The item; placeholders allowed.").required
            .example(["id": "{{counter.note}}", "text": "{{request.body#/text}}"])
        Key("times", .integer(1...10_000), "The number of items to create.").otherwise("`1`")
        Selection.keys.list.filter { $0.name == "account" } as [any FormatKey]
        Key("name", .text(.filled))
            .summary("The new account's name, if the collection is \"accounts\". The account can sign in immediately.")
            .example("{{request.body#/user}}")
        boundName("the response refers to the item")
    }

    private static let isAccount = ValueTest.member("create", .oneOf([.string(ItemCollection.accounts)]))

    private static let update = Keys(
        "updateEvent",
        "an \"update\" event",
        "items in a collection change",
        rules: [
            ObjectRule(
                .any(["set", "add", "remove", "unset"].map { .member($0, .filled) }),
                "scenario/missing-key",
                "an \"update\" without \"set\", \"add\", \"remove\" or \"unset\" changes nothing"
            )
        ]
    ) {
        Key("update", items, "The items to update: a name from the route's \"find\", or a selection.").required
            .example("note")
        eachKey
        Key("set", values, "New values, by JSON Pointer; placeholders allowed.")
            .example(["/text": "{{request.body#/text}}"])
        Key(
            "add",
            values,
            "Values to add to arrays, by JSON Pointer. A value that an array already contains is not added again."
        )
        .example(["/likes": "{{account#/id}}"])
        Key("remove", values, "Values to remove from arrays, by JSON Pointer.").example(["/likes": 7])
        Key("unset", .list(of: .text(.pointer)), "The members to remove, as JSON Pointers.").example(["/draft"])
    }

    private static let delete = Keys("deleteEvent", "a \"delete\" event", "items in a collection are removed") {
        Key("delete", items, "The items to delete: a name from the route's \"find\", or a selection.").required
            .example(["all": "notes"])
        eachKey
    }

    private static let upload = Keys("uploadEvent", "an \"upload\" event", "uploaded files are stored") {
        Key("upload", .text(.filled), "The multipart parts to store as files.").required.example("file")
        Key("to", .text(.name))
            .summary(
                "The collection to which an item with the members path, filename, type and size is added for each file."
            )
            .required.example("files")
        Key("path", .text(.filled))
            .summary(
                "The file's path, which can contain {{part.name}}, {{part.filename}}, {{part.extension}} and {{part.type}}."
            ).required.example("files/{{counter.file}}.{{part.extension}}")
        boundName("the response refers to the paths", "#/items")
    }

    private static let eachKey = Key("each", .text(.placeholder)) { event, tree, builder in
        guard tree.string != nil else { return }
        event.each = builder.templates.tree(tree)
        builder.scope.hasElement = true
    }
    .summary(
        "An array from the request or a selection. The event happens for each element, {{each#/…}}."
    )
    .example("{{request.body#/ids}}")

    private static func boundName(_ purpose: String, _ place: String = "") -> Key {
        Key("as", .text(.name), "The name by which \(purpose): {{found.NAME\(place)}}.").example("note")
    }

    private static let items = Shape.choice([.text(.name), .object(Selection.self)])
    private static let values = Shape.map(of: .anything, names: .pointer)
}

extension ItemChange.Creation {
    fileprivate init?(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let written = tree["create"] else { return nil }
        guard let name = written.string, builder.expect(name, of: .collection, at: written.position),
            let item = tree["item"], item.object != nil
        else {
            // The name is noted anyway, so that one mistake is reported once.
            _ = builder.boundName(of: tree, in: written.string ?? "", isList: false)
            return nil
        }
        builder.noted.members.know(Optional(item).memberNames, of: name)
        collection = name
        self.item = builder.omitting { $0.templates.tree(item) }
        times = tree["times"]?.int ?? 1
        owner = tree["account"].flatMap { builder.owner($0, of: name) }
        accountName = builder.read(tree["name"], as: .template(.filled))
        boundName = builder.boundName(of: tree, in: name, isList: false)
    }
}

extension ItemChange.Target {
    fileprivate init?(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let name = tree.string else {
            guard let selection = Selection(tree, &builder) else { return nil }
            self = .selected(selection)
            return
        }
        guard builder.scope.hasRequest else {
            builder.report(
                "scenario/no-request",
                "no selection here is named \"\(name.shortened)\", because no request causes this event",
                at: tree.position,
                advice: "select the items: {\"one\": …, \"where\": …}"
            )
            return nil
        }
        guard builder.expectFound(name, at: tree.position) else { return nil }
        self = .found(name)
    }
}

extension ItemChange.Edit {
    fileprivate init(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        set = Self.values(tree["set"].members, &builder)
        add = Self.values(tree["add"].members, &builder)
        remove = Self.values(tree["remove"].members, &builder)
        unset = (tree["unset"]?.array ?? []).compactMap { place in
            place.string.flatMap { builder.pointer($0, at: place.position) }
        }
    }

    private static func values(
        _ written: [JSONObject.Member],
        _ builder: inout ScenarioBuilder
    ) -> [(pointer: JSONPointer, value: TreeTemplate)] {
        builder.omitting { builder in
            written.compactMap { member in
                guard let pointer = builder.pointer(member.name, at: member.namePosition) else { return nil }
                builder.noted.members.know(written: pointer.tokens.first)
                return (pointer, builder.templates.tree(member.value))
            }
        }
    }
}

extension ItemChange.Upload {
    fileprivate init?(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let part = tree["upload"] else { return nil }
        guard builder.scope.hasRequest else {
            builder.report(
                "scenario/no-request",
                "an upload requires a request, but no request is available here",
                at: part.position,
                advice: "move the upload to a response's \"then\""
            )
            return nil
        }
        guard let name = part.string, let to = tree["to"], let collection = to.string,
            builder.expect(collection, of: .collection, at: to.position), let path = tree["path"],
            let text = path.string
        else { return nil }
        builder.noted.members.know(["path", "filename", "type", "size"], of: collection)
        self.part = name
        self.collection = collection
        self.path = builder.within {
            $0.hasUpload = true
        } read: {
            $0.templates.text(text, at: path.position)
        }
        boundName = builder.boundName(of: tree, in: collection, isList: true)
    }
}

extension ScenarioBuilder {
    /// Reads the name by which the response speaks of something new, and makes it known.
    fileprivate mutating func boundName(of tree: JSONValue, in collection: String, isList: Bool) -> String? {
        guard let written = tree.object?.member(named: "as"), let name = written.value.string else { return nil }
        guard scope.hasRequest else {
            reportIdle(written, "here, because no response can use it")
            return nil
        }
        scope.found.removeAll { $0.name.exact == name.exact }
        scope.found.append(
            PlaceholderParser.FoundName(
                name: name,
                collection: collection,
                isAccount: !isList && collection == ItemCollection.accounts,
                listMembers: isList ? Find.listMembers : nil
            )
        )
        return name
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
}
