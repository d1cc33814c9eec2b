import Basics
import JSON

// What a correct client does, as far as the journal, the tokens and states at the end, and its own reports tell.

/// An expectation: its declaration, and how it is read.
protocol ExpectationObject: FormatObject {
    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content?
}

extension Expectation {
    /// Every expectation, in the order in which the format mentions them.
    static let objects: [any ExpectationObject.Type] = [
        RequestExpectationKeys.self, ClientExpectationKeys.self, StateExpectationKeys.self, TokenExpectationKeys.self,
        ItemExpectationKeys.self, OrderExpectationKeys.self, ExitExpectationKeys.self,
    ]
}

extension Shape {
    static let expectation = Shape.shared(
        "expectation",
        .variants(Expectation.objects.map { $0 as any FormatObject.Type })
    )

    static let count = Shape.shared("countOrNumber", .choice([.integer(0...1_000_000), .object(CountKeys.self)]))
}

/// The exchanges that an expectation is about.
enum RequestPatternKeys: FormatObject {
    static let request = Key("request", .json(.text(.route)), "The route of the requests.", required: true)
    static let status = Key(
        "status",
        list: .statuses,
        "The matching status codes.",
        otherwise: "any",
        example: [401, 419]
    )
    static let token = Key(
        "token",
        list: .map(of: .tokenStates, names: .name),
        "The matching states of the request's tokens, by kind.",
        example: ["access": "expired"]
    )
    static let device = Key(
        "device",
        .json(.text(.filled)),
        "The device that sent the request.",
        otherwise: "any",
        example: "phone"
    )
    static let origin = Key(
        "origin",
        .json(.text(.name)),
        "The origin to which the request was sent.",
        otherwise: "the backend",
        example: "images"
    )
    static let launch = Key(
        "launch",
        .integer(1...1_000),
        "The client launch that sent the request.",
        otherwise: "any",
        example: 2
    )
    static let header = Key(
        "header",
        .json(.matchers(names: .fieldName)),
        "Header fields in the request, by name.",
        example: ["Authorization": ["exists": false]]
    )
    static let query = Key(
        "query",
        .json(.matchers(names: .any)),
        "Query items in the request, by name.",
        example: ["page": "2"]
    )
    static let form = Key(
        "form",
        .json(.matchers(names: .any)),
        "Fields of the form-urlencoded body, by name.",
        example: ["grant_type": "refresh_token"]
    )
    static let cookie = Key(
        "cookie",
        .json(.matchers(names: .token)),
        "Cookies in the request, by name.",
        example: ["sid": "7"]
    )
    static let body = Key(
        "body",
        .json(.matchers(names: .pointer)),
        "Values in the JSON body, by JSON Pointer.",
        example: ["/text": "Hi"]
    )
    static let all: [any FormatKey] = [
        request, status, token, device, origin, launch, header, query, form, cookie, body,
    ]

    static let shape = ObjectShape("requestPattern", "a request pattern", "a pattern that matches exchanges", all)
}

enum RequestExpectationKeys: ExpectationObject {
    static let count = Key(
        "count",
        .json(.count),
        "The number of matching exchanges.",
        otherwise: "at least one",
        example: 1
    )
    static let before = Key(
        "before",
        .object(RequestPatternKeys.self),
        "All matching requests must precede the first exchange that matches this pattern. At least one exchange must match the pattern.",
        example: ["request": "GET /notes"]
    )
    static let after = Key(
        "after",
        .object(RequestPatternKeys.self),
        "All matching requests must follow the first exchange that matches this pattern. At least one exchange must match the pattern.",
        example: ["request": "POST /login"]
    )
    static let notAfter = Key(
        "notAfter",
        .object(RequestPatternKeys.self),
        "No matching request may follow the first exchange that matches this pattern.",
        example: ["request": "POST /logout"]
    )
    static let within = Key(
        "within",
        .duration,
        "The virtual time from the start within which all matching requests must arrive."
    )
    static let gap = Key(
        "gap",
        .object(GapKeys.self),
        "The real time between consecutive matching requests.",
        example: ["atLeast": "300ms"]
    )

