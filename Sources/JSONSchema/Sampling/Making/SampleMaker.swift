import Basics
import ECMAPatterns
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
    var steps = 0

    /// The depth beyond which nothing is made, not even what is required.
    static let depthLimit = 32

    init(table: SchemaTable, direction: SchemaDirection) {
        self.table = table
        self.direction = direction
        self.table.direction = direction
        chance = SampleChance(seed: 0)
        strategy = SampleStrategy(usesExamples: false, nullShare: 0, optionalShares: [], elements: 1, nodes: 0)
    }

    /// Makes a value of one schema, from the beginning.
    mutating func make(_ schema: SchemaID, by strategy: SampleStrategy, seed: UInt64) -> JSONValue? {
        self.strategy = strategy
        chance = SampleChance(seed: seed)
        nodes = strategy.nodes
        steps = 4_000
        return make([schema], depth: 0, name: "")
    }

    /// Makes a value that several schemas allow.
    ///
    /// - Parameter name: the property's name, which says what people would expect there.
    mutating func make(_ schemas: [SchemaID], depth: Int, name: String) -> JSONValue? {
        guard depth < Self.depthLimit else { return nil }
        if strategy.usesExamples, let example = example(schemas) { return example }
        let isNullable = schemas.contains { table.facts(of: $0).isNullable } && accepts(.null, schemas)
        if isNullable, isPlain(at: depth), flattestDepth(schemas) > 0 { return .null }
        if isNullable, chance.happens(strategy.nullShare) { return .null }
        for attempt in 0..<6 {
            guard steps > 0 else { return nil }
            steps -= 1
            guard let constraints = constraints(schemas, depth: depth),
                var value = make(constraints, depth: depth, name: name)
            else {
                continue
            }
            // Values that only one branch likes by itself are nicer, so they are tried first.
            if attempt > 2, !constraints.rivals.isEmpty { value = spoiled(value, for: constraints) }
            if constraints.isIntricate, !accepts(value, schemas) { continue }
            return value
        }
        return isNullable ? .null : nil
    }

    /// Returns whether all of some schemas accept a value.
    func accepts(_ value: JSONValue, _ schemas: [SchemaID]) -> Bool {
        schemas.allSatisfy { table.accepts(value, by: $0) }
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

    private mutating func make(_ constraints: Conjunction, depth: Int, name: String) -> JSONValue? {
        nodes -= 1
        if let values = constraints.values {
            let fitting = values.filter {
                !constraints.kinds.isDisjoint(with: ValueKinds(of: $0)) && fits($0, constraints)
            }
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

    /// Returns whether one of the enumerated values meets the simple keywords next to it.
    private func fits(_ value: JSONValue, _ constraints: Conjunction) -> Bool {
        switch value.content {
        case .string(let text):
            let length = text.unicodeScalars.count
            return constraints.texts.allSatisfy { $0.minimumLength <= length && length <= $0.maximumLength }
        case .number(let number):
            let limits = constraints.numbers
            return limits.minimum.map { $0 <= number } ?? true && limits.maximum.map { number <= $0 } ?? true
        default:
            return true
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

    private mutating func number(_ constraints: Conjunction, isInteger: Bool, name: String) -> JSONValue? {
        let typical = PlausibleNumbers.range(of: name, formats: constraints.formats)
        return constraints.numbersOfFormats.pick(isInteger: isInteger, typical: typical, using: &chance)
            .map { .number($0) }
    }
}

extension SampleMaker {
    /// An object with a further property for each rival that still accepts it, of a kind that this rival refuses.
    ///
    /// Objects of which nothing is required are valid for every branch of a `oneOf` unless their properties disagree.
    mutating func spoiled(_ value: JSONValue, for constraints: Conjunction) -> JSONValue {
        guard var object = value.object else { return value }
        for rival in constraints.rivals where table.accepts(.object(object), by: rival) {
            guard let spoiler = spoiler(of: rival, beside: object, constraints) else { continue }
            object[spoiler.name] = spoiler.value
        }
        return .object(object)
    }

    private mutating func spoiler(
        of rival: SchemaID,
        beside object: JSONObject,
        _ constraints: Conjunction
    ) -> (name: String, value: JSONValue)? {
        for part in table.parts(of: rival) {
            for property in table.facts(of: part).objects.properties where !object.contains(property.name) {
                for value in Self.oddValues where !table.accepts(value, by: property.schema) {
                    if isFree(property.name, for: value, constraints) { return (property.name, value) }
                }
            }
        }
        return nil
    }

    /// Returns whether what is demanded allows a value as a further property.
    private mutating func isFree(_ name: String, for value: JSONValue, _ constraints: Conjunction) -> Bool {
        for facts in constraints.objects {
            if facts.objects.maximumCount < .max { return false }
            for schema in facts.objects.schemas(ofProperty: name) {
                guard table.accepts(value, by: schema) else { return false }
            }
        }
        return true
    }

    /// A value of each kind.
    private static let oddValues: [JSONValue] = ["text", 1, true, .array([]), .object([:]), .null]
}

extension SampleMaker {
    mutating func array(_ constraints: Conjunction, depth: Int, name: String) -> JSONValue? {
        let facts = constraints.arrays.map(\.arrays)
        let minimum = facts.map { max($0.minimumCount, $0.contained == nil ? 0 : $0.minimumContained) }.max() ?? 0
        let maximum = facts.map(\.maximumCount).min() ?? .max
        guard minimum <= maximum, minimum <= Self.elementLimit else { return nil }
        let isUnique = facts.contains(where: \.isUnique)
        let count = count(from: minimum, to: maximum, facts, depth: depth)
        var elements: [JSONValue] = []
        var known: Set<JSONValue> = []
        for index in 0..<count {
            if index > Self.madeElements, !isUnique, facts.allSatisfy({ $0.prefix.count + $0.minimumContained < index })
            {
                elements.append(elements[index - Self.madeElements / 2])
                continue
            }
            var schemas = facts.flatMap { $0.schemas(at: index) }
            if schemas.isEmpty { schemas = facts.compactMap(\.unevaluated) }
            schemas += facts.compactMap { index < $0.minimumContained ? $0.contained : nil }
            guard let element = element(schemas, beside: isUnique ? known : nil, depth: depth, name: name) else {
                if index >= minimum { break }
                return nil
            }
            if isUnique { known.insert(element) }
            elements.append(element)
        }
        return .array(elements)
    }

    /// More required elements than these are not made.
    private static let elementLimit = 100_000
    /// Beyond this number, elements that need not differ are taken again.
    private static let madeElements = 200

    private mutating func count(from minimum: Int, to maximum: Int, _ facts: [ArrayFacts], depth: Int) -> Int {
        guard !isPlain(at: depth) else { return minimum }
        let prefix = facts.map(\.prefix.count).max() ?? 0
        let typical = max(prefix, depth < 2 ? strategy.elements : min(strategy.elements, 2))
        let low = min(max(minimum, min(1, maximum), prefix), maximum)
        return chance.number(in: low...max(low, min(maximum, typical)))
    }

    private mutating func element(
        _ schemas: [SchemaID],
        beside known: Set<JSONValue>?,
        depth: Int,
        name: String
    ) -> JSONValue? {
        for _ in 0..<(known == nil ? 1 : 12) {
            guard let element = make(schemas, depth: depth + 1, name: name.singular) else { return nil }
            if known?.contains(element) != true { return element }
        }
        return nil
    }
}

extension ArrayFacts {
    fileprivate func schemas(at index: Int) -> [SchemaID] {
        if index < prefix.count { return [prefix[index]] }
        return rest.map { [$0] } ?? []
    }
}

extension String {
    /// The word for one of several, so that `emails` holds what `email` would be.
    fileprivate var singular: String {
        utf8.count > 3 && utf8.last == UInt8(ascii: "s") && !hasSuffix("ss") ? String(dropLast()) : self
    }
}

extension SampleMaker {
    mutating func text(_ constraints: Conjunction, name: String) -> String? {
        let minimum = constraints.texts.map(\.minimumLength).max() ?? 0
        let maximum = constraints.texts.map(\.maximumLength).min() ?? .max
        guard minimum <= maximum, minimum <= Self.lengthLimit else { return nil }
        let patterns = constraints.texts.compactMap(\.pattern)
        let formats = constraints.formats
        if !patterns.isEmpty, let moment = moment(constraints) { return moment }
        for attempt in 0..<24 {
            var text = plainText(of: formats, name: name)
            if !patterns.isEmpty, attempt > 0 || formats.isEmpty {
                // Several patterns may match one behind the other.
                let isJoined = patterns.count > 1 && attempt % 2 == 1
                let chosen = isJoined ? patterns.rotated(by: attempt / 2) : [patterns[attempt % patterns.count]]
                text = ""
                for (number, pattern) in chosen.enumerated() {
                    let isLast = number == chosen.count - 1
                    let length = text.unicodeScalars.count
                    let least = isLast ? max(minimum - length, 0) : 0
                    let lengths = least...max(maximum - length, least)
                    text += pattern.sample(lengths: lengths, using: &chance) ?? ""
                }
            } else if formats.isEmpty {
                text = text.fitted(from: minimum, to: maximum)
            } else if attempt > 0, formats.count == 1,
                let sample = StringFormat(rawValue: formats[0])?.text(from: minimum, to: maximum)
            {
                text = sample
            } else if attempt > 0, formats.count == 1, StringFormat(rawValue: formats[0])?.isFree ?? true {
                text = text.fitted(from: minimum, to: maximum)
            }
            let length = text.unicodeScalars.count
            guard minimum <= length, length <= maximum,
                formats.allSatisfy({ FormatChecker.accepts(text, as: $0) != false })
            else { continue }
            if patterns.allSatisfy({ $0.search(in: text) == .match }) { return text }
        }
        return nil
    }

    /// Longer texts than these are not made.
    private static let lengthLimit = 1_000_000

    private mutating func plainText(of formats: [String], name: String) -> String {
        for format in formats {
            if let text = FormatSamples.text(of: format, name: name, using: &chance) { return text }
        }
        return PlausibleTexts.text(for: name, using: &chance)
    }

    /// A date of the calendar where the pattern requires one; most random texts of such patterns are not dates.
    private mutating func moment(_ constraints: Conjunction) -> String? {
        guard table.wantsMoments(constraints) else { return nil }
        let moment = FormatSamples.dateText(using: &chance)
        return DateTimeTexts.forms(of: moment).first { table.fits($0, constraints) }
    }
}

extension [ECMAPattern] {
    /// The same patterns, with as many from the start moved to the end.
    fileprivate func rotated(by count: Int) -> [ECMAPattern] {
        let start = count % self.count
        return Array(self[start...] + self[..<start])
    }
}

extension StringFormat {
    /// The shortest text of the format that is long enough, where texts of it can be of any length.
    ///
    /// - Returns: `nil` for other formats, and where the shortest text is too long.
    fileprivate func text(from minimum: Int, to maximum: Int) -> String? {
        let (start, filler, end) =
            switch self {
            case .email, .idnEmail: ("a", "a", "@b.co")
            case .uri, .iri: ("a:b", "b", "")
            case .uriReference, .iriReference, .uriTemplate, .regex: ("", "a", "")
            case .hostname, .idnHostname: ("a", "a", "")
            case .byte: ("", "AAAA", "")
            case .base64url: ("AAAA", "AAAA", "")
            case .dateTime: ("2026-01-01T00:00:00.0", "0", "Z")
            case .time: ("00:00:00.0", "0", "Z")
            case .jsonPointer: ("", "/", "")
            case .duration: ("P1", "0", "D")
            default: ("", "", "")
            }
        guard !filler.isEmpty else { return nil }
        let missing = max(minimum - start.utf8.count - end.utf8.count, 0)
        let rounds = (missing + filler.utf8.count - 1) / filler.utf8.count
        let text = start + String(repeating: filler, count: rounds) + end
        return text.utf8.count <= maximum ? text : nil
    }

    /// A Boolean value that indicates whether every text will do.
    fileprivate var isFree: Bool { self == .binary || self == .password }
}

extension String {
    /// The text, shortened or lengthened to the limits, in ASCII and without a space at its end.
    fileprivate func fitted(from minimum: Int, to maximum: Int) -> String {
        var scalars = Array(unicodeScalars.prefix(maximum))
        if scalars.last == " " { scalars[scalars.count - 1] = "x" }
        if scalars.count < minimum {
            let filler = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
            for index in 0..<(minimum - scalars.count) { scalars.append(filler[index % filler.count]) }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension SampleMaker {
    /// Merges what schemas require, a branch of each `anyOf` and `oneOf` chosen; `nil` when the choice cannot be met.
    mutating func constraints(_ schemas: [SchemaID], depth: Int) -> Conjunction? {
        var constraints = Conjunction()
        var seen: Set<SchemaID> = []
        var waiting = Array(schemas.reversed())
        while let schema = waiting.popLast() {
            for part in table.parts(of: schema) where seen.insert(part).inserted {
                let facts = table.facts(of: part)
                constraints.add(facts)
                if let condition = facts.choices.condition { waiting += consequences(of: condition) }
                for branches in [facts.choices.anyOf, facts.choices.oneOf] where !branches.isEmpty {
                    guard let branch = branch(branches, beside: constraints.kinds, depth: depth) else { return nil }
                    waiting.append(branch)
                    if branches == facts.choices.oneOf { constraints.rivals += branches.filter { $0 != branch } }
                    if let tag = tag(of: branch, by: facts.annotations.discriminator) { constraints.tags.append(tag) }
                }
                if facts.choices.anyOf.isEmpty, facts.choices.oneOf.isEmpty,
                    let discriminator = facts.annotations.discriminator,
                    let tag = tag(amongParts: seen, by: discriminator)
                {
                    constraints.tags.append(tag)
                }
            }
        }
        return constraints.kinds.isEmpty ? nil : constraints
    }

    /// Chooses among the branches that agree with the kinds known so far; the flattest ones when it gets deep.
    private mutating func branch(_ branches: [SchemaID], beside kinds: ValueKinds, depth: Int) -> SchemaID? {
        var possible: [(schema: SchemaID, depth: Int)] = []
        for branch in branches where !table.kinds(of: branch).isDisjoint(with: kinds) {
            let depth = table.minimalDepth(of: branch)
            if depth < SchemaTable.endless { possible.append((branch, depth)) }
        }
        // Null as a branch is OpenAPI 3.1's way to say nullable.
        let telling = chance.happens(strategy.nullShare) ? [] : possible.filter { table.kinds(of: $0.schema) != .null }
        if !telling.isEmpty, !isPlain(at: depth) { possible = telling }
        if isPlain(at: depth), let flattest = possible.map(\.depth).min() {
            possible = possible.filter { $0.depth == flattest }
        }
        return chance.element(of: possible)?.schema
    }

    /// The test and what follows from it, or what follows when it fails, which the random value must then meet.
    private mutating func consequences(of condition: ChoiceFacts.Condition) -> [SchemaID] {
        if chance.happens(0.5) { return [condition.test] + (condition.then.map { [$0] } ?? []) }
        return condition.otherwise.map { [$0] } ?? []
    }

    /// The name of a chosen branch: that of the mapping, else the last part of its reference.
    private mutating func tag(of branch: SchemaID, by discriminator: Discriminator?) -> (
        property: String, text: String
    )? {
        guard let discriminator else { return nil }
        let parts = table.parts(of: branch)
        if let mapped = discriminator.mapping.first(where: { parts.contains($0.schema) }) {
            return (discriminator.property, mapped.name)
        }
        guard let target = table.facts(of: branch).choices.reference else { return nil }
        return table.program.lastToken(of: target).map { (discriminator.property, $0) }
    }

    /// The name of the schema that a value of a common base is made by.
    private mutating func tag(
        amongParts parts: Set<SchemaID>,
        by discriminator: Discriminator
    ) -> (property: String, text: String)? {
        let mapping = discriminator.mapping
        let chosen = mapping.first { parts.contains($0.schema) } ?? chance.element(of: mapping)
        return chosen.map { (discriminator.property, $0.name) }
    }
}

extension CompiledSchemas {
    /// The last token of the pointer to a schema, its name when it is a component.
    func lastToken(of id: SchemaID) -> String? { places.path(of: place(of: id)).last }
}
