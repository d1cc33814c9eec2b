import ECMAPatterns
import JSON

/// The schemas that samples were made by so far, each read once and known by a number.
///
/// Grows as references are followed. Nothing that is made may depend on the numbers, which depend on what was asked
/// for first.
struct SchemaTable {
    struct Entry {
        let uri: String
        let value: JSONValue
        var facts: SchemaFacts?
        /// The schema itself and all that holds with it: what `$ref` and `allOf` lead to.
        var parts: [Int]?
        var minimalDepth: Int?
        var soundExamples: [JSONValue]?
    }

    let registry: SchemaRegistry
    /// The schemas that the rule under way may still look at; branches in branches could be without end.
    var rules = 0
    private(set) var entries: [Entry] = []
    private var numbers: [String: Int] = [:]
    private var patterns: [ExactText: ECMAPattern?] = [:]

    init(registry: SchemaRegistry) {
        self.registry = registry
    }

    /// The schema at a URI, pointer included.
    mutating func schema(at uri: String) -> Int? {
        if let number = numbers[uri] { return number }
        return registry.resolve(uri, against: uri).map { number(of: $0.value, at: $0.uri) }
    }

    /// The schema that a reference names; `nil` when there is none.
    mutating func schema(referredToBy reference: String, from uri: String) -> Int? {
        registry.resolve(reference, against: uri).map { number(of: $0.value, at: $0.uri) }
    }

    /// The number of a subschema.
    mutating func child(_ value: JSONValue, of uri: String, at tokens: String...) -> Int {
        let pointer = JSONPointer(tokens: tokens).fragment.dropFirst()
        let place = uri.utf8.contains(0x23) ? "\(uri)\(pointer)" : "\(uri)#\(pointer)"
        // An identifier of its own changes what references in it are relative to.
        if value["$id"] != nil || value["id"]?.string != nil,
            let found = registry.resolve(place, against: place)
        {
            return number(of: found.value, at: found.uri)
        }
        return number(of: value, at: place)
    }

    /// What a schema says.
    mutating func facts(of number: Int) -> SchemaFacts {
        if let facts = entries[number].facts { return facts }
        let facts = read(entries[number].value, at: entries[number].uri)
        entries[number].facts = facts
        return facts
    }

    /// The compiled expression, or `nil` when it is not valid.
    mutating func pattern(_ source: String) -> ECMAPattern? {
        if let known = patterns[ExactText(source)] { return known }
        let pattern = try? ECMAPattern(source)
        patterns[ExactText(source)] = .some(pattern)
        return pattern
    }

    private mutating func number(of value: JSONValue, at uri: String) -> Int {
        if let number = numbers[uri] { return number }
        numbers[uri] = entries.count
        entries.append(Entry(uri: uri, value: value))
        return entries.count - 1
    }
}

extension SchemaTable {
    /// A schema and all that holds with it, following `$ref` and `allOf`: what a value must obey without any choice.
    mutating func parts(of number: Int) -> [Int] {
        if let parts = entries[number].parts { return parts }
        var parts: [Int] = []
        var seen: Set<Int> = []
        var waiting = [number]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            parts.append(next)
            waiting += facts(of: next).choices.always.reversed()
        }
        entries[number].parts = parts
        return parts
    }

    /// The kinds of values that a schema leaves, as far as `type`, `enum` and `nullable` say it.
    mutating func kinds(of number: Int, depth: Int = 0) -> ValueKinds {
        var kinds = ValueKinds.all
        var isNullable = false
        for part in parts(of: number) {
            let facts = facts(of: part)
            if facts.isImpossible { return [] }
            if facts.isNullable { isNullable = true }
            if let own = facts.kinds { kinds.formIntersection(facts.isNullable ? own.union(.null) : own) }
            if let values = facts.values {
                kinds.formIntersection(values.reduce(into: []) { $0.formUnion(ValueKinds(of: $1)) })
            }
            guard depth < 3 else { continue }
            for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
                var union: ValueKinds = []
                for branch in branches { union.formUnion(self.kinds(of: branch, depth: depth + 1)) }
                kinds.formIntersection(union)
            }
        }
        return isNullable ? kinds.union(.null) : kinds
    }
}

