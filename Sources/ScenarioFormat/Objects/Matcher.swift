import Basics
import ECMAPatterns
package import JSON

/// The conditions on one value.
package indirect enum Matcher: Sendable {
    case all([Matcher])
    case not(Matcher)
    case equals(JSONValue)
    case oneOf([JSONValue])
    case exists(Bool)
    /// A part of a text, or an element of an array; an object matches every element that has its members.
    case contains(JSONValue)
    case startsWith(String)
    case endsWith(String)
    case atLeast(Bound)
    case atMost(Bound)
    case matches(TextPattern)
    case date(DateForm)
    /// The number of Unicode scalars of a text, or of elements of an array.
    case length(CountRange)
    /// One of these kinds of JSON value.
    case type([TypeName])
    /// The condition on every element of an array.
    case each(Matcher)
    /// The condition on the array of the texts between the spaces of a text.
    case words(Matcher)
    /// One of the others, with an operand that is made when it is needed.
    case made(Relation, TreeTemplate)

    /// A value's relation to the operand of a matcher.
    package enum Relation: String, Sendable, CaseIterable {
        case equals
        case oneOf
        case contains
        case startsWith
        case endsWith
        case atLeast
        case atMost
        case length
    }

    /// The kinds of JSON value, as JSON Schema calls them.
    package enum TypeName: String, Sendable, CaseIterable {
        case string, number, integer, boolean, array, object, null
    }

    /// The bound that a value is compared with.
    package enum Bound: Sendable, Hashable {
        case number(JSONNumber)
        /// A text, compared code unit by code unit, as dates in one form can be.
        case text(String)
    }
}

extension Matcher: FormatObject {
    static let keys: ObjectKeys<[Matcher]> = {
        var keys = ObjectKeys<[Matcher]>(
            "matcher",
            "a matcher",
            "conditions that must all hold for a value",
            isReadInFileOrder: true,
            discussion: """
                A plain value in place of a matcher means `equals`. `atLeast` and `atMost` compare numbers by value \
                and texts by code unit, so RFC 3339 dates with the same precision and time zone are compared \
                chronologically. In conditions on a request, the operands can contain [placeholders](#placeholders), as \
                in `{"/author": {"not": "{{account.id}}"}}`.
                """
        ) {
            operand(.equals, .json(.anything), "The exact value.", Matcher.equals).example(7)
            operand(
                .oneOf,
                .json(.choice([.list(of: .anything, count: 1...Int.max), .text(.placeholder)])),
                "The allowed values, or a placeholder for an array of values."
            ) { .oneOf($0.array ?? []) }
            .example(["draft", "sent"])
            ObjectKey("exists", ValueType<Bool>.boolean) { $0.append(.exists($1)) }
                .summary("If true, a value must exist; if false, a value must not exist.")
            operand(
                .contains,
                .json(.anything),
                "A substring of the text, or an element of the array. An object matches an element that includes all of the object's members.",
                Matcher.contains
            )
            .example("snow")
            operand(.startsWith, .text(.any), "The beginning of the text.", Matcher.startsWith).example("Bearer ")
            operand(.endsWith, .text(.any), "The end of the text.", Matcher.endsWith).example(".png")
            operand(
                .atLeast,
                .bound,
                "The minimum number, or the first allowed text in code unit order.",
                Matcher.atLeast
            )
            .example(18)
            operand(.atMost, .bound, "The maximum number, or the last allowed text in code unit order.", Matcher.atMost)
                .example("2026-12-31")
            ObjectKey("matches", .text(.plain)) { matchers, tree, builder in
                if let pattern = builder.textPattern(tree) { matchers.append(.matches(pattern)) }
            }
            .summary("An ECMAScript regular expression that matches part of the text.").example("[.]png$")
            ObjectKey("date", ValueType<DateForm>.word) { $0.append(.date($1)) }
                .summary("The required format of the text: a date or a timestamp (RFC 3339).")
            ObjectKey("type", ValueType<[TypeName]>.oneOrMore(.word)) { $0.append(.type($1)) }
                .summary("The JSON type, or an array of allowed types.").example(["string", "null"])
            ObjectKey("each", ValueType<Matcher>.matcher) { $0.append(.each($1)) }
                .summary("The condition that every array element must meet.").example(["type": "integer"])
            ObjectKey("words", ValueType<Matcher>.matcher) { $0.append(.words($1)) }
                .summary("The condition on the array of the words.")
                .example(["contains": "openid"])
            operand(
                .length,
                .choice(
                    .of(.integer(0...Int.max)) { CountRange(atLeast: $0, atMost: $0) },
                    .of(.text(.filled)) { _ in CountRange() },
                    .of(.object) { (length: Length) in
                        CountRange(atLeast: length.atLeast ?? 0, atMost: length.atMost ?? .max)
                    }
                ),
                "The number of Unicode scalars in the text, or the number of elements in the array.",
                Matcher.length
            )
            .example(["atLeast": 1, "atMost": 20])
            ObjectKey("not", ValueType<Matcher>.matcher, "The value or matcher that must not match.") {
                $0.append(.not($1))
            }
            .example("{{account.id}}")
        }
        keys.shape.needed = keys.list.map(\.name)
        return keys
    }()

