import JSON

extension SampleMaker {
    mutating func array(_ constraints: Conjunction, depth: Int, name: String) -> JSONValue? {
        let facts = constraints.arrays.map(\.arrays)
        let maximum = facts.map(\.maximumCount).min() ?? .max
        let contained = facts.filter { $0.contained != nil }
        let most = contained.map(\.minimumContained).max() ?? 0
        let prefix = facts.map(\.prefix.count).max() ?? 0
        // What `contains` requires is behind the elements that have a schema by their place, or among them.
        let start = prefix > 0 && most > 0 && prefix <= maximum - most && chance.happens(0.7) ? prefix : 0
        let minimum = max(facts.map(\.minimumCount).max() ?? 0, most > 0 ? start + most : 0)
        guard minimum <= maximum, minimum <= Self.elementLimit else { return nil }
        let isUnique = facts.contains(where: \.isUnique)
        let count = count(from: minimum, to: maximum, facts, depth: depth)
        var elements: [JSONValue] = []
        var known: Set<JSONValue> = []
        for index in 0..<count {
            if index > Self.madeElements, !isUnique,
                facts.allSatisfy({ start + $0.prefix.count + ($0.contained == nil ? 0 : $0.minimumContained) < index })
            {
                elements.append(elements[index - Self.madeElements / 2])
                continue
            }
            let here = contained.filter { $0.holds(at: index - start, constraints) }
            var schemas = constraints.elementSchemas(at: index, isEvaluated: here.contains(where: \.containsEvaluates))
            schemas += here.compactMap(\.contained)
            guard let element = element(schemas, apartFrom: isUnique ? known : nil, depth: depth, name: name) else {
                if index >= minimum { break }
                return nil
            }
            if isUnique { known.insert(element) }
            elements.append(element)
        }
        return .array(elements)
    }

    /// More required elements than these are not made.
    static let elementLimit = 100_000
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
        apartFrom known: Set<JSONValue>?,
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
    /// Returns whether a made element has to match `contains`.
    ///
    /// - Parameter number: the element's number among those that `contains` is about.
    fileprivate func holds(at number: Int, _ constraints: Conjunction) -> Bool {
        // An element that nothing else allows must match `contains`.
        let isNeeded = containsEvaluates && constraints.arrays.contains { $0.arrays.unevaluated != nil }
        return 0..<(isNeeded ? maximumContained : minimumContained) ~= number
    }
}

extension String {
    /// The word for one of several, so that `emails` holds what `email` would be.
    fileprivate var singular: String {
        utf8.count > 3 && utf8.last == UInt8(ascii: "s") && !hasSuffix("ss") ? String(dropLast()) : self
    }
}