    static let shape = ObjectShape(
        "requestExpectation",
        "an expectation",
        "requests that the client must send",
        RequestPatternKeys.all + [count, before, after, notAfter, within, gap],
        rules: [
            ObjectRule(
                .not(
                    .all([
                        .has(gap),
                        .any([
                            .member(count, .between(0...1)), .member(count, .member(CountKeys.atMost, .between(0...1))),
                        ]),
                    ])
                ),
                "scenario/idle-key",
                at: gap,
                "\"gap\" has no effect here, because fewer than two exchanges may match"
            )
        ]
    )

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        guard let pattern = builder.pattern(tree) else { return nil }
        return .exchanges(
            pattern,
            count: builder.count(tree[count]),
            relations: [
                tree[before].flatMap { builder.pattern($0) }.map { Expectation.Relation(kind: .before, pattern: $0) },
                tree[after].flatMap { builder.pattern($0) }.map { Expectation.Relation(kind: .after, pattern: $0) },
                tree[notAfter].flatMap { builder.pattern($0) }.map {
                    Expectation.Relation(kind: .notAfter, pattern: $0)
                },
            ].compactMap(\.self),
            within: tree[within],
            gap: builder.gap(of: tree)
        )
    }
}

enum CountKeys: FormatObject {
    static let atLeast = Key("atLeast", .integer(0...1_000_000), default: 0, "The minimum number.")
    static let atMost = Key("atMost", .integer(0...1_000_000), "The maximum number.")

    static let shape = ObjectShape(
        "count",
        "\"count\"",
        "a number or a range",
        [atLeast, atMost],
        needed: [atLeast, atMost]
    )
}

enum GapKeys: FormatObject {
    static let atLeast = Key("atLeast", .duration, default: .zero, "The minimum duration.")
    static let atMost = Key("atMost", .duration, "The maximum duration.")

    static let shape = ObjectShape(
        "gap",
        "\"gap\"",
        "a range of durations",
        [atLeast, atMost],
        needed: [atLeast, atMost]
    )
}

enum ClientExpectationKeys: ExpectationObject {
    static let client = Key(
        "client",
        .json(.choice([.text(.name), .map(of: .fact, names: .name)])),
        "A fact that the client reports about itself; you choose the name.",
        required: true,
        example: ["screen": "home"]
    )
    static let orUnknown = Key(
        "orUnknown",
        .boolean,
        default: false,
        "If true, a client that never reports the fact passes."
    )
    static let shownBy = Key(
        "shownBy",
        list: .list(of: .object(RequestPatternKeys.self), count: 1...Int.max),
        "Exchanges that prove the fact. If they happen in this order, the client does not need to report the fact.",
        example: [["request": "POST /login", "status": 200]]
    )

    static let shape = ObjectShape(
        "clientExpectation",
        "an expectation",
        "facts that the client must report",
        [client, orUnknown, shownBy]
    )

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        guard let client = tree[client] else { return nil }
        let facts =
            client.string.map { [Expectation.ClientFact(name: $0, value: true)] }
            ?? Optional(client).members.map { Expectation.ClientFact(name: $0.name, value: $0.value) }
        return .client(facts, orUnknown: tree[orUnknown], shownBy: tree[shownBy].compactMap { builder.pattern($0) })
    }
}

extension Shape {
    /// Facts are compared with what a client reports, so they are plain.
    fileprivate static let fact = Shape.choice([.text(.any), .anyNumber, .boolean, .null])
}

enum StateExpectationKeys: ExpectationObject {
    static let states = Key(
        "state",
        list: .map(of: .choice([.text(.name), .names]), names: .name),
        """
        Named states and their matching values. A state "per" device or account must match for each device or account.
        """,
        required: true,
        example: ["plan": "paid"]
    )

