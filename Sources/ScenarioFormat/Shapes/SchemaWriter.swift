import JSON

/// Writes shapes as JSON Schema.
struct SchemaWriter {
    /// Whether the value is a story's, laid over another file's.
    var isChange = false

    static func changeName(of name: ObjectShape.Name) -> String { "\(name.rawValue)Change" }

    /// The name of a variant's definition, in which its further keys stand: `expireEventWithAgo`.
    static func definitionName(of name: ObjectShape.Name, plus extra: [ObjectShape.Key]) -> String {
        guard let first = extra.first?.name else { return name.rawValue }
        return "\(name.rawValue)With\(first.prefix(1).uppercased())\(first.dropFirst())"
    }

    func schema(of shape: ObjectShape, summary: String) -> JSONObject {
        schema(of: shape, summary: summary, removable: shape.keys.filter { !$0.isRequired }.map(\.name))
    }

    /// - Parameters:
    ///   - removable: keys that a change may set to null.
    ///   - foreign: keys that a change may only set to null.
    private func schema(
        of shape: ObjectShape,
        summary: String,
        removable: [String],
        foreign: [String] = []
    ) -> JSONObject {
        var properties = JSONObject()
        for key in shape.keys {
            var property: JSONObject = ["description": .string(key.summary)]
            let own = schema(of: key.shape)
            for member in (isChange && removable.contains(key.name) ? optional(own) : own).members {
                property.set(member)
            }
            properties[key.name] = .object(property)
        }
        for name in foreign { properties[name] = ["type": "null"] }
        properties[ObjectShape.comment] = true
        var schema: JSONObject = ["type": "object", "description": .string(summary), "properties": .object(properties)]
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !isChange, !required.isEmpty { schema["required"] = .array(required) }
        if !shape.needed.isEmpty { schema["anyOf"] = .array(shape.needed.map { ["required": [.string($0)]] }) }
        let rivals = shape.exclusive.flatMap(pairs).map(rivalry)
        if !rivals.isEmpty { schema["allOf"] = .array(rivals) }
        schema["additionalProperties"] = false
        return schema
    }

    /// Says that one object does not have both; what a change removes it does not have.
    private func rivalry(_ pair: (String, String)) -> JSONValue {
        var both: JSONObject = ["required": [.string(pair.0), .string(pair.1)]]
        if isChange { both["properties"] = [pair.0: ["not": ["type": "null"]], pair.1: ["not": ["type": "null"]]] }
        return ["not": .object(both)]
    }

    private func pairs(_ names: [String]) -> [(String, String)] {
        names.indices.flatMap { first in names[(first + 1)...].map { (names[first], $0) } }
    }

    private func optional(_ schema: JSONObject) -> JSONObject {
        schema.isEmpty ? schema : ["anyOf": [.object(schema), ["type": "null"]]]
    }

    // MARK: Shapes

    private func schema(of shape: Shape) -> JSONObject {
        switch shape {
        case .text(let form): form.schema
        case .integer(let range):
            [
                "type": "integer",
                "minimum": .number(JSONNumber(range.lowerBound)),
                "maximum": .number(JSONNumber(range.upperBound)),
            ]
        case .number(let range):
            bounded(
                ["type": "number"],
                "minimum",
                JSONNumber(range.lowerBound),
                "maximum",
                JSONNumber(range.upperBound)
            )
        case .boolean: ["type": "boolean"]
        case .null: ["type": "null"]
        case .anything: [:]
        case .list(let element, let count):
            bounded(
                ["type": "array", "items": .object(SchemaWriter().schema(of: element))],
                "minItems",
                count.lowerBound == 0 ? nil : JSONNumber(count.lowerBound),
                "maxItems",
                count.upperBound == .max ? nil : JSONNumber(count.upperBound)
            )
        case .map(let element, let names): map(of: schema(of: element), names: names)
        case .object(let name):
            ["$ref": .string("#/$defs/\(definition(of: name))")]
        case .variants(let names, let extra): ["anyOf": .array(names.map { variant($0, among: names, plus: extra) })]
        case .choice(let shapes): ["anyOf": .array(shapes.map { .object(schema(of: $0)) })]
        }
    }

    private func definition(of name: ObjectShape.Name) -> String {
        isChange && name.shape.merging == .members ? Self.changeName(of: name) : name.rawValue
    }

    private func map(of element: JSONObject, names: TextForm) -> JSONObject {
        [
            "type": "object",
            "properties": [ObjectShape.comment: true],
            "propertyNames": ["anyOf": [["const": .string(ObjectShape.comment)], .object(names.schema)]],
            "additionalProperties": .object(isChange ? optional(element) : element),
        ]
    }

    /// A change may lack the verb, which its backend then has, and remove the keys of the backend's variant.
    private func variant(
        _ name: ObjectShape.Name,
        among names: [ObjectShape.Name],
        plus extra: [ObjectShape.Key]
    ) -> JSONValue {
        guard isChange else { return ["$ref": .string("#/$defs/\(Self.definitionName(of: name, plus: extra))")] }
        let shape = name.shape.adding(extra)
        var foreign: [String] = []
        for key in names.flatMap(\.shape.keys).map(\.name) where shape[key] == nil && !foreign.contains(key) {
            foreign.append(key)
        }
        let removable = shape.keys.map(\.name)
        return .object(schema(of: shape, summary: name.summary, removable: removable, foreign: foreign))
    }

    private func bounded(
        _ schema: JSONObject,
        _ lower: String,
        _ least: JSONNumber?,
        _ upper: String,
        _ greatest: JSONNumber?
    ) -> JSONObject {
        var schema = schema
        schema[lower] = least.map(JSONValue.number)
        schema[upper] = greatest.map(JSONValue.number)
        return schema
    }
}