    static var shape: ObjectShape { keys.shape }

    /// A key whose operand may be made when it is needed.
    private static func operand<Value>(
        _ relation: Relation,
        _ type: ValueType<Value>,
        _ summary: String,
        _ make: @escaping @Sendable (Value) -> Matcher
    ) -> ObjectKey<[Matcher]> {
        ObjectKey(relation.rawValue, type.shape, summary) { matchers, tree, builder in
            if let matcher = builder.made(relation, tree) ?? builder.read(tree, as: type).map(make) {
                matchers.append(matcher)
            }
        }
    }
}

private struct Length: ModelObject {
    var atLeast: Int?
    var atMost: Int?

    static let keys = Keys("length", "\"length\"", "a range of lengths", needed: ["atLeast", "atMost"]) {
        Key("atLeast", \.atLeast, .integer(0...Int.max), "The minimum length.")
        Key("atMost", \.atMost, .integer(0...Int.max), "The maximum length.")
    }

    func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        if atLeast ?? 0 > atMost ?? .max {
            builder.report("scenario/bad-range", "\"atLeast\" is greater than \"atMost\"", at: tree.position)
        }
    }
}

extension ValueType<Matcher.Bound> {
    fileprivate static var bound: Self {
        choice(Self(.anyNumber) { tree, _ in tree.number.map { .number($0) } }, .of(.text(.any)) { .text($0) })
    }
}

extension Shape {
    /// A plain value means "equals"; an object is a matcher.
    static let matcher = Shape.shared(
        "matcherOrValue",
        .choice([.object(Matcher.self), .text(.any), .anyNumber, .boolean, .null])
    )

    static func matchers(names: TextForm) -> Shape {
        .map(of: matcher, names: names)
    }
}

extension ValueType<Matcher> {
    static var matcher: Self { Self(.matcher) { $1.matcher($0) } }
}

/// A condition on the value at a place.
typealias PointerMatcher = (pointer: JSONPointer, matcher: Matcher)

extension ValueType<[PointerMatcher]> {
    /// Conditions on values, by JSON Pointer.
    static var pointerMatchers: Self {
        map(names: .pointer, of: .matcher) { member, builder in
            builder.pointer(member.name, at: member.namePosition).map { ($0, builder.matcher(member.value)) }
        }
    }
}

extension ScenarioBuilder {
    mutating func matcher(_ tree: JSONValue) -> Matcher {
        guard tree.object != nil else { return made(.equals, tree) ?? .equals(tree) }
        var matchers: [Matcher] = []
        Matcher.keys.fill(&matchers, tree, &self)
        return .all(matchers)
    }

    /// A matcher whose operand is only known while a request is answered.
    fileprivate mutating func made(_ relation: Matcher.Relation, _ operand: JSONValue) -> Matcher? {
        guard TemplateParser.mayHoldPlaceholders(operand) else { return nil }
        guard scope.makesOperands else {
            report(
                "scenario/placeholder",
                "placeholders have no effect here, because no request is available",
                at: operand.position
            )
            return nil
        }
        return .made(relation, templates.tree(operand))
    }

    fileprivate mutating func textPattern(_ tree: JSONValue) -> TextPattern? {
        guard let source = tree.string else { return nil }
        guard !TemplateParser.mayHoldPlaceholders(source) else {
            report(
                "scenario/placeholder",
                "a regular expression must not contain placeholders",
                at: tree.position,
                advice: "use \"equals\", \"contains\", \"startsWith\" or \"endsWith\" instead"
            )
            return nil
        }
        do {
            return try TextPattern(source)
        } catch {
            report(
                "scenario/bad-pattern",
                "\"\(source.shortened)\" is not a valid regular expression: \(error.message), at character "
                    + "\(error.offset + 1)",
                at: tree.position
            )
            return nil
        }
    }
}
