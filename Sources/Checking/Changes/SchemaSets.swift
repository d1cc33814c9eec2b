import Basics
import JSON
import JSONSchema

/// The relations between the sets of values of schemas, as far as they can be known.
extension SchemaView {
    /// Returns whether no value obeys both; false where that is not proved.
    ///
    /// - Parameters:
    ///   - depth: the number of comparisons that this one is a part of.
    ///   - isComplete: whether this view says everything that its schemas say.
    func isApart(from other: SchemaView, depth: Int = 0, isComplete: Bool = true) -> Bool {
        let shared = kinds.intersection(other.kinds)
        if shared.isEmpty { return true }
        guard depth < 4 else { return false }
        if !shared.contains(.null), isComplete && refusesValues(of: other) || other.refusesValues(of: self) {
            return true
        }
        if lacksCommonAlternative(with: other, depth) || other.lacksCommonAlternative(with: self, depth) { return true }
        return shared.singles.allSatisfy { kind in
            Measure.allCases.contains { measure in
                measure != .contained && measure.kinds.isSuperset(of: kind) && areLimitsApart(from: other, measure)
            } || kind == .object && arePropertiesApart(from: other, depth)
        }
    }

    /// Returns whether the other one lists its values, and this one accepts none of them.
    private func refusesValues(of other: SchemaView) -> Bool {
        guard let values = other.values else { return false }
        if let own = self.values, Set(own).isDisjoint(with: values) { return true }
        return revision.refused(of: values, by: places)?.count == values.count
    }

    /// Returns whether all alternatives of one group are apart from another schema.
    private func lacksCommonAlternative(with other: SchemaView, _ depth: Int) -> Bool {
        groups.contains { group in
            revision.alternatives(of: places, group).allSatisfy {
                revision.view(of: $0).isApart(from: other, depth: depth + 1)
            }
        }
    }

    private func areLimitsApart(from other: SchemaView, _ measure: Measure) -> Bool {
        guard let one = limits[measure], let two = other.limits[measure] else { return false }
        let areIntegers = !kinds.intersection(other.kinds).contains(.fraction)
        return one.isApart(from: two, of: measure, integers: areIntegers)
    }

    private func arePropertiesApart(from other: SchemaView, _ depth: Int) -> Bool {
        let names = Set(required.keys).union(other.required.keys)
        return names.contains { name in
            let (one, two) = (schemas(of: name), other.schemas(of: name))
            let (view, otherView) = (
                one.map { revision.view(of: $0) }, two.map { other.revision.view(of: $0) }
            )
            // A request lacks the properties that only responses have, also if they are required.
            if view?.isLeftOutInOneDirection ?? false || otherView?.isLeftOutInOneDirection ?? false { return false }
            guard let one, let two, let view, let otherView else { return true }
            return !one.isEmpty && !two.isEmpty && view.isApart(from: otherView, depth: depth + 1)
        }
    }

    /// The schemas of a property; `nil` where no object may have it.
    private func schemas(of name: ExactText) -> [SchemaPlace]? {
        if let own = properties[name] { return own }
        let excluded = conditions[.not] ?? []
        if excluded.contains(where: { revision.facts(of: $0).namesOnlyRequired == [name.text] }) { return nil }
        return schemasOfOther(name)
    }
}

/// A search for a value that a sender may send and that a reader refuses: what proves that a change can break a client.
enum Counterexample {
    case found(JSONValue)
    case notFound
    /// The schemas cannot be used to validate values, or no more values may be tried.
    case notSearched

    /// As many values are tried of each schema.
    private static let attempts: UInt64 = 12
    /// The maximum number of steps of the validation of a tried value.
    private static let mostSteps = 40_000
    /// The maximum number of values that one search tries.
    private static let mostTries = 10_000
    /// The number of steps after which a value counts as one more.
    private static let usualSteps = 100
    /// Values of all kinds.
    private static let probes: [JSONValue] = [.null, true, false, 0, 1, 0.5, 1.5, "", "a", [], .object([:])]

    /// The values of properties that a value lacks: null matches few alternatives that name the property.
    private static let fillings: [JSONValue] = [.null, 0, "text", [:]]

    var value: JSONValue? { if case .found(let value) = self { value } else { nil } }

