import Basics
package import JSON

/// A selection of a collection's items, and their form for readers.
package struct Selection: Sendable {
    /// The visible members of an item.
    package enum View: Sendable {
        case everything
        /// These members, in this order.
        case members([String])
        /// The value in this place, instead of the item.
        case value(JSONPointer)
    }

    package var collection = ""
    /// A Boolean value that indicates whether the first item that fits is meant, instead of all.
    package var isSingle = false
    /// The conditions on the stored item.
    package var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
    /// The condition on the request for an item to be selected; it may refer to the item.
    package var requestCondition: Condition?
    /// The value that items are ordered by; in the order of their making if `nil`.
    package var order: JSONPointer?
    package var isDescending = false
    package var view = View.everything
    /// The account whose copy is used; the caller's if `nil`.
    package var account: TextTemplate?
    package var page: Page?
    /// The numbers that are added up.
    package var sum: JSONPointer?
    package var position = JSONPosition.unknown
}

extension Selection: ModelObject {
    static let keys = Keys(
        "selection",
        "a selection",
        "selected items from a collection and their visible members",
        exclusive: [["one", "all"]],
        needed: ["one", "all"],
        rules: [
            .idle("page", unless: .lacks("one"), "for \"one\" item", advice: "write \"all\" instead of \"one\""),
            .idle("sum", unless: .lacks("one"), "for \"one\" item", advice: "write \"all\" instead of \"one\""),
        ],
        merging: .whole,
        discussion: """
            The result is available as `found.NAME` in [placeholders](#placeholders) and under `found` in conditions:

            | result | placeholders |
            |---|---|
            | `one` | the item's visible members, such as `{{found.photo#/owner/name}}`; for an account, also the account's name, `{{found.user.name}}`, which `signIn` requires |
            | `all` | `items`, `count` (items on this page), `total` (items on all pages), `exists` (true if any item was found), `start` (the number of items before the page), `next` (the cursor, number or offset of the next page) and `sum`; for example, `{{found.photos#/items}}` and `{{found.photos#/total}}` |
            | an item added by `create` with `as` | the same as `one` |
            | files stored by `upload` with `as` | the files' paths: `{{found.files#/items}}`; the first path: `{{found.files#/items/0}}` |

            Later selections in `find` can use the results of earlier selections. A value that is missing from the \
            request matches nothing in `where` or in conditions. In a body, a missing value causes a 400 response \
            unless a case responds or `??` provides a default. An unknown cursor returns an empty page, as does a page \
            after the last one. An empty cursor, and a page number, an offset or a page size that is not a valid number, \
            count as missing.
            """
    ) {
        Key("one", .text(.name), "The collection whose first matching item is selected.").example("notes")
        Key("all", .text(.name), "The collection whose matching items are all selected.").example("notes")
        Key("where", .matchers(names: .pointer)) { selection, tree, builder in
            selection.conditions = builder.itemConditions(tree, of: selection.collection)
        }
        .summary("Conditions on the stored items, by JSON Pointer. The number 7 equals the text \"7\" from a path.")
        .example(["/id": "{{request.path.id}}"])
        Key("when", .object(Condition.self)) { selection, tree, builder in
            selection.readCondition(tree, &builder)
        }
        .summary("A condition on the request, evaluated for each item; {{item#/…}} is the item.")
        .example(["query": ["tag": "{{item#/tag}}"]])
        Key("orderBy", .text(.pointer)) { selection, tree, builder in
            selection.order = builder.pointer(tree, into: selection.collection)
        }
        .summary("The value by which the items are sorted.").otherwise("creation order")
        Key("descending", \.isDescending, .boolean, "If true, the greatest or newest item comes first.")
        Key(
            "show",
            .choice([.text(.pointer), .list(of: .text(.plain), count: 1...Int.max)]),
            "The visible members of each item, in the listed order, or a pointer to the value that replaces the item."
        ) { selection, tree, builder in
            selection.view = View(tree, of: selection.collection, &builder)
        }
        .otherwise("all members").example(["id", "name"])
        Key("account", .text(.filled)) { selection, tree, builder in
            selection.account = builder.owner(tree, of: selection.collection)
        }
        .summary("The account whose copy of the collection is used, if each account has a copy.")
        .otherwise("the caller's").example("ada")
        Key("page", .variants(Page.shapes)) { selection, tree, builder in
            selection.page = builder.page(tree, of: selection.collection)
        }
        .summary("The requested page of the list. Allowed only with \"all\".")
        .otherwise("the whole list").example(["number": "{{request.query.page ?? 0}}", "limit": 20])
        Key("sum", .text(.pointer)) { selection, tree, builder in
            selection.sum = builder.pointer(tree, into: selection.collection)
        }
        .summary("The numbers to add up, across all pages. Allowed only with \"all\".")
    }

