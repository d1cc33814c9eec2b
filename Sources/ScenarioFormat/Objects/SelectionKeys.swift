import Basics
import JSON

enum SelectionKeys: FormatObject {
    static let one = Key(
        "one",
        .json(.text(.name)),
        "The collection whose first matching item is selected.",
        example: "notes"
    )
    static let all = Key(
        "all",
        .json(.text(.name)),
        "The collection whose matching items are all selected.",
        example: "notes"
    )
    static let `where` = Key(
        "where",
        list: .map(of: .matcher, names: .pointer),
        "Conditions on the stored items, by JSON Pointer. The number 7 equals the text \"7\" from a path.",
        example: ["/id": "{{request.path.id}}"]
    )
    static let when = Key(
        "when",
        .object(ConditionKeys.self),
        "A condition on the request, evaluated for each item; {{item#/…}} is the item.",
        example: ["query": ["tag": "{{item#/tag}}"]]
    )
    static let orderBy = Key(
        "orderBy",
        .json(.text(.pointer)),
        "The value by which the items are sorted.",
        otherwise: "creation order"
    )
    static let descending = Key(
        "descending",
        .boolean,
        default: false,
        "If true, the greatest or newest item comes first."
    )
    static let show = Key(
        "show",
        .json(.choice([.text(.pointer), .list(of: .text(.plain), count: 1...Int.max)])),
        "The visible members of each item, in the listed order, or a pointer to the value that replaces the item.",
        otherwise: "all members",
        example: ["id", "name"]
    )
    static let account = Key(
        "account",
        .json(.text(.filled)),
        "The account whose copy of the collection is used, if each account has a copy.",
        otherwise: "the caller's",
        example: "ada"
    )
    static let page = Key(
        "page",
        .json(.variants([PageAfterKeys.self, PageFromKeys.self, PageNumberKeys.self, PageOffsetKeys.self])),
        "The requested page of the list. Allowed only with \"all\".",
        otherwise: "the whole list",
        example: ["number": "{{request.query.page ?? 0}}", "limit": 20]
    )
    static let sum = Key(
        "sum",
        .json(.text(.pointer)),
        "The numbers to add up, across all pages. Allowed only with \"all\"."
    )

    static let shape = ObjectShape(
        "selection",
        "a selection",
        "selected items from a collection and their visible members",
        [one, all, `where`, when, orderBy, descending, show, account, page, sum],
        exclusive: [[one, all]],
        needed: [one, all],
        rules: [
            .idle(page, unless: .lacks(one), "for \"one\" item", advice: "write \"all\" instead of \"one\""),
            .idle(sum, unless: .lacks(one), "for \"one\" item", advice: "write \"all\" instead of \"one\""),
        ],
        merging: .whole,
        discussion: """
            The result is available as `found.NAME` in [placeholders](#placeholders) and under `found` in conditions:

            | result | placeholders |
            |---|---|
            | `one` | the item's visible members: `{{found.photo#/owner/name}}`; for an account, also its name, `{{found.user.name}}`, which `signIn` requires |
            | `all` | `items`, `count` (items on this page), `total` (items on all pages), `exists` (true if any item was found), `start` (the number of items before the page), `next` (the cursor, number or offset of the next page), `sum`: `{{found.photos#/items}}`, `{{found.photos#/total}}` |
            | an item added by `create` with `as` | the same as `one` |
            | files stored by `upload` with `as` | the files' paths: `{{found.files#/items}}`; the first path: `{{found.files#/items/0}}` |

            Later selections in `find` can use the results of earlier selections. A value that is missing from the \
            request matches nothing in `where` or in conditions. In a body, a missing value causes a 400 response \
            unless a case responds or `??` provides a default. An unknown cursor returns an empty page.
            """
    )
}

/// The keys of a page that follows or begins with a cursor.
private enum CursorKeys {
    static let at = Key("at", .json(.text(.pointer)), "The location of the cursor value in an item.", required: true)
    static let start = Key(
        "start",
        .json(.choice([.cursor, .list(of: .cursor)])),
        "The cursor or cursors that request the first page, in addition to a missing cursor and null.",
        example: 0
    )
    static let end = Key(
        "end",
        .json(.cursor),
        "The value of the next cursor on the last page.",
        otherwise: "`null`",
        example: -1
    )
    static let all: [any FormatKey] = [at, start, end]
}

/// The keys that every page has.
private enum SizeKeys {
    static let limit = Key(
        "limit",
        .json(.choice([.integer(1...1_000_000), .text(.numeral)])),
        "The page size; placeholders allowed.",
        required: true,
        example: "{{request.query.limit ?? 10}}"
    )
    static let maximum = Key(
        "maximum",
        .integer(1...1_000_000),
        "The maximum page size, even if more items are requested."
    )
    static let all: [any FormatKey] = [limit, maximum]
}

enum PageAfterKeys: FormatObject {
    static let after = Key(
        "after",
        .json(.text(.filled)),
        "The requested cursor, which identifies the last item of the previous page.",
        required: true,
        example: "{{request.query.cursor}}"
    )

    static let shape = ObjectShape(
        "pageAfter",
        "\"page\"",
        "a page that follows an item",
        [after] + CursorKeys.all + SizeKeys.all
    )
}

enum PageFromKeys: FormatObject {
    static let from = Key(
        "from",
        .json(.text(.filled)),
        "The requested cursor, which identifies the first item of the page.",
        required: true,
        example: "{{request.query.cursor}}"
    )

