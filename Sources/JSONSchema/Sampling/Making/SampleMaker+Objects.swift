import Basics
import ECMAPatterns
import JSON

extension SampleMaker {
    mutating func object(_ constraints: Conjunction, depth: Int) -> JSONValue? {
        var constraints = constraints
        var wanted = PropertyChoice(
            required: constraints.objects.flatMap(\.objects.required),
            tags: constraints.tags.map(\.property)
        )
        chooseOptional(
            of: constraints.objects,
            depth: depth,
            minimum: constraints.propertyCounts.least,
            maximum: constraints.propertyCounts.most,
            into: &wanted
        )
        guard addDependents(to: &wanted, &constraints, depth: depth) else { return nil }
        let facts = constraints.objects
        let (minimum, maximum) = constraints.propertyCounts
        var object = JSONObject()
        for name in orderedNames(of: facts, wanted: wanted) {
            let isRequired = wanted.isRequired(name)
            guard !isLeftOut(name, facts, isRequired: isRequired) else { continue }
            guard let value = property(name, constraints, depth: depth) else {
                if isRequired { return nil }
                continue
            }
            if isRequired || object.count < maximum { object[name] = value }
        }
        addInvented(to: &object, constraints, depth: depth, minimum: minimum, maximum: maximum)
        return object.count >= minimum && object.count <= maximum ? .object(object) : nil
    }

    private mutating func chooseOptional(
        of facts: [SchemaFacts],
        depth: Int,
        minimum: Int,
        maximum: Int,
        into wanted: inout PropertyChoice
    ) {
        let share = isPlain(at: depth) ? 0 : strategy.optionalShares[depth]
        var left: [String] = []
        for name in facts.flatMap({ $0.objects.properties.map(\.name) }) where !wanted.contains(name) {
            guard wanted.count < maximum else { return }
            if chance.happens(share) { wanted.insert(name) } else { left.append(name) }
        }
        while wanted.count < minimum, let name = left.popLast() {
            if !isLeftOut(name, facts, isRequired: false) { wanted.insert(name) }
        }
    }

    /// Adds what the chosen properties require: other properties, and the schemas of `dependentSchemas`.
    ///
    /// - Returns: `false` if these schemas cannot hold at the place.
    private mutating func addDependents(
        to wanted: inout PropertyChoice,
        _ constraints: inout Conjunction,
        depth: Int
    ) -> Bool {
        var applied: Set<SchemaID> = []
        while true {
            wanted.addDependents(of: constraints.objects)
            let next = constraints.objects.flatMap(\.objects.dependentSchemas)
                .first { wanted.contains($0.name) && !applied.contains($0.schema) }
            guard let next else { return true }
            applied.insert(next.schema)
            guard let added = self.constraints([next.schema], depth: depth), added.kinds.contains(.object) else {
                return false
            }
            constraints.objects += added.objects
            constraints.tags += added.tags
            for name in added.objects.flatMap(\.objects.required) + added.tags.map(\.property) { wanted.insert(name) }
        }
    }

    /// Declared properties in the order of the schema, then those that are only required.
    private func orderedNames(of facts: [SchemaFacts], wanted: PropertyChoice) -> [String] {
        var order = PropertyChoice(required: [], tags: [])
        for name in facts.flatMap({ $0.objects.properties.map(\.name) }) where wanted.contains(name) {
            order.insert(name)
        }
        for name in wanted.names { order.insert(name) }
        return order.names
    }

    /// Returns whether a property does not travel in this direction.
    ///
    /// OpenAPI 3.0 requires a write-only property in requests alone, and says that responses should lack it. Since 3.1
    /// `writeOnly` is an annotation, and a response that lacks what is required is wrong to other validators.
    mutating func isLeftOut(_ name: String, _ facts: [SchemaFacts], isRequired: Bool) -> Bool {
        guard direction != .either else { return false }
        let schemas = facts.compactMap { $0.objects.schema(named: name) }
        return isOtherWay(schemas, isStrict: isRequired && direction == .response)
    }