extension SchemaTable {
    /// More than any value's depth: the schema requires itself without end.
    static let endless = 1_000

    /// How deep the flattest value of a schema is: 0 for a scalar or something empty.
    ///
    /// Only what is required counts, so that recursion finds its way out.
    mutating func minimalDepth(of number: Int) -> Int {
        if let depth = entries[number].minimalDepth { return depth }
        let reached = schemasNeeded(by: number)
        var depths: [Int: Int] = [:]
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            // Those found last are the innermost, so that most depths are right in the first round.
            for schema in reached.reversed() {
                let depth = depth(of: schema) { depths[$0] ?? entries[$0].minimalDepth ?? Self.endless }
                if depth < depths[schema] ?? Self.endless {
                    depths[schema] = depth
                    hasChanged = true
                }
            }
        }
        for schema in reached { entries[schema].minimalDepth = depths[schema] ?? Self.endless }
        return entries[number].minimalDepth ?? Self.endless
    }

    /// The schemas whose depth is not known yet and on which a schema's depth depends.
    private mutating func schemasNeeded(by number: Int) -> [Int] {
        var reached: [Int] = []
        var seen: Set<Int> = []
        var waiting = [number]
        while let next = waiting.popLast() {
            guard entries[next].minimalDepth == nil, seen.insert(next).inserted else { continue }
            reached.append(next)
            let facts = facts(of: next)
            waiting += facts.choices.always + facts.choices.anyOf + facts.choices.oneOf
            waiting += facts.objects.needed
            waiting += facts.arrays.needed
        }
        return reached
    }

    private func depth(of number: Int, others: (Int) -> Int) -> Int {
        guard let facts = entries[number].facts, !facts.isImpossible else { return Self.endless }
        if facts.isNullable || facts.kinds?.contains(.null) ?? false || facts.values != nil { return 0 }
        var depth = facts.choices.always.map(others).max() ?? 0
        for branches in [facts.choices.anyOf, facts.choices.oneOf] {
            depth = max(depth, branches.map(others).min() ?? 0)
        }
        if (facts.kinds ?? .object) == .object, let deepest = facts.objects.needed.map(others).max() {
            depth = max(depth, deepest + 1)
        }
        if (facts.kinds ?? .array) == .array, let deepest = facts.arrays.needed.map(others).max() {
            depth = max(depth, deepest + 1)
        }
        return min(depth, Self.endless)
    }
}

extension ObjectFacts {
    /// The schemas of the properties that cannot be missing.
    var needed: [Int] { required.compactMap { properties[$0] } }
}

extension ArrayFacts {
    /// The schemas of the elements that cannot be missing.
    var needed: [Int] {
        var schemas = Array(prefix.prefix(minimumCount))
        if minimumCount > prefix.count, let rest = rest ?? unevaluated { schemas.append(rest) }
        if minimumContained > 0, let contained { schemas.append(contained) }
        return schemas
    }
}

extension SchemaTable {
    /// Reads a schema of any dialect; keywords that are malformed count as absent.
    mutating func read(_ schema: JSONValue, at uri: String) -> SchemaFacts {
        guard let object = schema.object else { return SchemaFacts(isImpossible: schema.bool == false) }
        let choices = choices(object, at: uri)
        let arrays = arrays(object, at: uri)
        return SchemaFacts(object, choices: choices, arrays: arrays, objects: objects(object, at: uri))
    }

