package import JSON

/// The expected behavior of a client in a story, loaded and checked with the rest of the file.
package struct Expectation: Sendable {
    package enum Content: Sendable {
        case exchanges(ExchangePattern, count: CountRange, relations: [Relation], within: Duration?, gap: GapRange?)
        /// The expected report of the client. Exchanges that prove it, in order, replace it.
        case client([ClientFact], orUnknown: Bool, shownBy: [ExchangePattern])
        case states([(name: String, values: [String])])
        case token(kind: String, device: String?, standings: [TokenStanding])
        case items(ItemPattern, count: CountRange)
        case order([ExchangePattern])
        /// Every launch of the client ends with this exit code.
        case exit(Int)
    }

    /// The order of the exchanges in relation to others.
    package struct Relation: Sendable {
        package enum Kind: String, Sendable {
            case before
            case after
            case notAfter = "not-after"
        }

        package var kind: Kind
        package var pattern: ExchangePattern
    }

    /// A fact that the client reports about itself.
    package struct ClientFact: Sendable {
        package var name: String
        package var value: JSONValue
    }

    package var content: Content
    package var position: JSONPosition

    /// The facts that it asks for; none where it is about something else.
    package var facts: [ClientFact] {
        if case .client(let facts, _, _) = content { facts } else { [] }
    }

    /// A Boolean value that indicates whether nothing but its facts can decide it.
    package var requiresFacts: Bool {
        if case .client(_, let orUnknown, let shownBy) = content { !orUnknown && shownBy.isEmpty } else { false }
    }
}

extension Expectation {
    /// Every expectation, in the order in which the format mentions them.
    static let variants = list

    @ObjectVariantList<Content> private static var list: [ObjectVariant<Content>] {
        ObjectVariant(RequestExpectation.self) { $0.content }
        ObjectVariant(ClientExpectation.self) { .client($0.facts, orUnknown: $0.orUnknown, shownBy: $0.shownBy) }
        ObjectVariant("stateExpectation", "an expectation", "the final values of states", "state", .testedStates) {
            .states($0)
        }
        .summary(
            """
            Named states and their matching values. A state "per" device or account must match for each device or account.
            """
        ).example(["plan": "paid"])
        ObjectVariant(TokenExpectation.self) { .token(kind: $0.kind, device: $0.device, standings: $0.standings) }
        ObjectVariant(ItemExpectation.self) { .items($0.pattern, count: $0.count) }
        ObjectVariant(
            "orderExpectation",
            "an expectation",
            "exchanges that must happen in order",
            "order",
            .list(of: .object, count: 1...Int.max)
        ) { .order($0) }
        .summary("Exchanges that must happen in this order. Other exchanges may occur between them.")
        .example([["request": "POST /refresh"], ["request": "GET /notes", "status": 200]])
        ObjectVariant(
            "exitExpectation",
            "an expectation",
            "the exit code of the client's command",
            "exit",
            .integer(0...255)
        ) { .exit($0) }
        .summary("The exit code that the client's command must return for every launch.").example(0)
    }
}

extension ValueType<Expectation> {
    static var expectation: Self {
        .of(ValueType<Expectation.Content>.variants(Expectation.variants).shared("expectation")) { content, tree, _ in
            Expectation(content: content, position: tree.position)
        }
    }
}

private struct RequestExpectation: ModelObject {
    var pattern = ExchangePattern()
    var count = CountRange(atLeast: 1, atMost: .max)
    var before: ExchangePattern?
    var after: ExchangePattern?
    var notAfter: ExchangePattern?
    var within: Duration?
    var gap: GapRange?

    static let keys = Keys(
        "requestExpectation",
        "an expectation",
        "requests that the client must or must not send",
        rules: [
            ObjectRule(
                .not(
                    .all([
                        .has("gap"),
                        .any([
                            .member("count", .between(0...1)), .member("count", .member("atMost", .between(0...1))),
                        ]),
                    ])
                ),
                "scenario/idle-key",
                at: "gap",
                "\"gap\" has no effect here, because fewer than two exchanges may match"
            )
        ]
    ) {
        ExchangePattern.keys.list.map { $0.inside(\RequestExpectation.pattern) }
        Key("count", \.count, .count, "The number of matching exchanges.").otherwise("at least one").example(1)
        Key("before", \.before, .object)
            .summary(
                "All matching requests must precede the first exchange that matches this pattern. At least one exchange must match the pattern."
            )
            .example(["request": "GET /notes"])
        Key("after", \.after, .object)
            .summary(
                "All matching requests must follow the first exchange that matches this pattern. At least one exchange must match the pattern."
            )
            .example(["request": "POST /login"])
        Key(
            "notAfter",
            \.notAfter,
            .object,
            "No matching request may follow the first exchange that matches this pattern."
        )
        .example(["request": "POST /logout"])
        Key("within", \.within, .duration)
            .summary("The virtual time from the start within which all matching requests must arrive.")
        Key("gap", \.gap, .object, "The real time between consecutive matching requests.")
            .example(["atLeast": "300ms"])
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) { pattern.finish(tree, &builder) }

