import ECMAPatterns
package import JSON

/// A place that every value of a schema needs, at which its keywords leave no value: the proof that the schema has none.
package struct SchemaContradiction: Sendable, Hashable {
    /// The place in the value.
    package var place: JSONPointer
    /// The keywords that cannot be combined, as a sentence without a closing full stop.
    package var sentence: String
}

extension SchemaSampler {
    /// The reason why a schema has no value, where that can be proved: the keywords at one place cannot be combined.
    ///
    /// Only what holds without a choice is looked at. Without a contradiction a schema may still have no value.
    package static func contradiction(
        in schema: Schema,
        going direction: SchemaDirection = .either
    ) -> SchemaContradiction? {
        let program = schema.program.schemas
        // A dynamic reference may lead to another schema than the one that it names.
        guard program.dynamicReferences.isEmpty else { return nil }
        var maker = SampleMaker(table: program.samples.borrow(of: program), direction: direction)
        defer { program.samples.giveBack(maker.table) }
        var search = ContradictionSearch(maker: maker)
        defer { maker = search.maker }
        return search.find([schema.id], at: JSONPointer())
    }
}

/// Looks for a contradiction at the root and at what each value must contain.
private struct ContradictionSearch {
    var maker: SampleMaker
    private var places = 1_000
    /// The schemas of the places around, so that one which requires itself is noticed.
    private var around: [[SchemaID]] = []

    init(maker: SampleMaker) { self.maker = maker }

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
            return contradiction(
                values.isEmpty ? "enum allows no value" : "no value in enum or const matches the other keywords"
            )
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
            case .string: found = maker.table.emptyTexts(constraints).map(contradiction)
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
        for index in 0..<min(minimum, prefix + 1) {
            if let found = find(constraints.arrays.flatMap { $0.arrays.schemas(at: index) }, at: place.appending(index))
            {
                return found
            }
        }
        return nil
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
        for name in needed {
            if let found = find(facts.flatMap { $0.objects.schemas(ofProperty: name) }, at: place.appending(name)) {
                return found
            }
        }
        return nil
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
