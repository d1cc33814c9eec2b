import Basics
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
    case `default`, dependencies, dependentRequired
    case dependentSchemas, deprecated, description, discriminator
    case dynamicAnchor = "$dynamicAnchor"
    case dynamicRef = "$dynamicRef"
    case `else`, `enum`, example, examples, exclusiveMaximum, exclusiveMinimum, format
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

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.exact, $0) })

    init?(named name: String) {
        guard let keyword = Keyword.byName[name.exact] else { return nil }
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
        case .contentEncoding, .contentMediaType, .contentSchema, .default, .deprecated, .description, .discriminator,
            .example, .examples, .format, .nullable, .readOnly, .title, .writeOnly:
            .annotation
        }
    }
}

/// The form that the metaschema requires of a keyword's value.
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
    case array
    /// An object with a `propertyName` (OpenAPI 3.1, section 4.8.25).
    case discriminator

    /// The shape in a dialect; `nil` where the keyword does not exist.
    init?(of keyword: Keyword, in dialect: SchemaDialect) {
        guard KeywordShape.exists(keyword, in: dialect) else { return nil }
        switch keyword {
        case .comment, .contentEncoding, .contentMediaType, .description, .format, .id, .legacyID, .ref, .schema,
            .title,
            .anchor, .dynamicRef, .dynamicAnchor, .recursiveRef:
            self = .text
        case .deprecated, .nullable, .readOnly, .writeOnly, .uniqueItems, .recursiveAnchor: self = .boolean
        case .const, .default, .example, .vocabulary: self = .anything
        case .examples: self = .array
        case .discriminator: self = .discriminator
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

extension SchemaDialect {
    /// The names of all keywords that mean something to validation, in any dialect.
    package static let allKeywords = Keyword.allCases.map(\.rawValue)

    /// The names of those that exist here.
    package var keywords: [String] {
        Keyword.allCases.filter { KeywordShape(of: $0, in: self) != nil }.map(\.rawValue)
    }
}

/// Something wrong with a keyword of a schema.
struct KeywordFault {
    var message: String
    var advice: String?
    var position: JSONPosition
    /// A Boolean value that indicates whether the keyword is clear nevertheless, so that the schema can be used.
    var isHarmless = false
}

/// Checks a keyword's value against the metaschema.
///
/// Every sentence about malformed schemas is made in this file.
enum KeywordCheck {
    static func fault(
        about value: JSONValue,
        of keyword: Keyword,
        shaped shape: KeywordShape,
        in dialect: SchemaDialect
    ) -> KeywordFault? {
        if let fault = fault(about: value, of: keyword, shape, dialect) { return fault }
        return dialect == .openAPI30 ? laterForm(value, of: keyword, shape) : nil
    }

    private static func fault(
        about value: JSONValue,
        of keyword: Keyword,
        _ shape: KeywordShape,
        _ dialect: SchemaDialect
    ) -> KeywordFault? {
        switch shape {
        case .anything, .schemaOrSchemas: nil
        case .array: value.array == nil ? later("\"\(keyword.rawValue)\" requires an array of values", at: value) : nil
        case .discriminator: discriminator(value)
        case .boolean: value.bool == nil ? wrong(keyword, "true or false", value) : nil
        case .text: value.string == nil ? wrong(keyword, "a string", value) : nil
        case .number: value.number == nil ? wrong(keyword, "a number", value) : nil
        case .booleanOrNumber:
            value.bool == nil && value.number == nil ? wrong(keyword, "true or false", value) : nil
        case .positiveNumber:
            value.number.map { 0 < $0 } == true ? nil : wrong(keyword, "a number greater than zero", value)
        case .count:
            value.number.map { $0.isInteger && !($0 < 0) } == true
                ? nil : wrong(keyword, "a non-negative whole number", value)
        case .expression: value.string == nil ? wrong(keyword, "a regular expression", value) : nil
        case .typeNames: types(value)
        case .values: values(value, dialect)
        case .names: names(value, of: keyword, dialect)
        case .schemas:
            value.array?.isEmpty == false ? nil : wrong(keyword, "a non-empty array of schemas", value)
        case .schema: value.array == nil ? nil : wrong(keyword, "a schema", value)
        case .schemaByName, .schemaByExpression, .schemaOrNamesByName, .namesByName:
            value.object == nil ? wrong(keyword, "an object", value) : nil
        }
    }

    /// The fault about a value that later versions allow and OpenAPI 3.0 does not (3.0.3, section 4.7.24).
    ///
    /// Its meaning is clear, so the schema is read as later versions do.
    private static func laterForm(_ value: JSONValue, of keyword: Keyword, _ shape: KeywordShape) -> KeywordFault? {
        switch (shape, value.content) {
        case (.typeNames, .array(let types)):
            return later(
                "in OpenAPI 3.0, \"type\" must name a single type, but this is \(Wording.shown(value))",
                advice: types.contains(.string("null"))
                    ? "write \"nullable\": true for null" : "list a schema for each type under \"anyOf\"",
                at: value
            )
        case (.typeNames, .string(let name)) where name.exact == "null":
            return later(
                "OpenAPI 3.0 does not support the type \"null\"",
                advice: "write \"nullable\": true",
                at: value
            )
        case (.booleanOrNumber, .number(let limit)):
            let base = keyword == .exclusiveMinimum ? Keyword.minimum : .maximum
            return later(
                "in OpenAPI 3.0, \"\(keyword.rawValue)\" must be true or false, but this is \(Wording.shown(value))",
                advice: "write \"\(base.rawValue)\": \(limit), and \"\(keyword.rawValue)\": true",
                at: value
            )
        case (.names, .array(let names)):
            if names.isEmpty {
                return later(
                    "in OpenAPI 3.0, \"required\" must contain at least one name",
                    advice: "remove it",
                    at: value
                )
            }
            return names.firstRepeated.map { repeated($0, of: keyword) }
        case (.schemaOrSchemas, .array) where keyword == .items:
            return later(
                "in OpenAPI 3.0, \"items\" must be a single schema, but this is \(Wording.shown(value))",
                at: value
            )
        case (.schema, .bool) where keyword != .additionalProperties, (.schemaOrSchemas, .bool):
            return booleanSchema(value)
        case (.schemas, .array(let schemas)):
            return schemas.first { $0.bool != nil }.map(booleanSchema)
        case (.schemaByName, .object(let schemas)):
            return schemas.members.first { $0.value.bool != nil }.map { booleanSchema($0.value) }
        default: return nil
        }
    }

    private static func booleanSchema(_ value: JSONValue) -> KeywordFault {
        later(
            "in OpenAPI 3.0, a schema must be an object, but this is \(Wording.shown(value))",
            advice: value.bool == true
                ? "write {}, which accepts every value" : "write {\"not\": {}}, which accepts no value",
            at: value
        )
    }

    private static func later(_ message: String, advice: String? = nil, at value: JSONValue) -> KeywordFault {
        KeywordFault(message: message, advice: advice, position: value.position, isHarmless: true)
    }

    /// The fault about keywords that depend on one another.
    static func fault(aboutKeywordsOf object: JSONObject, at position: JSONPosition, in dialect: SchemaDialect)
        -> KeywordFault?
    {
        guard dialect == .openAPI30 else { return nil }
        func has(_ keyword: Keyword) -> Bool { object.contains(keyword.rawValue) }
        func isTrue(_ keyword: Keyword) -> Bool { object[keyword.rawValue]?.bool == true }
        if object[Keyword.type.rawValue]?.string == "array", !has(.items) {
            return KeywordFault(
                message:
                    "in OpenAPI 3.0, a schema with the type \"array\" requires \"items\", the schema for its elements",
                advice: "write \"items\": {}, if an element may be any value",
                position: position,
                isHarmless: true
            )
        }
        guard isTrue(.readOnly), isTrue(.writeOnly) else { return nil }
        return KeywordFault(
            message: "a schema must not be both \"readOnly\" and \"writeOnly\"",
            advice: "remove one of these keywords",
            position: object.member(named: Keyword.writeOnly.rawValue)?.namePosition ?? position,
            isHarmless: true
        )
    }

    private static func discriminator(_ value: JSONValue) -> KeywordFault? {
        guard let object = value.object else {
            var fault = wrong(.discriminator, "an object with \"propertyName\"", value)
            fault.isHarmless = true
            return fault
        }
        if let mapping = object["mapping"], mapping.object == nil {
            return later(
                "\"mapping\" requires an object that maps values to schemas, but this is \(Wording.shown(mapping))",
                at: mapping
            )
        }
        guard object["propertyName"]?.string == nil else { return nil }
        let meant = Suggestion.nearest(to: "propertyName", among: object.names)
        return KeywordFault(
            message:
                "\"discriminator\" requires \"propertyName\", the name of the property that contains the schema's name",
            advice: meant.map { "is \"\($0)\" meant to be \"propertyName\"?" },
            position: object["propertyName"]?.position ?? value.position,
            isHarmless: true
        )
    }

    /// The fault about a value in place of a schema.
    static func fault(aboutSchema value: JSONValue) -> KeywordFault {
        KeywordFault(
            message: "a schema must be an object, true or false, but this is \(Wording.shown(value))",
            position: value.position
        )
    }

    private static func wrong(_ keyword: Keyword, _ wanted: String, _ value: JSONValue) -> KeywordFault {
        KeywordFault(
            message: "\"\(keyword.rawValue)\" requires \(wanted), but this is \(Wording.shown(value))",
            position: value.position
        )
    }

    private static func types(_ value: JSONValue) -> KeywordFault? {
        if let array = value.array {
            if array.isEmpty { return wrong(.type, "at least one type", value) }
            for (number, element) in array.enumerated() {
                if let fault = type(element) { return fault }
                if array[..<number].contains(element) { return repeated(element, of: .type) }
            }
            return nil
        }
        return type(value)
    }

    private static func type(_ value: JSONValue) -> KeywordFault? {
        guard let name = value.string else { return wrong(.type, "a type name or an array of type names", value) }
        guard !KindSet.names.contains(where: { $0.exact == name.exact }) else { return nil }
        let known = KindSet.names.joined(lastBy: "or")
        let near = Suggestion.nearest(to: name, among: KindSet.names)
        return KeywordFault(
            message: "\(Wording.shown(value)) is not a type; the types are \(known)",
            advice: near.map { "did you mean \"\($0)\"?" },
            position: value.position
        )
    }

    private static func values(_ value: JSONValue, _ dialect: SchemaDialect) -> KeywordFault? {
        guard let values = value.array else { return wrong(.enum, "an array of values", value) }
        return values.isEmpty && dialect < .draft7 ? wrong(.enum, "at least one value", value) : nil
    }

    private static func names(_ value: JSONValue, of keyword: Keyword, _ dialect: SchemaDialect) -> KeywordFault? {
        if dialect == .openAPI30, value.bool != nil {
            return KeywordFault(
                message: "\"required\" requires an array of names, but this is \(Wording.shown(value))",
                advice: "add the property to \"required\" in the enclosing object",
                position: value.position
            )
        }
        guard let names = value.array else { return wrong(keyword, "an array of names", value) }
        if names.isEmpty, dialect == .draft4 { return wrong(keyword, "at least one name", value) }
        if let other = names.first(where: { $0.string == nil }) { return wrong(keyword, "names", other) }
        guard dialect != .openAPI30 else { return nil }
        return names.firstRepeated.map { repeated($0, of: keyword) }
    }

    private static func repeated(_ value: JSONValue, of keyword: Keyword) -> KeywordFault {
        KeywordFault(
            message: "\"\(keyword.rawValue)\" contains \(Wording.shown(value)) twice; remove the repetition",
            position: value.position,
            isHarmless: true
        )
    }
}

extension [JSONValue] {
    /// The first element that is equal to an earlier one.
    fileprivate var firstRepeated: JSONValue? {
        var seen: Set<JSONValue> = []
        return first { !seen.insert($0).inserted }
    }
}
