import Basics
package import JSON

/// A compiled schema: a place in a ``SchemaProgram`` where validation begins.
package struct Schema: Sendable {
    package let program: SchemaProgram
    /// The schema, as it is written.
    package let id: SchemaID

    var root: Int32 { program.schemas.node(of: id) }

    /// Compiles one schema document.
    ///
    /// - Throws: ``SchemaError`` with everything that is wrong with it, not only the first thing.
    package static func compile(
        _ document: JSONValue,
        at uri: String = "backlot:schema",
        dialect: SchemaDialect = .draft2020,
        formats: FormatMode = .annotation,
        registry: SchemaRegistry = SchemaRegistry()
    ) throws(SchemaError) -> Schema {
        var registry = registry
        registry.add(document, at: uri, dialect: dialect)
        var compiler = SchemaCompiler(registry: registry, formats: formats)
        // A circle is reported, but values that do not come near it get their verdict.
        guard let handle = compiler.compile(uri), compiler.problems.allSatisfy({ $0.id == "circular-reference" }) else {
            throw SchemaError(problems: compiler.problems)
        }
        return compiler.finish().schema(handle)
    }

    /// Returns whether a value obeys the schema; the quick way, which builds no messages.
    ///
    /// - Throws: what keeps it from a verdict, such as a value too deep for the stack of the running thread.
    package func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection = .either
    ) throws(SchemaEvaluationError) -> Bool {
        try accepts(value, going: direction, budget: StepBudget(for: value))
    }

    /// Returns whether a value obeys the schema; for one of many values that are tried.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of steps, unless the value is large.
    ///   - steps: the steps of all values, to which those of this value are added.
    /// - Returns: `nil` if no verdict was reached.
    package func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection,
        within limit: Int,
        adding steps: inout Int
    ) -> Bool? {
        var run = QuickValidation(program.schemas, going: direction, budget: StepBudget(for: value, steps: limit))
        let verdict = run.accepts(root, value)
        steps += limit - run.budget.left
        return run.failed == nil ? verdict : nil
    }

    func accepts(
        _ value: JSONValue,
        going direction: SchemaDirection,
        budget: StepBudget
    ) throws(SchemaEvaluationError) -> Bool {
        var run = QuickValidation(program.schemas, going: direction, budget: budget)
        let verdict = run.accepts(root, value)
        if let failure = run.failure(on: value) { throw failure }
        return verdict
    }

    /// Judges a value and says everything that is wrong with it.
    ///
    /// - Throws: what keeps it from a verdict, such as a value too deep for the stack of the running thread.
    package func evaluate(
        _ value: JSONValue,
        going direction: SchemaDirection = .either
    ) throws(SchemaEvaluationError) -> SchemaEvaluation {
        if try accepts(value, going: direction) { return SchemaEvaluation(violations: []) }
        var explanation = Explanation(program.schemas, going: direction, budget: StepBudget(for: value))
        return SchemaEvaluation(violations: try explanation.explain(root, value))
    }
}

/// The result of a validation: a tree, and the same as a flat list.
package struct SchemaEvaluation: Sendable {
    /// The violations at the root, with their causes below them; of very many causes some are left out.
    package var violations: [SchemaViolation]

    package var isValid: Bool { violations.isEmpty }
}

/// A keyword that an instance does not meet.
package struct SchemaViolation: Sendable {
    /// The keyword that failed; the name `false` for a schema that is just `false`.
    package var keyword: String
    /// The place in the instance.
    package var instance: JSONPointer
    package var instancePosition: JSONPosition
    /// The absolute URI of the keyword in its schema, pointer included.
    package var schema: String
    package var schemaPosition: JSONPosition
    let complaint: Complaint
    let value: JSONValue
    let path: InstancePath
    /// A suggestion, as a sentence without a closing full stop.
    package var advice: String?
    package var causes: [SchemaViolation]
    /// The causes that matter most; the others belong to alternatives that are further off.
    var nearest: Range<Int>
    /// The numbers of the members and elements on the way to the instance.
    var order: [Int32] { path.order }

    /// The finding and the requirement in plain words: `planId` is null, but the schema requires an integer.
    package var sentence: String { sentence(in: SchemaWords()) }

    package func sentence(in words: SchemaWords) -> String {
        complaint.sentence(about: value, at: path, in: words)
    }

    /// A Boolean value that indicates whether the sentence names the whole value, and not only a part of it.
    package var namesWholeValue: Bool {
        switch complaint {
        case .missing, .missingBeside: false
        default: path.name == nil
        }
    }

    /// The same sentence for every path that leads to the value: it names the last member of the path alone.
    package var statement: String { complaint.sentence(about: value, at: path.lastMember, in: SchemaWords()) }
}

