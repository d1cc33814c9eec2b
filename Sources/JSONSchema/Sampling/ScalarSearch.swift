import ECMAPatterns
package import JSON

/// The result of a search for a text or a number that schemas accept within further limits.
package enum ScalarSearch: Sendable, Equatable {
    /// A value of the schemas' limits, patterns and formats, which other keywords may still refuse.
    case value(JSONValue)
    case impossible
    case notFound
}

extension SchemaSampler {
    /// Finds a text that schemas accept among those of some lengths, or proves that none exists.
    package static func text(
        of ids: [SchemaID],
        in program: SchemaProgram,
        lengths: ClosedRange<Int>
    ) -> ScalarSearch {
        var rules = StringRules()
        (rules.minimumLength, rules.maximumLength) = (lengths.lowerBound, lengths.upperBound)
        return withConjunction(of: ids, in: program) { table, conjunction in
            conjunction.texts.append(TextFacts(rules, format: nil))
            guard let lengths = conjunction.lengths else { return .impossible }
            let hasPatterns = conjunction.texts.contains { $0.pattern != nil }
            let formats = conjunction.texts.filter(\.assertsFormat).compactMap(\.format)
                .compactMap(StringFormat.init(rawValue:)).filter { !$0.patterns.isEmpty }
            guard hasPatterns || !formats.isEmpty else {
                guard lengths.lowerBound <= SampleMaker.lengthLimit else { return .notFound }
                return .value(.init(.string(String(repeating: "x", count: lengths.lowerBound))))
            }
            var chance = SampleChance(seed: 0)
            return switch table.text(conjunction, formats, using: &chance) {
            case .text(let text): .value(.init(.string(text)))
            case .impossible: .impossible
            case .notFound: .notFound
            }
        }
    }

    /// Finds a number that schemas accept within further limits, or proves that none exists.
    package static func number(
        of ids: [SchemaID],
        in program: SchemaProgram,
        _ limits: NumberConstraints
    ) -> ScalarSearch {
        withConjunction(of: ids, in: program) { _, conjunction in
            var numbers = conjunction.numbersOfFormats
            numbers.add(limits)
            let isInteger = !conjunction.kinds.contains(.fraction)
            if numbers.isProvablyEmpty(isInteger: isInteger) { return .impossible }
            var chance = SampleChance(seed: 0)
            let number = numbers.pick(isInteger: isInteger, typical: 0...100, using: &chance)
            return number.map { .value(.init(.number($0))) } ?? .notFound
        }
    }

    private static func withConjunction(
        of ids: [SchemaID],
        in program: SchemaProgram,
        _ search: (inout SchemaTable, inout Conjunction) -> ScalarSearch
    ) -> ScalarSearch {
        var table = program.schemas.samples.borrow(of: program.schemas)
        defer { program.schemas.samples.giveBack(table) }
        var conjunction = Conjunction()
        for id in ids {
            for part in table.parts(of: id) { conjunction.add(table.facts(of: part)) }
        }
        return search(&table, &conjunction)
    }
}