    static let shape = ObjectShape("stateExpectation", "an expectation", "the final values of states", [states])

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        let wanted = builder.statesAndValues(tree[states])
        for state in wanted { builder.noted.testedStates += state.values.map { (state.name, $0.text, $0.position) } }
        return .states(wanted.map { ($0.name, $0.values.map(\.text)) })
    }
}

enum TokenExpectationKeys: ExpectationObject {
    static let token = Key("token", .json(.text(.name)), "The token kind.", required: true, example: "refresh")
    static let device = Key(
        "device",
        .json(.text(.filled)),
        "The device whose newest token of this kind is checked.",
        otherwise: "every device",
        example: "phone"
    )
    static let `is` = Key("is", .json(.tokenStates), "The matching states.", required: true, example: "valid")

    static let shape = ObjectShape(
        "tokenExpectation",
        "an expectation",
        "the final state of a device's token",
        [token, device, `is`]
    )

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        guard let token = tree[token], let kind = token.string else { return nil }
        builder.expectOwnKind(kind, at: token.position, for: "check the state of")
        return .token(kind: kind, device: builder.device(tree[device]), standings: builder.standings(tree[`is`]))
    }
}

enum ItemExpectationKeys: ExpectationObject {
    static let items = Key(
        "items",
        .json(.text(.name)),
        "The collection whose items are counted.",
        required: true,
        example: "notes"
    )
    static let `where` = Key(
        "where",
        list: .map(of: .matcher, names: .pointer),
        "Conditions on the stored items, by JSON Pointer.",
        example: ["/text": "Hi"]
    )
    static let count = Key(
        "count",
        .json(.count),
        "The final number of matching items.",
        otherwise: "at least one",
        example: 1
    )
    static let account = Key(
        "account",
        .json(.text(.filled)),
        "The account whose copy of the collection is used.",
        otherwise: "all copies combined",
        example: "ada"
    )

    static let shape = ObjectShape(
        "itemExpectation",
        "an expectation",
        "the final number of stored items",
        [items, `where`, count, account]
    )

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        guard let name = tree[items], let collection = name.string,
            builder.expectCollection(collection, at: name.position)
        else { return nil }
        let account = tree[account].flatMap { builder.constantOwner($0, of: collection) }
        let conditions = tree[`where`].compactMap { member in
            builder.pointer(member.name, into: collection, at: member.namePosition)
                .map { ($0, builder.matcher(member.value)) }
        }
        return .items(
            ItemPattern(collection: collection, account: account, conditions: conditions),
            count: builder.count(tree[count])
        )
    }
}

enum OrderExpectationKeys: ExpectationObject {
    static let order = Key(
        "order",
        list: .list(of: .object(RequestPatternKeys.self), count: 1...Int.max),
        "Exchanges that must happen in this order. Other exchanges may occur between them.",
        required: true,
        example: [["request": "POST /refresh"], ["request": "GET /notes", "status": 200]]
    )

    static let shape = ObjectShape("orderExpectation", "an expectation", "exchanges that must happen in order", [order])

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        guard tree.written(order)?.array != nil else { return nil }
        return .order(tree[order].compactMap { builder.pattern($0) })
    }
}

enum ExitExpectationKeys: ExpectationObject {
    static let exit = Key(
        "exit",
        .integer(0...255),
        "The exit code that the client's command must return for every launch.",
        required: true,
        example: 0
    )

    static let shape = ObjectShape("exitExpectation", "an expectation", "the exit code of the client's command", [exit])

    static func content(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Expectation.Content? {
        tree[exit].map(Expectation.Content.exit)
    }
}

// MARK: - Reading

extension ScenarioBuilder {
    mutating func expectations() -> [Expectation] {
        within {
            $0.makesOperands = false
        } read: { builder in
            builder.root[ScenarioKeys.expect].compactMap { tree in
                let object = Expectation.objects.first { tree[$0.shape.verb] != nil }
                return object?.content(tree, &builder).map { Expectation(content: $0, position: tree.position) }
            }
        }
    }