/// The words for a validated value and for what it is validated by.
package struct SchemaWords: Sendable {
    package var value: String
    package var schema: String

    package init(value: String = "the value", schema: String = "the schema") {
        self.value = value
        self.schema = schema
    }
}

extension SchemaEvaluation {
    /// The innermost causes only, each once, in the order of the instance: what a reader needs.
    ///
    /// Of alternatives, as in `anyOf`, the causes of the nearest one count.
    package var leaves: [SchemaViolation] {
        var found: [SchemaViolation] = []
        var seen: Set<LeafKey> = []
        var waiting: [SchemaViolation] = violations.reversed()
        while let violation = waiting.popLast() {
            if violation.nearest.isEmpty {
                let key = LeafKey(instance: violation.instance, sentence: violation.sentence.exact)
                if seen.insert(key).inserted { found.append(violation) }
            } else {
                waiting += violation.causes[violation.nearest].reversed()
            }
        }
        // What is wrong with one value stays in the order of the schema.
        return found.enumerated().sorted { left, right in
            left.element.order == right.element.order
                ? left.offset < right.offset : left.element.order.lexicographicallyPrecedes(right.element.order)
        }
        .map(\.element)
    }

    private struct LeafKey: Hashable {
        var instance: JSONPointer
        var sentence: ExactText
    }
}

/// The reason why no verdict could be reached.
package struct SchemaEvaluationError: Error, Hashable {
    /// A sentence without a closing full stop.
    package var message: String
    package var instance: JSONPointer
}

/// Something wrong with a schema itself, found when it is compiled.
package struct SchemaProblem: Sendable, Hashable {
    /// A stable name in kebab case, such as `unresolvable-reference`, `invalid-keyword` or `invalid-pattern`.
    package var id: String
    /// The finding and what would be right, as a sentence without a closing full stop.
    package var message: String
    /// The absolute URI of the keyword, pointer included.
    package var uri: String
    package var position: JSONPosition
    package var advice: String?

    package init(_ id: String, _ message: String, uri: String, position: JSONPosition, advice: String? = nil) {
        self.id = id
        self.message = message
        self.uri = uri
        self.position = position
        self.advice = advice
    }
}

/// The errors because of which a schema could not be compiled.
package struct SchemaError: Error {
    package var problems: [SchemaProblem]
}

/// Every schema that a set of roots reaches, compiled once: immutable, and shared by all who validate.
package struct SchemaProgram: Sendable {
    let schemas: CompiledSchemas
}

extension SchemaProgram {
    package func facts(of id: SchemaID) -> SchemaFacts { schemas.facts(of: id) }

    /// The facts for one look at each of very many schemas, which costs no memory.
    package func uncachedFacts(of id: SchemaID) -> SchemaFacts { SchemaFacts(id, in: schemas) }

    /// Returns whether a schema only limits single values, so that it leads to no other schema.
    package func isScalar(_ id: SchemaID) -> Bool { schemas.written.nodes[Int(id.number)].isScalar }

    /// The schema to validate by; what has errors in it judges nothing reliably.
    package func schema(_ id: SchemaID) -> Schema { Schema(program: self, id: id) }

    /// Returns whether a schema, or one that it leads to, has errors.
    package func hasErrors(_ id: SchemaID) -> Bool { schemas.damaged.contains(id.number) }

    /// The pointer to a schema in its resource.
    package func pointer(to id: SchemaID) -> JSONPointer {
        JSONPointer(tokens: schemas.places.path(of: schemas.place(of: id)))
    }

