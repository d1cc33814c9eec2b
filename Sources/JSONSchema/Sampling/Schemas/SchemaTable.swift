import ECMAPatterns
import JSON

/// The facts about a program's schemas that samples need, each derived once.
///
/// Grows as schemas are looked at. Nothing that is made may depend on the order in which that happened.
struct SchemaTable {
    struct Entry: Sendable {
        var facts: SchemaFacts?
        /// The schema itself and all that holds with it: what `$ref` and `allOf` lead to.
        var parts: [SchemaID]?
        var minimalDepth: Int?
        var kinds: ValueKinds?
        var soundExamples: [SchemaDirection: [JSONValue]] = [:]
    }

    let program: CompiledSchemas
    /// The way that values travel.
    var direction = SchemaDirection.either
    private(set) var entries: [SchemaID: Entry] = [:]
    /// The results for patterns, lengths and formats that together have no text, as far as is known.
    var textless: [TextKey: PatternSample] = [:]

    init(program: CompiledSchemas) { self.program = program }

    mutating func facts(of id: SchemaID) -> SchemaFacts {
        if let facts = entries[id]?.facts { return facts }
        let facts = program.facts(of: id)
        entries[id, default: Entry()].facts = facts
        return facts
    }
}

extension SchemaTable {
    /// Returns whether something is wrong with a schema or one that holds with it, so that its values are not known.
    mutating func isBroken(_ id: SchemaID) -> Bool {
        program.damaged.contains(id.number) && parts(of: id).contains { program.broken.contains($0.number) }
    }

    /// A schema and all that holds with it, following `$ref` and `allOf`: what a value must obey without any choice.
    mutating func parts(of id: SchemaID) -> [SchemaID] {
        if let parts = entries[id]?.parts { return parts }
        var parts: [SchemaID] = []
        var seen: Set<SchemaID> = []
        var waiting = [id]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            parts.append(next)
            waiting += facts(of: next).choices.always.reversed()
        }
        entries[id, default: Entry()].parts = parts
        return parts
    }

    /// Returns whether a schema is a reference that leads back to itself through references alone.
    mutating func isCircle(_ id: SchemaID) -> Bool {
        parts(of: id).allSatisfy { facts(of: $0).isMereReference }
    }

    /// The kinds of values that a schema leaves, as far as `type`, `enum` and `nullable` say it.
    mutating func kinds(of id: SchemaID) -> ValueKinds {
        if let kinds = entries[id]?.kinds { return kinds }
        let kinds = kinds(of: id, depth: 0)
        entries[id, default: Entry()].kinds = kinds
        return kinds
    }

    private mutating func kinds(of id: SchemaID, depth: Int) -> ValueKinds {
        var kinds = ValueKinds.all
        for part in parts(of: id) {
            let facts = facts(of: part)
            kinds.formIntersection(facts.ownKinds)
            guard depth < 3 else { continue }
            for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
                var union: ValueKinds = facts.isNullable ? .null : []
                for branch in branches where !union.isSuperset(of: kinds) {
                    union.formUnion(self.kinds(of: branch, depth: depth + 1))
                }
                kinds.formIntersection(union)
            }
        }
        return facts(of: id).isNullable ? kinds.union(.null) : kinds
    }
}

extension SchemaTable {
    /// More than any value's depth: the schema requires itself without end.
    static let endless = 1_000

    /// The depth of the flattest value of a schema: 0 for a scalar or something empty.
    ///
    /// Only what is required counts, so that recursion finds its way out.
    mutating func minimalDepth(of id: SchemaID) -> Int {
        if let depth = entries[id]?.minimalDepth { return depth }
        let reached = schemasNeeded(by: id)
        var depths: [SchemaID: Int] = [:]
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            // Those found last are the innermost, so that most depths are right in the first round.
            for schema in reached.reversed() {
                let depth = depth(of: schema) { depths[$0] ?? entries[$0]?.minimalDepth ?? Self.endless }
                if depth < depths[schema] ?? Self.endless {
                    depths[schema] = depth
                    hasChanged = true
                }
            }
        }
        for schema in reached { entries[schema]?.minimalDepth = depths[schema] ?? Self.endless }
        return entries[id]?.minimalDepth ?? Self.endless
    }

    /// The schemas whose depth is not known yet and on which a schema's depth depends.
    private mutating func schemasNeeded(by id: SchemaID) -> [SchemaID] {
        var reached: [SchemaID] = []
        var seen: Set<SchemaID> = []
        var waiting = [id]
        while let next = waiting.popLast() {
            guard entries[next]?.minimalDepth == nil, seen.insert(next).inserted else { continue }
            reached.append(next)
            let facts = facts(of: next)
            waiting += facts.choices.always + facts.choices.anyOf + facts.choices.oneOf
            waiting += facts.objects.needed
            waiting += facts.arrays.needed.map(\.schema)
        }
        return reached
    }

    private func depth(of id: SchemaID, others: (SchemaID) -> Int) -> Int {
        guard let facts = entries[id]?.facts, !facts.isImpossible else { return Self.endless }
        // A type that leaves null, or listed values; without a type the other keywords say what is meant.
        if facts.isNullable || facts.kinds != .all && facts.kinds.contains(.null) || facts.values != nil { return 0 }
        var depth = facts.choices.always.map(others).max() ?? 0
        for branches in [facts.choices.anyOf, facts.choices.oneOf] {
            depth = max(depth, branches.map(others).min() ?? 0)
        }
        if [.object, .all].contains(facts.kinds), let deepest = facts.objects.needed.map(others).max() {
            depth = max(depth, deepest + 1)
        }
        if [.array, .all].contains(facts.kinds), let deepest = facts.arrays.needed.map({ others($0.schema) }).max() {
            depth = max(depth, deepest + 1)
        }
        return min(depth, Self.endless)
    }
}

extension ObjectFacts {
    /// The schemas of the properties that cannot be missing.
    package var needed: [SchemaID] { required.compactMap(schema(named:)) }
}

extension ArrayFacts {
    /// The schemas of the elements that cannot be missing, each with the part of the schema that it is.
    package var needed: [(schema: SchemaID, label: String)] {
        var needed = prefix.prefix(minimumCount).enumerated().map { ($1, "prefixItems/\($0)") }
        if minimumCount > prefix.count, let rest = rest ?? unevaluated { needed.append((rest, "items")) }
        if minimumContained > 0, let contained { needed.append((contained, "contains")) }
        return needed
    }
}

extension SchemaTable {
    /// The steps that one comparison may take; choices are many, and the whole value is judged at the end.
    private static let steps = 20_000

    /// Returns whether a schema accepts a value; `true` for what is too deep or too intricate to decide.
    func accepts(_ value: JSONValue, by id: SchemaID) -> Bool {
        var steps = 0
        return accepts(value, by: id, adding: &steps)
    }

    /// - Parameter steps: the steps of all comparisons, to which those of this one are added.
    func accepts(_ value: JSONValue, by id: SchemaID, adding steps: inout Int) -> Bool {
        var run = QuickValidation(program, going: direction, budget: StepBudget(for: value, steps: Self.steps))
        defer { steps += Self.steps - run.budget.left }
        return run.accepts(program.node(of: id), value) || run.failed != nil
    }

    /// The examples of a schema that obey it.
    mutating func soundExamples(of id: SchemaID) -> [JSONValue] {
        if let examples = entries[id]?.soundExamples[direction] { return examples }
        let sound = facts(of: id).annotations.values.filter { accepts($0, by: id) }
        entries[id, default: Entry()].soundExamples[direction] = sound
        return sound
    }
}