    fileprivate mutating func gap(of tree: JSONValue) -> GapRange? {
        guard let written = tree[RequestExpectationKeys.gap] else { return nil }
        let range = GapRange(atLeast: written[GapKeys.atLeast], atMost: written[GapKeys.atMost])
        if let most = range.atMost, range.atLeast > most {
            report("scenario/bad-range", "\"atLeast\" is greater than \"atMost\"", at: written.position)
        }
        return range
    }

    fileprivate mutating func constantOwner(_ tree: JSONValue, of collection: String) -> String? {
        guard let text = tree.string else { return nil }
        guard !TemplateParser.mayHoldPlaceholders(text) else {
            report(
                "scenario/placeholder",
                "placeholders have no effect here, because no request is available when items are counted",
                at: tree.position,
                advice: "write the account's name"
            )
            return nil
        }
        _ = owner(tree, of: collection)
        return text
    }

    fileprivate mutating func pattern(_ tree: JSONValue) -> ExchangePattern? {
        guard let request = tree[RequestPatternKeys.request], let route = request.string else { return nil }
        let origin = origin(of: tree, asking: route, at: request.position)
        let tokens = tree[RequestPatternKeys.token].map { member in
            expect(member.name, among: kinds, as: "token kind", at: member.namePosition)
            expectForeignStates(of: member.name, in: member.value)
            return (kind: member.name, standings: standings(member.value))
        }
        var sent = JSONObject()
        for key in [
            RequestPatternKeys.header, RequestPatternKeys.query, RequestPatternKeys.form, RequestPatternKeys.cookie,
            RequestPatternKeys.body,
        ] {
            sent[key.name] = tree[key]
        }
        return ExchangePattern(
            route: route,
            origin: origin,
            launch: launch(of: tree),
            statuses: tree[RequestPatternKeys.status],
            tokens: tokens,
            device: device(tree[RequestPatternKeys.device]),
            condition: condition(.object(sent))
        )
    }

    /// The origin that a pattern is about, and whether its route is one of the origin's.
    private mutating func origin(of tree: JSONValue, asking route: String, at position: JSONPosition) -> String? {
        guard let written = tree[RequestPatternKeys.origin], let name = written.string else {
            expectRoute(route, at: position)
            return nil
        }
        if expect(name, among: everywhere.origins, as: "origin", at: written.position) {
            let routes = root.written(ScenarioKeys.origins)?[name]?[OriginKeys.routes].map(\.name) ?? []
            expect(
                route,
                among: routes,
                as: "route",
                at: position,
                message: "the origin \"\(name.shortened)\" does not define the route \"\(route.shortened)\""
            )
        }
        return name
    }

    private mutating func launch(of tree: JSONValue) -> Int? {
        guard let written = tree.written(RequestPatternKeys.launch), let launch = tree[RequestPatternKeys.launch]
        else { return nil }
        if launch > lastLaunch {
            report(
                "scenario/unknown-launch",
                lastLaunch == 1
                    ? "launch \(launch) does not exist, because the timeline starts the client only once"
                    : "launch \(lastLaunch) is the timeline's last launch; launch \(launch) does not exist",
                at: written.position,
                advice: "add {\"launch\": \(lastLaunch + 1)} to \"timeline\", with its time"
            )
        }
        return launch
    }

    fileprivate mutating func device(_ tree: JSONValue?) -> String? {
        guard let tree, let name = tree.string else { return nil }
        noted.mentionedDevices.append((name, tree.position))
        return name
    }

    mutating func count(_ tree: JSONValue?) -> CountRange {
        let range = CountRange(written: tree)
        if let tree, range.atLeast > range.atMost {
            report("scenario/bad-range", "\"atLeast\" is greater than \"atMost\"", at: tree.position)
        }
        return range
    }
}
