import Basics
import JSON

extension ScenarioBuilder {
    /// Reads what a route looks up; later selections may speak of earlier ones.
    mutating func finds(_ tree: JSONValue?) -> [Find] {
        tree.members.compactMap { member in
            guard let selection = selection(member.value) else {
                // Known all the same, so that one slip is told once and not wherever the name is used.
                scope.found.append(PlaceholderParser.FoundName(name: member.name, isAccount: true))
                return nil
            }
            scope.found.append(
                PlaceholderParser.FoundName(
                    name: member.name,
                    collection: selection.collection,
                    isAccount: selection.isSingle && selection.collection == ItemCollection.accounts,
                    listMembers: selection.isSingle ? nil : Self.listMembers + (selection.sum == nil ? [] : ["sum"])
                )
            )
            return Find(name: member.name, selection: selection)
        }
    }

    /// What a response sees of a list that was found.
    static let listMembers = ["items", "count", "total", "start", "next", "exists"]

    mutating func selection(_ tree: JSONValue) -> Selection? {
        guard let target = tree["one"] ?? tree["all"], let name = target.string,
            expectCollection(name, at: target.position)
        else { return nil }
        var selection = Selection(of: name, isSingle: tree["one"] != nil, position: tree.position)
        selection.conditions = tree["where"].members.compactMap { member in
            pointer(member.name, into: name, at: member.namePosition).map { ($0, matcher(member.value)) }
        }
        selection.requestCondition = tree["when"].map { tree in
            within {
                $0.hasItem = true
            } read: {
                $0.condition(tree)
            }
        }
        selection.order = tree["orderBy"].flatMap { pointer($0, into: name) }
        selection.isDescending = tree["descending"]?.bool ?? false
        selection.view = tree["show"].map { view($0, of: name) } ?? .everything
        selection.account = owner(tree["account"], of: name)
        selection.page = tree["page"].flatMap { page($0, of: name) }
        selection.sum = tree["sum"].flatMap { pointer($0, into: name) }
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

    private mutating func pointer(_ tree: JSONValue, into collection: String) -> JSONPointer? {
        tree.string.flatMap { pointer($0, into: collection, at: tree.position) }
    }

    private mutating func view(_ tree: JSONValue, of collection: String) -> Selection.View {
        if let pointer = pointer(tree, into: collection) { return .value(pointer) }
        return .members(
            (tree.array ?? []).compactMap { element in
                guard let name = element.string else { return nil }
                if TemplateParser.mayHoldPlaceholders(name) {
                    report("scenario/placeholder", "placeholders mean nothing in a member's name", at: element.position)
                } else {
                    members.mention(name, of: collection, at: element.position)
                }
                return name
            }
        )
    }

    private mutating func page(_ tree: JSONValue, of collection: String) -> Page? {
        guard let limit = tree["limit"] else { return nil }
        expectNumber(limit)
        let start: Page.Start
        if let sent = tree["after"] {
            guard let cursor = cursor(sent, of: tree, in: collection) else { return nil }
            start = .after(cursor)
        } else if let sent = tree["from"] {
            guard let cursor = cursor(sent, of: tree, in: collection) else { return nil }
            start = .from(cursor)
        } else if let sent = tree["number"] {
            expectNumber(sent)
            start = .number(templates.tree(sent))
        } else {
            return nil
        }
        return Page(start: start, limit: templates.tree(limit), maximum: tree["maximum"]?.number?.int)
    }

    /// Reports a text that is neither a whole number nor a placeholder.
    private mutating func expectNumber(_ tree: JSONValue) {
        guard let text = tree.string, !TemplateParser.mayHoldPlaceholders(text), JSONNumber(text)?.int == nil else {
            return
        }
        report(
            "scenario/bad-value",
            "\"\(text.shortened)\" is no whole number, and no placeholder that could be one",
            at: tree.position,
            advice: "take it from the request: \"{{request.query.NAME as number ?? 0}}\""
        )
    }

    private mutating func cursor(_ sent: JSONValue, of tree: JSONValue, in collection: String) -> Page.Cursor? {
        guard let pointer = tree["at"].flatMap({ pointer($0, into: collection) }) else { return nil }
        let starts = tree["start"].map { $0.array ?? [$0] } ?? []
        return Page.Cursor(
            sent: templates.tree(sent),
            pointer: pointer,
            starts: starts,
            end: tree["end"] ?? JSONValue(.null)
        )
    }
}
