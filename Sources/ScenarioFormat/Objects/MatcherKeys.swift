import Basics
import ECMAPatterns
import JSON

enum MatcherKeys: FormatObject {
    static let equals = Key("equals", .json(.anything), "The exact value.", example: 7)
    static let oneOf = Key(
        "oneOf",
        .json(.choice([.list(of: .anything, count: 1...Int.max), .text(.placeholder)])),
        "The allowed values, or a placeholder for an array of values.",
        example: ["draft", "sent"]
    )
    static let exists = Key("exists", .boolean, "If true, a value must exist; if false, it must not.")
    static let contains = Key(
        "contains",
        .json(.anything),
        "A substring of the text, or an element of the array. An object matches an element that includes all of the object's members.",
        example: "snow"
    )
    static let startsWith = Key("startsWith", .text(.any), "The beginning of the text.", example: "Bearer ")
    static let endsWith = Key("endsWith", .text(.any), "The end of the text.", example: ".png")
    static let atLeast = Key(
        "atLeast",
        .json(.bound),
        "The minimum number, or the first allowed text in code unit order.",
        example: 18
    )
    static let atMost = Key(
        "atMost",
        .json(.bound),
        "The maximum number, or the last allowed text in code unit order.",
        example: "2026-12-31"
    )
    static let matches = Key(
        "matches",
        .json(.text(.plain)),
        "An ECMAScript regular expression that matches part of the text.",
        example: "[.]png$"
    )
    static let date = Key("date", .word(DateForm.self), "A date or a timestamp (RFC 3339).")
    static let type = Key(
        "type",
        list: .oneOrMore(.word(Matcher.TypeName.self)),
        "The JSON type, or an array of allowed types.",
        example: ["string", "null"]
    )
    static let each = Key(
        "each",
        .json(.matcher),
        "The condition that every array element must meet.",
        example: ["type": "integer"]
    )
    static let length = Key(
        "length",
        .json(.choice([.integer(0...Int.max), .text(.filled), .object(LengthKeys.self)])),
        "The number of Unicode scalars in the text, or the number of elements in the array.",
        example: ["atLeast": 1, "atMost": 20]
    )
    static let not = Key("not", .json(.matcher), "The value or matcher that must not match.", example: "{{account.id}}")

    static let shape: ObjectShape = {
        let keys: [any FormatKey] = [
            equals, oneOf, exists, contains, startsWith, endsWith, atLeast, atMost, matches, date, type, each, length,
            not,
        ]
        return ObjectShape(
            "matcher",
            "a matcher",
            "conditions on a value, all of which must hold",
            keys,
            needed: keys,
            discussion: """
                A plain value in place of a matcher means `equals`. `atLeast` and `atMost` compare numbers by value \
                and texts by code unit, which also orders dates of the same format. In conditions on a request, the \
                operands can contain [placeholders](#placeholders): `{"/author": {"not": "{{account.id}}"}}`.
                """
        )
    }()
}

enum LengthKeys: FormatObject {
    static let atLeast = Key("atLeast", .integer(0...Int.max), "The minimum length.")
    static let atMost = Key("atMost", .integer(0...Int.max), "The maximum length.")

    static let shape = ObjectShape(
        "length",
        "\"length\"",
        "a range of lengths",
        [atLeast, atMost],
        needed: [atLeast, atMost]
    )
}

extension Shape {
    fileprivate static let bound = Shape.choice([.anyNumber, .text(.any)])

    /// A plain value means "equals"; an object is a matcher.
    static let matcher = Shape.shared(
        "matcherOrValue",
        .choice([.object(MatcherKeys.self), .text(.any), .anyNumber, .boolean, .null])
    )

    static func matchers(names: TextForm) -> Shape {
        .map(of: matcher, names: names)
    }
}

// MARK: - Reading

extension ScenarioBuilder {
    mutating func matcher(_ tree: JSONValue) -> Matcher {
        guard tree.object != nil else { return made(.equals, tree) ?? .equals(tree) }
        return .all(Optional(tree).members.compactMap { matcher($0, of: tree) })
    }

    private mutating func matcher(_ member: JSONObject.Member, of tree: JSONValue) -> Matcher? {
        let value = member.value
        if let relation = Matcher.Relation(rawValue: member.name), let made = made(relation, value) { return made }
        switch member.name {
        case MatcherKeys.equals.name: return .equals(value)
        case MatcherKeys.oneOf.name: return .oneOf(value.array ?? [])
        case MatcherKeys.exists.name: return tree[MatcherKeys.exists].map(Matcher.exists)
        case MatcherKeys.contains.name: return .contains(value)
        case MatcherKeys.startsWith.name: return tree[MatcherKeys.startsWith].map(Matcher.startsWith)
        case MatcherKeys.endsWith.name: return tree[MatcherKeys.endsWith].map(Matcher.endsWith)
        case MatcherKeys.atLeast.name: return bound(value).map(Matcher.atLeast)
        case MatcherKeys.atMost.name: return bound(value).map(Matcher.atMost)
        case MatcherKeys.matches.name: return textPattern(value).map(Matcher.matches)
        case MatcherKeys.date.name: return tree[MatcherKeys.date].map(Matcher.date)
        case MatcherKeys.length.name: return .length(count(value))
        case MatcherKeys.type.name: return .type(tree[MatcherKeys.type])
        case MatcherKeys.each.name: return .each(matcher(value))
        case MatcherKeys.not.name: return .not(matcher(value))
        default: return nil
        }
    }

    /// A matcher whose operand is only known while a request is answered.
    private mutating func made(_ relation: Matcher.Relation, _ operand: JSONValue) -> Matcher? {
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

    private func bound(_ tree: JSONValue) -> Matcher.Bound? {
        tree.number.map(Matcher.Bound.number) ?? tree.string.map(Matcher.Bound.text)
    }

    private mutating func textPattern(_ tree: JSONValue) -> TextPattern? {
        guard let source = tree.string else { return nil }
        guard !TemplateParser.mayHoldPlaceholders(source) else {
            report(
                "scenario/placeholder",
                "a regular expression cannot contain placeholders",
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
                "\"\(source.shortened)\" is not a regular expression: \(error.message), at character \(error.offset + 1)",
                at: tree.position
            )
            return nil
        }
    }
}
