extension ObjectShape {
    /// The keys of which a response has at most one, because each is its body.
    private static let bodies = ["fixture", "json", "text", "file", "contentOf", "empty"]

    private static let responseKeys = [
        Key("status", .integer(200...999), "The status code; 200 if not said."),
        Key("headers", .headers, "Header fields; placeholders allowed."),
        Key("fixture", .text(.path), "A JSON file that is the body; placeholders allowed."),
        Key("json", .anything, "The body as JSON; placeholders allowed."),
        Key("text", .text(.any), "The body as text; placeholders allowed."),
        Key("file", .text(.path), "A file that is the body, byte for byte."),
        Key("contentOf", .text(.name), "The name of a found uploaded file, whose bytes are the body."),
        Key("empty", .boolean, "true: no body."),
        Key("latency", .latency, "How long the response takes."),
        Key("dribble", .object(.dribble), "How the body trickles in."),
        Key("bandwidth", .object(.bandwidth), "How slow the line is."),
        Key("fault", .fault, "How the connection breaks instead."),
        Key("grants", .grants, "The tokens that the response hands out, by kind."),
        Key("signIn", .choice([.boolean, .object(.signIn)]), "Whether the response starts a session for a device."),
        Key("then", .list(of: .event(with: .nothing)), "What the response changes on the server."),
        Key("breaks", .text(.filled), "Why the response is not what the contract allows: it is so on purpose."),
        optional,
    ]

    /// Where a story adds something that its client need not meet.
    static let optional = Key(
        "optional",
        .boolean,
        "true: the story is judged even if this, which it adds to its backend, was not played."
    )

    private static let sequenceKeys = [
        Key("responses", .list(of: .object(.response)), "Answers in their order, one a request."),
        Key(
            "afterLast",
            .text(.oneOf(AfterLast.allCases.map(\.rawValue))),
            "After the last of them: repeat it, loop, fail with 500, or the own response beside \"responses\"."
        ),
    ]

    static let response = ObjectShape(responseKeys, exclusive: [bodies])

    static let branch = ObjectShape(
        [Key("when", .object(.condition), "What the request must be like.", required: true)] + responseKeys
            + sequenceKeys,
        exclusive: [bodies]
    )

    private static let required = Key("requires", .requires, "The tokens that it wants, by kind and state.")
    private static let cases = Key(
        "cases",
        .list(of: .object(.branch)),
        "Answers under a condition; the first that holds counts."
    )

    /// A route without a key.
    static let fallback = ObjectShape([required, cases] + responseKeys + sequenceKeys, exclusive: [bodies])

    static let route = ObjectShape(
        [
            required,
            Key("find", .finds, "Items that the cases and responses speak of, by name; looked up in this order."),
            cases,
            Key("hold", .object(.routeHold), "Where the route's requests wait for each other."),
        ] + responseKeys + sequenceKeys,
        exclusive: [bodies]
    )

    static let origin = ObjectShape([
        Key("routes", .map(of: .object(.route), names: .route), "Its routes, as the backend's.", required: true),
        Key("accepts", .list(of: .text(.name)), "The kinds of token that belong there; none if not said."),
    ])

    static let guardRule = ObjectShape(
        [
            Key("name", .text(.any), "What the log calls it."),
            Key("when", .object(.condition), "When the guard answers instead of the route.", required: true),
            Key("order", .text(.oneOf(["beforeTokens", "afterTokens"])), "Before the tokens are looked at, or after."),
        ] + responseKeys,
        exclusive: [bodies]
    )

    static let fixedLatency = ObjectShape([
        Key("fixed", .text(.duration), "The wait.", required: true), latencyClock,
    ])
    static let uniformLatency = ObjectShape([
        Key("uniform", .list(of: .text(.duration), count: 2...2), "The shortest and the longest wait.", required: true),
        latencyClock,
    ])
    static let logNormalLatency = ObjectShape([
        Key("logNormal", .object(.logNormal), "The distribution.", required: true), latencyClock,
    ])
    private static let latencyClock = Key(
        "clock",
        .text(.oneOf(["real", "virtual"])),
        "Which clock the wait is on; the real one if not said."
    )
    static let logNormal = ObjectShape(
        [
            Key("median", .text(.duration), "Half of the waits are shorter.", required: true),
            Key("p99", .text(.duration), "99 in 100 waits are shorter."),
            Key("sigma", .number(0...10), "The standard deviation of the wait's logarithm."),
            Key("maximum", .text(.duration), "A longer draw is drawn again."),
        ],
        exclusive: [["p99", "sigma"]]
    )
    static let dribble = ObjectShape([
        Key("chunks", .integer(1...100_000), "How many pieces.", required: true),
        Key("over", .text(.duration), "From the first piece to the last.", required: true),
    ])
    static let bandwidth = ObjectShape([
        Key("down", .text(.rate), "How fast the response's body is sent."),
        Key("up", .text(.rate), "How fast the request's body is read."),
    ])
    static let fault = ObjectShape([
        Key("kind", .text(.oneOf(Fault.Kind.allCases.map(\.rawValue))), "How the connection breaks.", required: true),
        Key("probability", .number(0...1), "How often, drawn from the seed."),
        Key("keep", .number(0...1), "The part of the body that still arrives, for truncated."),
        Key("commits", .boolean, "Whether grants and changes take place before it."),
    ])
    static let signIn = ObjectShape([
        Key("device", .text(.any), "The device; placeholders allowed. Otherwise the device header, or a new one."),
        Key("account", .text(.any), "The account; placeholders allowed. The first one if not said."),
    ])
}

extension Shape {
    static let fault = Shape.choice([.text(.oneOf(Fault.Kind.allCases.map(\.rawValue))), .object(.fault)])
}
