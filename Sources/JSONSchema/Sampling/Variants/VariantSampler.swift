import Basics
import ECMAPatterns
package import JSON

/// Makes values on every edge of a schema: what a reader must take, should take and must refuse.
///
/// Begins with one rich value, the first documented example completed with everything that is optional, and changes one
/// thing at a time. The compiled schema judges every variant before it is given out. The same seed makes the same
/// variants; the size of all is bounded for every schema.
package struct VariantSampler: Sendable {
    package init() {}

    /// Makes the variants of a schema, the rich value first.
    ///
    /// - Parameters:
    ///   - schema: a compiled schema; best with formats asserted.
    ///   - examples: documented values with their names; those that the schema refuses are not used.
    /// - Returns: none when no valid value was found.
    package func variants(
        of schema: Schema,
        examples: [(name: String, value: JSONValue)] = [],
        going direction: SchemaDirection = .response,
        seed: UInt64 = 1,
        limits: VariantLimits = VariantLimits()
    ) -> [SchemaVariant] {
        let program = schema.program.schemas
        var maker = SampleMaker(table: program.samples.borrow(of: program), direction: direction)
        maker.chance = SampleChance(seed: seed)
        let collection = VariantCollection(schema: schema, direction: direction, limits: limits)
        var making = VariantMaking(maker: maker, collection: collection, root: schema.id)
        making.makeAll(examples: examples, seed: seed)
        program.samples.giveBack(making.maker.table)
        return making.collection.variants(within: limits)
    }

    /// The members of a value that its schema allows, but does not name, where it names others.
    package func strangers(in value: JSONValue, of schema: Schema) -> [StrangeMember] {
        let program = schema.program.schemas
        let maker = SampleMaker(table: program.samples.borrow(of: program), direction: .request)
        let collection = VariantCollection(schema: schema, direction: .request)
        var making = VariantMaking(maker: maker, collection: collection, root: schema.id)
        defer { program.samples.giveBack(making.maker.table) }
        return making.strangers(in: value, by: [schema.id])
    }
}

/// The variants so far: each text once, each of the kind that it claims to be.
struct VariantCollection {
    let schema: Schema
    let direction: SchemaDirection
    private var found: [(aspect: VariantAspect, variant: SchemaVariant)] = []
    private var texts: Set<[UInt8]> = []
    private var labels: [String: Int] = [:]
    private var freedoms = VariantFreedoms()
    /// The bytes that may still be looked at.
    private var allowance: Int

    init(schema: Schema, direction: SchemaDirection, limits: VariantLimits = VariantLimits()) {
        self.schema = schema
        self.direction = direction
        allowance = limits.bytes
    }

    /// Returns whether the schema takes a value; `nil` when it reaches no verdict.
    func accepts(_ value: JSONValue) -> Bool? {
        do { return try schema.accepts(value, going: direction) } catch { return nil }
    }

    /// Adds a variant if it is what it is offered as, and new.
    ///
    /// - Returns: whether it is of that kind.
    @discardableResult
    mutating func offer(
        _ value: JSONValue,
        _ label: String,
        _ kind: SchemaVariant.Kind,
        _ aspect: VariantAspect,
        at place: VariantPlace,
        known: JSONValue? = nil,
        body: [UInt8]? = nil
    ) -> Bool {
        guard allowance > 0 else { return false }
        let body = body ?? value.utf8()
        allowance -= body.count
        guard accepts(value) == (kind == .legal) else { return false }
        guard texts.insert(body).inserted else { return true }
        var variant = SchemaVariant(
            unique(label),
            kind,
            value,
            known: known,
            body: body,
            at: place.pointer,
            schema: place.schema,
            schemaPosition: place.schemaPosition
        )
        variant.phrase = label
        variant.mayChoose = [.choice, .chance].contains(aspect) || label.hasPrefix("the example")
        if aspect == .moment, let text = place.pointer.value(in: value)?.string {
            variant.isRare = DateTimeTexts.isRare(text)
        }
        found.append((aspect, variant))
        return true
    }

    /// Remembers that the members of an object that no schema declares are entries of a map.
    mutating func note(mapAt place: VariantPlace) {
        let names = place.constraints.declaredNames.map(\.exact)
        freedoms.maps[freedoms.general(place.pointer), default: []].formUnion(names)
    }

    mutating func note(freedomsOf place: VariantPlace) {
        let pointer = freedoms.general(place.pointer)
        if place.constraints.arrays.contains(where: \.arrays.isUnique) { freedoms.sets.insert(pointer) }
        let formats = place.constraints.formats
        if formats.contains("float") { freedoms.floats.insert(pointer) }
        let patterns = place.constraints.texts.compactMap(\.pattern?.source)
        if place.value.string != nil,
            formats.contains(where: NumberText.isFormat) || patterns.contains(where: NumberText.isPattern)
        {
            freedoms.numbersInTexts.insert(pointer)
        }
        if let assumed = place.assumed { freedoms.defaults[pointer] = assumed }
        if place.value.number != nil, place.pointer.tokens.last.map({ NameParts($0).areOfDate }) == true {
            freedoms.dates.insert(pointer)
        }
        if let unit = place.example?.number.flatMap(TimeUnit.init) { freedoms.timeUnits[pointer] = unit }
    }

    /// Changes the values that readers' results are compared with.
    mutating func changeKnown(_ change: (JSONValue) -> JSONValue) {
        for index in found.indices { found[index].variant.known = change(found[index].variant.known) }
    }

    private mutating func unique(_ label: String) -> String {
        let count = labels[label, default: 0] + 1
        labels[label] = count
        return count == 1 ? label : "\(label) (\(count))"
    }

    /// The variants in the order in which they were found, of too many a share of every aspect.
    func variants(within limits: VariantLimits) -> [SchemaVariant] {
        let kept = SchemaVariant.Kind.allCases.flatMap { places(of: $0, limit: limits[$0]) }
        return kept.sorted().map { number in
            var variant = found[number].variant
            variant.freedoms = freedoms
            return variant
        }
    }

    private func places(of kind: SchemaVariant.Kind, limit: Int) -> [Int] {
        let all = found.indices.filter { found[$0].variant.kind == kind }
        guard all.count > limit else { return all }
        var kept: [Int] = []
        var waiting = VariantAspect.allCases.map { aspect in all.filter { found[$0].aspect == aspect }[...] }
        while kept.count < limit {
            for index in waiting.indices where kept.count < limit {
                if let next = waiting[index].popFirst() { kept.append(next) }
            }
        }
        return kept
    }
}

extension JSONValue {
    /// The same value with another one at a place, or without the member or element there.
    ///
    /// A place that does not exist changes nothing, but a member's last name may be new.
    package func replacing(_ place: JSONPointer, with value: JSONValue?) -> JSONValue {
        replacing(place.tokens[...], with: value)
    }

    private func replacing(_ tokens: ArraySlice<String>, with value: JSONValue?) -> JSONValue {
        guard let token = tokens.first else { return value ?? self }
        let rest = tokens.dropFirst()
        switch content {
        case .object(var object):
            guard rest.isEmpty || object.contains(token) else { return self }
            object[token] = rest.isEmpty ? value : object[token]?.replacing(rest, with: value)
            return .object(object)
        case .array(var elements):
            guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return self }
            if rest.isEmpty, value == nil {
                elements.remove(at: index)
            } else {
                elements[index] = elements[index].replacing(rest, with: value)
            }
            return .array(elements)
        default:
            return self
        }
    }
}
