extension ObjectShape {
    private static let patternKeys = [
        Key("request", .text(.route), "The route.", required: true),
        Key("status", .statuses, "The statuses that fit."),
        Key(
            "token",
            .map(of: .tokenStates, names: .name),
            "The tokens that were offered: kinds and the states that fit."
        ),
        Key("device", .text(.filled), "The device that asked."),
        Key("origin", .text(.name), "The other server that was asked; the backend if not said."),
        Key("launch", .integer(1...1_000), "The launch of the client in which it asked; any if not said."),
        Key("header", .matchers(names: .fieldName), "Header fields that were sent."),
        Key("query", .matchers(names: .any), "Query items that were sent."),
        Key("body", .matchers(names: .pointer), "Places in the JSON body that was sent."),
    ]

    static let requestPattern = ObjectShape(patternKeys)

    static let requestExpectation = ObjectShape(
        patternKeys + [
            Key("count", .choice([.integer(0...1_000_000), .object(.count)]), "How many; at least one if not said."),
            Key("before", .object(.requestPattern), "Every one of them comes before this."),
            Key("after", .object(.requestPattern), "Every one of them comes after this."),
            Key("notAfter", .object(.requestPattern), "None of them comes after this."),
            Key("within", .text(.duration), "All of them in this much virtual time from the start."),
            Key("gap", .object(.gap), "How much real time lies between the arrivals of each and the next."),
        ]
    )

    static let count = ObjectShape(
        anyOf: [
            Key("atLeast", .integer(0...1_000_000), "Not fewer."),
            Key("atMost", .integer(0...1_000_000), "Not more."),
        ]
    )

    static let gap = ObjectShape(
        anyOf: [Key("atLeast", .text(.duration), "Not less."), Key("atMost", .text(.duration), "Not more.")]
    )

    static let clientExpectation = ObjectShape([
        Key(
            "client",
            .choice([.text(.name), .map(of: .fact, names: .name)]),
            "A fact that the client reports about itself.",
            required: true
        ),
        Key("orUnknown", .boolean, "Whether a client that never reported it passes."),
    ])

    static let stateExpectation = ObjectShape([
        Key(
            "state",
            .map(of: .choice([.text(.name), .names]), names: .name),
            "States and the values that fit.",
            required: true
        )
    ])

    static let tokenExpectation = ObjectShape([
        Key("token", .text(.name), "The kind.", required: true),
        Key("device", .text(.filled), "The device; every one if not said."),
        Key("is", .tokenStates, "The states that fit.", required: true),
    ])

    static let itemExpectation = ObjectShape([
        Key("items", .text(.name), "The collection.", required: true),
        Key("where", .matchers(names: .pointer), "What the items must be like as they are stored, by JSON Pointer."),
        Key(
            "count",
            .choice([.integer(0...1_000_000), .object(.count)]),
            "How many there are at the end; at least one if not said."
        ),
        Key("account", .text(.filled), "Whose copy of the collection; all of them together if not said."),
    ])

    static let exitExpectation = ObjectShape([
        Key("exit", .integer(0...255), "The exit code of the client's command, at every launch.", required: true)
    ])

    static let orderExpectation = ObjectShape([
        Key(
            "order",
            .list(of: .object(.requestPattern), count: 1...Int.max),
            "These exchanges happen in this order.",
            required: true
        )
    ])
}

extension Shape {
    static let statuses = Shape.choice([.integer(100...999), .list(of: .integer(100...999), count: 1...Int.max)])

    /// Facts are compared with what a client reports, so they are plain.
    fileprivate static let fact = Shape.choice([
        .text(.any), .number(-Double.infinity...Double.infinity), .boolean, .null,
    ])

    static let expectation = Shape.variants([
        .requestExpectation, .clientExpectation, .stateExpectation, .tokenExpectation, .itemExpectation,
        .orderExpectation, .exitExpectation,
    ])
}
