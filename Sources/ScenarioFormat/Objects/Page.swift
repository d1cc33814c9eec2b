package import JSON

/// A part of a long list, as a request asks for it.
package struct Page: Sendable {
    package enum Start: Sendable {
        /// The cursor is the value of the last item of the page before.
        case after(Cursor)
        /// The cursor is the value of the first item of the page.
        case from(Cursor)
        /// The number of the page, and that of the first one.
        case number(TreeTemplate, first: Int)
        /// The number of items that come before the page.
        case offset(TreeTemplate)
    }

    /// The cursor of a request to continue in a list.
    package struct Cursor: Sendable {
        package var sent: TreeTemplate
        /// The pointer to the cursor value in an item.
        package var pointer: JSONPointer
        /// Cursors that mean the beginning of the list.
        package var starts: [JSONValue]
        /// The value of the next cursor on the last page.
        package var end: JSONValue
    }

    package var start: Start
    /// The number of items that a page has; other values than a whole number above zero mean the default of the placeholder.
    package var limit: TreeTemplate
    /// The maximum, even if more are requested.
    package var maximum: Int?
}

/// A page as a file has it.
private struct WrittenPage: KeyedModel {
    /// The collection whose items the page lists.
    var collection = ""
    /// The cursor, number or offset that the request sends.
    var sent: TreeTemplate?
    var pointer: JSONPointer?
    var starts: [JSONValue] = []
    var end = JSONValue(.null)
    var first = 0
    var limit: TreeTemplate?
    var maximum: Int?

    var cursor: Page.Cursor? {
        guard let sent, let pointer else { return nil }
        return Page.Cursor(sent: sent, pointer: pointer, starts: starts, end: end)
    }

    static let after = Keys("pageAfter", "\"page\"", "a page that follows an item") {
        Key("after", \.sent, .tree(.text(.filled)))
            .summary("The requested cursor, which identifies the last item of the previous page.")
            .required.example("{{request.query.cursor}}")
        cursorKeys
        size
    }

    static let from = Keys("pageFrom", "\"page\"", "a page that begins with an item") {
        Key("from", \.sent, .tree(.text(.filled)))
            .summary("The requested cursor, which identifies the first item of the page.")
            .required.example("{{request.query.cursor}}")
        cursorKeys
        size
    }

    static let number = Keys("pageNumber", "\"page\"", "a page selected by number") {
        Key("number", \.sent, .tree(.text(.numeral)), "The requested page number.").required
            .example("{{request.query.page ?? 0}}")
        Key("first", \.first, .integer(0...1), "The number of the first page.")
        size
    }

    static let offset = Keys("pageOffset", "\"page\"", "a page selected by offset") {
        Key("offset", \.sent, .tree(.text(.numeral)))
            .summary("The requested offset: the number of items before the page.")
            .required.example("{{request.query.offset ?? 0}}")
        size
    }

    /// The keys of a page that follows or begins with a cursor.
    @ObjectKeyList<WrittenPage> private static var cursorKeys: [Key] {
        Key("at", .text(.pointer), "The location of the cursor value in an item.") { page, tree, builder in
            page.pointer = builder.pointer(tree, into: page.collection)
        }
        .required
        Key("start", \.starts, ValueType(shape: .choice([cursor, .list(of: cursor)]), read: { $0.array ?? [$0] }))
            .summary("The cursor or cursors that request the first page, in addition to a missing cursor and null.")
            .example(0)
        Key("end", \.end, .json(cursor), "The value of the next cursor on the last page.")
            .otherwise("`null`").example(-1)
    }

    /// The keys that every page has.
    @ObjectKeyList<WrittenPage> private static var size: [Key] {
        Key("limit", \.limit, .tree(.choice([.integer(1...1_000_000), .text(.numeral)])))
            .summary("The page size; placeholders allowed.").required.example(
                "{{request.query.limit ?? 10}}"
            )
        Key("maximum", \.maximum, .integer(1...1_000_000), "The maximum page size.")
    }

    private static let cursor = Shape.choice([.text(.any), .anyNumber, .null])
}

extension Page {
    private static let variants: [(keys: ObjectKeys<WrittenPage>, start: @Sendable (WrittenPage) -> Start?)] = [
        (WrittenPage.after, { $0.cursor.map(Start.after) }),
        (WrittenPage.from, { $0.cursor.map(Start.from) }),
        (WrittenPage.number, { page in page.sent.map { .number($0, first: page.first) } }),
        (WrittenPage.offset, { $0.sent.map(Start.offset) }),
    ]

    static let shapes = variants.map(\.keys.shape)

    fileprivate static func read(_ tree: JSONValue, of collection: String, _ builder: inout ScenarioBuilder) -> Page? {
        guard let (keys, start) = variants.first(where: { tree[$0.keys.shape.verb] != nil }),
            let page = keys.read(tree, over: WrittenPage(collection: collection), &builder),
            let start = start(page), let limit = page.limit
        else { return nil }
        return Page(start: start, limit: limit, maximum: page.maximum)
    }
}

extension ValueType<TreeTemplate> {
    /// A value with placeholders.
    static func tree(_ shape: Shape) -> Self { Self(shape) { $1.templates.tree($0) } }
}

extension ScenarioBuilder {
    mutating func page(_ tree: JSONValue, of collection: String) -> Page? {
        Page.read(tree, of: collection, &self)
    }
}
