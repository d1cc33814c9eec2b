import Basics
package import JSON

/// Makes values that obey a schema, from nothing but the schema and a seeded random generator.
///
/// Merges what `allOf` and references add, and lets the schema judge every value. The size is bounded: what is optional
/// becomes rarer with depth and ends with a budget of values, so recursive schemas come to an end.
package struct SchemaSampler: Sendable {
    /// The source that the values of a schema come from first.
    package enum Preference: Sendable {
        /// `example`, `examples`, `default` and `const` where they are valid, else made.
        case examples
        /// Always made.
        case schema
    }

    private let preference: Preference

    package init(preference: Preference = .examples) { self.preference = preference }

    /// Makes a value that a schema accepts.
    ///
    /// - Returns: `nil` when no valid value was found, because the schema has none or it is too hard to guess.
    package func sample(
        _ schema: Schema,
        going direction: SchemaDirection = .either,
        using generator: inout some RandomNumberGenerator
    ) -> JSONValue? {
        var steps = 0
        return sample(schema, going: direction, using: &generator, adding: &steps)
    }

    /// - Parameter steps: the steps of all comparisons of values, to which those for this sample are added.
    package func sample(
        _ schema: Schema,
        going direction: SchemaDirection,
        using generator: inout some RandomNumberGenerator,
        adding steps: inout Int
    ) -> JSONValue? {
        let seed = generator.next()
        let program = schema.program.schemas
        var maker = SampleMaker(table: program.samples.borrow(of: program), direction: direction)
        defer {
            steps += maker.effort
            program.samples.giveBack(maker.table)
        }
        let examples = examples(of: schema.id, in: &maker.table, seed: seed)
        var judge = SampleJudge(schema: schema, direction: direction)
        if preference == .examples, let example = judge.first(of: examples) { return example }
        let isEndless = maker.table.minimalDepth(of: schema.id) >= SchemaTable.endless
        for (attempt, strategy) in Self.attempts(isEndless: isEndless, preference) {
            guard !judge.isHopeless else { return nil }
            let seed = seed &+ UInt64(attempt) &* 0xD134_2543_DE82_EF95
            if let value = maker.make(schema.id, by: strategy, seed: seed), judge.accepts(value) { return value }
        }
        // The verdict on a value that was not made for the intact parts is not known.
        return program.damaged.contains(schema.id.number) ? nil : judge.first(of: examples + Self.simplest)
    }

    /// The attempts with their numbers.
    ///
    /// A schema that requires itself only accepts values of a kind that it does not mention, and one attempt
    /// tries that at every depth.
    private static func attempts(isEndless: Bool, _ preference: Preference) -> [(offset: Int, element: SampleStrategy)]
    {
        let all = Array(SampleStrategy.ladder(preference).enumerated())
        return isEndless ? Array(all.filter(\.element.isSurprising).prefix(1)) : all
    }

    /// The values to try when nothing could be made.
    private static let simplest: [JSONValue] = [
        .object([:]), .array([]), "", 0, true, .null, "text", -1, 1.5, ["key": "value"], ["value"], [[]],
        [.object([:])],
        ["key": .object([:])], ["key": []],
    ]

    /// The examples of a whole schema, beginning with a random one.
    private func examples(of id: SchemaID, in table: inout SchemaTable, seed: UInt64) -> [JSONValue] {
        var examples: [JSONValue] = []
        for part in table.parts(of: id) { examples += table.facts(of: part).annotations.values }
        guard examples.count > 1 else { return examples }
        let first = Int(seed % UInt64(examples.count))
        return Array(examples[first...] + examples[..<first])
    }
}

/// Judges the values that were made, and gives up on a schema that reaches no verdict on them: `allOf` in `allOf` may ask
/// for more comparisons than there is time.
private struct SampleJudge {
    let schema: Schema
    let direction: SchemaDirection
    private var undecided = 0

    /// Far more than a value takes that can be made; a hundredth of a second.
    private static let steps = 300_000
    private static let mostUndecided = 3

    init(schema: Schema, direction: SchemaDirection) {
        self.schema = schema
        self.direction = direction
    }

    var isHopeless: Bool { undecided >= Self.mostUndecided }

    mutating func accepts(_ value: JSONValue) -> Bool {
        guard !isHopeless else { return false }
        do {
            return try schema.accepts(value, going: direction, budget: StepBudget(for: value, steps: Self.steps))
        } catch {
            undecided += 1
            return false
        }
    }

    mutating func first(of values: [JSONValue]) -> JSONValue? {
        for value in values where accepts(value) { return value }
        return nil
    }
}

/// The settings of one attempt to make a value; later attempts are plainer.
struct SampleStrategy {
    /// A Boolean value that indicates whether examples and defaults inside of the schema replace made values.
    var usesExamples: Bool
    /// The probability of null where it is one of several types.
    var nullShare: Double
    /// The probability of an optional property by its depth; deeper ones than listed are left out.
    var optionalShares: [Double]
    /// The most elements of an array that may have more.
    var elements: Int
    /// The values below which everything is made as small as it may be.
    var nodes: Int
    /// A Boolean value that indicates whether any kind of value may be made where `type` is missing, not only the one
    /// that other keywords mention.
    var isSurprising = false

    /// Returns whether only what is required is made at a depth.
    func isPlain(at depth: Int) -> Bool { depth >= optionalShares.count }

    /// All attempts, in their order.
    static func ladder(_ preference: SchemaSampler.Preference) -> [SampleStrategy] {
        let rich = SampleStrategy(
            usesExamples: preference == .examples,
            nullShare: 0.08,
            optionalShares: [0.9, 0.6, 0.35, 0.15],
            elements: 3,
            nodes: 700
        )
        var made = rich
        made.usesExamples = false
        made.nullShare = 0
        var full = made
        full.optionalShares = [1, 1]
        full.elements = 2
        var plain = made
        plain.optionalShares = []
        plain.elements = 1
        var surprising = made
        surprising.isSurprising = true
        return [rich, rich, rich, made, made, made, plain, plain, full, full]
            + [plain, made, surprising, full, surprising, surprising, surprising, surprising]
    }
}

/// The random generator of one attempt (SplitMix64): the same seed makes the same value.
struct SampleChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns whether an event of this probability happens.
    mutating func happens(_ probability: Double) -> Bool {
        Double(next() >> 11) < probability * 0x1p53
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    /// Texts of lowercase hexadecimal digits.
    mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in Character(Unicode.Scalar(Self.hexDigits[Int(next() >> 60)])) })
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

/// The derived facts about a program's schemas, kept between samples.
///
/// A class, because every copy of a schema shares it. One caller at a time has the table; concurrent callers start with
/// an empty one, which takes longer and makes the same values.
final class SampleTables: Sendable {
    private let idle = Lock<SchemaTable?>(nil)

    func borrow(of program: CompiledSchemas) -> SchemaTable {
        let kept = idle.withLock { kept in
            defer { kept = nil }
            return kept
        }
        return kept ?? SchemaTable(program: program)
    }

    /// Takes a table back; of two tables it keeps the fuller one.
    func giveBack(_ table: consuming SchemaTable) {
        let returned = table
        idle.withLock { kept in
            if kept.map({ $0.entries.count <= returned.entries.count }) ?? true { kept = returned }
        }
    }
}