    var content: Expectation.Content {
        let patterns: [(Expectation.Relation.Kind, ExchangePattern?)] = [
            (.before, before), (.after, after), (.notAfter, notAfter),
        ]
        let relations = patterns.compactMap { kind, pattern in
            pattern.map { Expectation.Relation(kind: kind, pattern: $0) }
        }
        return .exchanges(pattern, count: count, relations: relations, within: within, gap: gap)
    }
}

private struct ClientExpectation: ModelObject {
    var facts: [Expectation.ClientFact] = []
    var orUnknown = false
    var shownBy: [ExchangePattern] = []

    static let keys = Keys("clientExpectation", "an expectation", "facts that the client must report") {
        Key(
            "client",
            \.facts,
            .choice(
                .of(.text(.name)) { [Expectation.ClientFact(name: $0, value: true)] },
                .map(names: .name, of: .choice([.text(.any), .anyNumber, .boolean, .null])) { member, _ in
                    Expectation.ClientFact(name: member.name, value: member.value)
                }
            ),
            "A fact that the client reports about itself; you choose the name."
        )
        .required.example(["screen": "home"])
        Key("orUnknown", \.orUnknown, .boolean, "If true, a client that never reports the fact passes.")
        Key("shownBy", \.shownBy, .list(of: .object, count: 1...Int.max))
            .summary(
                """
                Exchanges that prove the fact if they happen in this order. The client then does not need to report \
                the fact.
                """
            ).example([["request": "POST /login", "status": 200]])
    }
}

private struct TokenExpectation: ModelObject {
    var kind = ""
    var device: String?
    var standings: [TokenStanding] = []

    static let keys = Keys("tokenExpectation", "an expectation", "the final state of a device's token") {
        Key("token", \.kind, .name(of: .ownKind(for: "check the state of")), "The token kind.").required
            .example("refresh")
        Key("device", \.device, .mentionedDevice, "The device whose newest token of this kind is checked.")
            .otherwise("every device").example("phone")
        Key("is", \.standings, .tokenStates, "The matching states.").required.example("valid")
    }
}

private struct ItemExpectation: ModelObject {
    var pattern = ItemPattern()
    var count = CountRange(atLeast: 1, atMost: .max)

    static let keys = Keys("itemExpectation", "an expectation", "the final number of stored items") {
        Key("items", \.pattern.collection, .name(of: .collection), "The collection whose items are counted.").required
            .example("notes")
        Key("where", .matchers(names: .pointer)) { items, tree, builder in
            guard !items.pattern.collection.isEmpty else { return }
            items.pattern.conditions = builder.itemConditions(tree, of: items.pattern.collection)
        }
        .summary("Conditions on the stored items, by JSON Pointer.").example(["/text": "Hi"])
        Key("count", \.count, .count, "The final number of matching items.").otherwise("at least one").example(1)
        Key("account", .text(.filled)) { items, tree, builder in
            guard !items.pattern.collection.isEmpty else { return }
            items.pattern.account = builder.constantOwner(tree, of: items.pattern.collection)
        }
        .summary("The account whose copy of the collection is used.").otherwise("all copies combined").example("ada")
    }
}

/// A pattern that selects stored items.
package struct ItemPattern: Sendable {
    package var collection = ""
    /// The account whose copy is used; `nil` for all.
    package var account: String?
    /// The conditions on the stored item.
    package var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
}

extension ScenarioBuilder {
    mutating func expectations() -> [Expectation] {
        within {
            $0.makesOperands = false
        } read: { builder in
            builder.read(builder.root["expect"], as: .list(of: .expectation)) ?? []
        }
    }

    /// Reads conditions on stored items.
    mutating func itemConditions(_ tree: JSONValue, of collection: String) -> [PointerMatcher] {
        Optional(tree).members.compactMap { member in
            pointer(member.name, into: collection, at: member.namePosition).map { ($0, matcher(member.value)) }
        }
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
}
