import JSONText

extension ScenarioBuilder {
    /// Reads what a route looks up; later selections may speak of earlier ones.
    mutating func finds(_ tree: JSONValue?) -> [Find] {
        tree.members.compactMap { member in
            guard let selection = selection(member.value) else { return nil }
            scope.found.append(
                PlaceholderParser.FoundName(
                    name: member.name,
                    isAccount: selection.isSingle && selection.collection == ItemCollection.accounts
                )
            )
            return Find(name: member.name, selection: selection)
        }
    }

    mutating func selection(_ tree: JSONValue) -> Selection? {
        guard let target = tree["one"] ?? tree["all"] else {
            if tree.object != nil {
                report(
                    "scenario/missing-key",
                    "a selection needs \"one\" or \"all\", with the name of a collection",
                    at: tree.position
                )
            }
            return nil
        }
        guard let name = target.string, expectCollection(name, at: target.position) else { return nil }
        var selection = Selection(of: name, isSingle: tree["one"] != nil, position: tree.position)
        selection.conditions = tree["where"].members.compactMap { member in
            JSONPointer(member.name).map { ($0, matcher(member.value)) }
        }
        selection.requestCondition = tree["when"].map { tree in
            within {
                $0.hasItem = true
            } read: {
                $0.condition(tree)
            }
        }
        selection.order = tree["orderBy"]?.string.flatMap { JSONPointer($0) }
        selection.isDescending = tree["descending"]?.bool ?? false
        selection.view = tree["show"].map { view($0) } ?? .everything
        selection.account = owner(tree["account"], of: name)
        selection.page = tree["page"].flatMap { page($0) }
        selection.sum = tree["sum"]?.string.flatMap { JSONPointer($0) }
        if selection.isSingle { expectNoListKeys(in: tree) }
        if !scope.hasRequest, let condition = tree["when"] {
            report("scenario/idle-key", "there is no request here that \"when\" could be about", at: condition.position)
        }
        return selection
    }

    private mutating func expectNoListKeys(in tree: JSONValue) {
        for key in ["page", "sum"] {
            guard let idle = tree.object?.member(named: key) else { continue }
            report(
                "scenario/idle-key",
                "\"\(key)\" means nothing for \"one\" item",
                at: idle.namePosition,
                advice: "write \"all\" instead of \"one\""
            )
        }
    }

    @discardableResult
    mutating func expectCollection(_ name: String, at position: JSONPosition) -> Bool {
        expect(name, among: collectionNames, as: "collection", at: position)
    }

    /// Reads whose copy of a collection is meant.
    mutating func owner(_ tree: JSONValue?, of collection: String) -> TextTemplate? {
        guard let tree, let text = tree.string else { return nil }
        if root["collections"]?[collection]?["per"]?.string != ItemCollection.Scope.account.rawValue {
            report(
                "scenario/idle-key",
                "\"account\" means nothing here, because \"\(collection)\" is one for everybody",
                at: tree.position,
                advice: "a collection with \"per\": \"account\" has a copy for each"
            )
        }
        if !TemplateParser.mayHoldPlaceholders(text) { expect(text, among: accounts, as: "account", at: tree.position) }
        return templates.text(text, at: tree.position)
    }

    private func view(_ tree: JSONValue) -> Selection.View {
        if let pointer = tree.string.flatMap({ JSONPointer($0) }) { return .value(pointer) }
        return .members((tree.array ?? []).compactMap(\.string))
    }

    private mutating func page(_ tree: JSONValue) -> Page? {
        guard let limit = tree["limit"] else { return nil }
        let start: Page.Start
        if let sent = tree["after"] {
            guard let cursor = cursor(sent, of: tree) else { return nil }
            start = .after(cursor)
        } else if let sent = tree["from"] {
            guard let cursor = cursor(sent, of: tree) else { return nil }
            start = .from(cursor)
        } else if let sent = tree["number"] {
            start = .number(templates.tree(sent))
        } else {
            return nil
        }
        return Page(start: start, limit: templates.tree(limit), maximum: tree["maximum"]?.number?.int)
    }

    private mutating func cursor(_ sent: JSONValue, of tree: JSONValue) -> Page.Cursor? {
        guard let pointer = tree["at"]?.string.flatMap({ JSONPointer($0) }) else { return nil }
        let starts = tree["start"].map { $0.array ?? [$0] } ?? []
        return Page.Cursor(
            sent: templates.tree(sent),
            pointer: pointer,
            starts: starts,
            end: tree["end"] ?? JSONValue(.null)
        )
    }
}
