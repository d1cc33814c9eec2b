import JSON

/// The keywords that mean something to validation, in any dialect.
enum Keyword: String, CaseIterable, Sendable {
    case additionalItems, additionalProperties, allOf
    case anchor = "$anchor"
    case anyOf
    case comment = "$comment"
    case const, contains
    case contentEncoding, contentMediaType, contentSchema, definitions
    case defs = "$defs"
    case dependencies, dependentRequired
    case dependentSchemas, deprecated, description, discriminator
    case dynamicAnchor = "$dynamicAnchor"
    case dynamicRef = "$dynamicRef"
    case `else`, `enum`, examples, exclusiveMaximum, exclusiveMinimum, format
    case id = "$id"
    case `if`, items
    case legacyID = "id"
    case maxContains, maxItems, maxLength, maxProperties, maximum, minContains
    case minItems, minLength, minProperties, minimum, multipleOf, not, nullable, oneOf, pattern, patternProperties
    case prefixItems, properties, propertyNames, readOnly
    case recursiveAnchor = "$recursiveAnchor"
    case recursiveRef = "$recursiveRef"
    case ref = "$ref"
    case required
    case schema = "$schema"
    case then, title, type
    case unevaluatedItems, unevaluatedProperties, uniqueItems
    case vocabulary = "$vocabulary"
    case writeOnly

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { (ExactText($0.rawValue), $0) })

    init?(named name: String) {
        guard let keyword = Keyword.byName[ExactText(name)] else { return nil }
        self = keyword
    }
}

extension Keyword {
    /// The vocabulary that gives the keyword its meaning (draft 2019-09 and later).
    var vocabulary: Vocabularies {
        switch self {
        case .id, .legacyID, .schema, .ref, .anchor, .dynamicRef, .dynamicAnchor, .recursiveRef, .recursiveAnchor,
            .vocabulary, .comment, .defs, .definitions:
            .core
        case .additionalItems, .additionalProperties, .allOf, .anyOf, .contains, .dependencies, .dependentSchemas,
            .else, .if, .items, .not, .oneOf, .patternProperties, .prefixItems, .properties, .propertyNames, .then:
            .applicator
        case .unevaluatedItems, .unevaluatedProperties:
            .unevaluated
        case .const, .dependentRequired, .enum, .exclusiveMaximum, .exclusiveMinimum, .maxContains, .maxItems,
            .maxLength, .maxProperties, .maximum, .minContains, .minItems, .minLength, .minProperties, .minimum,
            .multipleOf, .pattern, .required, .type, .uniqueItems:
            .validation
        case .format, .contentEncoding, .contentMediaType, .contentSchema, .deprecated, .description, .discriminator,
            .examples, .nullable, .readOnly, .title, .writeOnly:
            .annotation
        }
    }
}
