import JSON

/// Makes one value after another, by choices that chance takes.
///
/// Whatever turns out impossible is chosen anew where it was chosen, in a bounded number of steps.
struct SampleMaker {
    var table: SchemaTable
    var chance: SampleChance
    var strategy: SampleStrategy
    let direction: SchemaDirection
    /// The values that may still be made before everything becomes as small as it may be.
    var nodes = 0
    /// The places that may still be tried, in one attempt.
    var steps = 0

    /// The depth beyond which nothing is made, whatever is required.
    static let depthLimit = 32

    init(table: SchemaTable, direction: SchemaDirection) {
        self.table = table
        self.direction = direction
        chance = SampleChance(seed: 0)
        strategy = SampleStrategy(usesExamples: false, nullShare: 0, optionalShares: [], elements: 1, nodes: 0)
    }

    /// Makes a value of one schema, from the beginning.
    mutating func make(_ schema: Int, by strategy: SampleStrategy, seed: UInt64) -> JSONValue? {
        self.strategy = strategy
        chance = SampleChance(seed: seed)
        nodes = strategy.nodes
        steps = 4_000
        return make([schema], depth: 0, name: "")
    }

    /// Makes a value that several schemas allow.
    ///
    /// - Parameter name: the property's name, which says what people would expect there.
    mutating func make(_ schemas: [Int], depth: Int, name: String) -> JSONValue? {
        guard depth < Self.depthLimit else { return nil }
        if strategy.usesExamples, let example = example(schemas) { return example }
        let isNullable = schemas.contains { table.facts(of: $0).isNullable }
        if isNullable, isPlain(at: depth), flattestDepth(schemas) > 0 { return .null }
        if isNullable, chance.happens(strategy.nullShare) { return .null }
        for attempt in 0..<6 {
            guard steps > 0 else { return nil }
            steps -= 1
            guard let demand = demand(schemas, depth: depth), var value = make(demand, depth: depth, name: name) else {
                continue
            }
            // Values that only one branch likes by itself are nicer, so they are tried first.
            if attempt > 2, !demand.rivals.isEmpty { value = spoiled(value, for: demand) }
            if demand.isIntricate, !schemas.allSatisfy({ table.seemsToAccept(value, by: $0) }) { continue }
            return value
        }
        return isNullable ? .null : nil
    }

    /// Whether only what is required is still made.
    func isPlain(at depth: Int) -> Bool { nodes <= 0 || strategy.isPlain(at: depth) }

    mutating func flattestDepth(_ schemas: [Int]) -> Int {
        var depth = 0
        for schema in schemas { depth = max(depth, table.minimalDepth(of: schema)) }
        return depth
    }

    private mutating func example(_ schemas: [Int]) -> JSONValue? {
        for schema in schemas {
            for part in table.parts(of: schema) {
                let examples = table.soundExamples(of: part)
                guard let first = examples.first else { continue }
                let example = examples.count > 1 ? chance.element(of: examples) ?? first : first
                if schemas.count == 1, part == schema { return example }
                if schemas.allSatisfy({ table.seemsToAccept(example, by: $0) }) { return example }
            }
        }
        return nil
    }

    private mutating func make(_ demand: Demand, depth: Int, name: String) -> JSONValue? {
        guard !demand.isImpossible else { return nil }
        nodes -= 1
        if let values = demand.values {
            let allowed = demand.isNullable ? demand.kinds.union(.null) : demand.kinds
            let fitting = values.filter { !allowed.isDisjoint(with: ValueKinds(of: $0)) && fits($0, demand) }
            // Null is one of them often, and seldom what people want to see.
            let telling = fitting.filter { !$0.isNull }
            return chance.element(of: telling.isEmpty ? fitting : telling)
        }
        guard let kind = kind(demand, depth: depth) else { return nil }
        switch kind {
        case .null: return .null
        case .boolean: return .bool(chance.happens(0.5))
        case .integer: return number(demand, isInteger: true, name: name)
        case .fraction: return number(demand, isInteger: false, name: name)
        case .string: return text(demand, name: name).map { .string($0) }
        case .array: return array(demand, depth: depth, name: name)
        default: return object(demand, depth: depth)
        }
    }

    /// Whether one of the enumerated values meets the simple keywords beside it.
    private func fits(_ value: JSONValue, _ demand: Demand) -> Bool {
        switch value.content {
        case .string(let text):
            let length = text.unicodeScalars.count
            return demand.texts.allSatisfy { $0.minimumLength <= length && length <= $0.maximumLength ?? length }
        case .number(let number):
            let limits = demand.numbers
            return limits.minimum.map { $0 <= number } ?? true && limits.maximum.map { number <= $0 } ?? true
        default:
            return true
        }
    }

    private mutating func kind(_ demand: Demand, depth: Int) -> ValueKinds? {
        var kinds = strategy.isSurprising && demand.kinds == .all ? .all : demand.likelyKinds
        if kinds.contains(.null), kinds != .null {
            if chance.happens(strategy.nullShare) { return .null }
            kinds.remove(.null)
        }
        if isPlain(at: depth), !kinds.isDisjoint(with: .scalars) { kinds.formIntersection(.scalars) }
        if kinds.isSuperset(of: .number) { kinds.remove(.integer) }
        return chance.element(of: kinds.singles)
    }

    private mutating func number(_ demand: Demand, isInteger: Bool, name: String) -> JSONValue? {
        var numbers = demand.numbers
        for format in demand.formats {
            guard let range = IntegerRange.of(format) else { continue }
            numbers.raise(to: JSONNumber(range.bounds.lowerBound))
            numbers.lower(to: JSONNumber(range.bounds.upperBound))
        }
        let typical = PlausibleNumbers.range(of: name, formats: demand.formats)
        return numbers.pick(isInteger: isInteger, typical: typical, using: &chance).map { .number($0) }
    }
}
