import Basics
import JSON

/// Holds a keyword's value against what the metaschema wants.
///
/// Every sentence about malformed schemas is made in this file.
enum KeywordCheck {
    struct Complaint {
        var message: String
        var advice: String?
        var position: JSONPosition
    }

    static func complaint(
        about value: JSONValue,
        of keyword: Keyword,
        shaped shape: KeywordShape,
        in dialect: SchemaDialect
    ) -> Complaint? {
        switch shape {
        case .anything: nil
        case .boolean: value.bool == nil ? wrong(keyword, "true or false", value) : nil
        case .text: value.string == nil ? wrong(keyword, "a string", value) : nil
        case .number: value.number == nil ? wrong(keyword, "a number", value) : nil
        case .booleanOrNumber:
            value.bool == nil && value.number == nil ? wrong(keyword, "true or false", value) : nil
        case .positiveNumber:
            value.number.map { 0 < $0 } == true ? nil : wrong(keyword, "a number above zero", value)
        case .count:
            value.number.map { $0.isInteger && !($0 < 0) } == true
                ? nil : wrong(keyword, "a whole number from zero", value)
        case .expression: value.string == nil ? wrong(keyword, "a regular expression", value) : nil
        case .typeNames: types(value)
        case .values: values(value, dialect)
        case .names: names(value, of: keyword, dialect)
        case .schemas:
            value.array?.isEmpty == false ? nil : wrong(keyword, "an array of one schema or more", value)
        case .schema, .schemaOrSchemas:
            value.array == nil || shape.allowsArray ? nil : wrong(keyword, "a schema", value)
        case .schemaByName, .schemaByExpression, .schemaOrNamesByName, .namesByName:
            value.object == nil ? wrong(keyword, "an object", value) : nil
        }
    }

    /// What is wrong with a value that stands where a schema belongs.
    static func complaint(aboutSchema value: JSONValue) -> Complaint {
        Complaint(
            message: "a schema is an object, or true or false, but this is \(Wording.shown(value))",
            position: value.position
        )
    }

    private static func wrong(_ keyword: Keyword, _ wanted: String, _ value: JSONValue) -> Complaint {
        Complaint(
            message: "\"\(keyword.rawValue)\" wants \(wanted), but this is \(Wording.shown(value))",
            position: value.position
        )
    }

    private static func types(_ value: JSONValue) -> Complaint? {
        if let array = value.array {
            if array.isEmpty { return wrong(.type, "at least one type", value) }
            for (number, element) in array.enumerated() {
                if let complaint = type(element) { return complaint }
                if array[..<number].contains(element) { return repeated(element, of: .type) }
            }
            return nil
        }
        return type(value)
    }

    private static func type(_ value: JSONValue) -> Complaint? {
        guard let name = value.string else { return wrong(.type, "a type's name or an array of them", value) }
        guard !KindSet.names.contains(where: { $0.hasSameUTF8(as: name) }) else { return nil }
        let known = KindSet.names.joined(lastBy: "or")
        let near = Suggestion.nearest(to: name, among: KindSet.names)
        return Complaint(
            message: "there is no type \(Wording.shown(value)); types are \(known)",
            advice: near.map { "did you mean \"\($0)\"?" },
            position: value.position
        )
    }

    private static func values(_ value: JSONValue, _ dialect: SchemaDialect) -> Complaint? {
        guard let values = value.array else { return wrong(.enum, "an array of values", value) }
        return values.isEmpty && dialect < .draft7 ? wrong(.enum, "at least one value", value) : nil
    }

    private static func names(_ value: JSONValue, of keyword: Keyword, _ dialect: SchemaDialect) -> Complaint? {
        if dialect == .openAPI30, value.bool != nil {
            return Complaint(
                message: "\"required\" wants an array of names, but this is \(Wording.shown(value))",
                advice: "name the property in \"required\" of the object around it",
                position: value.position
            )
        }
        guard let names = value.array else { return wrong(keyword, "an array of names", value) }
        if names.isEmpty, dialect == .draft4 { return wrong(keyword, "at least one name", value) }
        if let other = names.first(where: { $0.string == nil }) { return wrong(keyword, "names", other) }
        guard dialect != .openAPI30, names.count > 1 else { return nil }
        var seen: Set<JSONValue> = []
        return names.first { !seen.insert($0).inserted }.map { repeated($0, of: keyword) }
    }

    private static func repeated(_ value: JSONValue, of keyword: Keyword) -> Complaint {
        Complaint(
            message: "\"\(keyword.rawValue)\" has \(Wording.shown(value)) twice; once is enough",
            position: value.position
        )
    }
}

extension KeywordShape {
    fileprivate var allowsArray: Bool {
        if case .schemaOrSchemas = self { true } else { false }
    }
}
