import ECMAPatterns
package import JSON

/// The meaning of one compiled schema, for readers that make, compare or describe values.
///
/// It holds no more than the schema itself says: ``Conjunction`` adds what holds at the same place. A class, because it
/// is large and never changes.
package final class SchemaFacts: Sendable {
    /// The schema is `false`.
    package let isImpossible: Bool
    /// The kinds that `type` leaves; all without a type.
    package let kinds: ValueKinds
    /// OpenAPI 3.0's `nullable`: null is accepted, and nothing else in the schema concerns it.
    package let isNullable: Bool
    /// The values of `enum` and `const`.
    package let values: [JSONValue]?
    package let annotations: Annotations
    package let isReadOnly: Bool
    package let isWriteOnly: Bool
    /// OpenAPI 3.0: what is read-only or write-only is required in one direction alone.
    let isOneWay: Bool
    package let numberRules: NumberRules
    let numbers: NumberConstraints
    package let texts: TextFacts
    package let arrays: ArrayFacts
    package let objects: ObjectFacts
    package let choices: ChoiceFacts

    init(_ id: SchemaID, in program: CompiledSchemas) {
        // A copy of the draft would retain each of its lists.
        let node = program.written.nodes[Int(id.number)]
        func rules<Rules>(_ number: Int32, _ list: [Rules]) -> Rules? { number < 0 ? nil : list[Int(number)] }
        isImpossible = node.verdict == .refuses && !node.isWriteOnly
        kinds = ValueKinds(node.kinds)
        isNullable = node.isNullable
        values = rules(node.values, program.written.values)?.values
        annotations = rules(node.annotations, program.written.annotations) ?? Annotations()
        isReadOnly = node.isReadOnly
        isWriteOnly = node.isWriteOnly
        isOneWay = node.isOneWay
        numberRules = rules(node.numbers, program.written.numbers) ?? NumberRules()
        numbers = NumberConstraints(numberRules)
        texts = TextFacts(
            rules(node.strings, program.written.strings) ?? StringRules(),
            format: annotations.format ?? annotations.contentFormat
        )
        arrays = ArrayFacts(
            rules(node.arrays, program.written.arrays) ?? ArrayRules(),
            unevaluated: node.unevaluatedItems
        )
        objects = ObjectFacts(
            rules(node.objects, program.written.objects) ?? ObjectRules(),
            unevaluated: node.unevaluatedProperties,
            in: program
        )
        choices = ChoiceFacts(node, in: program)
    }
}

extension SchemaFacts {
    /// A Boolean value that indicates whether only `type`, `enum`, `const` and annotations are in the schema.
    package var isListOfValues: Bool {
        !isImpossible && hasSimpleAnnotations && lacksRules && choices.isEmpty
    }

    /// A Boolean value that indicates whether the schema is a reference, with at most annotations next to it.
    package var isMereReference: Bool {
        choices.isReferenceAlone && kinds == .all && values == nil && hasSimpleAnnotations && lacksRules
    }

    /// A Boolean value that indicates whether the schema is one `anyOf` or `oneOf`, with at most annotations next to it.
    package var isChoiceAlone: Bool {
        hasSimpleAnnotations && isDiscriminatedChoiceAlone
    }

    /// A Boolean value that indicates whether the schema is a single `anyOf` or `oneOf`, also next to a discriminator or
    /// other annotations.
    package var isDiscriminatedChoiceAlone: Bool {
        !isImpossible && !isNullable && kinds == .all && values == nil && lacksRules && choices.isGroupAlone
    }

    /// A Boolean value that indicates whether the schema accepts everything and describes nothing.
    package var isSilent: Bool {
        isListOfValues && kinds == .all && values == nil && annotations.title == nil && annotations.values.isEmpty
    }

    /// The names in `required`, when the schema does not constrain objects otherwise.
    package var namesOnlyRequired: [String]? {
        guard !isImpossible, hasSimpleAnnotations, choices.isEmpty, values == nil, kinds.contains(.object),
            objects.isOnlyRequired, !texts.isTelling, numbers.isSilent, arrays.isEmpty
        else { return nil }
        return objects.required
    }

    /// A Boolean value that indicates whether the schema accepts every text, as far as its own keywords tell.
    package var acceptsEveryText: Bool {
        !isImpossible && kinds.contains(.string) && values == nil && !texts.isTelling && choices.isEmpty
    }

    /// Every schema that the schema contains or refers to, in an order that its keywords determine.
    package var children: [SchemaID] {
        let condition = choices.condition.map { [$0.test, $0.then, $0.otherwise] } ?? []
        let mapped = annotations.discriminator?.mapping.map(\.schema) ?? []
        return choices.always + choices.anyOf + choices.oneOf
            + ([choices.not, arrays.rest, arrays.unevaluated, arrays.contained] + condition).compactMap(\.self)
            + arrays.prefix + objects.properties.map(\.schema) + objects.patterns.map(\.schema)
            + [objects.additional, objects.unevaluated, objects.names].compactMap(\.self)
            + objects.dependentSchemas.map(\.schema) + mapped
    }