    static let shape = ObjectShape(
        "pageFrom",
        "\"page\"",
        "a page that begins with an item",
        [from] + CursorKeys.all + SizeKeys.all
    )
}

enum PageNumberKeys: FormatObject {
    static let number = Key(
        "number",
        .json(.text(.numeral)),
        "The requested page number.",
        required: true,
        example: "{{request.query.page ?? 0}}"
    )
    static let first = Key("first", .integer(0...1), default: 0, "The number of the first page.")

    static let shape = ObjectShape(
        "pageNumber",
        "\"page\"",
        "a page selected by number",
        [number, first] + SizeKeys.all
    )
}

enum PageOffsetKeys: FormatObject {
    static let offset = Key(
        "offset",
        .json(.text(.numeral)),
        "The requested offset: the number of items before the page.",
        required: true,
        example: "{{request.query.offset ?? 0}}"
    )

    static let shape = ObjectShape(
        "pageOffset",
        "\"page\"",
        "a page selected by offset",
        [offset] + SizeKeys.all
    )
}

extension Shape {
    fileprivate static let cursor = Shape.choice([.text(.any), .anyNumber, .null])
}

// MARK: - Reading

extension ScenarioBuilder {
    /// Reads what a route looks up; later selections may speak of earlier ones.
    mutating func finds(_ members: [JSONObject.Member]) -> [Find] {
        members.compactMap { member in
            guard let selection = selection(member.value) else {
                // Counts as known anyway, so that one mistake is reported once instead of at every use of the name.
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

    /// The data of a found list for a response.
    static let listMembers = ["items", "count", "total", "start", "next", "exists"]

    mutating func selection(_ tree: JSONValue) -> Selection? {
        guard let target = tree[SelectionKeys.one] ?? tree[SelectionKeys.all], let name = target.string,
            expectCollection(name, at: target.position)
        else { return nil }
        var selection = Selection(collection: name, isSingle: tree.has(SelectionKeys.one), position: tree.position)
        selection.conditions = tree[SelectionKeys.where].compactMap { member in
            pointer(member.name, into: name, at: member.namePosition).map { ($0, matcher(member.value)) }
        }
        selection.requestCondition = tree[SelectionKeys.when].map { tree in
            within {
                $0.hasItem = true
            } read: {
                $0.condition(tree)
            }
        }
        selection.order = tree[SelectionKeys.orderBy].flatMap { pointer($0, into: name) }
        selection.isDescending = tree[SelectionKeys.descending]
        selection.view = tree[SelectionKeys.show].map { view($0, of: name) } ?? .everything
        selection.account = owner(tree[SelectionKeys.account], of: name)
        selection.page = tree[SelectionKeys.page].flatMap { page($0, of: name) }
        selection.sum = tree[SelectionKeys.sum].flatMap { pointer($0, into: name) }
        if !scope.hasRequest, let condition = tree[SelectionKeys.when] {
            report(
                "scenario/idle-key",
                "\"when\" has no effect here, because no request is available",
                at: condition.position
            )
        }
        return selection
    }

    @discardableResult
    mutating func expectCollection(_ name: String, at position: JSONPosition) -> Bool {
        expect(name, among: collectionNames, as: "collection", at: position)
    }

    /// Reads whose copy of a collection is meant.
    mutating func owner(_ tree: JSONValue?, of collection: String) -> TextTemplate? {
        guard let tree, let text = tree.string else { return nil }
        if root.written(ScenarioKeys.collections)?[collection]?[CollectionKeys.per] != .account {
            report(
                "scenario/idle-key",
                "\"account\" has no effect here, because all accounts share \"\(collection)\"",
                at: tree.position,
                advice: "add \"per\": \"account\" to the collection to create a copy for each account"
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
                    report(
                        "scenario/placeholder",
                        "a member name cannot contain placeholders",
                        at: element.position
                    )
                } else {
                    noted.members.mention(name, of: collection, at: element.position)
                }
                return name
            }
        )
    }

    private mutating func page(_ tree: JSONValue, of collection: String) -> Page? {
        guard let limit = tree[SizeKeys.limit] else { return nil }
        let start: Page.Start
        if let sent = tree[PageAfterKeys.after] {
            guard let cursor = cursor(sent, of: tree, in: collection) else { return nil }
            start = .after(cursor)
        } else if let sent = tree[PageFromKeys.from] {
            guard let cursor = cursor(sent, of: tree, in: collection) else { return nil }
            start = .from(cursor)
        } else if let sent = tree[PageNumberKeys.number] {
            start = .number(templates.tree(sent), first: tree[PageNumberKeys.first])
        } else if let sent = tree[PageOffsetKeys.offset] {
            start = .offset(templates.tree(sent))
        } else {
            return nil
        }
        return Page(start: start, limit: templates.tree(limit), maximum: tree[SizeKeys.maximum])
    }

    private mutating func cursor(_ sent: JSONValue, of tree: JSONValue, in collection: String) -> Page.Cursor? {
        guard let pointer = tree[CursorKeys.at].flatMap({ pointer($0, into: collection) }) else { return nil }
        return Page.Cursor(
            sent: templates.tree(sent),
            pointer: pointer,
            starts: tree[CursorKeys.start].map { $0.array ?? [$0] } ?? [],
            end: tree[CursorKeys.end] ?? JSONValue(.null)
        )
    }
}
