import Basics
import JSON

/// Makes one value after another, by random choices.
///
/// An impossible choice is made again at its place, in a bounded number of steps.
struct SampleMaker {
    var table: SchemaTable
    var chance: SampleChance
    var strategy: SampleStrategy
    let direction: SchemaDirection
    /// The values that may still be made before everything becomes as small as it may be.
    var nodes = 0
    /// The places that may still be tried, in one attempt.
    var steps = 0 { didSet { if steps > oldValue { comparisons = steps * Self.comparisonsOfPlace } } }
    /// The steps of comparisons that are left in one attempt; without any, each value counts as accepted.
    private var comparisons = stepsOfAttempt * comparisonsOfPlace
    /// The steps of all comparisons so far.
    private(set) var effort = 0

    /// As many steps of comparisons are allowed for each place.
    private static let comparisonsOfPlace = 50

    /// The changes that may still be tried so that branches of `oneOf` refuse a value, in all attempts.
    var changes = 4_000

    /// The depth beyond which nothing is made, not even what is required.
    static let depthLimit = 32

    init(table: SchemaTable, direction: SchemaDirection) {
        self.table = table
        self.direction = direction
        self.table.direction = direction
        chance = SampleChance(seed: 0)
        strategy = SampleStrategy(usesExamples: false, nullShare: 0, optionalShares: [], elements: 1, nodes: 0)
    }

    /// The number of steps of one attempt.
    private static let stepsOfAttempt = 4_000

    /// Allows the steps and comparisons of a whole attempt.
    mutating func beginAttempt() {
        // Only a larger number of steps renews the comparisons.
        steps = 0
        steps = Self.stepsOfAttempt
    }

    /// Makes a value of one schema, from the beginning.
    mutating func make(_ schema: SchemaID, by strategy: SampleStrategy, seed: UInt64) -> JSONValue? {
        self.strategy = strategy
        chance = SampleChance(seed: seed)
        nodes = strategy.nodes
        beginAttempt()
        return make([schema], depth: 0, name: "")
    }

    /// Makes a value that several schemas allow.
    ///
    /// - Parameter name: the property's name, which says what people would expect there.
    mutating func make(_ schemas: [SchemaID], depth: Int, name: String) -> JSONValue? {
        guard depth < Self.depthLimit, !schemas.contains(where: { table.isBroken($0) }) else { return nil }
        if strategy.usesExamples, let example = example(schemas) { return example }
        let mentionsNull = schemas.contains { table.facts(of: $0).isNullable }
        let isNullable = mentionsNull && accepts(.null, schemas)
        if isNullable, isPlain(at: depth), flattestDepth(schemas) > 0 { return .null }
        if isNullable, chance.happens(strategy.nullShare) { return .null }
        for attempt in 0..<6 {
            guard steps > 0 else { return nil }
            steps -= 1
            guard let constraints = constraints(schemas, depth: depth),
                var value = make(constraints, of: schemas, depth: depth, name: name)
            else {
                continue
            }
            // Values that only one branch likes by itself are nicer, so they are tried first.
            if attempt > 2, !constraints.rivals.isEmpty {
                value = spoiled(value, for: constraints, of: schemas, depth: depth)
            }
            if constraints.isIntricate, !accepts(value, schemas) { continue }
            return value
        }
        return isNullable ? .null : nil
    }

    /// Returns whether all of some schemas accept a value.
    mutating func accepts(_ value: JSONValue, _ schemas: [SchemaID]) -> Bool {
        for schema in schemas where !accepts(value, by: schema) { return false }
        return true
    }

    /// Returns whether a schema accepts a value; `true` for what is too intricate to decide.
    mutating func accepts(_ value: JSONValue, by schema: SchemaID) -> Bool {
        guard comparisons > 0 else { return true }
        var spent = 0
        defer {
            comparisons -= spent
            effort += spent
        }
        return table.accepts(value, by: schema, adding: &spent)
    }

    /// Returns whether only what is required is still made.
    func isPlain(at depth: Int) -> Bool { nodes <= 0 || strategy.isPlain(at: depth) }

    mutating func flattestDepth(_ schemas: [SchemaID]) -> Int {
        var depth = 0
        for schema in schemas { depth = max(depth, table.minimalDepth(of: schema)) }
        return depth
    }

    private mutating func example(_ schemas: [SchemaID]) -> JSONValue? {
        for schema in schemas {
            for part in table.parts(of: schema) {
                let examples = table.soundExamples(of: part)
                guard let first = examples.first else { continue }
                let example = examples.count > 1 ? chance.element(of: examples) ?? first : first
                if schemas.count == 1, part == schema { return example }
                if accepts(example, schemas) { return example }
            }
        }
        return nil
    }

    private mutating func make(
        _ constraints: Conjunction,
        of schemas: [SchemaID],
        depth: Int,
        name: String
    ) -> JSONValue? {
        nodes -= 1
        if let values = constraints.values {
            let fitting = values.filter { accepts($0, schemas) }
            // Null is one of them often, and seldom useful as a sample.
            let telling = fitting.filter { !$0.isNull }
            return chance.element(of: telling.isEmpty ? fitting : telling)
        }
        guard let kind = kind(constraints, depth: depth) else { return nil }
        switch kind {
        case .null: return .null
        case .boolean: return .bool(chance.happens(0.5))
        case .integer: return number(constraints, isInteger: true, name: name)
        case .fraction: return number(constraints, isInteger: false, name: name)
        case .string: return text(constraints, name: name).map { .string($0) }
        case .array: return array(constraints, depth: depth, name: name)
        default: return object(constraints, depth: depth)
        }
    }

    private mutating func kind(_ constraints: Conjunction, depth: Int) -> ValueKinds? {
        var kinds = strategy.isSurprising && constraints.kinds == .all ? .all : constraints.likelyKinds
        if kinds.contains(.null), kinds != .null {
            if chance.happens(strategy.nullShare) { return .null }
            kinds.remove(.null)
        }
        if isPlain(at: depth), !kinds.isDisjoint(with: .scalars) { kinds.formIntersection(.scalars) }
        if kinds.isSuperset(of: .number) { kinds.remove(.integer) }
        return chance.element(of: kinds.singles)
    }

    /// An integer that other branches of a `oneOf` refuse because it does not fit their formats, such as `int32`.
    private mutating func number(_ constraints: Conjunction, beyondFormatsOf rivals: [SchemaID]) -> JSONValue? {
        var limits = constraints.numbersOfFormats
        var hasFormat = false
        for part in rivals.flatMap({ table.parts(of: $0) }) {
            guard let format = table.facts(of: part).texts.format.flatMap(IntegerFormat.init) else { continue }
            hasFormat = true
            limits.raise(to: format.limits.upper, excluded: true)
        }
        guard hasFormat else { return nil }
        return limits.pick(isInteger: true, typical: 0...0, using: &chance).map { .number($0) }
    }

    private mutating func number(_ constraints: Conjunction, isInteger: Bool, name: String) -> JSONValue? {
        let typical = PlausibleNumbers.range(of: name, formats: constraints.formats)
        let hasFormat = !constraints.integerFormats.isEmpty
        if hasFormat, let number = number(constraints, beyondFormatsOf: constraints.rivals) { return number }
        let picked = constraints.numbersOfFormats.pick(
            isInteger: isInteger || hasFormat,
            typical: typical,
            using: &chance
        )
        // A format that only describes yields to the limits; the judge knows whether it does.
        return (picked ?? constraints.numbers.pick(isInteger: isInteger, typical: typical, using: &chance))
            .map { .number($0) }
    }
}