    private mutating func choices(_ object: JSONObject, at uri: String) -> ChoiceFacts {
        var facts = ChoiceFacts()
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            guard let reference = object[keyword]?.string else { continue }
            if let target = schema(referredToBy: reference, from: uri) { facts.always.append(target) }
        }
        facts.always += children(object["allOf"], of: uri, at: "allOf")
        facts.anyOf = children(object["anyOf"], of: uri, at: "anyOf")
        facts.oneOf = children(object["oneOf"], of: uri, at: "oneOf")
        facts.not = object["not"].map { child($0, of: uri, at: "not") }
        if let test = object["if"] {
            facts.condition = ChoiceFacts.Condition(
                test: child(test, of: uri, at: "if"),
                then: object["then"].map { child($0, of: uri, at: "then") },
                otherwise: object["else"].map { child($0, of: uri, at: "else") }
            )
        }
        facts.discriminator = object["discriminator"].flatMap { discriminator($0, at: uri) }
        return facts
    }

    private mutating func children(_ value: JSONValue?, of uri: String, at name: String) -> [Int] {
        var numbers: [Int] = []
        for (index, schema) in (value?.array ?? []).enumerated() {
            numbers.append(child(schema, of: uri, at: name, String(index)))
        }
        return numbers
    }

    private mutating func arrays(_ object: JSONObject, at uri: String) -> ArrayFacts {
        var facts = ArrayFacts()
        facts.prefix = children(object["prefixItems"], of: uri, at: "prefixItems")
        if let items = object["items"] {
            if items.array != nil {
                facts.prefix = children(items, of: uri, at: "items")
                facts.rest = object["additionalItems"].map { child($0, of: uri, at: "additionalItems") }
            } else {
                facts.rest = child(items, of: uri, at: "items")
            }
        }
        facts.unevaluated = object["unevaluatedItems"].map { child($0, of: uri, at: "unevaluatedItems") }
        facts.contained = object["contains"].map { child($0, of: uri, at: "contains") }
        facts.minimumContained = object["minContains"]?.int ?? 1
        facts.minimumCount = object["minItems"]?.int ?? 0
        facts.maximumCount = object["maxItems"]?.int
        facts.isUnique = object["uniqueItems"]?.bool ?? false
        return facts
    }

    private mutating func objects(_ object: JSONObject, at uri: String) -> ObjectFacts {
        var facts = ObjectFacts()
        for member in object["properties"]?.object?.members ?? [] {
            facts.properties.add(member.name, child(member.value, of: uri, at: "properties", member.name))
        }
        for member in object["patternProperties"]?.object?.members ?? [] {
            facts.patterns.append((member.name, child(member.value, of: uri, at: "patternProperties", member.name)))
        }
        facts.required = object["required"]?.array?.compactMap(\.string) ?? []
        facts.additional = object["additionalProperties"].map { child($0, of: uri, at: "additionalProperties") }
        facts.unevaluated = object["unevaluatedProperties"].map { child($0, of: uri, at: "unevaluatedProperties") }
        facts.names = object["propertyNames"].map { child($0, of: uri, at: "propertyNames") }
        facts.minimumCount = object["minProperties"]?.int ?? 0
        facts.maximumCount = object["maxProperties"]?.int
        for keyword in ["dependentRequired", "dependencies"] {
            for member in object[keyword]?.object?.members ?? [] {
                guard let names = member.value.array else { continue }
                facts.dependents.append((member.name, names.compactMap(\.string)))
            }
        }
        return facts
    }

    private mutating func discriminator(_ value: JSONValue, at uri: String) -> Discriminator? {
        guard let property = value["propertyName"]?.string else { return nil }
        var mapping: [(name: String, schema: Int)] = []
        for member in value["mapping"]?.object?.members ?? [] {
            guard let reference = member.value.string else { continue }
            // A bare name is that of a component.
            let target =
                schema(referredToBy: reference, from: uri)
                ?? schema(referredToBy: "#/components/schemas/\(reference)", from: uri)
            if let target { mapping.append((member.name, target)) }
        }
        return Discriminator(property: property, mapping: mapping)
    }
}

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
        entries[number].soundExamples = sound
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
            if let range = IntegerRange.of(facts.texts.format), number.isInteger {
                guard let value = number.int, range.contains(value) else { return false }
            }
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
