import Basics
import JSON

extension ScenarioBuilder {
    /// Reads an event that is about the items of a collection.
    mutating func itemChange(
        _ verb: String,
        _ value: JSONValue,
        of tree: JSONValue,
        inResponse: Bool
    ) -> ItemChange? {
        if let array = tree["each"], let text = array.string {
            let elements = templates.tree(array)
            if case .constant = elements {
                report(
                    "scenario/bad-value",
                    "\"\(text.shortened)\" is no array of a request",
                    at: array.position,
                    advice: "name one: \"{{request.body#/…}}\""
                )
            }
            // Not `within`, because a name that is made stays known.
            scope.hasElement = true
            defer { scope.hasElement = false }
            return singleChange(verb, value, of: tree, inResponse: inResponse).map { .each(elements, $0) }
        }
        return singleChange(verb, value, of: tree, inResponse: inResponse)
    }

    private mutating func singleChange(
        _ verb: String,
        _ value: JSONValue,
        of tree: JSONValue,
        inResponse: Bool
    ) -> ItemChange? {
        switch verb {
        case "create": creation(in: value, of: tree, inResponse: inResponse).map(ItemChange.create)
        case "update": target(value, inResponse: inResponse).map { .update($0, edit(tree)) }
        case "delete": target(value, inResponse: inResponse).map(ItemChange.delete)
        case "upload": upload(value, of: tree, inResponse: inResponse).map(ItemChange.upload)
        default: nil
        }
    }

    private mutating func creation(
        in value: JSONValue,
        of tree: JSONValue,
        inResponse: Bool
    ) -> ItemChange.Creation? {
        guard let name = value.string, expectCollection(name, at: value.position), let item = tree["item"],
            item.object != nil
        else {
            // The name is given all the same, so that one slip is told once.
            _ = boundName(of: tree, in: value.string ?? "", isList: false, inResponse: inResponse)
            return nil
        }
        members.know(tree["item"].memberNames, of: name)
        let isAccount = name == ItemCollection.accounts
        if isAccount, tree["name"] == nil {
            report("scenario/missing-key", "a new account needs \"name\"", at: tree.position)
        }
        if !isAccount, let idle = tree.object?.member(named: "name") {
            report(
                "scenario/idle-key",
                "\"name\" means nothing here, because only accounts have one",
                at: idle.namePosition
            )
        }
        return ItemChange.Creation(
            collection: name,
            item: within {
                $0.mayOmit = true
            } read: {
                $0.templates.tree(item)
            },
            times: tree["times"]?.number?.int ?? 1,
            owner: owner(tree["account"], of: name),
            accountName: tree["name"].flatMap { name in name.string.map { templates.text($0, at: name.position) } },
            boundName: boundName(of: tree, in: name, isList: false, inResponse: inResponse)
        )
    }

    /// Reads the name by which the response speaks of something new, and makes it known.
    private mutating func boundName(
        of tree: JSONValue,
        in collection: String,
        isList: Bool,
        inResponse: Bool
    ) -> String? {
        guard let written = tree.object?.member(named: "as"), let name = written.value.string else { return nil }
        guard inResponse else {
            report(
                "scenario/idle-key",
                "\"as\" means nothing here, because there is no response that could speak of it",
                at: written.namePosition
            )
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

    private mutating func target(_ tree: JSONValue, inResponse: Bool) -> ItemChange.Target? {
        guard let name = tree.string else { return selection(tree).map(ItemChange.Target.selected) }
        guard inResponse else {
            report(
                "scenario/no-request",
                "nothing is found here by the name \"\(name.shortened)\", because no request causes this",
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
            message: "nothing is found here by the name \"\(name.shortened)\""
        )
    }

    private mutating func edit(_ tree: JSONValue) -> ItemChange.Edit {
        var edit = ItemChange.Edit()
        edit.set = values(tree["set"])
        edit.add = values(tree["add"])
        edit.remove = values(tree["remove"])
        edit.unset = (tree["unset"]?.array ?? []).compactMap { place in
            place.string.flatMap { pointer($0, at: place.position) }
        }
        let writes = ["set", "add", "remove"].contains { !tree[$0].members.isEmpty }
        if !writes, tree["unset"]?.array?.isEmpty ?? true {
            report(
                "scenario/missing-key",
                "an \"update\" without \"set\", \"add\", \"remove\" or \"unset\" changes nothing",
                at: tree.position
            )
        }
        return edit
    }

    private mutating func values(_ tree: JSONValue?) -> [(pointer: JSONPointer, value: TreeTemplate)] {
        within {
            $0.mayOmit = true
        } read: { builder in
            tree.members.compactMap { member in
                guard let pointer = builder.pointer(member.name, at: member.namePosition) else { return nil }
                builder.members.know(written: pointer.tokens.first)
                return (pointer, builder.templates.tree(member.value))
            }
        }
    }

    private mutating func upload(_ value: JSONValue, of tree: JSONValue, inResponse: Bool) -> ItemChange.Upload? {
        guard inResponse else {
            report(
                "scenario/no-request",
                "there is no request here whose parts could be kept",
                at: value.position,
                advice: "an upload belongs to the \"then\" of a response"
            )
            return nil
        }
        guard let part = value.string, let to = tree["to"], let collection = to.string,
            expectCollection(collection, at: to.position), let path = tree["path"], let text = path.string
        else { return nil }
        members.know(["path", "filename", "type", "size"], of: collection)
        return ItemChange.Upload(
            part: part,
            collection: collection,
            path: within {
                $0.hasUpload = true
            } read: {
                $0.templates.text(text, at: path.position)
            },
            boundName: boundName(of: tree, in: collection, isList: true, inResponse: inResponse)
        )
    }
}
