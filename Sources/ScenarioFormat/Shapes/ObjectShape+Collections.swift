extension ObjectShape {
    static let collection = ObjectShape([
        Key(
            "items",
            .choice([.text(.path), .list(of: .anything)]),
            "What there is at the beginning: a JSON file with an array, or the array; placeholders allowed."
        ),
        Key(
            "per",
            .text(.oneOf(["session", "account"])),
            "Whose items they are: everybody's if not said, or each account's own copy."
        ),
        Key(
            "embed",
            .map(of: .object(.selection), names: .pointer),
            "Places of an item where a reader sees other items; {{item#/…}} is the item itself."
        ),
    ])

    static let selection = ObjectShape(
        [
            Key("one", .text(.name), "The collection of which the first item that fits is meant."),
            Key("all", .text(.name), "The collection of which every item that fits is meant."),
            Key("where", .matchers(names: .pointer), "What an item must be like as it is stored, by JSON Pointer."),
            Key("when", .object(.condition), "What the request must be like for an item; {{item#/…}} is the item."),
            Key("orderBy", .text(.pointer), "The value that items are ordered by; as they were made if not said."),
            Key("descending", .boolean, "Whether the greatest or newest comes first."),
            Key(
                "show",
                .choice([.text(.pointer), .list(of: .text(.any), count: 1...Int.max)]),
                "The members of an item that a reader sees, or the place of the value seen instead of it."
            ),
            Key("account", .text(.filled), "Whose copy of the collection; the caller's if not said."),
            Key("page", .page, "The part of the list that is asked for. Only with \"all\"."),
            Key("sum", .text(.pointer), "The numbers that are added up. Only with \"all\"."),
        ],
        exclusive: [["one", "all"]],
        needed: ["one", "all"],
        merging: .whole
    )

    private static let cursorKeys = [
        Key("at", .text(.pointer), "Where an item has the value that the cursor is.", required: true),
        Key("start", .choice([.cursor, .list(of: .cursor)]), "The cursor, or cursors, that mean the beginning."),
        Key("end", .cursor, "What stands for the next cursor when nothing follows; null if not said."),
    ]
    private static let sizeKeys = [
        Key("limit", .limit, "How many items a page has; placeholders allowed.", required: true),
        Key("maximum", .integer(1...1_000_000), "How many it has at most, whatever is asked for."),
    ]

    static let pageAfter = ObjectShape(
        [Key("after", .text(.filled), "The cursor that was sent: the last item of the page before.", required: true)]
            + cursorKeys + sizeKeys
    )
    static let pageFrom = ObjectShape(
        [Key("from", .text(.filled), "The cursor that was sent: the first item of the page.", required: true)]
            + cursorKeys + sizeKeys
    )
    static let pageNumber = ObjectShape(
        [Key("number", .text(.filled), "The number of the page that was sent, from zero.", required: true)] + sizeKeys
    )

    private static let each = Key(
        "each",
        .text(.filled),
        "An array, of the request or found: the event happens for every element, which is {{each#/…}}."
    )
    static let createEvent = ObjectShape([
        Key("create", .text(.name), "The collection that gets a new item.", required: true),
        each,
        Key("item", .map(of: .anything, names: .any), "The item; placeholders allowed.", required: true),
        Key("times", .integer(1...10_000), "How many of them; one if not said."),
        Key("account", .text(.filled), "Whose copy of the collection; the caller's if not said."),
        Key("name", .text(.filled), "The new account's name, where the collection is \"accounts\"."),
        Key("as", .text(.name), "The name by which the response speaks of it: {{found.NAME}}."),
    ])
    static let updateEvent = ObjectShape([
        Key("update", .items, "The items: a name of the route's \"find\", or a selection.", required: true),
        each,
        Key("set", .map(of: .anything, names: .pointer), "New values, by JSON Pointer; placeholders allowed."),
        Key("add", .map(of: .anything, names: .pointer), "Values that join an array, unless they are in it."),
        Key("remove", .map(of: .anything, names: .pointer), "Values that leave an array."),
        Key("unset", .list(of: .text(.pointer)), "Members that go."),
    ])
    static let deleteEvent = ObjectShape([
        Key("delete", .items, "The items: a name of the route's \"find\", or a selection.", required: true), each,
    ])
    static let uploadEvent = ObjectShape([
        Key("upload", .text(.filled), "The multipart parts that are kept as files.", required: true),
        Key("to", .text(.name), "The collection that gets an item for each.", required: true),
        Key("path", .text(.filled), "Its path; {{part.filename}}, {{part.extension}} allowed.", required: true),
        Key("as", .text(.name), "The name by which the response speaks of the paths: {{found.NAME#/items}}."),
    ])
}

extension Shape {
    static let finds = Shape.map(of: .object(.selection), names: .name)

    fileprivate static let page = Shape.variants([.pageAfter, .pageFrom, .pageNumber])
    fileprivate static let cursor = Shape.choice([.text(.any), .number(-Double.infinity...Double.infinity), .null])
    fileprivate static let limit = Shape.choice([.integer(1...1_000_000), .text(.filled)])
    fileprivate static let items = Shape.choice([.text(.name), .object(.selection)])
}