    private var lacksRules: Bool { !texts.isTelling && numbers.isSilent && arrays.isEmpty && objects.isEmpty }

    private var hasSimpleAnnotations: Bool {
        !isNullable && !isReadOnly && !isWriteOnly && annotations.discriminator == nil && annotations.content.isEmpty
    }

    /// The kinds that the schema's own keywords leave.
    package var ownKinds: ValueKinds {
        guard !isImpossible else { return [] }
        var kinds = self.kinds
        if let values { kinds.formIntersection(values.reduce(into: []) { $0.formUnion(ValueKinds(of: $1)) }) }
        return isNullable ? kinds.union(.null) : kinds
    }
}

/// Other schemas that hold at the same place.
package struct ChoiceFacts: Sendable {
    /// The target of `$ref`.
    package private(set) var reference: SchemaID?
    /// The targets of `$dynamicRef` and `$recursiveRef` when nothing on the way to them has the anchor.
    private var dynamic: [SchemaID] = []
    package private(set) var allOf: [SchemaID] = []
    package private(set) var anyOf: [SchemaID] = []
    package private(set) var oneOf: [SchemaID] = []
    package private(set) var not: SchemaID?
    package private(set) var condition: Condition?

    /// A Boolean value that indicates whether the target of a reference may depend on the way that led to it.
    package var isDynamic: Bool { !dynamic.isEmpty }

    /// Everything that holds without a choice: what references and `allOf` lead to.
    package var always: [SchemaID] { references + allOf }

    /// The targets of all references.
    package var references: [SchemaID] { (reference.map { [$0] } ?? []) + dynamic }

    var isEmpty: Bool { always.isEmpty && anyOf.isEmpty && oneOf.isEmpty && not == nil && condition == nil }

    var isReferenceAlone: Bool {
        reference != nil && dynamic.isEmpty && allOf.isEmpty && anyOf.isEmpty && oneOf.isEmpty && not == nil
            && condition == nil
    }

    var isGroupAlone: Bool {
        always.isEmpty && anyOf.isEmpty != oneOf.isEmpty && not == nil && condition == nil
    }

    package struct Condition: Sendable {
        package var test: SchemaID
        package var then: SchemaID?
        package var otherwise: SchemaID?
    }

    init(_ node: SchemaNode, in program: CompiledSchemas) {
        for number in node.applicators {
            let applicator = program.written.applicators[Int(number)]
            let links = program.written.links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)]
            let schemas = links.compactMap(SchemaID.init(ifAny:))
            switch applicator.kind {
            // A `$dynamicRef` that no anchor can redirect is a plain reference, which may be next to another one.
            case .reference where reference == nil: reference = schemas.first
            case .reference: dynamic += schemas
            case .dynamicReference: dynamic += links.map { SchemaID(program.written.dynamicReferences[Int($0)].target) }
            case .allOf: allOf += schemas
            case .anyOf: anyOf = schemas
            case .oneOf: oneOf = schemas
            case .not: not = schemas.first
            case .condition:
                let parts = Array(links)
                guard let test = SchemaID(ifAny: parts[0]) else { continue }
                condition = Condition(test: test, then: .init(ifAny: parts[1]), otherwise: .init(ifAny: parts[2]))
            }
        }
    }
}

package struct TextFacts: Sendable {
    package var minimumLength: Int
    package var maximumLength: Int
    var pattern: ECMAPattern?
    /// Counts for numbers too: `int32`.
    package var format: String?
    /// A Boolean value that indicates whether a text that is not of its format is refused.
    var assertsFormat: Bool

    /// The regular expression of `pattern`.
    package var expression: String? { pattern?.source }

    init(_ rules: StringRules, format: String?) {
        minimumLength = rules.minimumLength
        maximumLength = rules.maximumLength
        pattern = rules.pattern
        self.format = format
        assertsFormat = rules.format != nil
    }

    /// A Boolean value that indicates whether anything is said at all.
    var isTelling: Bool { minimumLength > 0 || maximumLength < .max || pattern != nil || format != nil }
}

package struct ArrayFacts: Sendable {
    package var prefix: [SchemaID]
    /// The schema of the elements behind the prefix.
    package var rest: SchemaID?
    /// The schema of the elements that no other keyword has judged.
    package var unevaluated: SchemaID?
    package var contained: SchemaID?
    package var minimumContained: Int
    package var maximumContained: Int
    /// A Boolean value that indicates whether elements that match `contains` count as evaluated.
    package var containsEvaluates: Bool
    package var minimumCount: Int
    package var maximumCount: Int
    package var isUnique: Bool

    init(_ rules: ArrayRules, unevaluated: Int32) {
        prefix = rules.prefix.compactMap(SchemaID.init(ifAny:))
        rest = SchemaID(ifAny: rules.items)
        self.unevaluated = SchemaID(ifAny: unevaluated)
        contained = SchemaID(ifAny: rules.contains)
        minimumContained = rules.minimumContained
        maximumContained = rules.maximumContained
        containsEvaluates = rules.containsEvaluates
        minimumCount = rules.minimumCount
        maximumCount = rules.maximumCount
        isUnique = rules.isUnique
    }

    /// The schema of an element, as far as its position decides it.
    func schemas(at index: Int) -> [SchemaID] {
        index < prefix.count ? [prefix[index]] : rest.map { [$0] } ?? []
    }

    var isEmpty: Bool {
        prefix.isEmpty && rest == nil && unevaluated == nil && contained == nil && minimumCount == 0
            && maximumCount == .max && !isUnique
    }
}