    /// Returns whether what has these schemas travels in the other direction only.
    ///
    /// - Parameter isStrict: whether only what no response requires counts.
    mutating func isOtherWay(_ schemas: [SchemaID], isStrict: Bool = false) -> Bool {
        for schema in schemas {
            for part in table.parts(of: schema) {
                let facts = table.facts(of: part)
                let isOtherWay = direction == .response ? facts.isWriteOnly : facts.isReadOnly
                if isOtherWay, facts.isOneWay || !isStrict { return true }
            }
        }
        return false
    }

    private mutating func property(_ name: String, _ constraints: Conjunction, depth: Int) -> JSONValue? {
        let schemas = constraints.schemas(ofProperty: name)
        if let tag = constraints.tags.last(where: { $0.property.exact == name.exact }) {
            let value = JSONValue.string(tag.text)
            if accepts(value, schemas) { return value }
        }
        return make(schemas, depth: depth + 1, name: name)
    }

    /// Adds properties that no schema names: when there are too few, and in objects that are maps.
    private mutating func addInvented(
        to object: inout JSONObject,
        _ constraints: Conjunction,
        depth: Int,
        minimum: Int,
        maximum: Int
    ) {
        let isMap =
            constraints.declaredNames.isEmpty
            && constraints.objects.contains { $0.objects.mayBeMap }
        let wanted = isMap && !isPlain(at: depth) ? max(minimum, min(2, maximum)) : minimum
        guard object.count < wanted, wanted <= Self.propertyLimit else { return }
        for number in 1...(wanted * 4 + 8) where object.count < wanted {
            guard let name = inventedName(number, constraints, notIn: object), !object.contains(name),
                let value = property(name, constraints, depth: depth)
            else { continue }
            object[name] = value
        }
    }

    /// More required properties than these are not made.
    static let propertyLimit = 1_000

    private mutating func inventedName(
        _ number: Int,
        _ constraints: Conjunction,
        notIn object: JSONObject
    ) -> String? {
        let names = constraints.objects.compactMap(\.objects.names)
        if !names.isEmpty { return make(names, depth: 0, name: "key")?.string }
        // Where nothing else is allowed, a pattern's own names are.
        if let facts = constraints.objects.first(where: { !$0.objects.patterns.isEmpty }),
            let pattern = chance.element(of: facts.objects.patterns)?.pattern
        {
            if let name = pattern.sample(using: &chance), !object.contains(name) { return name }
            let longest = object.members.map(\.name.unicodeScalars.count).max() ?? 0
            return pattern.sample(lengths: longest + 1...Int.max, using: &chance) ?? pattern.sample(using: &chance)
        }
        return "key\(number)"
    }
}

extension Conjunction {
    /// The least and the greatest number of properties.
    fileprivate var propertyCounts: (least: Int, most: Int) {
        (objects.map(\.objects.minimumCount).max() ?? 0, objects.map(\.objects.maximumCount).min() ?? .max)
    }
}

extension ObjectFacts {
    /// A Boolean value that indicates whether the object's own names say nothing, but something is known of the values.
    fileprivate var mayBeMap: Bool { additional != nil || !patterns.isEmpty || names != nil }
}

/// The names of an object's properties to be, each once, in the order of their choice.
struct PropertyChoice {
    private(set) var names: [String] = []
    private var known: Set<ExactText> = []
    private let required: Set<ExactText>

    /// - Parameters:
    ///   - required: names that a value must have.
    ///   - tags: names that it must have because a discriminator reads them.
    init(required: [String], tags: [String]) {
        self.required = Set((required + tags).map(\.exact))
        for name in required + tags { insert(name) }
    }

    var count: Int { names.count }

    func contains(_ name: String) -> Bool { known.contains(name.exact) }

    /// Returns whether the value is not allowed without the property.
    func isRequired(_ name: String) -> Bool {
        required.contains(name.exact)
    }

    mutating func insert(_ name: String) {
        if known.insert(name.exact).inserted { names.append(name) }
    }

    /// Adds the properties that chosen ones need next to them, and those that these need.
    mutating func addDependents(of facts: [SchemaFacts]) {
        let dependents = facts.flatMap(\.objects.dependents)
        guard !dependents.isEmpty else { return }
        var index = 0
        while index < names.count {
            let name = names[index]
            for dependent in dependents where dependent.name.exact == name.exact {
                for needed in dependent.required { insert(needed) }
            }
            index += 1
        }
    }
}
