import ECMAPatterns
package import JSON

/// A place that every value of a schema needs, at which its keywords leave no value: the proof that the schema has none.
package struct SchemaContradiction: Sendable, Hashable {
    /// The place in the value.
    package var place: JSONPointer
    /// The keywords that cannot be combined, as a sentence without a closing full stop.
    package var sentence: String
}

/// The reason why no value of a schema is made.
package enum SampleObstacle: Sendable, Hashable {
    /// The schema has no value.
    case contradiction(SchemaContradiction)
    /// Every value is larger than those that are made, or its schema is given by references in a circle.
    case notMade(SchemaContradiction)
}

extension SchemaSampler {
    /// The reason why no value of a schema is made; `nil` where it is not known.
    package static func obstacle(
        in schema: Schema,
        going direction: SchemaDirection = .either
    ) -> SampleObstacle? {
        if let found = contradiction(in: schema, going: direction) { return .contradiction(found) }
        return search(schema.program, direction, findsLargeValues: true) { $0.find([schema.id], at: JSONPointer()) }
            .map(SampleObstacle.notMade)
    }

    /// The schemas whose keywords exclude every value at the schema's own place, in the order of compilation.
    ///
    /// A schema that only inherits the contradiction, and one that is `false`, is left out.
    package static func contradictions(
        in program: SchemaProgram
    ) -> [(schema: SchemaID, contradiction: SchemaContradiction)] {
        var found: [SchemaID: SchemaContradiction] = [:]
        let ids = program.schemas.written.schemasWithLimits
        _ = search(program, .either) { search in
            for id in ids where !program.hasErrors(id) {
                search.begin()
                found[id] = search.find([id], at: JSONPointer())
            }
            return nil
        }
        return ids.compactMap { id in
            guard let own = found[id], !program.facts(of: id).isImpossible else { return nil }
            let others = program.partIDs(of: id).dropFirst()
            guard !others.contains(where: { found[$0] != nil || program.facts(of: $0).isImpossible }) else {
                return nil
            }
            return (id, own)
        }
    }

    private static func search(
        _ program: SchemaProgram,
        _ direction: SchemaDirection,
        findsLargeValues: Bool = false,
        _ find: (inout ContradictionSearch) -> SchemaContradiction?
    ) -> SchemaContradiction? {
        let schemas = program.schemas
        // A dynamic reference may lead to another schema than the one that it names.
        guard schemas.dynamicReferences.isEmpty else { return nil }
        let maker = SampleMaker(table: schemas.samples.borrow(of: schemas), direction: direction)
        var search = ContradictionSearch(maker: maker, findsLargeValues: findsLargeValues)
        defer { schemas.samples.giveBack(search.maker.table) }
        return find(&search)
    }

    /// The reason why a schema has no value, where that can be proved: the keywords at one place cannot be combined.
    ///
    /// Only what holds without a choice is looked at. Without a contradiction a schema may still have no value.
    package static func contradiction(
        in schema: Schema,
        going direction: SchemaDirection = .either
    ) -> SchemaContradiction? {
        contradiction(of: [schema.id], in: schema.program, going: direction)
    }

    /// The reason why no value obeys all of some schemas, where that can be proved.
    package static func contradiction(
        of schemas: [SchemaID],
        in program: SchemaProgram,
        going direction: SchemaDirection
    ) -> SchemaContradiction? {
        search(program, direction) { $0.find(schemas, at: JSONPointer()) }
    }
}

/// Looks for a contradiction at the root and at what each value must contain.
private struct ContradictionSearch {
    var maker: SampleMaker
    /// A Boolean value that indicates whether values count as missing if they are not made: because they are too large, or
    /// because references in a circle give no schema.
    private let findsLargeValues: Bool
    private var places = 1_000
    /// The schemas of the places around, so that one which requires itself is noticed.
    private var around: [[SchemaID]] = []

    init(maker: SampleMaker, findsLargeValues: Bool) {
        (self.maker, self.findsLargeValues) = (maker, findsLargeValues)
    }

    /// Prepares a search at a single place.
    mutating func begin() {
        places = 1
        maker.beginAttempt()
    }

