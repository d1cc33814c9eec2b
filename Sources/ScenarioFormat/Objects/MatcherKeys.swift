import Basics
import ECMAPatterns
import JSON

enum MatcherKeys: FormatObject {
    static let equals = Key("equals", .json(.anything), "The value, exactly.", example: 7)
    static let oneOf = Key(
        "oneOf",
        .json(.choice([.list(of: .anything, count: 1...Int.max), .text(.any)])),
        "One of these values, or a placeholder for an array.",
        example: ["draft", "sent"]
    )
    static let exists = Key("exists", .boolean, "If true, a value is required; if false, none is allowed.")
    static let contains = Key(
        "contains",
        .json(.anything),
        "A part of the text, or an element of the array; an object matches one that has its members.",
        example: "snow"
    )
    static let startsWith = Key("startsWith", .text(.any), "The beginning of the text.", example: "Bearer ")
    static let endsWith = Key("endsWith", .text(.any), "The end of the text.", example: ".png")
    static let atLeast = Key(
        "atLeast",
        .json(.bound),
        "The minimum, as a number or in the order of texts.",
        example: 18
    )
    static let atMost = Key(
        "atMost",
        .json(.bound),
        "The maximum, as a number or in the order of texts.",
        example: "2026-12-31"
    )
    static let matches = Key(
        "matches",
        .json(.text(.any)),
        "A regular expression (ECMAScript) that matches a part of the text.",
        example: "[.]png$"
    )
    static let date = Key("date", .word(DateForm.self), "A date or a timestamp (RFC 3339).")
    static let type = Key(
        "type",
        list: .oneOrMore(.word(Matcher.TypeName.self)),
        "The JSON type, or several.",
        example: ["string", "null"]
    )
    static let each = Key(
        "each",
        .json(.matcher),
        "The condition for every element of the array.",
        example: ["type": "integer"]
    )
    static let length = Key(
        "length",
        .json(.choice([.integer(0...Int.max), .text(.filled), .object(LengthKeys.self)])),
        "The number of Unicode scalars of the text, or of elements of the array.",
        example: ["atLeast": 1, "atMost": 20]
    )
    static let not = Key("not", .json(.matcher), "Not this.", example: "{{account.id}}")

    static let shape: ObjectShape = {
        let keys: [any FormatKey] = [
            equals, oneOf, exists, contains, startsWith, endsWith, atLeast, atMost, matches, date, type, each, length,
            not,
        ]
        return ObjectShape(
            "matcher",
            "a matcher",
            "conditions on one value, which must all hold",
            keys,
            needed: keys,
            discussion: """
                A plain value in place of a matcher means `equals`. `atLeast` and `atMost` compare numbers, or \
                texts by their code units, so that dates of one form can be compared. Where a request is judged, the \
                operands may contain [placeholders](#placeholders): `{"/author": {"not": "{{account.id}}"}}`.
                """
        )
    }()
}

enum LengthKeys: FormatObject {
    static let atLeast = Key("atLeast", .integer(0...Int.max), "The minimum.")
    static let atMost = Key("atMost", .integer(0...Int.max), "The maximum.")

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
        case MatcherKeys.oneOf.name: return .oneOf(alternatives(value))
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
                "placeholders have no effect here, because this is evaluated outside of a request",
                at: operand.position
            )
            return nil
        }
        return .made(relation, templates.tree(operand))
    }

    private mutating func alternatives(_ tree: JSONValue) -> [JSONValue] {
        guard let text = tree.string else { return tree.array ?? [] }
        report(
            "scenario/bad-value",
            "\"\(text.shortened)\" is neither an array of values nor a placeholder",
            at: tree.position,
            advice: "write [\(tree.text(.compact))], or \"equals\""
        )
        return []
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
                advice: "use \"equals\", \"contains\", \"startsWith\" or \"endsWith\", which can"
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