    /// Returns the first value that was found, if any.
    ///
    /// - Parameters:
    ///   - hints: schemas whose listed values and limits are tried, too.
    ///   - candidates: values to try first.
    ///   - sampled: a schema that values are made of before the first of the sender's.
    ///   - budget: the number of values that may still be tried.
    static func find(
        _ sent: [SchemaPlace],
        in sender: ContractRevision,
        refusedBy read: [SchemaPlace],
        in reader: ContractRevision,
        _ direction: SchemaDirection,
        hints: [SchemaView],
        candidates: [JSONValue] = [],
        sampling sampled: SchemaPlace? = nil,
        budget: inout Int
    ) -> Counterexample {
        guard let first = sent.first, budget > 0, let sending = sender.schemas(sent), let reading = reader.schemas(read)
        else { return .notSearched }
        var tried = 0
        let total = budget
        defer { budget = total - tried }
        let limit = min(total, mostTries)
        func proves(_ value: JSONValue) -> Bool {
            var steps = 0
            func accept(_ schemas: [Schema]) -> Bool? {
                for schema in schemas {
                    let verdict = schema.accepts(value, going: direction, within: Self.mostSteps, adding: &steps)
                    guard verdict == true else { return verdict }
                }
                return true
            }
            defer { tried += 1 + steps / Self.usualSteps }
            return accept(sending) == true && accept(reading) == false
        }
        if let found = (candidates + Self.probes + hints.flatMap(\.edges)).first(where: proves) { return .found(found) }
        let names = Array(Set(hints.flatMap(\.namesInConditions)).sorted().prefix(4))
        let properties = Set(hints.flatMap { $0.namesOfProperties + $0.namesInConditions }).sorted().prefix(100)
        // The names that one of the hints requires.
        let optional = hints.dropFirst().reduce(hints.first.map { Set($0.required.keys) } ?? []) {
            $0.symmetricDifference($1.required.keys)
        }
        .map(\.text).sorted().prefix(100)
        // Properties that no schema names, where one of the hints has a say on those.
        let others = hints.contains { !$0.additional.isEmpty } ? ["other"] + hints.flatMap(\.namesAllowed) : []
        func proof(near value: JSONValue) -> JSONValue? {
            (value.variations(of: names) + optional.map(value.without)
                + Self.fillings.map { value.adding(properties, $0) }
                + others.flatMap { name in Self.fillings.map { value.adding([name], $0) } })
                .first(where: proves)
        }
        for place in [sampled, first].compactMap(\.self) {
            let schema = sender.program.schema(place.id)
            for seed in 0..<attempts {
                let sampler = SchemaSampler(preference: seed == 0 ? .examples : .schema)
                var generator = Seed(state: seed)
                guard tried < limit else { break }
                var steps = 0
                let sample = sampler.sample(schema, going: direction, using: &generator, adding: &steps)
                tried += steps / Self.usualSteps
                guard let value = sample else { break }
                if let found = proof(near: value) { return .found(found) }
            }
            guard tried < limit else { return .notSearched }
            let variants = VariantSampler().variants(
                of: schema,
                going: direction,
                limits: VariantLimits(legal: 60, evolution: 0, illegal: 0)
            )
            let legal = variants.lazy.filter { $0.kind == .legal }.map(\.value)
            if let found = legal.compactMap(proof).first { return .found(found) }
        }
        return .notFound
    }

    /// A value of a schema.
    static func sample(
        of place: SchemaPlace,
        in revision: ContractRevision,
        _ direction: SchemaDirection
    ) -> JSONValue? {
        var generator = Seed(state: 0)
        return SchemaSampler().sample(revision.program.schema(place.id), going: direction, using: &generator)
    }

    private struct Seed: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
    }
}

extension JSONValue {
    /// An object with a value for each property that it lacks.
    fileprivate func adding(_ names: some Sequence<String>, _ value: JSONValue) -> JSONValue {
        guard var object else { return self }
        for name in names where object[name] == nil { object.set(JSONObject.Member(name: name, value: value)) }
        return JSONValue(.object(object))
    }

    /// An object without a property.
    fileprivate func without(_ name: String) -> JSONValue {
        guard var object, object.removeMember(named: name) != nil else { return self }
        return JSONValue(.object(object))
    }

    /// The value, and an object with each choice of some names.
    fileprivate func variations(of names: [String]) -> [JSONValue] {
        guard let object, !names.isEmpty else { return [self] }
        return [self]
            + (0..<1 << names.count).map { choice in
                var object = object
                for (number, name) in names.enumerated() {
                    if choice & 1 << number == 0 {
                        _ = object.removeMember(named: name)
                    } else if object[name] == nil {
                        object.set(JSONObject.Member(name: name, value: 0))
                    }
                }
                return JSONValue(.object(object))
            }
    }
}

extension SchemaView {
    /// The schemas that decide on a value next to the view's own keywords.
    private var asides: [SchemaView] {
        let tests = choices.flatMap { [$0.test, $0.then, $0.otherwise].compactMap(\.self) }.map(SchemaPlace.init)
        let all =
            groups.flatMap(\.alternatives) + Condition.allCases.flatMap { conditions[$0] ?? [] } + tests
            + dependentSchemas.all.flatMap(\.places)
        return all.map { revision.view(of: [$0], depth: 1) }
    }

    fileprivate var namesInConditions: [String] {
        ([self] + asides).flatMap { view in
            view.required.keys.map(\.text) + view.dependents.flatMap { [$0] + $1 }
                + view.dependentSchemas.all.map(\.name.text)
        }
    }

    /// Names that `propertyNames` allows.
    fileprivate var namesAllowed: [String] {
        guard let names = conditions[.propertyNames] else { return [] }
        let view = revision.view(of: names, depth: 1)
        let listed = (view.values ?? []).compactMap(\.string)
        guard case .value(let name) = SchemaSampler.text(of: view.parts, in: revision.program, lengths: 1...Int.max)
        else { return listed }
        return Set(listed + [name.string].compactMap(\.self)).sorted()
    }

    fileprivate var namesOfProperties: [String] {
        namesOfPatterns + ([self] + asides).flatMap { $0.properties.all.map(\.name.text) }
    }

    /// The values at the edges of what the schema and the schemas next to it allow.
    fileprivate var edges: [JSONValue] {
        ([self] + asides).flatMap { view in
            let limits = view.limits[.number]
            let ends = [limits?.lower, limits?.upper].compactMap { $0?.number }
            let steps = ends.flatMap { end -> [JSONValue] in
                guard let int = end.int, int.magnitude < 1 << 62 else { return [JSONValue(.number(end))] }
                return [int - 1, int, int + 1].map { JSONValue(.number(JSONNumber($0))) }
            }
            return (view.values ?? []) + steps
        }
    }
}