package struct ObjectFacts: Sendable {
    /// The schemas of named properties, in the order of the document.
    package var properties: [(name: String, schema: SchemaID)]
    package var required: [String]
    var patterns: [(pattern: ECMAPattern, schema: SchemaID)]
    /// The schema of properties that are neither named nor matched.
    package var additional: SchemaID?
    /// The same of those that no other keyword has judged.
    package var unevaluated: SchemaID?
    package var names: SchemaID?
    package var minimumCount: Int
    package var maximumCount: Int
    /// Properties that need others next to them.
    package var dependents: [(name: String, required: [String])]
    /// The schemas of objects that have a property.
    package var dependentSchemas: [(name: String, schema: SchemaID)]
    private let rules: ObjectRules

    init(_ rules: ObjectRules, unevaluated: Int32, in program: CompiledSchemas) {
        self.rules = rules
        properties = rules.properties.compactMap { property in
            SchemaID(ifAny: property.node).map { (property.name, $0) }
        }
        required = rules.properties.filter(\.isRequired).map(\.name)
        patterns = rules.patterns.compactMap { entry in SchemaID(ifAny: entry.node).map { (entry.pattern, $0) } }
        additional = SchemaID(ifAny: rules.additional)
        self.unevaluated = SchemaID(ifAny: unevaluated)
        names = SchemaID(ifAny: rules.names)
        minimumCount = rules.minimumCount
        maximumCount = rules.maximumCount
        dependents = rules.dependentNames
        dependentSchemas = rules.dependentSchemas.compactMap { entry in
            SchemaID(ifAny: entry.node).map { (entry.name, $0) }
        }
        // Where `required` comes first, the compiler met the names in its order.
        guard required.count > 0, properties.count > 1 else { return }
        properties.sort { program.position(of: $0.schema).isBefore(program.position(of: $1.schema)) }
    }

    var isEmpty: Bool {
        properties.isEmpty && required.isEmpty && patterns.isEmpty && additional == nil && minimumCount == 0
            && maximumCount == .max && names == nil && unevaluated == nil && dependents.isEmpty
            && dependentSchemas.isEmpty
    }

    /// A Boolean value that indicates whether nothing but `required` is said.
    var isOnlyRequired: Bool {
        guard !required.isEmpty else { return false }
        var rest = self
        rest.required = []
        return rest.isEmpty
    }

    /// The schemas of `patternProperties`, by their regular expressions.
    package var matched: [(expression: String, schema: SchemaID)] { patterns.map { ($0.pattern.source, $0.schema) } }

    /// For each expression of `patternProperties`, a name that the expression matches.
    package var namesOfPatterns: [String] {
        var chance = SampleChance(seed: 0)
        return patterns.compactMap { $0.pattern.sample(using: &chance) }
    }

    /// The schema under a property's own name.
    package func schema(named name: String) -> SchemaID? {
        rules.index.number(of: name).flatMap { SchemaID(ifAny: rules.properties[$0].node) }
    }

    /// The schemas of `patternProperties` whose regular expressions match a name.
    package func schemas(matching name: String) -> [SchemaID] {
        patterns.filter { $0.pattern.search(in: name) == .match }.map(\.schema)
    }

    /// The schemas of properties that have none by their names.
    var entrySchemas: [SchemaID] { patterns.map(\.schema) + [additional, unevaluated].compactMap(\.self) }

    /// The schemas of a property: by its name and by patterns, or else that of all others.
    package func schemas(ofProperty name: String) -> [SchemaID] {
        var schemas = schema(named: name).map { [$0] } ?? []
        schemas += self.schemas(matching: name)
        if schemas.isEmpty, let additional { schemas.append(additional) }
        return schemas
    }
}

extension ValueKinds {
    init(_ kinds: KindSet) {
        self = ValueKinds(rawValue: kinds.rawValue).intersection(.all)
        if kinds.contains(.plainInteger) { insert(.integer) }
    }
}

extension JSONPosition {
    fileprivate func isBefore(_ other: JSONPosition) -> Bool { (line, column) < (other.line, other.column) }
}

extension NumberConstraints {
    init(_ rules: NumberRules) {
        self.init()
        if let limit = rules.minimum { raise(to: limit) }
        if let limit = rules.exclusiveMinimum { raise(to: limit, excluded: true) }
        if let limit = rules.maximum { lower(to: limit) }
        if let limit = rules.exclusiveMaximum { lower(to: limit, excluded: true) }
        if let limits = rules.format?.limits {
            raise(to: limits.lower)
            lower(to: limits.upper)
        }
        steps = rules.multipleOf.map { [$0] } ?? []
    }
}
