extension ObjectShape {
    static let scenario = ObjectShape([
        Key("$schema", .text(.any), "Where editors find this schema. Backlot never opens it."),
        Key("backend", .text(.filled), "The backend's name. A file that has it is a backend file."),
        Key("extends", .text(.path), "The file that this story changes."),
        Key("id", .text(.name), "The story's short name, for --story and reports."),
        Key("title", .text(.any), "What the story is about, in one line."),
        Key("about", .text(.any), "The story in two sentences that need no knowledge of the code."),
        Key(
            "reproduces",
            .choice([.text(.any), .list(of: .text(.any))]),
            "The bugs that the story brings back, such as app/B3."
        ),
        Key(
            "bugClasses",
            .choice([.text(.rule), .list(of: .text(.rule), count: 1...Int.max)]),
            "The rules that a client with those bugs fails, by number or name; the table of stories shows them."
        ),
        Key(
            "uiOnly",
            .boolean,
            "Whether the bugs show on the screen alone, so that only the client's own reports can tell."
        ),
        Key(
            "variants",
            .map(of: .object(.variant), names: .name),
            "Further stories that change this one a little, by name: a story's alone."
        ),
        Key("silent", .boolean, "Whether a correct client sends nothing at all."),
        Key(
            "exceptions",
            .map(of: .text(.filled), names: .rule),
            "Rules that are not passed on the client, each with the reason."
        ),
        Key("contract", .text(.path), "The OpenAPI file that requests and responses are held against."),
        Key(
            "undocumented",
            .text(.oneOf(UndocumentedRule.allCases.map(\.rawValue))),
            "What becomes of a request that the contract does not know; warn, or refuse where the contract is enforced."
        ),
        Key(
            "fill",
            .text(.oneOf(FillRule.allCases.map(\.rawValue))),
            "What answers on operations of the contract that have no route; off if not said."
        ),
        Key("clock", .object(.clock), "How the virtual clock begins and runs."),
        Key(
            "holdRefusals",
            .text(.duration),
            "How long token refusals and responses to refreshes are held, in real time; --hold-refusals overrides it."
        ),
        Key("seed", .integer(0...Int.max), "The start of every random choice. --seed and sessions override it."),
        Key("accounts", .map(of: .map(of: .anything, names: .any), names: .name), "Users and what is known of them."),
        Key("devices", .object(.devices), "How a request names its device."),
        Key("tokens", .object(.tokens), "The token rules."),
        Key(
            "states",
            .map(of: .choice([.names, .object(.state)]), names: .name),
            "Named states. The first value is where each begins."
        ),
        Key(
            "counters",
            .map(of: .integer(Int.min...Int.max), names: .name),
            "Counters and the number each begins with."
        ),
        Key(
            "collections",
            .map(of: .object(.collection), names: .name),
            "What the backend stores and responses may change, by name; \"accounts\" is always one."
        ),
        Key("defaults", .object(.defaults), "What every response has unless it says otherwise."),
        Key("guards", .list(of: .object(.guardRule)), "Checks on every route, in this order."),
        Key("routes", .map(of: .object(.route), names: .route), "Routes by method and path template."),
        Key(
            "origins",
            .map(of: .object(.origin), names: .name),
            "Other servers of the story, such as an image host; {{origin.NAME}} is the base URL."
        ),
        Key("unmatched", .object(.fallback), "The backend's own answer on a path it does not know."),
        Key("wrongMethod", .object(.fallback), "The backend's own answer on a known path with another method."),
        Key(
            "invalidRequest",
            .object(.response),
            "The backend's own answer on a request its response cannot be made from."
        ),
        Key("given", .list(of: .event(with: .ago)), "What happened before the client starts, oldest first."),
        Key("timeline", .list(of: .event(with: .trigger)), "What happens while the client runs."),
        Key(
            "hold",
            .choice([.object(.hold), .list(of: .object(.hold))]),
            "Where requests wait for each other, so that they overlap."
        ),
        Key("expect", .list(of: .expectation), "What a correct client does."),
    ])

    /// What a variant may change in its story: everything that does not say which file this is.
    static let variant = ObjectShape(
        scenario.keys.filter { !["$schema", "backend", "extends", "id", "variants"].contains($0.name) },
        merging: .change
    )

    static let clock = ObjectShape([
        Key("start", .text(.start), "The moment at which the scenario begins; the real now unless told otherwise."),
        Key("rate", .number(0...1_000_000), "Virtual seconds in a real second. 1 unless told otherwise."),
        Key("frozen", .boolean, "Whether time stands still until it is advanced."),
        Key("automatic", .boolean, "Whether time stands still and jumps when every request waits for it."),
        Key("skew", .text(.signedDuration), "How far the Date header is off."),
    ])

    static let devices = ObjectShape([
        Key("header", .text(.fieldName), "The field that names the device.", required: true)
    ])

    static let state = ObjectShape([
        Key("values", .names, "Every value. The first is where it begins.", required: true),
        Key("per", .text(.oneOf(["session", "account", "device"])), "Whose state it is; the session's if not said."),
    ])

    static let defaults = ObjectShape([
        Key("headers", .headers, "Header fields of every response."),
        Key("latency", .latency, "How long every response takes."),
        Key("dribble", .object(.dribble), "How every body trickles in."),
        Key("bandwidth", .object(.bandwidth), "How slow the line is."),
    ])
}

extension Shape {
    static let headers = Shape.map(of: .choice([.text(.any), .list(of: .text(.any))]), names: .fieldName)
    static let latency = Shape.choice([
        .text(.duration), .variants([.fixedLatency, .uniformLatency, .logNormalLatency]),
    ])
}