    /// Reads a selection; `nil` if its collection does not exist.
    init?(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let target = tree["one"] ?? tree["all"], let name = target.string,
            builder.expect(name, of: .collection, at: target.position)
        else { return nil }
        (collection, isSingle, position) = (name, tree["one"] != nil, tree.position)
        Self.keys.fill(&self, tree, &builder)
    }

    fileprivate mutating func readCondition(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        if !builder.scope.hasRequest {
            builder.report(
                "scenario/idle-key",
                "\"when\" has no effect here, because no request is available",
                at: tree.position
            )
        }
        requestCondition = builder.within {
            $0.hasItem = true
        } read: {
            $0.condition(tree)
        }
    }
}

extension Selection.View {
    /// Returns whether a reader sees something of a place in an item.
    package func shows(_ pointer: JSONPointer) -> Bool {
        switch self {
        case .everything: true
        case .members(let names): pointer.tokens.first.map { names.contains($0.exact) } ?? true
        case .value(let place): zip(place.tokens, pointer.tokens).allSatisfy { $0.exact == $1.exact }
        }
    }
}

/// A selection that a route makes before its cases are looked at, under the name by which they speak of it.
package struct Find: Sendable {
    package var name: String
    package var selection: Selection

    /// Reads what a route looks up; later selections may speak of earlier ones.
    static func all(_ members: [JSONObject.Member], _ builder: inout ScenarioBuilder) -> [Find] {
        members.compactMap { member in
            guard let selection = Selection(member.value, &builder) else {
                // Counts as known anyway, so that one mistake is reported once instead of at every use of the name.
                builder.scope.found.append(PlaceholderParser.FoundName(name: member.name, isAccount: true))
                return nil
            }
            builder.scope.found.append(
                PlaceholderParser.FoundName(
                    name: member.name,
                    collection: selection.collection,
                    isAccount: selection.isSingle && selection.collection == ItemCollection.accounts,
                    listMembers: selection.isSingle ? nil : listMembers + (selection.sum == nil ? [] : ["sum"])
                )
            )
            return Find(name: member.name, selection: selection)
        }
    }

    /// The data of a found list for a response.
    static let listMembers = ["items", "count", "total", "start", "next", "exists"]
}

extension Selection.View {
    fileprivate init(_ tree: JSONValue, of collection: String, _ builder: inout ScenarioBuilder) {
        if let pointer = builder.pointer(tree, into: collection) {
            self = .value(pointer)
            return
        }
        self = .members(
            (tree.array ?? []).compactMap { element in
                guard let name = element.string else { return nil }
                if TemplateParser.mayHoldPlaceholders(name) {
                    builder.report(
                        "scenario/placeholder",
                        "a member name must not contain placeholders",
                        at: element.position
                    )
                } else {
                    builder.noted.members.mention(name, of: collection, at: element.position)
                }
                return name
            }
        )
    }
}

extension ScenarioBuilder {
    /// Reads whose copy of a collection is meant.
    mutating func owner(_ tree: JSONValue?, of collection: String) -> TextTemplate? {
        guard let tree, let text = tree.string else { return nil }
        if root["collections"]?[collection]?["per"]?.string != ItemCollection.Scope.account.rawValue {
            report(
                "scenario/idle-key",
                "\"account\" has no effect here, because all accounts share \"\(collection)\"",
                at: tree.position,
                advice: "add \"per\": \"account\" to the collection to create a copy for each account"
            )
        }
        if !TemplateParser.mayHoldPlaceholders(text) { expect(text, of: .account, at: tree.position) }
        return templates.text(text, at: tree.position)
    }

    mutating func pointer(_ tree: JSONValue, into collection: String) -> JSONPointer? {
        tree.string.flatMap { pointer($0, into: collection, at: tree.position) }
    }
}
