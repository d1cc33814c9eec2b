import Basics
import JSON

extension ScenarioBuilder {
    mutating func condition(_ tree: JSONValue?) -> Condition {
        .all(tree.members.flatMap { conditions($0) })
    }

    private mutating func conditions(_ member: JSONObject.Member) -> [Condition] {
        let tree = member.value
        switch member.name {
        case "method": return [.method(matcher(tree))]
        case "path":
            return each(tree) { builder, field in
                builder.expect(
                    field.name,
                    among: builder.scope.pathParameters,
                    as: "path parameter",
                    at: field.namePosition
                )
                return .pathParameter(field.name, builder.matcher(field.value))
            }
        case "header": return each(tree) { .header($1.name, $0.matcher($1.value)) }
        case "query": return each(tree) { .query($1.name, $0.matcher($1.value)) }
        case "body":
            return each(tree) { builder, field in
                builder.pointer(field.name, at: field.namePosition).map { .body($0, builder.matcher(field.value)) }
            }
        case "form": return each(tree) { .form($1.name, $0.matcher($1.value)) }
        case "part": return each(tree) { .part($1.name, $0.matcher($1.value)) }
        case "device": return [.device(matcher(tree))]
        case "account": return [.account(matcher(tree))]
        case "state": return stateConditions(tree)
        case "found": return each(tree) { $0.found($1) }
        case "upload": return each(tree) { .upload($1.name, $0.uploadTest($1.value)) }
        case "inFlight": return [(tree["atLeast"]?.number?.int).map(Condition.inFlight) ?? .routeInFlight]
        case "all": return (tree.array ?? []).map { condition($0) }
        case "any": return [.any((tree.array ?? []).map { condition($0) })]
        case "not": return [.not(condition(tree))]
        default: return []
        }
    }

    private mutating func found(_ member: JSONObject.Member) -> Condition? {
        guard expectFound(member.name, at: member.namePosition) else { return nil }
        if let isThere = member.value.bool { return .found(member.name, isThere) }
        let found = scope.found.first { $0.name.hasSameUTF8(as: member.name) }
        return .all(
            Optional(member.value).members.compactMap { field in
                guard let pointer = pointer(field.name, at: field.namePosition) else { return nil }
                if let problem = found?.problem(with: pointer) {
                    report("scenario/unknown-name", problem.message, at: field.namePosition, advice: problem.advice)
                }
                return .foundValue(member.name, pointer, matcher(field.value))
            }
        )
    }

    private mutating func uploadTest(_ tree: JSONValue) -> UploadTest {
        var test = UploadTest()
        if let count = tree["count"] { test.count = self.count(count) }
        test.size = tree["size"].map { matcher($0) }
        test.filename = tree["filename"].map { matcher($0) }
        test.type = tree["type"].map { matcher($0) }
        return test
    }

    private mutating func each(
        _ tree: JSONValue,
        _ make: (inout ScenarioBuilder, JSONObject.Member) -> Condition?
    ) -> [Condition] {
        Optional(tree).members.compactMap { make(&self, $0) }
    }

    private mutating func stateConditions(_ tree: JSONValue) -> [Condition] {
        statesAndValues(tree).map { state in
            for value in state.values { testedStates.append((state.name, value.text, value.position)) }
            return .state(state.name, state.values.map(\.text))
        }
    }

    /// Reads states and values that fit, and leaves out those that do not exist.
    mutating func statesAndValues(
        _ tree: JSONValue?
    ) -> [(name: String, values: [(text: String, position: JSONPosition)])] {
        let names = root["states"].memberNames
        return tree.members.compactMap { member in
            guard expect(member.name, among: names, as: "state", at: member.namePosition) else { return nil }
            let known = stateValues[member.name] ?? []
            let written = (member.value.array ?? [member.value]).compactMap { value in
                value.string.map { (text: $0, position: value.position) }
            }
            let values = written.filter { value in
                expect(
                    value.text,
                    among: known,
                    as: "value",
                    at: value.position,
                    message: "the state \"\(member.name)\" has no value \"\(value.text.shortened)\""
                )
            }
            return (member.name, values)
        }
    }

    mutating func matcher(_ tree: JSONValue) -> Matcher {
        guard tree.object != nil else { return made(.equals, tree) ?? .equals(tree) }
        return .all(Optional(tree).members.compactMap { matcher($0.name, $0.value) })
    }

    private mutating func matcher(_ name: String, _ value: JSONValue) -> Matcher? {
        if let relation = Matcher.Relation(rawValue: name), let made = made(relation, value) { return made }
        switch name {
        case "equals": return .equals(value)
        case "oneOf": return .oneOf(alternatives(value))
        case "exists": return value.bool.map(Matcher.exists)
        case "contains": return .contains(value)
        case "startsWith": return value.string.map(Matcher.startsWith)
        case "endsWith": return value.string.map(Matcher.endsWith)
        case "atLeast": return bound(value).map(Matcher.atLeast)
        case "atMost": return bound(value).map(Matcher.atMost)
        case "matches": return textPattern(value).map(Matcher.matches)
        case "date": return value.string.flatMap(DateForm.init).map(Matcher.date)
        case "length": return .length(count(value))
        case "type": return .type((value.array ?? [value]).compactMap { $0.string.flatMap(Matcher.TypeName.init) })
        case "each": return .each(matcher(value))
        case "not": return .not(matcher(value))
        default: return nil
        }
    }

    /// A matcher whose operand is only known while a request is answered.
    private mutating func made(_ relation: Matcher.Relation, _ operand: JSONValue) -> Matcher? {
        guard TemplateParser.mayHoldPlaceholders(operand) else { return nil }
        guard scope.makesOperands else {
            report(
                "scenario/placeholder",
                "placeholders mean nothing here, because this is compared when no request is being answered",
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
            "\"\(text.shortened)\" is no array of values, and no placeholder that could be one",
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
                "placeholders mean nothing in a regular expression",
                at: tree.position,
                advice: "\"equals\", \"contains\", \"startsWith\" and \"endsWith\" may hold some"
            )
            return nil
        }
        do {
            return try TextPattern(source)
        } catch {
            report(
                "scenario/bad-pattern",
                "\"\(source.shortened)\" is not a regular expression: \(error.message), at character \(error.column)",
                at: tree.position
            )
            return nil
        }
    }
}
