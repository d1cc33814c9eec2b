import ECMAPatterns
import JSON

// A quick rule, good enough to choose by: the compiled schema has the last word about what was made. It keeps
// choices local, where the compiled schema would only say that something somewhere is wrong.

extension SchemaTable {
    /// Whether a value seems to obey a schema; what is too deep or too intricate is taken for granted.
    mutating func seemsToAccept(_ value: JSONValue, by number: Int, depth: Int = 0) -> Bool {
        rules = depth == 0 ? 20_000 : rules - 1
        guard depth < 24, rules > 0 else { return true }
        let all = parts(of: number)
        if value.isNull {
            for part in all where facts(of: part).isNullable { return true }
        }
        for part in all {
            let facts = facts(of: part)
            guard accepts(value, by: facts, depth: depth) else { return false }
        }
        return true
    }

    /// The examples of a schema that seem to obey it.
    mutating func soundExamples(of number: Int) -> [JSONValue] {
        if let examples = entries[number].soundExamples { return examples }
        var sound: [JSONValue] = []
        for example in facts(of: number).examples where seemsToAccept(example, by: number) { sound.append(example) }
        note(soundExamples: sound, of: number)
        return sound
    }

    private mutating func accepts(_ value: JSONValue, by facts: SchemaFacts, depth: Int) -> Bool {
        if facts.isImpossible { return false }
        if let kinds = facts.kinds, kinds.isDisjoint(with: ValueKinds(of: value)) { return false }
        if let values = facts.values, !values.contains(value) { return false }
        switch value.content {
        case .null, .bool: break
        case .number(let number):
            guard facts.numbers.accepts(number) else { return false }
            if let range = IntegerRange.of(facts.texts.format), !range.contains(number) { return false }
        case .string(let text): guard accepts(text, by: facts.texts) else { return false }
        case .array(let elements): guard accepts(elements, by: facts.arrays, depth: depth) else { return false }
        case .object(let object): guard accepts(object, by: facts.objects, depth: depth) else { return false }
        }
        return acceptsChoices(value, by: facts, depth: depth)
    }

    private mutating func acceptsChoices(_ value: JSONValue, by facts: SchemaFacts, depth: Int) -> Bool {
        if !facts.choices.anyOf.isEmpty, count(value, among: facts.choices.anyOf, limit: 1, depth: depth) == 0 {
            return false
        }
        if !facts.choices.oneOf.isEmpty, count(value, among: facts.choices.oneOf, limit: 2, depth: depth) != 1 {
            return false
        }
        if let not = facts.choices.not, seemsToAccept(value, by: not, depth: depth + 1) { return false }
        if let condition = facts.choices.condition {
            let holds = seemsToAccept(value, by: condition.test, depth: depth + 1)
            let consequence = holds ? condition.then : condition.otherwise
            if let consequence, !seemsToAccept(value, by: consequence, depth: depth + 1) { return false }
        }
        return true
    }

    /// How many of the schemas accept a value, counted up to a limit.
    private mutating func count(_ value: JSONValue, among schemas: [Int], limit: Int, depth: Int) -> Int {
        var count = 0
        for schema in schemas where count < limit {
            if seemsToAccept(value, by: schema, depth: depth + 1) { count += 1 }
        }
        return count
    }

    private mutating func accepts(_ text: String, by facts: TextFacts) -> Bool {
        let length = text.unicodeScalars.count
        guard length >= facts.minimumLength, facts.maximumLength.map({ length <= $0 }) ?? true else { return false }
        guard let source = facts.pattern, let pattern = pattern(source) else { return true }
        return pattern.search(in: text) == .match
    }

    private mutating func accepts(_ elements: [JSONValue], by facts: ArrayFacts, depth: Int) -> Bool {
        guard elements.count >= facts.minimumCount, facts.maximumCount.map({ elements.count <= $0 }) ?? true else {
            return false
        }
        for (index, element) in elements.enumerated() {
            guard let schema = index < facts.prefix.count ? facts.prefix[index] : facts.rest else { continue }
            guard seemsToAccept(element, by: schema, depth: depth + 1) else { return false }
        }
        return !facts.isUnique || Set(elements).count == elements.count
    }

    private mutating func accepts(_ object: JSONObject, by facts: ObjectFacts, depth: Int) -> Bool {
        guard facts.required.allSatisfy(object.contains), object.count >= facts.minimumCount,
            facts.maximumCount.map({ object.count <= $0 }) ?? true
        else { return false }
        for member in object.members {
            for schema in schemas(ofProperty: member.name, by: facts) {
                guard seemsToAccept(member.value, by: schema, depth: depth + 1) else { return false }
            }
        }
        return facts.dependents.allSatisfy { !object.contains($0.name) || $0.required.allSatisfy(object.contains) }
    }

    /// The schemas that one schema object has for a property.
    mutating func schemas(ofProperty name: String, by facts: ObjectFacts) -> [Int] {
        var schemas: [Int] = []
        if let named = facts.properties[name] { schemas.append(named) }
        for (source, schema) in facts.patterns where pattern(source)?.search(in: name) == .match {
            schemas.append(schema)
        }
        if schemas.isEmpty, let additional = facts.additional { schemas.append(additional) }
        return schemas
    }
}