    mutating func find(_ schemas: [SchemaID], at place: JSONPointer) -> SchemaContradiction? {
        guard !schemas.isEmpty, places > 0, around.count < SampleMaker.depthLimit else { return nil }
        places -= 1
        if around.contains(schemas) {
            return SchemaContradiction(
                place: place,
                sentence: "the schema requires itself recursively, so no finite value matches"
            )
        }
        around.append(schemas)
        defer { around.removeLast() }
        var constraints = Conjunction()
        var isForbidden = false
        for part in schemas.flatMap({ maker.table.parts(of: $0) }) {
            let facts = maker.table.facts(of: part)
            constraints.add(facts)
            isForbidden = isForbidden || facts.isImpossible
        }
        func contradiction(_ sentence: String) -> SchemaContradiction {
            SchemaContradiction(place: place, sentence: sentence)
        }
        if let values = constraints.values {
            guard !values.contains(where: { maker.accepts($0, schemas) }) else { return nil }
            let isListEmpty = schemas.contains { schema in
                maker.table.parts(of: schema).contains { maker.table.facts(of: $0).values?.isEmpty ?? false }
            }
            return contradiction(
                isListEmpty
                    ? "enum allows no value"
                    : values.isEmpty
                        ? "the lists of enum and const have no value in common"
                        : "no value in enum or const matches the other keywords"
            )
        }
        if findsLargeValues, schemas.contains(where: { maker.table.isCircle($0) }) {
            return contradiction("the references lead in a circle, so no schema is defined")
        }
        guard !constraints.kinds.isEmpty else {
            return contradiction(isForbidden ? "the schema allows no value here" : "the keywords exclude every type")
        }
        guard !constraints.kinds.contains(.null), !constraints.kinds.contains(.boolean) else { return nil }
        var first: SchemaContradiction?
        for kind in constraints.kinds.singles {
            let found: SchemaContradiction?
            switch kind {
            case .integer where constraints.kinds.contains(.fraction): continue
            case .integer: found = constraints.emptyNumbers(areIntegers: true).map(contradiction)
            case .fraction: found = constraints.emptyNumbers(areIntegers: false).map(contradiction)
            case .string:
                let least = constraints.lengths?.lowerBound ?? 0
                let sentence =
                    maker.table.emptyTexts(constraints)
                    ?? oversize("minLength", least, SampleMaker.lengthLimit, "texts", "characters")
                found = sentence.map(contradiction)
            case .array: found = inArray(constraints, at: place)
            default: found = inObject(constraints, at: place)
            }
            guard let found else { return nil }
            first = first ?? found
        }
        return first
    }

    private mutating func inArray(_ constraints: Conjunction, at place: JSONPointer) -> SchemaContradiction? {
        let minimum = constraints.arrays.map(\.arrays.minimumCount).max() ?? 0
        let maximum = constraints.arrays.map(\.arrays.maximumCount).min() ?? .max
        if minimum > maximum {
            return SchemaContradiction(
                place: place,
                sentence: "minItems \(minimum) is greater than maxItems \(maximum)"
            )
        }
        let prefix = constraints.arrays.map(\.arrays.prefix.count).max() ?? 0
        if constraints.arrays.contains(where: \.arrays.isUnique),
            let count = valueCount(constraints.arrays.flatMap { $0.arrays.schemas(at: prefix) }),
            minimum - prefix > count
        {
            return SchemaContradiction(
                place: place,
                sentence: "minItems is \(minimum), but uniqueItems leaves at most \(prefix + count) elements"
            )
        }
        if let sentence = oversize("minItems", minimum, SampleMaker.elementLimit, "arrays", "elements") {
            return SchemaContradiction(place: place, sentence: sentence)
        }
        for index in 0..<min(minimum, prefix + 1) {
            if let found = find(constraints.arrays.flatMap { $0.arrays.schemas(at: index) }, at: place.appending(index))
            {
                return found
            }
        }
        return nil
    }

    /// The number of values that schemas accept, if they list them or accept only null and truth values.
    private mutating func valueCount(_ schemas: [SchemaID]) -> Int? {
        var constraints = Conjunction()
        for part in schemas.flatMap({ maker.table.parts(of: $0) }) { constraints.add(maker.table.facts(of: part)) }
        if let values = constraints.values { return Set(values).count }
        guard constraints.kinds.isSubset(of: [.null, .boolean]) else { return nil }
        return (constraints.kinds.contains(.null) ? 1 : 0) + (constraints.kinds.contains(.boolean) ? 2 : 0)
    }

