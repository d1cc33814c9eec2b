import JSON

extension VariantMaking {
    /// A value that has everything: what is optional, something that is not null, an element in each array.
    mutating func richValue(examples: [JSONValue], seed: UInt64) -> JSONValue? {
        let made = plainValue(seed: seed)
        let beginnings = examples.prefix(1) + (made.map { [$0] } ?? [])
        for beginning in beginnings {
            additions = 2_000
            let rich = completed(beginning, by: [root], name: "", path: [])
            let known = known(rich, by: [root])
            if collection.accepts(known) == true { return known }
            if collection.accepts(rich) == true { return rich }
        }
        for beginning in beginnings where collection.accepts(beginning) == true { return beginning }
        return nil
    }

    private mutating func plainValue(seed: UInt64) -> JSONValue? {
        for attempt in 0..<12 {
            let strategy = attempt < 4 ? SampleStrategy.rich : SampleStrategy.ladder(.schema)[attempt]
            let seed = seed &+ UInt64(attempt) &* 0xD134_2543_DE82_EF95
            guard let value = maker.make(root, by: strategy, seed: seed) else { continue }
            if collection.accepts(value) == true { return value }
        }
        return nil
    }

    /// Makes a value of schemas, without what is optional.
    mutating func make(_ schemas: [Int], name: String) -> JSONValue? {
        maker.strategy = .rich
        maker.steps = 600
        maker.nodes = 200
        return maker.make(schemas, depth: 0, name: name)
    }

    /// A value with everything that its schemas allow beside it.
    ///
    /// - Parameter path: the schemas around, so that what contains itself comes to an end.
    mutating func completed(_ value: JSONValue, by schemas: [Int], name: String, path: Set<Int>) -> JSONValue {
        guard additions > 0, path.count < 40 else { return value }
        var value = value
        if value.isNull, let other = make(schemas, name: name) { value = other }
        let place = place(of: value, by: schemas, at: JSONPointer(), .whole)
        switch value.content {
        case .object(let object):
            return .object(completed(object, at: place, path: path.union(schemas)))
        case .array(var elements):
            let element = place.demand.elementSchemas(at: 0)
            guard !element.isEmpty, path.isDisjoint(with: element) else { return value }
            if elements.isEmpty, let first = make(element, name: name) { elements = [first] }
            // Two elements are enough to tell; all must be alike where the schema tells elements apart.
            let hasPrefix = place.demand.arrays.contains { !$0.arrays.prefix.isEmpty }
            if elements.count > 2, !hasPrefix { elements.removeLast(elements.count - 2) }
            for index in elements.indices.prefix(16) {
                let schemas = place.demand.elementSchemas(at: index)
                elements[index] = completed(elements[index], by: schemas, name: name, path: path.union(schemas))
            }
            let all = JSONValue.array(elements)
            return accepts(all, schemas) ? all : value
        default:
            return value
        }
    }

    private mutating func completed(_ object: JSONObject, at place: VariantPlace, path: Set<Int>) -> JSONObject {
        var object = object
        for name in place.demand.objects.flatMap({ $0.objects.properties.all.map(\.name) }) {
            let schemas = schemas(ofMember: name, in: place.demand)
            guard !schemas.isEmpty, additions > 0 else { continue }
            let known = object[name]
            guard known != nil || path.isDisjoint(with: schemas), !isOtherWay(schemas) else { continue }
            additions -= 1
            guard let value = known ?? make(schemas, name: name) else { continue }
            let before = object
            object[name] = completed(value, by: schemas, name: name, path: path)
            // A member may bring the value into another branch, or out of all of them.
            if !place.branches.isEmpty, !accepts(.object(object), place.schemas) { object = before }
        }
        return object
    }

    /// Whether a member travels in the other direction only.
    private mutating func isOtherWay(_ schemas: [Int]) -> Bool {
        for schema in schemas {
            for part in maker.table.parts(of: schema) {
                let facts = maker.table.facts(of: part)
                if maker.direction == .response ? facts.isWriteOnly : facts.isReadOnly { return true }
            }
        }
        return false
    }

    private mutating func accepts(_ value: JSONValue, _ schemas: [Int]) -> Bool {
        for schema in schemas where !maker.table.seemsToAccept(value, by: schema) { return false }
        return true
    }
}

extension SampleStrategy {
    /// Only what is required, never null where something else may be, an element in each array.
    static let rich = SampleStrategy(
        usesExamples: true,
        nullShare: 0,
        optionalShares: Array(repeating: 0, count: 12),
        elements: 1,
        nodes: 400
    )
}
