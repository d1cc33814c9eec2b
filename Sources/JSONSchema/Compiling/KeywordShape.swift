/// What a keyword's value has to look like, by the metaschema.
enum KeywordShape: Sendable {
    case anything
    case boolean
    case text
    case number
    case positiveNumber
    /// A whole number that is not negative.
    case count
    case expression
    case typeNames
    /// An array, not empty where the dialect says so.
    case values
    case names
    case namesByName
    case schema
    case schemas
    case schemaOrSchemas
    case schemaByName
    case schemaByExpression
    /// `dependencies`: a schema or a list of names for each name.
    case schemaOrNamesByName
    /// Exclusive limits before draft 6.
    case booleanOrNumber

    /// The shape in a dialect; `nil` where the keyword does not exist.
    init?(of keyword: Keyword, in dialect: SchemaDialect) {
        guard KeywordShape.exists(keyword, in: dialect) else { return nil }
        switch keyword {
        case .comment, .contentEncoding, .contentMediaType, .description, .format, .id, .legacyID, .ref, .schema,
            .title,
            .anchor, .dynamicRef, .dynamicAnchor, .recursiveRef:
            self = .text
        case .deprecated, .nullable, .readOnly, .writeOnly, .uniqueItems, .recursiveAnchor: self = .boolean
        case .const, .discriminator, .examples, .vocabulary: self = .anything
        case .enum: self = .values
        case .type: self = .typeNames
        case .required: self = .names
        case .dependentRequired: self = .namesByName
        case .minimum, .maximum: self = .number
        case .exclusiveMinimum, .exclusiveMaximum: self = dialect < .draft6 ? .booleanOrNumber : .number
        case .multipleOf: self = .positiveNumber
        case .maxItems, .minItems, .maxLength, .minLength, .maxProperties, .minProperties, .maxContains, .minContains:
            self = .count
        case .pattern: self = .expression
        case .allOf, .anyOf, .oneOf, .prefixItems: self = .schemas
        case .items: self = dialect >= .draft2020 ? .schema : .schemaOrSchemas
        case .additionalItems, .additionalProperties, .contains, .contentSchema, .if, .then, .else, .not,
            .propertyNames, .unevaluatedItems, .unevaluatedProperties:
            self = .schema
        case .defs, .definitions, .dependentSchemas, .properties: self = .schemaByName
        case .patternProperties: self = .schemaByExpression
        case .dependencies: self = .schemaOrNamesByName
        }
    }

    private static func exists(_ keyword: Keyword, in dialect: SchemaDialect) -> Bool {
        switch keyword {
        case .legacyID: dialect == .draft4
        case .id: dialect >= .draft6
        case .const, .contains, .examples, .propertyNames: dialect >= .draft6
        case .if, .then, .else, .comment, .contentEncoding, .contentMediaType: dialect >= .draft7
        case .readOnly, .writeOnly: dialect >= .draft7 || dialect == .openAPI30
        case .anchor, .defs, .dependentRequired, .dependentSchemas, .maxContains, .minContains, .unevaluatedItems,
            .unevaluatedProperties, .contentSchema, .vocabulary:
            dialect >= .draft2019
        case .deprecated: dialect >= .draft2019 || dialect == .openAPI30
        case .recursiveRef, .recursiveAnchor: dialect == .draft2019
        case .dynamicRef, .dynamicAnchor, .prefixItems: dialect >= .draft2020
        case .additionalItems: dialect < .draft2020 && dialect != .openAPI30
        case .definitions, .dependencies, .patternProperties, .schema: dialect != .openAPI30
        case .nullable, .discriminator: dialect == .openAPI30 || (dialect == .openAPI31 && keyword == .discriminator)
        default: true
        }
    }
}