    /// The size that leaves only values that are not made; `nil` where smaller ones may exist.
    private func oversize(_ keyword: String, _ least: Int, _ limit: Int, _ values: String, _ parts: String) -> String? {
        guard findsLargeValues, least > limit else { return nil }
        return "\(keyword) is \(least), and \(values) of at most \(limit) \(parts) are generated"
    }

    private mutating func inObject(_ constraints: Conjunction, at place: JSONPointer) -> SchemaContradiction? {
        let facts = constraints.objects
        let minimum = facts.map(\.objects.minimumCount).max() ?? 0
        let maximum = facts.map(\.objects.maximumCount).min() ?? .max
        if minimum > maximum {
            return SchemaContradiction(
                place: place,
                sentence: "minProperties \(minimum) is greater than maxProperties \(maximum)"
            )
        }
        var required = PropertyChoice(required: facts.flatMap(\.objects.required), tags: [])
        required.addDependents(of: facts)
        let needed = required.names.filter { !maker.isLeftOut($0, facts, isRequired: true) }
        if needed.count > maximum {
            return SchemaContradiction(
                place: place,
                sentence: "\(needed.count) properties are required, but maxProperties is \(maximum)"
            )
        }
        if let sentence = oversize("minProperties", minimum, SampleMaker.propertyLimit, "objects", "properties") {
            return SchemaContradiction(place: place, sentence: sentence)
        }
        for name in needed {
            if let found = find(facts.flatMap { $0.objects.schemas(ofProperty: name) }, at: place.appending(name)) {
                return found
            }
        }
        return nil
    }
}

extension ProgramDraft {
    /// The schemas with keywords that may exclude every value at the schema's own place.
    fileprivate var schemasWithLimits: [SchemaID] {
        nodes.indices.filter { number in
            let node = nodes[number]
            if node.values >= 0 || node.numbers >= 0 || node.strings >= 0 { return true }
            if node.arrays >= 0, arrays[Int(node.arrays)].minimumCount > 0 { return true }
            if node.objects >= 0, objects[Int(node.objects)].minimumCount > 0 { return true }
            return node.applicators.contains { [.reference, .allOf].contains(applicators[Int($0)].kind) }
        }
        .map { SchemaID(Int32($0)) }
    }
}

extension Conjunction {
    /// The limits that leave no number; `nil` where they may leave one.
    fileprivate func emptyNumbers(areIntegers: Bool) -> String? {
        guard numbers.isProvablyEmpty(isInteger: areIntegers) else { return nil }
        var limits: [String] = []
        if let minimum = numbers.minimum {
            limits.append("\(numbers.excludesMinimum ? "above" : "at least") \(minimum.text)")
        }
        if let maximum = numbers.maximum {
            limits.append("\(numbers.excludesMaximum ? "below" : "at most") \(maximum.text)")
        }
        for step in numbers.steps { limits.append("a multiple of \(step.text)") }
        return "no \(areIntegers ? "integer" : "number") is \(limits.joined(separator: " and "))"
    }
}

extension SchemaTable {
    /// The lengths, patterns and asserted formats that leave no text; `nil` where they may leave one.
    fileprivate mutating func emptyTexts(_ constraints: Conjunction) -> String? {
        guard let lengths = constraints.lengths else {
            let least = constraints.texts.map(\.minimumLength).max() ?? 0
            let greatest = constraints.texts.map(\.maximumLength).min() ?? 0
            return "minLength \(least) is greater than maxLength \(greatest)"
        }
        let isAsserted = constraints.texts.contains(where: \.assertsFormat)
        let formats = isAsserted ? constraints.textFormats : []
        let patterns = constraints.texts.compactMap(\.pattern)
        guard !formats.isEmpty || !patterns.isEmpty else { return nil }
        var chance = SampleChance(seed: 0)
        guard text(constraints, formats, using: &chance) == .impossible else { return nil }
        var sentence = "there is no text"
        switch (lengths.lowerBound, lengths.upperBound) {
        case (0, .max): break
        case (let least, .max): sentence += " of at least \(least) characters"
        case (0, let greatest): sentence += " of at most \(greatest) characters"
        case (let least, let greatest): sentence += " of \(least) to \(greatest) characters"
        }
        for format in formats { sentence += " in the format \(format.rawValue)" }
        if !patterns.isEmpty {
            sentence += " that matches \(patterns.map { "\"\($0.source)\"" }.joined(separator: " and "))"
        }
        return sentence
    }
}