    /// A schema and everything that holds with it: what references and `allOf` lead to, each once.
    package func parts(of id: SchemaID) -> [SchemaFacts] { partIDs(of: id).map(facts) }

    /// The schemas of ``parts(of:)``.
    func partIDs(of id: SchemaID) -> [SchemaID] {
        var parts: [SchemaID] = []
        var seen: Set<SchemaID> = []
        var waiting = [id]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            parts.append(next)
            waiting += facts(of: next).choices.always.reversed()
        }
        return parts
    }

    /// The position of a schema in its file.
    package func position(of id: SchemaID) -> JSONPosition { schemas.position(of: id) }

    /// The schemas with OpenAPI 3.0's `nullable` whose `enum` lacks null, in the order of compilation.
    package var nullableWithoutNull: [SchemaID] {
        schemas.written.nodes.indices.lazy.map { SchemaID(Int32($0)) }.filter { id in
            let node = schemas.written.nodes[Int(id.number)]
            return node.isNullable && node.values >= 0
                && !schemas.written.values[Int(node.values)].contains(.null)
        }
    }

    /// The names in `required` that are nearly those of a property of the same schema, which has no property with the
    /// name itself, in the order of compilation.
    ///
    /// A schema that holds together with others is left out, for these may have the property.
    package var misspeltRequirements: [(schema: SchemaID, name: String, property: String)] {
        let ids = schemas.written.nodes.indices.lazy.map { SchemaID(Int32($0)) }
        let suspects = ids.compactMap { id -> (schema: SchemaID, name: String, property: String)? in
            let facts = uncachedFacts(of: id)
            let (objects, names) = (facts.objects, facts.objects.properties.map(\.name))
            guard !names.isEmpty, facts.choices.isEmpty, objects.patterns.isEmpty, objects.additional == nil,
                let name = objects.required.first(where: { name in !names.contains { $0.exact == name.exact } })
            else { return nil }
            let others = names.filter { name in !objects.required.contains { $0.exact == name.exact } }
            return Suggestion.nearest(to: name, among: others).map { (id, name, $0) }
        }
        guard !suspects.isEmpty else { return [] }
        var joined: Set<SchemaID> = []
        for id in ids {
            let facts = uncachedFacts(of: id)
            let (choices, condition) = (facts.choices, facts.choices.condition)
            var parts = choices.anyOf + choices.oneOf + facts.objects.dependentSchemas.map(\.schema)
            parts += [choices.not, condition?.test, condition?.then, condition?.otherwise].compactMap(\.self)
            if !facts.isMereReference { parts += choices.always }
            for part in parts { joined.formUnion(partIDs(of: part)) }
        }
        return suspects.filter { !joined.contains($0.schema) }
    }

    /// The integer format of a schema, such as `int32`, if it cannot hold a value; and its limits.
    package func integerFormat(
        refusing value: JSONValue,
        of id: SchemaID
    ) -> (name: String, limits: (lower: JSONNumber, upper: JSONNumber))? {
        guard let number = value.number,
            let format = facts(of: id).annotations.format.flatMap(IntegerFormat.init(rawValue:)),
            !format.accepts(number)
        else { return nil }
        return (format.rawValue, format.limits)
    }

    /// Returns whether an object that a schema accepts may have a property, by the keywords that name properties.
    package func documents(property name: String, _ id: SchemaID) -> Bool {
        var seen: Set<SchemaID> = []
        var waiting = [id]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            let facts = facts(of: next)
            if !facts.objects.schemas(ofProperty: name).isEmpty { return true }
            waiting += facts.choices.always + facts.choices.anyOf + facts.choices.oneOf
            if let condition = facts.choices.condition {
                waiting += [condition.then, condition.otherwise].compactMap(\.self)
            }
        }
        return false
    }

    /// The schema at an absolute URI whose fragment is a JSON Pointer, also one that has errors; `nil` where
    /// compilation met none.
    package func schema(at uri: String) -> SchemaID? { schemas.schema(at: uri) }
}
